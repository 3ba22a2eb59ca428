#include "compare/branches.h"

#include "base/mem.h"

#include <stdlib.h>

/* In the order in which they are to be popped: the cheapest first. */
static int compare_branches(const void *pa, const void *pb, void *ctx)
{
	const struct node *node = ctx;
	const struct branch *a = pa, *b = pb;
	uint64_t x = node[a->node].total, y = node[b->node].total;

	if (x != y)
		return x < y ? -1 : 1;
	return (a->node < b->node) - (a->node > b->node);
}

static void push_callees(struct branches *b, node_id of)
{
	const struct node *node = b->p->nodes;
	size_t first = b->n, k;
	node_id i;

	for (i = of + 1; i < of + node[of].subtree; i += node[i].subtree) {
		if (!node[i].total || (double)node[i].total < b->least) {
			b->hidden += node[i].subtree;
			continue;
		}
		ARRAY_GROW(b->waiting, b->n, b->cap);
		b->waiting[b->n++] = (struct branch){ .node = i, .depth = node[of].depth + 1 };
	}
	if (b->n == first)
		return;
	qsort_r(b->waiting + first, b->n - first, sizeof(*b->waiting), compare_branches,
		b->p->nodes);
	for (k = first; k < b->n; k++)
		b->waiting[k].siblings = (uint32_t)(b->n - first);
	b->waiting[first].is_last = true;
}

void branches_init(struct branches *b, const struct profile *p, double least)
{
	*b = (struct branches){ .p = p, .least = least };
	if (p->n_nodes)
		push_callees(b, 0);
}

bool branches_next(struct branches *b, struct branch *next)
{
	if (b->begun)
		push_callees(b, b->begun);
	b->begun = 0;
	if (!b->n)
		return false;
	*next = b->waiting[--b->n];
	b->begun = next->node;
	return true;
}

uint32_t branches_rest(const struct branches *b)
{
	uint32_t n = b->hidden;
	size_t i;

	if (b->begun)
		n += b->p->nodes[b->begun].subtree - 1;
	for (i = 0; i < b->n; i++)
		n += b->p->nodes[b->waiting[i].node].subtree;
	return n;
}

void branches_release(struct branches *b)
{
	free(b->waiting);
}
