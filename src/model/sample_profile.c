/*
 * How it works. Functions, lines and targets are three arrays, each with an index from what makes
 * a row distinct to its number. Sorting them gives functions other numbers, by which their rows
 * are then sorted; a function's rows are neighbours from then on, and are found by bisection. Its
 * children are neighbours, too, but in the order of their parents' old numbers: it says where.
 */
#include "model/sample_profile.h"

#include "base/bisect.h"
#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

struct sample_profile *sample_profile_new(const struct strtab *strings)
{
	struct sample_profile *p = xcalloc(1, sizeof(*p));

	p->strings = strings;
	return p;
}

static void release_indexes(struct sample_profile *p)
{
	index_release(&p->functions);
	index_release(&p->lines);
	index_release(&p->targets);
	p->functions = p->lines = p->targets = (struct index){ 0 };
}

void sample_profile_free(struct sample_profile *p)
{
	if (!p)
		return;
	release_indexes(p);
	free(p->function);
	free(p->line);
	free(p->target);
	free(p);
}

static int compare_places(struct sample_place a, struct sample_place b)
{
	if (a.line != b.line)
		return a.line < b.line ? -1 : 1;
	return a.discriminator < b.discriminator ? -1 : a.discriminator > b.discriminator;
}

static uint64_t hash_row(uint32_t function, struct sample_place place, str_id name)
{
	return hash_pair(
		hash_pair(function, name), (uint64_t)place.line << 32 | place.discriminator);
}

/* ---- adding --------------------------------------------------------------------------------- */

uint32_t sample_profile_inlined(
	struct sample_profile *p, uint32_t parent, struct sample_place site, str_id name)
{
	uint64_t hash = hash_row(parent, site, name);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->functions, hash, c, i) {
		const struct sample_function *f = &p->function[i];

		if (f->parent == parent && f->name == name && !compare_places(f->site, site))
			return i;
	}
	ARRAY_GROW(p->function, p->n_functions, p->cap_functions);
	p->function[p->n_functions] =
		(struct sample_function){ .parent = parent, .site = site, .name = name };
	index_add(&p->functions, hash, p->n_functions);
	return p->n_functions++;
}

uint32_t sample_profile_root(struct sample_profile *p, str_id name)
{
	return sample_profile_inlined(p, SAMPLE_NO_FUNCTION, (struct sample_place){ 0 }, name);
}

uint32_t sample_profile_line(struct sample_profile *p, uint32_t function, struct sample_place place)
{
	uint64_t hash = hash_row(function, place, 0);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->lines, hash, c, i)
		if (p->line[i].function == function && !compare_places(p->line[i].place, place))
			return i;
	ARRAY_GROW(p->line, p->n_lines, p->cap_lines);
	p->line[p->n_lines] = (struct sample_line){ .function = function, .place = place };
	index_add(&p->lines, hash, p->n_lines);
	return p->n_lines++;
}

uint32_t sample_profile_target(
	struct sample_profile *p, uint32_t function, struct sample_place place, str_id name)
{
	uint64_t hash = hash_row(function, place, name);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->targets, hash, c, i) {
		const struct sample_target *t = &p->target[i];

		if (t->function == function && t->name == name && !compare_places(t->place, place))
			return i;
	}
	ARRAY_GROW(p->target, p->n_targets, p->cap_targets);
	p->target[p->n_targets] =
		(struct sample_target){ .function = function, .place = place, .name = name };
	index_add(&p->targets, hash, p->n_targets);
	return p->n_targets++;
}

/* ---- sorting -------------------------------------------------------------------------------- */

static int compare_names(const struct strtab *strings, str_id a, str_id b)
{
	return a == b ? 0 : span_cmp(strtab_get(strings, a), strtab_get(strings, b));
}

static int compare_functions(const void *pa, const void *pb, void *ctx)
{
	const struct sample_profile *p = ctx;
	const struct sample_function *a = &p->function[*(const uint32_t *)pa];
	const struct sample_function *b = &p->function[*(const uint32_t *)pb];

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->parent == SAMPLE_NO_FUNCTION && a->total != b->total)
		return a->total > b->total ? -1 : 1;
	if (compare_places(a->site, b->site))
		return compare_places(a->site, b->site);
	return compare_names(p->strings, a->name, b->name);
}

static int compare_lines(const void *pa, const void *pb)
{
	const struct sample_line *a = pa, *b = pb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return compare_places(a->place, b->place);
}

static int compare_targets(const void *pa, const void *pb, void *ctx)
{
	const struct sample_profile *p = ctx;
	const struct sample_target *a = pa, *b = pb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (compare_places(a->place, b->place))
		return compare_places(a->place, b->place);
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return compare_names(p->strings, a->name, b->name);
}

/* Functions in their order, with parents renumbered; the new number of each old one. */
static uint32_t *sort_functions(struct sample_profile *p)
{
	uint32_t n = p->n_functions, *order = xcalloc((size_t)n + 1, sizeof(*order));
	uint32_t *number = xcalloc((size_t)n + 1, sizeof(*number)), i;
	struct sample_function *sorted = xcalloc((size_t)n + 1, sizeof(*sorted));

	for (i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_functions, p);
	for (i = 0; i < n; i++) {
		number[order[i]] = i;
		sorted[i] = p->function[order[i]];
	}
	free(order);
	free(p->function);
	p->function = sorted;
	p->cap_functions = n + 1;
	return number;
}

static void add_child(struct sample_profile *p, uint32_t parent, uint32_t child)
{
	if (!p->function[parent].n_children++)
		p->function[parent].first_child = child;
}

void sample_profile_sort(struct sample_profile *p)
{
	uint32_t *number = sort_functions(p), i;

	release_indexes(p);
	for (i = 0; i < p->n_lines; i++)
		p->line[i].function = number[p->line[i].function];
	for (i = 0; i < p->n_targets; i++)
		p->target[i].function = number[p->target[i].function];
	for (i = 0; i < p->n_functions; i++)
		if (p->function[i].parent != SAMPLE_NO_FUNCTION)
			add_child(p, p->function[i].parent = number[p->function[i].parent], i);
	free(number);
	if (p->n_lines)
		qsort(p->line, p->n_lines, sizeof(*p->line), compare_lines);
	if (p->n_targets)
		qsort_r(p->target, p->n_targets, sizeof(*p->target), compare_targets, p);
}

/* ---- looking up ----------------------------------------------------------------------------- */

uint32_t sample_profile_first_root(const struct sample_profile *p)
{
	return bisect(i, 0u, p->n_functions, p->function[i].parent == SAMPLE_NO_FUNCTION);
}

const struct sample_line *sample_profile_lines(
	const struct sample_profile *p, uint32_t function, uint32_t *n)
{
	uint32_t first = bisect(i, 0u, p->n_lines, p->line[i].function >= function);

	*n = bisect(i, first, p->n_lines, p->line[i].function > function) - first;
	return p->line + first;
}

/* Is the target of the line (0), or of one before (-1) or after it (1)? */
static int compare_with_line(const struct sample_target *t, const struct sample_line *line)
{
	if (t->function != line->function)
		return t->function < line->function ? -1 : 1;
	return compare_places(t->place, line->place);
}

const struct sample_target *sample_profile_targets(
	const struct sample_profile *p, const struct sample_line *line, uint32_t *n)
{
	uint32_t first = bisect(i, 0u, p->n_targets, compare_with_line(&p->target[i], line) >= 0);

	*n = bisect(i, first, p->n_targets, compare_with_line(&p->target[i], line) > 0) - first;
	return p->target + first;
}
