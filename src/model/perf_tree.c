#include "model/perf_tree.h"

#include "base/mem.h"
#include "base/rbtree.h"

#include <stdlib.h>

enum { PAGE_BYTES = 4096 };

struct perf_tree {
	struct perf_tree_symbol {
		uint64_t start, end;
	} * symbols;
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
	free(t->symbols);
	rbtree_release(&t->by_start);
	free(t);
}

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct perf_tree_symbol *symbols = ctx;

	return symbols[a].start < symbols[b].start;
}

void perf_tree_insert(struct perf_tree *t, uint64_t start, uint64_t end)
{
	ARRAY_GROW(t->symbols, t->n, t->cap);
	t->symbols[t->n] = (struct perf_tree_symbol){ start, end };
	rbtree_insert(&t->by_start, t->n++, starts_before, t->symbols);
}

uint32_t perf_tree_count(const struct perf_tree *t)
{
	return t->n;
}

uint64_t perf_tree_end(const struct perf_tree *t, uint32_t i)
{
	return t->symbols[i].end;
}

uint64_t perf_tree_page_after(uint64_t address)
{
	uint64_t page = (address + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);

	return page > UINT64_MAX - PAGE_BYTES || page < address ? UINT64_MAX : page + PAGE_BYTES;
}

void perf_tree_fixup_end(struct perf_tree *t)
{
	uint32_t i, next;

	for (i = rbtree_first(&t->by_start); i != RBTREE_NONE; i = next) {
		struct perf_tree_symbol *s = &t->symbols[i];

		next = rbtree_next(&t->by_start, i);
		if (s->end == s->start)
			s->end = next != RBTREE_NONE ? t->symbols[next].start
						     : perf_tree_page_after(s->start);
	}
}

void perf_tree_fixup_duplicate(struct perf_tree *t, perf_tree_better_fn better, const void *ctx)
{
	uint32_t i = rbtree_first(&t->by_start), next;

	for (; i != RBTREE_NONE && (next = rbtree_next(&t->by_start, i)) != RBTREE_NONE;) {
		if (t->symbols[i].start != t->symbols[next].start) {
			i = next;
		} else if (better(ctx, i, next)) {
			rbtree_erase(&t->by_start, i);
			i = next;
		} else {
			rbtree_erase(&t->by_start, next);
		}
	}
}

int64_t perf_tree_find(const struct perf_tree *t, uint64_t address)
{
	uint32_t i = t->n ? rbtree_root(&t->by_start) : RBTREE_NONE;

	while (i != RBTREE_NONE) {
		const struct perf_tree_symbol *s = &t->symbols[i];

		if (address < s->start)
			i = rbtree_left(&t->by_start, i);
		else if (address > s->end || (address == s->end && address != s->start))
			i = rbtree_right(&t->by_start, i);
		else
			return i;
	}
	return PERF_TREE_NONE;
}
