/*
 * ranks.h - the frames of trees in the order of their displayed names
 *
 * Frames are ranked once by their displayed name (and, if that is equal, by the rest of their
 * content), so that children of a node are sorted by numbers.
 *
 * Owns: the ranks. Threads: one makes them, while others may add frames; any read them. Private to
 * collapse/.
 */
#ifndef PERFOLD_COLLAPSE_RANKS_H
#define PERFOLD_COLLAPSE_RANKS_H

#include "collapse/finish.h"

struct ranks {
	uint32_t *rank;  /* by frame_id: its place among all frames of the trees */
	frame_id *frame; /* by frame_id: what it is shown as */
	uint32_t n;
};

/* by_name: frames of one displayed name have the rank of the first of them. */
void ranks_init(struct ranks *r, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name);
/* By name, of the frames of a profile's nodes. */
void ranks_of_nodes(struct ranks *r, const struct profile *p);
void ranks_release(struct ranks *r);

/* The frame for a number of a tree. */
static inline frame_id ranks_frame_of(const struct source_tree *g, uint32_t what)
{
	return g->frame_of ? g->frame_of[what] : what;
}

#endif
