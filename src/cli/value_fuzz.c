/*
 * value_fuzz.c - any text as the value of an option that has a grammar, or as a name in a file name
 *
 *	byte 0: which of options[], or where there is none the names of the files of --split
 *	all the rest: the text; for --split a path, a NUL, the name of a part
 *
 * A text is taken, or refused with a message as a fault of usage; a condition that is taken can be
 * asked, a requirement reported.
 */
#include "cli/value.h"

#include "base/mem.h"
#include "pipeline/pipeline.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const options[] = { "fail-if", "require", "where", "time", "split", "root",
	"weight", "min-width", "begin", "slower", "tid", "o", "annotate", "max-memory",
	"comm", [16] = "during" };

static void use_line(void *ctx, const char *line)
{
	*(size_t *)ctx += strlen(line);
}

static void use_conditions(const struct where_list *l)
{
	static const struct field_value values[] = { { 0 }, { .has_number = true, .number = 7 },
		{ .has_number = true, .is_signed = true, .number = (uint64_t)-7 },
		{ .has_text = true, .text = { "7\xff", 2 } } };
	size_t i, k;

	for (i = 0; i < l->n; i++) {
		if (!where_field(l, i).n)
			abort();
		for (k = 0; k < ARRAY_LEN(values); k++)
			where_holds(l, i, &values[k]);
	}
}

/* A condition that is taken is about spans that have a rule. */
static void use_spans(const struct during *d)
{
	uint32_t i;

	for (i = 0; i < d->n_conditions; i++)
		if (d->conditions[i].measure >= d->n_measures || !d->conditions[i].text)
			abort();
	for (i = 0; i < d->n_measures; i++)
		if (!d->measures[i].preset &&
			(!*d->measures[i].rule.begin || !*d->measures[i].rule.end))
			abort();
}

static void use(struct options *o)
{
	struct recording recording = { .samples_read = 9, .samples_kept = 9 };
	struct recording *recordings[] = { &recording };
	const struct pipeline_result r = { .recordings = recordings, .n_recordings = 1 };
	size_t bytes = 0, i;

	use_conditions(&o->choice.where);
	use_spans(&o->during);
	requirements_report(&o->requirements, &r, use_line, &bytes);
	for (i = 0; i < o->gate.rules.n; i++)
		if (!(o->gate.rules.item[i].limit >= 0) || !o->gate.rules.item[i].text.n)
			abort();
}

static void run_option(const char *name, struct span text)
{
	static const enum command_bits commands[] = { FOR_FOLD, FOR_DIFF, FOR_TOP, FOR_SPANS };
	size_t i;

	for (i = 0; i < ARRAY_LEN(commands); i++) {
		char *value = strndup(text.p, text.n);
		char *word = xasprintf("%s%s", strlen(name) > 1 ? "--" : "-", name);
		char program[] = "perfold", input[] = "x", more[] = "y";
		char *argv[] = { program, word, value, input, more, NULL };
		struct options o;
		struct err e = { 0 };

		if (options_parse(&o, commands[i], 5, argv, &e) == OK)
			use(&o);
		else if (!e.msg[0])
			abort();
		options_release(&o);
		free(word);
		free(value);
	}
}

/* No part leaves the directory that the path names, and none has a name that no file can have. */
static void run_part(struct span text)
{
	char *path = strndup(text.p, text.n);
	struct strtab *strings = strtab_new();
	struct profile_part part = { .by = SPLIT_THREAD, .n_parts = 1000, .pid = -1, .tid = 1 };
	struct buf b = { 0 };
	struct err e = { 0 };
	size_t i, before = 0, after = 0;

	if (strlen(path) < text.n)
		text = span_skip(text, strlen(path) + 1);
	part.name = part.event = strtab_add(strings, text);
	if (output_check_marks(path, &e) == OK) {
		output_part_path(&b, path, &part, strings);
		for (i = 0; path[i]; i++)
			before += path[i] == '/';
		for (i = 0; i < b.n; i++)
			after += b.p[i] == '/' || !b.p[i];
		if (before != after)
			abort();
	}
	buf_release(&b);
	strtab_free(strings);
	free(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span text = { (const char *)data + 1, size - 1 };

	if (!size)
		return 0;
	if (data[0] % 32 < ARRAY_LEN(options) && options[data[0] % 32])
		run_option(options[data[0] % 32], text);
	else
		run_part(text);
	return 0;
}
