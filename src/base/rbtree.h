/*
 * rbtree.h - a red-black tree over the numbers of the caller's array
 *
 * For where the shape of the tree matters: perf keeps symbols in the kernel's rbtree, and which of
 * several overlapping symbols it finds depends on which is nearer to the root. The algorithm is the
 * kernel's, so the shapes are equal. For anything else a sorted array is better.
 *
 * Equal elements go to the right of those that are there.
 *
 * Owns: its nodes. Threads: one at a time; reading from any. A zeroed struct is empty.
 */
#ifndef PERFOLD_BASE_RBTREE_H
#define PERFOLD_BASE_RBTREE_H

#include <stdbool.h>
#include <stdint.h>

#define RBTREE_NONE UINT32_MAX

struct rbtree_node {
	uint32_t parent, left, right; /* numbers of nodes, 0: none */
	bool red;
};

struct rbtree {
	struct rbtree_node *node; /* of element i: node i + 1; node 0 is every leaf */
	uint32_t root;
	uint32_t cap;
};

/* True where element a belongs to the left of b. */
typedef bool (*rbtree_before)(const void *ctx, uint32_t a, uint32_t b);

/* i < 2^31 */
void rbtree_insert(struct rbtree *t, uint32_t i, rbtree_before before, const void *ctx);
void rbtree_erase(struct rbtree *t, uint32_t i);
/* In order; RBTREE_NONE where there is none. */
uint32_t rbtree_first(const struct rbtree *t);
uint32_t rbtree_next(const struct rbtree *t, uint32_t i);
void rbtree_release(struct rbtree *t);

/* For searches by the caller; RBTREE_NONE where there is none. */
static inline uint32_t rbtree_root(const struct rbtree *t)
{
	return t->root - 1;
}

static inline uint32_t rbtree_left(const struct rbtree *t, uint32_t i)
{
	return t->node[i + 1].left - 1;
}

static inline uint32_t rbtree_right(const struct rbtree *t, uint32_t i)
{
	return t->node[i + 1].right - 1;
}

#endif
