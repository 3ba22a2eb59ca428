/*
 * finish.h - trees of stacks to the nodes of a profile: merged, in order by displayed name
 *
 * Owns: the seeds between its two steps. Threads: uses the pool it is given. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_FINISH_H
#define PERFOLD_COLLAPSE_FINISH_H

#include "base/pool.h"
#include "model/profile.h"
#include "model/tree.h"

/* A tree to become nodes of a profile; all is borrowed. */
struct source_tree {
	const struct tree *tree;
	const frame_id *frame_of; /* by the tree's numbers; NULL: they are frames */
	uint32_t n_numbers;       /* of frame_of */
	bool by_samples;          /* a stack weighs as much as it has samples */
	node_id *place;           /* by node, if not NULL: gets the profile's node */
};

struct finish_opts {
	bool by_name;       /* siblings of one displayed name become one */
	bool weights_only;  /* no numbers of samples */
	double min_percent; /* smaller subtrees become weight of their parent */
};

/* Fill p's nodes; p->frames, annotate and addresses must be set. p->nodes is NULL, or memory to be
 * used for the nodes. */
void finish_trees(const struct source_tree *trees, uint32_t n, struct profile *p,
	const struct finish_opts *o);

/* The same in two steps, by the workers of a pool (may be NULL). Between them, trees without a
 * place may be freed: a profile together with its trees would be the peak of a run's memory. */
struct tree_walk;
struct tree_walk *finish_walk(const struct source_tree *trees, uint32_t n, const struct profile *p,
	const struct finish_opts *o, struct pool *pool);
void finish_sum(const struct source_tree *trees, uint32_t n, struct profile *p, struct tree_walk *w,
	const struct finish_opts *o, struct pool *pool);

/* One tree of frames; place as above. */
void finish_tree(const struct tree *t, struct profile *p, double min_percent, node_id *place);

#endif
