/*
 * Words that are nearly the name of an option or a command. The error for an option names, in this
 * order: the options that it may be short for, the commands that do have it, the option that is
 * most like it (at most 2 letters differ, and a third of them), or --help.
 */
#include "cli/suggest.h"

#include "base/buf.h"
#include "cli/cli.h"

#include <string.h>

enum { WORD_MAX = 31, NEAR_MAX = 2 };

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters must be inserted, deleted, changed or swapped with their neighbour to make a
 * into b (optimal string alignment). Letters after the first WORD_MAX do not count. */
static size_t distance(struct span a, struct span b)
{
	size_t rows[3][WORD_MAX + 1], i, j;

	a.n = least_of(a.n, WORD_MAX);
	b.n = least_of(b.n, WORD_MAX);
	for (j = 0; j <= b.n; j++)
		rows[0][j] = j;
	for (i = 1; i <= a.n; i++) {
		const size_t *before = rows[(i - 1) % 3], *earlier = rows[(i + 1) % 3];
		size_t *row = rows[i % 3];

		row[0] = i;
		for (j = 1; j <= b.n; j++) {
			row[j] = least_of(before[j - 1] + (a.p[i - 1] != b.p[j - 1]),
				least_of(before[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				row[j] = least_of(row[j], earlier[j - 2] + 1);
		}
	}
	return rows[a.n % 3][b.n];
}

/* Two letters make a short word into another one: "-o" is not like "--by". */
static size_t near_enough(struct span word)
{
	return least_of(NEAR_MAX, word.n / 3);
}

bool suggest_is_near(struct span a, struct span b)
{
	size_t most = a.n > b.n ? a.n : b.n;

	return most - least_of(a.n, b.n) <= NEAR_MAX && most <= WORD_MAX &&
	       distance(a, b) <= near_enough(a);
}

static const char *nearest_option(unsigned commands, struct span word)
{
	size_t best = near_enough(word) + 1, at = 0;
	const char *found = NULL;
	struct option_help o;

	while (options_next(commands, &at, &o)) {
		size_t far = distance(word, span_of(o.name));

		if (far >= best)
			continue;
		best = far;
		found = o.name;
	}
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
	const int n = (int)least_of(word.n, 100);
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
	const struct command *c;
	struct span s = span_of(word);
	const size_t most = near_enough(s);
	size_t i;

	for (i = 1; (c = commands_at(i)); i++)
		if (distance(s, span_of(c->name)) <= most)
			return c->name;
	return NULL;
}
