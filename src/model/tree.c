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

enum { FAR_MOST = 1 << 21 };

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t what)
{
	ARRAY_GROW_FAR(t->nodes, t->n, t->cap, FAR_MOST);
	t->nodes[t->n] = (struct tree_node){ .parent = parent, .what = what };
	return t->n++;
}

/* Up to this many children are searched in order. A table of all would need memory, and two cache
 * misses for each node of a tree of millions: most nodes are the only child of the node before
 * them, and most others have few siblings, added recently. */
enum { FEW = 6 };

static uint64_t child_hash(uint32_t parent, uint32_t what)
{
	return hash_pair(parent, what);
}

static uint32_t find_in_table(const struct tree *t, uint32_t parent, uint32_t what)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_child, child_hash(parent, what), c, i)
		if (t->nodes[i].parent == parent && t->nodes[i].what == what)
			return i;
	return 0;
}

static void put_into_table(struct tree *t, uint32_t child)
{
	index_add(&t->by_child, child_hash(t->nodes[child].parent, t->nodes[child].what), child);
}

/* A child other than the first, 0: none. *n were searched. */
static uint32_t find_further(
	const struct tree *t, uint32_t parent, uint32_t first, uint32_t what, unsigned *n)
{
	uint32_t i = t->nodes[first].next;

	for (*n = 0; i && *n < FEW; i = t->nodes[i].next, ++*n)
		if (t->nodes[i].what == what)
			return i;
	return i ? find_in_table(t, parent, what) : 0;
}

/* All children but the first are in the table once there are more than a few. */
static uint32_t further_child(struct tree *t, uint32_t parent, uint32_t first, uint32_t what)
{
	unsigned n;
	uint32_t found = find_further(t, parent, first, what, &n), i;

	if (found)
		return found;
	found = add_node(t, parent, what);
	if (n == FEW && !find_in_table(t, parent, t->nodes[t->nodes[first].next].what))
		for (i = t->nodes[first].next; i; i = t->nodes[i].next)
			put_into_table(t, i);
	t->nodes[found].next = t->nodes[first].next;
	t->nodes[first].next = found;
	if (n == FEW)
		put_into_table(t, found);
	return found;
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

void tree_add(struct tree *t, uint32_t node, uint64_t weight, uint64_t samples)
{
	struct tree_sum *sum;

	if (!t->nodes[node].sum) {
		ARRAY_GROW_FAR(t->sums, t->n_sums, t->cap_sums, FAR_MOST);
		t->sums[t->n_sums] = (struct tree_sum){ 0 };
		t->nodes[node].sum = t->n_sums++;
	}
	sum = &t->sums[t->nodes[node].sum];
	sum->weight = saturated_add(sum->weight, weight);
	sum->samples = saturated_add(sum->samples, samples);
}
