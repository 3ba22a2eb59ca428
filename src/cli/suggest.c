/*
 * Words that are nearly the name of an option or a command. The error for an option names, in this
 * order: the options that it may be short for, the commands that do have it, the option that is
 * most like it (base/near_word.h), or --help.
 */
#include "cli/suggest.h"

#include "base/buf.h"
#include "base/near_word.h"
#include "cli/cli.h"

#include <string.h>

static const char *nearest_option(unsigned commands, struct span word)
{
	struct near_word near = near_word_of(word);
	const char *found = NULL;
	struct option_help o;
	size_t at = 0;

	while (options_next(commands, &at, &o))
		if (near_word_is_nearer(&near, span_of(o.name)))
			found = o.name;
	return found;
}

/* Lists the options that begin with the word, with commas; returns how many. */
static unsigned list_begun(struct buf *out, enum command_bits command, struct span word)
{
	struct option_help o;
	unsigned n = 0;
	size_t at = 0;

	while (options_next(command, &at, &o))
		if (span_starts(span_of(o.name), word))
			buf_printf(out, "%s--%s", n++ ? ", " : "", o.name);
	return n;
}

/* Lists the commands that have the option, with commas; returns how many. */
static unsigned list_owners(struct buf *out, struct span word)
{
	const struct command *c;
	unsigned n = 0;
	size_t i;

	for (i = 0; (c = commands_at(i)); i++) {
		struct option_help o;
		size_t at = 0;

		while (options_next(c->options, &at, &o))
			if (span_eq(span_of(o.name), word))
				buf_printf(out, "%sperfold%s%s", n++ ? ", " : "",
					c->name ? " " : "", c->name ? c->name : "");
	}
	return n;
}

static const char *command_name(enum command_bits command)
{
	const struct command *c;
	size_t i;

	for (i = 0; (c = commands_at(i)); i++)
		if (c->options == command)
			return c->name;
	return NULL;
}

static int unknown_long(enum command_bits command, struct span word, struct err *e)
{
	const int n = word.n < 100 ? (int)word.n : 100;
	const char *own = command_name(command), *near;
	struct buf names = { 0 };

	if (word.n && list_begun(&names, command, word) > 1) {
		err_set(e, ERR_USAGE, "option --%.*s is ambiguous: %s", n, word.p, buf_str(&names));
	} else if (names.n = 0, list_owners(&names, word)) {
		err_set(e, ERR_USAGE, "option --%.*s belongs to %s", n, word.p, buf_str(&names));
	} else if ((near = nearest_option(command, word))) {
		err_set(e, ERR_USAGE, "unknown option --%.*s; did you mean --%s?", n, word.p, near);
	} else {
		err_set(e, ERR_USAGE, "unknown option --%.*s; see perfold %s%s--help", n, word.p,
			own ? own : "", own ? " " : "");
	}
	buf_release(&names);
	return e->code;
}

int suggest_option(enum command_bits command, const char *word, struct err *e)
{
	struct span name = span_of(word);
	const char *own = command_name(command), *value;

	if (!span_starts(name, SPAN("--")))
		return err_set(e, ERR_USAGE, "unknown option %.100s; see perfold %s%s--help", word,
			own ? own : "", own ? " " : "");
	name = span_skip(name, 2);
	value = memchr(name.p, '=', name.n);
	if (value)
		name = span_range(name.p, value);
	return unknown_long(command, name, e);
}

const char *suggest_command(const char *word)
{
	struct near_word near = near_word_of(span_of(word));
	const struct command *c;
	const char *found = NULL;
	size_t i;

	for (i = 1; (c = commands_at(i)); i++)
		if (near_word_is_nearer(&near, span_of(c->name)))
			found = c->name;
	return found;
}
