/*
 * Rows are added in the order of traces, recording by recording. Once all are there, they are
 * sorted by `to` and `next` and equal ones are added up, so that the ranges of a reading are
 * neighbours; edges are sorted anew. Neither needs more memory than its result.
 */
#include "model/branch_profile.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- binaries ----------------------------------------------------------------------------- */

static bool is_binary(const struct branch_binary *b, const struct module *m)
{
	bool same = b->build_id.n ? build_id_same(&b->build_id, &m->build_id) : !m->build_id.n;

	return same && b->kind == m->kind && b->path == m->path;
}

struct branch_binary *branch_profile_binary(
	struct branch_profile *p, const struct module *m, size_t recording, module_id module)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		if (is_binary(&p->binary[i], m))
			return &p->binary[i];
	ARRAY_GROW(p->binary, p->n, p->cap);
	p->binary[p->n] = (struct branch_binary){
		.path = m->path,
		.build_id = m->build_id,
		.kind = m->kind,
		.why = BRANCH_NO_FILE,
		.recording = recording,
		.module = module,
	};
	return &p->binary[p->n++];
}

void branch_profile_add_row(struct branch_binary *b, const struct branch_row *row)
{
	ARRAY_GROW(b->row, b->n, b->cap);
	b->row[b->n++] = *row;
}

static void release_binary(struct branch_binary *b)
{
	free(b->row);
	b->row = NULL;
	b->n = b->cap = 0;
}

bool branch_profile_add_written(
	struct branch_profile *p, struct branch_binary *from, struct strtab *strings)
{
	struct module m = { .kind = MODULE_FILE,
		.path = strtab_add_str(strings, from->written_as) };
	struct branch_binary *to = branch_profile_binary(p, &m, 0, 0);
	uint32_t i;

	if (to->outside && from->outside && to->outside != from->outside)
		return false;
	to->why = BRANCH_FOUND;
	to->written_as = from->written_as;
	to->outside |= from->outside;
	to->text_base = from->text_base;
	to->entries = saturated_add(to->entries, from->entries);
	to->samples = saturated_add(to->samples, from->samples);
	for (i = 0; i < from->n; i++)
		branch_profile_add_row(to, &from->row[i]);
	release_binary(from);
	return true;
}

void branch_profile_release(struct branch_profile *p)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		release_binary(&p->binary[i]);
	free(p->binary);
	*p = (struct branch_profile){ 0 };
}

/* ---- order -------------------------------------------------------------------------------- */

static int compare_rows(const void *pa, const void *pb)
{
	const struct branch_row *a = pa, *b = pb;
	int order = sort_compare_u64(a->to, b->to);

	if (!order)
		order = sort_compare_u64(a->next, b->next);
	if (!order)
		order = sort_compare_u64(a->from, b->from);
	if (!order)
		order = sort_compare_u64(a->reading, b->reading);
	if (!order)
		order = (int)a->entered - (int)b->entered;
	return order ? order : (int)a->to_kernel - (int)b->to_kernel;
}

static void merge_rows(struct branch_binary *b)
{
	uint32_t i, n = 0;

	sort_in_place(b->row, b->n, sizeof(*b->row), compare_rows);
	for (i = 0; i < b->n; i++) {
		struct branch_row *last = n ? &b->row[n - 1] : NULL;

		if (!last || compare_rows(last, &b->row[i])) {
			b->row[n++] = b->row[i];
			continue;
		}
		last->count = saturated_add(last->count, b->row[i].count);
		last->mispredicted = saturated_add(last->mispredicted, b->row[i].mispredicted);
	}
	b->n = n;
}

static int compare_binaries(const void *pa, const void *pb, void *ctx)
{
	const struct branch_binary *a = pa, *b = pb;
	int order = -sort_compare_u64(a->entries, b->entries);

	if (!order)
		order = -sort_compare_u64(a->samples, b->samples);
	if (!order)
		order = strcmp(strtab_str(ctx, a->path), strtab_str(ctx, b->path));
	if (!order)
		order = (int)a->kind - (int)b->kind;
	if (!order)
		order = (int)a->build_id.n - (int)b->build_id.n;
	return order ? order : memcmp(a->build_id.byte, b->build_id.byte, a->build_id.n);
}

void branch_profile_finish(struct branch_profile *p, const struct strtab *strings)
{
	uint32_t i;

	for (i = 0; i < p->n; i++)
		merge_rows(&p->binary[i]);
	if (p->n)
		qsort_r(p->binary, p->n, sizeof(*p->binary), compare_binaries, (void *)strings);
}

/* ---- sums --------------------------------------------------------------------------------- */

/* User code ends where it calls the kernel, in the one reading; it is another's in the other. */
static bool is_in(const struct branch_row *r, enum branch_reading reading)
{
	if (reading == BRANCH_RESUMED && r->to_kernel)
		return false;
	return r->reading == BRANCH_ANY || r->reading == reading;
}

static int compare_edges(const void *pa, const void *pb)
{
	const struct branch_edge *a = pa, *b = pb;
	int order = sort_compare_u64(a->from, b->from);

	return order ? order : sort_compare_u64(a->to, b->to);
}

static uint32_t merge_edges(struct branch_edge *edge, uint32_t n)
{
	uint32_t i, out = 0;

	sort_in_place(edge, n, sizeof(*edge), compare_edges);
	for (i = 0; i < n; i++) {
		struct branch_edge *last = out ? &edge[out - 1] : NULL;

		if (!last || compare_edges(last, &edge[i])) {
			edge[out++] = edge[i];
			continue;
		}
		last->count = saturated_add(last->count, edge[i].count);
		last->mispredicted = saturated_add(last->mispredicted, edge[i].mispredicted);
	}
	return out;
}

static void leave_stubs(struct branch_edge *edge, const struct branch_row *r)
{
	if (r->from_stub)
		edge->from = BRANCH_ELSEWHERE;
	if (r->to_stub)
		edge->to = BRANCH_ELSEWHERE;
}

struct branch_edge *branch_profile_edges(
	const struct branch_binary *b, enum branch_reading reading, uint32_t *n)
{
	struct branch_edge *edge = NULL;
	uint32_t cap = 0, i;

	*n = 0;
	for (i = 0; i < b->n; i++) {
		const struct branch_row *r = &b->row[i];

		if (!is_in(r, reading) || r->reading == BRANCH_SAMPLE || r->only_range)
			continue;
		ARRAY_GROW(edge, *n, cap);
		edge[*n] = (struct branch_edge){ r->from, r->to, r->count, r->mispredicted };
		if (reading == BRANCH_INTERRUPTED)
			leave_stubs(&edge[*n], r);
		if (edge[*n].from != BRANCH_ELSEWHERE || edge[*n].to != BRANCH_ELSEWHERE)
			(*n)++;
	}
	*n = merge_edges(edge, *n);
	return edge;
}

/* Rows are sorted by to and next already. */
struct branch_range *branch_profile_ranges(
	const struct branch_binary *b, enum branch_reading reading, uint32_t *n)
{
	struct branch_range *range = NULL, *last = NULL;
	uint32_t cap = 0, i;

	*n = 0;
	for (i = 0; i < b->n; i++) {
		const struct branch_row *r = &b->row[i];

		if (!is_in(r, reading) || r->next == BRANCH_NO_NEXT || r->next < r->to ||
			(r->to_stub && reading == BRANCH_INTERRUPTED))
			continue;
		if (!last || last->start != r->to || last->end != r->next) {
			ARRAY_GROW(range, *n, cap);
			last = &range[(*n)++];
			*last = (struct branch_range){ .start = r->to, .end = r->next };
		}
		last->count = saturated_add(last->count, r->count);
		if (r->entered)
			last->entered = saturated_add(last->entered, r->count);
	}
	return range;
}

struct branch_address *branch_profile_addresses(const struct branch_binary *b, uint32_t *n)
{
	struct branch_address *address = NULL;
	uint32_t cap = 0, i;

	*n = 0;
	for (i = 0; i < b->n; i++) {
		if (b->row[i].reading != BRANCH_SAMPLE)
			continue;
		ARRAY_GROW(address, *n, cap);
		address[(*n)++] = (struct branch_address){ b->row[i].to, b->row[i].count };
	}
	return address;
}
