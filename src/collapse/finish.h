/*
 * finish.h - grown trees to the profile's: merged, and in order by shown name
 *
 * Owns: the ranks. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_FINISH_H
#define PERFOLD_COLLAPSE_FINISH_H

#include "model/profile.h"
#include "model/tree.h"

/* A tree that goes into a profile; all is borrowed. */
struct grown {
	const struct tree *tree;
	const frame_id *frame_of; /* by number: the frame that it stands for; NULL: it is one */
	uint32_t n_numbers;       /* with frame_of */
	bool by_samples;          /* a stack weighs as much as it has samples */
	node_id *place;           /* by node, if not NULL: gets the profile's node */
};

/* Fill p's nodes; p->frames, annotate and addresses must be set. by_name: siblings of one shown
 * name become one. Smaller subtrees than that become weight of their parent. */
void trees_finish(
	const struct grown *trees, uint32_t n, struct profile *p, bool by_name, double min_percent);

/* The same in two steps, between which trees without a place may go: a profile and its trees are
 * the most that there is at one time. */
struct seed;
const struct seed *trees_walk(
	const struct grown *trees, uint32_t n, struct profile *p, bool by_name);
void trees_sum(const struct grown *trees, uint32_t n, struct profile *p, const struct seed *seeds,
	double min_percent);

/* One tree of frames; place as above. */
void tree_finish(const struct tree *t, struct profile *p, double min_percent, node_id *place);

#endif
