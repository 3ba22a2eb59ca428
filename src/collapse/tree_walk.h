/*
 * tree_walk.h - trees of several workers, walked together in the order of a profile
 *
 * All trees are walked at once: children of one node that have the same rank become one node,
 * whichever tree they are from. So the trees of workers are merged, and siblings of one shown name,
 * without building a merged tree. The walk emits seeds, which are no larger than the trees: trees
 * and whole nodes are never in memory together. Nothing here recurses, because stacks may be
 * 10^5 frames deep.
 *
 * Workers share the walk: the subtrees of large nodes are cut into segments, runs of successive
 * seeds. Where the cuts are depends on the number of workers; the seeds do not.
 *
 * Owns: the seeds. Threads: uses the pool it is given. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_TREE_WALK_H
#define PERFOLD_COLLAPSE_TREE_WALK_H

#include "base/pool.h"
#include "collapse/ranks.h"

/* A node of the profile, in preorder: the depths imply the parents. */
struct walk_seed {
	frame_id frame;
	uint32_t depth : 31;
	uint32_t weighs : 1; /* the next of the sums is its self weight */
};

/* A node of a tree that will be a node of the profile, or part of one. */
struct walk_item {
	uint32_t rank, depth;
	uint32_t tree, node;
};

struct walk_items {
	struct walk_item *at;
	size_t n, cap;
};

/* A run of nodes in preorder: either only large nodes, or the items with their subtrees, whose
 * large callers are in segments before. */
struct walk_segment {
	bool large;
	struct walk_items todo; /* the first is at the end; empty once walked */
	uint32_t most;          /* the number of nodes of trees in it */
	struct walk_seed *seeds;
	uint32_t n, cap_large;
	struct tree_sum *sums; /* of the seeds with weighs set */
	uint32_t n_sums, cap_sums;
};

struct tree_walk {
	struct walk_seed *seeds; /* of all segments that are not large, with gaps between */
	struct walk_segment *segment;
	uint32_t n, cap;
};

/* A tree's place, if wanted, gets the number of the seed. */
void tree_walk_run(struct tree_walk *w, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name, struct pool *pool);
void tree_walk_release(struct tree_walk *w);

#endif
