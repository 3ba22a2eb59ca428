#include "base/rbtree.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Inside, everything is a number of a node. Rotations and repairs come in pairs that mirror each
 * other: side says which. */
enum side { LEFT, RIGHT };

static uint32_t *child(struct rbtree *t, uint32_t n, enum side side)
{
	return side == LEFT ? &t->node[n].left : &t->node[n].right;
}

static enum side side_of(const struct rbtree *t, uint32_t n)
{
	return t->node[t->node[n].parent].left == n ? LEFT : RIGHT;
}

/* Put node n where node old was, as seen from above. */
static void replace(struct rbtree *t, uint32_t old, uint32_t n)
{
	uint32_t parent = t->node[old].parent;

	if (!parent)
		t->root = n;
	else
		*child(t, parent, side_of(t, old)) = n;
	t->node[n].parent = parent;
}

/* Node n goes down to the side, its other child takes its place. */
static void rotate(struct rbtree *t, uint32_t n, enum side side)
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

/* Two reds in a row are mended upwards. */
static void mend_insert(struct rbtree *t, uint32_t n)
{
	while (t->node[t->node[n].parent].red) {
		uint32_t parent = t->node[n].parent, above = t->node[parent].parent;
		enum side side = side_of(t, parent);
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
	enum side side = LEFT;

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
	mend_insert(t, n);
}

/* Below n one black is missing. */
static void mend_erase(struct rbtree *t, uint32_t n)
{
	while (n != t->root && !t->node[n].red) {
		uint32_t parent = t->node[n].parent;
		enum side side = side_of(t, n);
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
	/* Node 0 has a parent during the repair, as the textbook's sentinel has. */
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
		mend_erase(t, below);
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
