#include "jit/perftree.h"

#include "base/mem.h"
#include "base/rbtree.h"

#include <stdlib.h>

struct perf_tree {
	struct entry {
		uint64_t start, end;
	} * entries;
	uint32_t n, cap;
	struct rbtree by_start;
};

struct perf_tree *perf_tree_new(void)
{
	return xcalloc(1, sizeof(struct perf_tree));
}

void perf_tree_free(struct perf_tree *t)
{
	if (!t)
		return;
	free(t->entries);
	rbtree_release(&t->by_start);
	free(t);
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct entry *entries = ctx;

	return entries[a].start < entries[b].start;
}

void perf_tree_insert(struct perf_tree *t, uint64_t start, uint64_t end)
{
	ARRAY_GROW(t->entries, t->n, t->cap);
	t->entries[t->n] = (struct entry){ start, end };
	rbtree_insert(&t->by_start, t->n++, starts_before, t->entries);
}

int64_t perf_tree_find(const struct perf_tree *t, uint64_t address)
{
	uint32_t i = t->n ? rbtree_root(&t->by_start) : RBTREE_NONE;

	while (i != RBTREE_NONE) {
		const struct entry *e = &t->entries[i];

		if (address < e->start)
			i = rbtree_left(&t->by_start, i);
		else if (address > e->end || (address == e->end && address != e->start))
			i = rbtree_right(&t->by_start, i);
		else
			return i;
	}
	return PERF_TREE_NONE;
}
