/*
 * tree.h - a tree of numbers while it grows, and what its nodes weigh
 *
 * The numbers are sites (a log of sums, see stacklog.h) or frames (collapse/). Nodes are numbered
 * in the order in which they are added, a parent before its children; collapse/ sorts them.
 *
 * Most nodes of a million stacks have one child and no weight of their own: a node is 20 bytes and
 * finds its first child without a table; weights are in a separate list.
 *
 * Owns: its nodes and sums. Threads: one at a time while it grows, then read by any.
 */
#ifndef PERFOLD_MODEL_TREE_H
#define PERFOLD_MODEL_TREE_H

#include "base/index.h"

struct tree_node {
	uint32_t parent;
	uint32_t what;  /* its number; of the root: 0 */
	uint32_t child; /* the first of its children, 0: none */
	uint32_t next;  /* the next child of its parent, in no order; 0: none */
	uint32_t sum;   /* in sums; 0: it has no weight of its own */
};

struct tree_sum {
	uint64_t weight, samples;
};

struct tree {
	struct tree_node *nodes; /* 0 is the root */
	uint32_t n, cap;
	struct tree_sum *sums; /* 0 is nothing */
	uint32_t n_sums, cap_sums;
	struct index by_child; /* second and further children, where there are many */
};

void tree_init(struct tree *t);
void tree_release(struct tree *t);
/* The child of parent with a number; a new one if there is none. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t what);
/* Frees what only tree_child() needs. tree_add() still works. */
void tree_seal(struct tree *t);
void tree_add(struct tree *t, uint32_t node, uint64_t weight, uint64_t samples);

/* The weight of a node itself. */
static inline struct tree_sum tree_self(const struct tree *t, uint32_t node)
{
	return t->sums[t->nodes[node].sum];
}

/* The node after this one if a node comes before its children, and these before its next sibling; 0
 * after the last. *left: how many nodes end in between, without the root. */
static inline uint32_t tree_next(const struct tree *t, uint32_t node, uint32_t *left)
{
	*left = 0;
	if (t->nodes[node].child)
		return t->nodes[node].child;
	for (; node; node = t->nodes[node].parent) {
		++*left;
		if (t->nodes[node].next)
			return t->nodes[node].next;
	}
	return 0;
}

#endif
