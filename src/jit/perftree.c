#include "jit/perftree.h"

#include "base/mem.h"

#include <stdbool.h>
#include <stdlib.h>

/* Node 0 is the leaf that all leaves are: black, without content. */
struct node {
	uint64_t start, end;
	uint32_t child[2]; /* lower, higher */
	uint32_t parent;
	bool red;
};

struct perf_tree {
	struct node *node;
	uint32_t root;
	uint32_t n, cap;
};

enum { LEAF = 0 };

struct perf_tree *perf_tree_new(void)
{
	struct perf_tree *t = xcalloc(1, sizeof(*t));

	ARRAY_GROW(t->node, t->n, t->cap);
	t->node[t->n++] = (struct node){ 0 };
	return t;
}

void perf_tree_free(struct perf_tree *t)
{
	if (!t)
		return;
	free(t->node);
	free(t);
}

/* Which child of its parent a node is. */
static unsigned side_of(const struct perf_tree *t, uint32_t i)
{
	return t->node[t->node[i].parent].child[1] == i;
}

static void replace_child(struct perf_tree *t, uint32_t old, uint32_t new)
{
	uint32_t parent = t->node[old].parent;

	if (parent == LEAF)
		t->root = new;
	else
		t->node[parent].child[side_of(t, old)] = new;
	t->node[new].parent = parent;
}

/* The node goes down to the given side, its other child comes up in its place. */
static void rotate(struct perf_tree *t, uint32_t i, unsigned side)
{
	uint32_t up = t->node[i].child[!side], moved = t->node[up].child[side];

	replace_child(t, i, up);
	t->node[up].child[side] = i;
	t->node[i].parent = up;
	t->node[i].child[!side] = moved;
	if (moved != LEAF)
		t->node[moved].parent = i;
}

static void rebalance(struct perf_tree *t, uint32_t i)
{
	while (t->node[t->node[i].parent].red) {
		uint32_t parent = t->node[i].parent, grand = t->node[parent].parent;
		unsigned side = side_of(t, parent);
		uint32_t uncle = t->node[grand].child[!side];

		if (t->node[uncle].red) {
			t->node[uncle].red = t->node[parent].red = false;
			t->node[grand].red = true;
			i = grand;
			continue;
		}
		if (side_of(t, i) != side) {
			rotate(t, parent, side);
			parent = i;
		}
		t->node[parent].red = false;
		t->node[grand].red = true;
		rotate(t, grand, !side);
		break;
	}
	t->node[t->root].red = false;
}

void perf_tree_insert(struct perf_tree *t, uint64_t start, uint64_t end)
{
	uint32_t parent = LEAF, at = t->root, i = t->n;
	unsigned side = 0;

	while (at != LEAF) {
		parent = at;
		side = start >= t->node[at].start;
		at = t->node[at].child[side];
	}
	ARRAY_GROW(t->node, t->n, t->cap);
	t->node[t->n++] =
		(struct node){ .start = start, .end = end, .parent = parent, .red = true };
	if (parent == LEAF)
		t->root = i;
	else
		t->node[parent].child[side] = i;
	rebalance(t, i);
}

int64_t perf_tree_find(const struct perf_tree *t, uint64_t address)
{
	uint32_t i = t->root;

	while (i != LEAF) {
		const struct node *n = &t->node[i];

		if (address < n->start)
			i = n->child[0];
		else if (address > n->end || (address == n->end && address != n->start))
			i = n->child[1];
		else
			return (int64_t)i - 1;
	}
	return PERF_TREE_NONE;
}
