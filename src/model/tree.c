#include "model/tree.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

void tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	ARRAY_GROW(t->nodes, t->n, t->cap);
	t->nodes[t->n++] = (struct tree_node){ 0 };
	ARRAY_GROW(t->sums, t->n_sums, t->cap_sums);
	t->sums[t->n_sums++] = (struct tree_sum){ 0 };
}

void tree_release(struct tree *t)
{
	free(t->nodes);
	free(t->sums);
	index_release(&t->by_child);
	*t = (struct tree){ 0 };
}

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t what)
{
	ARRAY_GROW(t->nodes, t->n, t->cap);
	t->nodes[t->n] = (struct tree_node){ .parent = parent, .what = what };
	return t->n++;
}

/* Beside the first child. A table of all children would cost two cache misses for each node of a
 * tree of millions; most of its nodes are the only child of the node before them. */
static uint32_t further_child(struct tree *t, uint32_t parent, uint32_t first, uint32_t what)
{
	uint64_t hash = hash_pair(parent, what);
	struct index_cursor c;
	uint32_t i;

	if (t->nodes[first].next)
		index_for_each (&t->by_child, hash, c, i)
			if (t->nodes[i].parent == parent && t->nodes[i].what == what)
				return i;
	i = add_node(t, parent, what);
	t->nodes[i].next = t->nodes[first].next;
	t->nodes[first].next = i;
	index_add(&t->by_child, hash, i);
	return i;
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t what)
{
	uint32_t first = t->nodes[parent].child;

	if (!first) {
		first = add_node(t, parent, what);
		t->nodes[parent].child = first;
		return first;
	}
	return t->nodes[first].what == what ? first : further_child(t, parent, first, what);
}

void tree_seal(struct tree *t)
{
	index_release(&t->by_child);
}

void tree_count(struct tree *t, uint32_t node, uint64_t weight, uint64_t samples)
{
	struct tree_sum *sum;

	if (!t->nodes[node].sum) {
		ARRAY_GROW(t->sums, t->n_sums, t->cap_sums);
		t->sums[t->n_sums] = (struct tree_sum){ 0 };
		t->nodes[node].sum = t->n_sums++;
	}
	sum = &t->sums[t->nodes[node].sum];
	sum->weight = add_saturated(sum->weight, weight);
	sum->samples = add_saturated(sum->samples, samples);
}
