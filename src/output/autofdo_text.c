/*
 * autofdo_text.c - sample profiles as text, for clang's -fprofile-sample-use
 *
 *	main:354496:1		function:total:head
 *	 1: 4616		line: count
 *	 2.1: 4728 decide:4728	line.discriminator: count, and what was called there
 *	 7: kind_of:82809	line: function that was inlined there: its total
 *	  2: 4020		its lines, one blank more
 *
 * Source: clang, UsersManual, "Sample Profile Text Format"; LLVM, SampleProfWriter.cpp.
 */
#include "output/output_formats.h"

#include <inttypes.h>

static const char *const suffixes[] = { ".afdo.txt", NULL };

static void put_indent(struct sink *to, unsigned depth)
{
	for (; depth; depth--)
		sink_putc(to, ' ');
}

static void put_place(struct sample_place place, struct sink *to)
{
	if (place.discriminator)
		sink_printf(to, "%" PRIu32 ".%" PRIu32 ": ", place.line, place.discriminator);
	else
		sink_printf(to, "%" PRIu32 ": ", place.line);
}

static void put_line(const struct sample_profile *p, const struct sample_line *line, unsigned depth,
	struct sink *to)
{
	const struct sample_target *target;
	uint32_t i, n;

	put_indent(to, depth);
	put_place(line->place, to);
	sink_printf(to, "%" PRIu64, line->count);
	target = sample_profile_targets(p, line, &n);
	for (i = 0; i < n; i++) {
		sink_putc(to, ' ');
		sink_put_span(to, strtab_get(p->strings, target[i].name));
		sink_printf(to, ":%" PRIu64, target[i].count);
	}
	sink_putc(to, '\n');
}

/* Functions are inlined into each other no deeper than dwarf_walk.h follows them. */
static void put_inside(
	const struct sample_profile *p, uint32_t function, unsigned depth, struct sink *to)
{
	const struct sample_function *f = &p->function[function];
	const struct sample_line *line;
	uint32_t i, n;

	line = sample_profile_lines(p, function, &n);
	for (i = 0; i < n; i++)
		put_line(p, &line[i], depth, to);
	for (i = 0; i < f->n_children; i++) {
		const struct sample_function *child = &p->function[f->first_child + i];

		put_indent(to, depth);
		put_place(child->site, to);
		sink_put_span(to, strtab_get(p->strings, child->name));
		sink_printf(to, ":%" PRIu64 "\n", child->total);
		put_inside(p, f->first_child + i, depth + 1, to);
	}
}

static int write_autofdo(
	const struct profile *profile, const struct output_opts *o, struct sink *to, struct err *e)
{
	const struct sample_profile *p = o->samples;
	uint32_t i;

	(void)profile;
	(void)e;
	for (i = sample_profile_first_root(p); i < p->n_functions; i++) {
		sink_put_span(to, strtab_get(p->strings, p->function[i].name));
		sink_printf(to, ":%" PRIu64 ":%" PRIu64 "\n", p->function[i].total,
			p->function[i].head);
		put_inside(p, i, 1, to);
	}
	return OK;
}

const struct output_format autofdo_text_format = {
	.name = "autofdo",
	.suffixes = suffixes,
	.about = "sample profile for clang -fprofile-sample-use",
	.needs = OUTPUT_BRANCHES | OUTPUT_BY_LINE,
	.write = write_autofdo,
};
