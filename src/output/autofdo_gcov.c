/*
 * autofdo_gcov.c - sample profiles for GCC's -fauto-profile
 *
 *	"adcg", 2, 0
 *	FILE_NAMES	bytes, n, n times: length with NUL, name
 *	FUNCTION	words, n, n times: head (64), function
 *	MODULE_GROUPING	0, 0
 *	WORKING_SET	0
 *
 *	function	name, n lines, n inlined, lines, inlined
 *	line		place, n targets, count (64), targets
 *	target		kind, name (64), count (64)
 *	inlined		place, function
 *
 * Numbers have 32 bits, but where it says 64. They are little endian: GCC takes only the
 * order of its host, and machines that record branch stacks have that one. A name is its number in
 * FILE_NAMES, where 0 is the empty one, which GCC never looks up. A place is line << 16 |
 * discriminator. Lines that never ran are left out: that is what GCC takes missing lines for.
 *
 * GCC 12 and later count a string in bytes. Before, and in create_gcov of AutoFDO 0.19, they were
 * padded to words: in what that writes GCC 12 finds "Not expected TAG".
 *
 * Source: GCC 12, gcc/auto-profile.cc, gcc/gcov-io.cc; AutoFDO, profile_writer.cc.
 */
#include "base/mem.h"
#include "output/output_formats.h"

#include <endian.h>
#include <stdlib.h>

/* TARGET_KIND: as AutoFDO has it (HIST_TYPE_INDIR_CALL_TOPN); GCC skips it. */
enum { VERSION = 2, TARGET_KIND = 7 };

enum gcov_tag {
	FILE_NAMES = 0xaa,
	FUNCTION = 0xac,
	MODULE_GROUPING = 0xae,
	WORKING_SET = 0xaf,
};

struct gcov_writer {
	const struct sample_profile *p;
	struct sink *to;  /* NULL: only words are counted */
	uint64_t words;   /* of 4 bytes, written so far */
	str_id *name;     /* sorted, each once */
	uint32_t *number; /* by str_id: its number in the file */
	uint32_t n_names;
};

static void put32(struct gcov_writer *w, uint32_t value)
{
	w->words++;
	value = htole32(value);
	if (w->to)
		sink_put(w->to, &value, sizeof(value));
}

static void put64(struct gcov_writer *w, uint64_t value)
{
	put32(w, (uint32_t)value);
	put32(w, (uint32_t)(value >> 32));
}

static void put_tag(struct gcov_writer *w, enum gcov_tag tag)
{
	put32(w, (uint32_t)tag << 24);
}

/* ---- names ---------------------------------------------------------------------------------- */

static int compare_names(const void *pa, const void *pb, void *ctx)
{
	const struct strtab *strings = ctx;

	return span_cmp(
		strtab_get(strings, *(const str_id *)pa), strtab_get(strings, *(const str_id *)pb));
}

static void add_name(struct gcov_writer *w, str_id name)
{
	if (w->number[name])
		return;
	w->number[name] = 1;
	w->name[w->n_names++] = name;
}

static void number_names(struct gcov_writer *w)
{
	const struct sample_profile *p = w->p;
	uint32_t i;

	w->number = xcalloc(strtab_count(p->strings), sizeof(*w->number));
	w->name = xcalloc((size_t)p->n_functions + p->n_targets + 1, sizeof(*w->name));
	for (i = 0; i < p->n_functions; i++)
		add_name(w, p->function[i].name);
	for (i = 0; i < p->n_targets; i++)
		add_name(w, p->target[i].name);
	if (w->n_names)
		qsort_r(w->name, w->n_names, sizeof(*w->name), compare_names, (void *)p->strings);
	for (i = 0; i < w->n_names; i++)
		w->number[w->name[i]] = i + 1;
}

static void write_names(struct gcov_writer *w)
{
	uint64_t bytes = 4 + 4 + 1;
	uint32_t i;

	for (i = 0; i < w->n_names; i++)
		bytes += 4 + strtab_get(w->p->strings, w->name[i]).n + 1;
	put_tag(w, FILE_NAMES);
	put32(w, (uint32_t)bytes);
	put32(w, w->n_names + 1);
	put32(w, 1);
	sink_putc(w->to, '\0');
	for (i = 0; i < w->n_names; i++) {
		struct span s = strtab_get(w->p->strings, w->name[i]);

		put32(w, (uint32_t)s.n + 1);
		sink_put_span(w->to, s);
		sink_putc(w->to, '\0');
	}
}

/* ---- functions ------------------------------------------------------------------------------ */

static uint32_t place_of(struct sample_place place)
{
	return (place.line & 0xffff) << 16 | (place.discriminator & 0xffff);
}

static uint32_t count_lines(const struct sample_line *line, uint32_t n)
{
	uint32_t i, ran = 0;

	for (i = 0; i < n; i++)
		ran += line[i].count > 0;
	return ran;
}

static uint32_t count_children(const struct sample_profile *p, const struct sample_function *f)
{
	uint32_t i, ran = 0;

	for (i = 0; i < f->n_children; i++)
		ran += p->function[f->first_child + i].total > 0;
	return ran;
}

static void write_line(struct gcov_writer *w, const struct sample_line *line)
{
	const struct sample_target *target;
	uint32_t i, n;

	target = sample_profile_targets(w->p, line, &n);
	put32(w, place_of(line->place));
	put32(w, n);
	put64(w, line->count);
	for (i = 0; i < n; i++) {
		put32(w, TARGET_KIND);
		put64(w, w->number[target[i].name]);
		put64(w, target[i].count);
	}
}

/* Functions are inlined into each other no deeper than dwarf_walk.h follows them. */
static void write_function(struct gcov_writer *w, uint32_t function)
{
	const struct sample_function *f = &w->p->function[function];
	const struct sample_line *line;
	uint32_t i, n;

	line = sample_profile_lines(w->p, function, &n);
	put32(w, w->number[f->name]);
	put32(w, count_lines(line, n));
	put32(w, count_children(w->p, f));
	for (i = 0; i < n; i++)
		if (line[i].count)
			write_line(w, &line[i]);
	for (i = f->first_child; i < f->first_child + f->n_children; i++) {
		if (!w->p->function[i].total)
			continue;
		put32(w, place_of(w->p->function[i].site));
		write_function(w, i);
	}
}

static void write_roots(struct gcov_writer *w)
{
	uint32_t i, first = sample_profile_first_root(w->p);

	put32(w, w->p->n_functions - first);
	for (i = first; i < w->p->n_functions; i++) {
		put64(w, w->p->function[i].head);
		write_function(w, i);
	}
}

static void write_functions(struct gcov_writer *w)
{
	struct gcov_writer counting = *w;

	counting.to = NULL;
	counting.words = 0;
	write_roots(&counting);
	put_tag(w, FUNCTION);
	put32(w, (uint32_t)counting.words);
	write_roots(w);
}

static int write_gcov(
	const struct profile *profile, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct gcov_writer w = { .p = o->samples, .to = to };

	(void)profile;
	(void)e;
	number_names(&w);
	sink_puts(to, "adcg");
	put32(&w, VERSION);
	put32(&w, 0);
	write_names(&w);
	write_functions(&w);
	put_tag(&w, MODULE_GROUPING);
	put32(&w, 0);
	put32(&w, 0);
	put_tag(&w, WORKING_SET);
	put32(&w, 0);
	free(w.name);
	free(w.number);
	return OK;
}

static const char *const suffixes[] = { ".afdo", NULL };

const struct output_format autofdo_gcov_format = {
	.name = "gcov",
	.suffixes = suffixes,
	.about = "sample profile for gcc -fauto-profile",
	.needs = OUTPUT_BRANCHES | OUTPUT_BY_LINE | OUTPUT_PLAIN_DISCRIMINATORS,
	.write = write_gcov,
};
