/*
 * The algorithm of Cormen et al., "Introduction to Algorithms", chapter 13, as is lib/rbtree.c of
 * the kernel, which perf has a copy of: the same insertions and deletions give the same tree, and
 * that is the purpose. tsearch(3) promises no shape.
 *
 * Nodes are numbers: element i is node i + 1, and node 0 is the sentinel, which is every leaf and
 * the parent of the root, and black. The textbook's symmetric cases are one case with a side:
 *
 *	    n                 up
 *	   / \   rotate n    /  \
 *	  a   up  to LEFT   n    c
 *	     /  \  ───►    / \
 *	  middle  c       a  middle
 *
 * Insertion and deletion cost O(log n).
 */
#include "base/rbtree.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum rbtree_side { LEFT, RIGHT };

static uint32_t *child(struct rbtree *t, uint32_t n, enum rbtree_side side)
{
	return side == LEFT ? &t->node[n].left : &t->node[n].right;
}

static enum rbtree_side side_of(const struct rbtree *t, uint32_t n)
{
	return t->node[t->node[n].parent].left == n ? LEFT : RIGHT;
}

/* The parent of node old gets node n as its child instead. */
static void replace(struct rbtree *t, uint32_t old, uint32_t n)
{
	uint32_t parent = t->node[old].parent;

	if (!parent)
		t->root = n;
	else
		*child(t, parent, side_of(t, old)) = n;
	t->node[n].parent = parent;
}

/* Node n moves down to the side; its other child moves up in its place. */
static void rotate(struct rbtree *t, uint32_t n, enum rbtree_side side)
{
	uint32_t up = *child(t, n, !side), middle = *child(t, up, side);

	*child(t, n, !side) = middle;
	if (middle)
		t->node[middle].parent = n;
	replace(t, n, up);
	*child(t, up, side) = n;
	t->node[n].parent = up;
}

static void reserve(struct rbtree *t, uint32_t node)
{
	size_t had = t->cap, cap = had;

	if (node < had)
		return;
	ARRAY_RESERVE(t->node, (size_t)node + 1, cap);
	memset(t->node + had, 0, (cap - had) * sizeof(*t->node));
	t->cap = (uint32_t)cap;
}

/* n and its parent are both red: repair from here upwards. */
static void repair_insert(struct rbtree *t, uint32_t n)
{
	while (t->node[t->node[n].parent].red) {
		uint32_t parent = t->node[n].parent, above = t->node[parent].parent;
		enum rbtree_side side = side_of(t, parent);
		uint32_t uncle = *child(t, above, !side);

		if (t->node[uncle].red) {
			t->node[parent].red = t->node[uncle].red = false;
			t->node[above].red = true;
			n = above;
			continue;
		}
		if (side_of(t, n) != side) {
			rotate(t, parent, side);
			n = parent;
			parent = t->node[n].parent;
		}
		t->node[parent].red = false;
		t->node[above].red = true;
		rotate(t, above, !side);
	}
	t->node[t->root].red = false;
}

void rbtree_insert(struct rbtree *t, uint32_t i, rbtree_before before, const void *ctx)
{
	uint32_t n = i + 1, parent = 0, at = t->root;
	enum rbtree_side side = LEFT;

	reserve(t, n);
	while (at) {
		parent = at;
		side = before(ctx, i, at - 1) ? LEFT : RIGHT;
		at = *child(t, at, side);
	}
	t->node[n] = (struct rbtree_node){ .parent = parent, .red = true };
	if (parent)
		*child(t, parent, side) = n;
	else
		t->root = n;
	repair_insert(t, n);
}

/* Paths through n have one black node too few. */
static void repair_erase(struct rbtree *t, uint32_t n)
{
	while (n != t->root && !t->node[n].red) {
		uint32_t parent = t->node[n].parent;
		enum rbtree_side side = side_of(t, n);
		uint32_t sibling = *child(t, parent, !side);

		if (t->node[sibling].red) {
			t->node[sibling].red = false;
			t->node[parent].red = true;
			rotate(t, parent, side);
			sibling = *child(t, parent, !side);
		}
		if (!t->node[*child(t, sibling, LEFT)].red &&
			!t->node[*child(t, sibling, RIGHT)].red) {
			t->node[sibling].red = true;
			n = parent;
			continue;
		}
		if (!t->node[*child(t, sibling, !side)].red) {
			t->node[*child(t, sibling, side)].red = false;
			t->node[sibling].red = true;
			rotate(t, sibling, !side);
			sibling = *child(t, parent, !side);
		}
		t->node[sibling].red = t->node[parent].red;
		t->node[parent].red = false;
		t->node[*child(t, sibling, !side)].red = false;
		rotate(t, parent, side);
		n = t->root;
	}
	t->node[n].red = false;
}

static uint32_t leftmost(const struct rbtree *t, uint32_t n)
{
	while (t->node[n].left)
		n = t->node[n].left;
	return n;
}

void rbtree_erase(struct rbtree *t, uint32_t i)
{
	uint32_t n = i + 1, moved = n, below;
	bool black_gone;

	if (t->node[n].left && t->node[n].right)
		moved = leftmost(t, t->node[n].right);
	black_gone = !t->node[moved].red;
	below = t->node[moved].left ? t->node[moved].left : t->node[moved].right;
	/* The sentinel has a parent during the repair, as in the textbook. */
	replace(t, moved, below);
	if (moved != n) {
		t->node[moved].red = t->node[n].red;
		t->node[moved].left = t->node[n].left;
		t->node[moved].right = t->node[n].right;
		replace(t, n, moved);
		t->node[t->node[moved].left].parent = moved;
		if (t->node[moved].right)
			t->node[t->node[moved].right].parent = moved;
		if (t->node[below].parent == n)
			t->node[below].parent = moved;
	}
	if (black_gone)
		repair_erase(t, below);
	t->node[0] = (struct rbtree_node){ 0 };
}

uint32_t rbtree_first(const struct rbtree *t)
{
	return t->root ? leftmost(t, t->root) - 1 : RBTREE_NONE;
}

uint32_t rbtree_next(const struct rbtree *t, uint32_t i)
{
	uint32_t n = i + 1;

	if (t->node[n].right)
		return leftmost(t, t->node[n].right) - 1;
	while (t->node[n].parent && side_of(t, n) == RIGHT)
		n = t->node[n].parent;
	return t->node[n].parent - 1;
}

void rbtree_release(struct rbtree *t)
{
	free(t->node);
	*t = (struct rbtree){ 0 };
}
