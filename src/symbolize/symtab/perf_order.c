#include "symbolize/symtab/perf_order.h"

static bool starts_before(const void *ctx, uint32_t a, uint32_t b)
{
	const struct symbol *sym = ctx;

	return sym[a].start < sym[b].start;
}

void perf_order_insert(struct symtab *t)
{
	for (; t->n_inserted < t->n; t->n_inserted++)
		rbtree_insert(&t->tree, t->n_inserted, starts_before, t->sym);
}

static void extend(struct symtab *t)
{
	uint32_t i, next;

	for (i = rbtree_first(&t->tree); i != RBTREE_NONE; i = next) {
		struct symbol *s = &t->sym[i];

		next = rbtree_next(&t->tree, i);
		if (s->end == s->start)
			s->end = next != RBTREE_NONE ? t->sym[next].start
						     : symtab_page_after(s->start);
	}
}

static void choose(struct symtab *t)
{
	uint32_t i = rbtree_first(&t->tree), next;

	for (; i != RBTREE_NONE && (next = rbtree_next(&t->tree, i)) != RBTREE_NONE;) {
		if (t->sym[i].start != t->sym[next].start) {
			i = next;
		} else if (symtab_is_better(t, &t->sym[i], &t->sym[next])) {
			rbtree_erase(&t->tree, i);
			i = next;
		} else {
			rbtree_erase(&t->tree, next);
		}
	}
}

void perf_order_settle(struct symtab *t)
{
	perf_order_insert(t);
	extend(t);
	choose(t);
}

uint32_t perf_order_find(const struct symtab *t, uint64_t address)
{
	uint32_t i = rbtree_root(&t->tree);

	while (i != RBTREE_NONE) {
		const struct symbol *s = &t->sym[i];

		if (address < s->start)
			i = rbtree_left(&t->tree, i);
		else if (address > s->end || (address == s->end && address != s->start))
			i = rbtree_right(&t->tree, i);
		else
			return i;
	}
	return SYMTAB_NONE;
}
