/*
 * walk.h - trees in order of arrival, walked in the order of a profile
 *
 * All trees are walked at once: nodes of one rank on one node become one, whichever trees they are
 * of. So the trees of workers are merged, and siblings of one shown name, without a tree of all.
 * What is met is written down as seeds, no more than the trees know of it: so at no time are there
 * trees and whole nodes. Nothing here recurses, stacks may be 10^5 frames deep.
 *
 * Workers share the walk: what stands on nodes that are large is cut into stretches, runs of
 * seeds that follow one another. Where the cuts are depends on the number of workers, what is
 * met between them does not.
 *
 * Owns: the seeds. Threads: uses the pool it is given. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_WALK_H
#define PERFOLD_COLLAPSE_WALK_H

#include "base/pool.h"
#include "collapse/ranks.h"

/* A node of the profile, in preorder: what its parent is says its depth. */
struct seed {
	frame_id frame;
	uint32_t depth : 31;
	uint32_t weighs : 1; /* has the next of the sums */
};

/* A node of a tree that stands on one of the profile. */
struct item {
	uint32_t rank, depth;
	uint32_t tree, node;
};

struct items {
	struct item *at;
	size_t n, cap;
};

/* A run of nodes in preorder; either large nodes alone, on which others stand, or all on and
 * between the items, which stand on large ones before. */
struct stretch {
	bool large;
	struct items todo; /* the first at the end; empty once walked */
	uint32_t most;     /* nodes of trees that are in it */
	struct seed *seeds;
	uint32_t n, cap_large;
	struct tree_sum *sums; /* of the seeds that weigh something */
	uint32_t n_sums, cap_sums;
};

struct walked {
	struct seed *seeds; /* of all stretches that are not large, with gaps between */
	struct stretch *stretch;
	uint32_t n, cap;
};

/* A tree's place, if asked for, gets the number of the seed. */
void walk_trees(struct walked *w, const struct grown *trees, uint32_t n, const struct profile *p,
	bool by_name, struct pool *pool);
void walked_release(struct walked *w);

#endif
