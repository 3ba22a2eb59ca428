#include "model/branch_traces.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"

#include <stdlib.h>

struct branch_traces *branch_traces_new(void)
{
	return xcalloc(1, sizeof(struct branch_traces));
}

static void release_rows(struct branch_traces *t)
{
	free(t->row);
	index_release(&t->by_key);
	t->row = NULL;
	t->n = t->cap = 0;
}

void branch_traces_free(struct branch_traces *t)
{
	if (!t)
		return;
	release_rows(t);
	free(t);
}

static uint64_t hash_trace(const struct branch_trace *t)
{
	uint64_t modules = (uint64_t)t->from_module << 32 | t->to_module;

	return hash_pair(hash_pair(t->from, t->to), hash_pair(t->next, modules ^ t->reading));
}

static bool is_same(const struct branch_trace *a, const struct branch_trace *b)
{
	return a->from == b->from && a->to == b->to && a->next == b->next &&
	       a->from_module == b->from_module && a->to_module == b->to_module &&
	       a->reading == b->reading;
}

uint32_t branch_traces_find(struct branch_traces *t, const struct branch_trace *trace)
{
	uint64_t hash = hash_trace(trace);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_key, hash, c, i)
		if (is_same(&t->row[i], trace))
			return i;
	ARRAY_GROW(t->row, t->n, t->cap);
	t->row[t->n] = *trace;
	t->row[t->n].count = t->row[t->n].mispredicted = 0;
	index_add(&t->by_key, hash, t->n);
	return t->n++;
}

void branch_traces_count(
	struct branch_traces *t, uint32_t row, uint64_t count, uint64_t mispredicted)
{
	struct branch_trace *r = &t->row[row];

	r->count = saturated_add(r->count, count);
	r->mispredicted = saturated_add(r->mispredicted, mispredicted);
}

void branch_traces_add_totals(struct branch_totals *to, const struct branch_totals *from)
{
	to->samples += from->samples;
	to->empty += from->empty;
	to->entries += from->entries;
	to->predictions += from->predictions;
	to->mispredicted += from->mispredicted;
	to->sampled += from->sampled;
}

void branch_traces_merge(struct branch_traces *t, struct branch_traces *from)
{
	uint32_t i;

	for (i = 0; i < from->n; i++)
		branch_traces_count(t, branch_traces_find(t, &from->row[i]), from->row[i].count,
			from->row[i].mispredicted);
	branch_traces_add_totals(&t->totals, &from->totals);
	release_rows(from);
	from->totals = (struct branch_totals){ 0 };
}

static int compare_traces(const void *pa, const void *pb)
{
	const struct branch_trace *a = pa, *b = pb;
	int order = sort_compare_u64(a->to_module, b->to_module);

	if (!order)
		order = sort_compare_u64(a->to, b->to);
	if (!order)
		order = sort_compare_u64(a->next, b->next);
	if (!order)
		order = sort_compare_u64(a->from_module, b->from_module);
	if (!order)
		order = sort_compare_u64(a->from, b->from);
	return order ? order : sort_compare_u64(a->reading, b->reading);
}

void branch_traces_sort(struct branch_traces *t)
{
	index_release(&t->by_key);
	sort_in_place(t->row, t->n, sizeof(*t->row), compare_traces);
}
