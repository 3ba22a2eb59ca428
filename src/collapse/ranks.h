/*
 * ranks.h - the frames of trees in the order of their shown names
 *
 * Frames are ranked once by their shown name (and, where that is equal, by all else that tells them
 * apart), so that children of a node are put in order by numbers.
 *
 * Owns: the ranks. Threads: one makes them, any read them. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_RANKS_H
#define PERFOLD_COLLAPSE_RANKS_H

#include "collapse/finish.h"

struct ranks {
	uint32_t *rank;  /* by frame_id: its place among all frames of the trees */
	frame_id *frame; /* by rank */
	uint32_t n;
};

/* by_name: frames that are shown alike have the rank of the first of them. */
void ranks_init(struct ranks *r, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name);
void ranks_release(struct ranks *r);

/* The frame that a number of a tree stands for. */
static inline frame_id ranks_frame_of(const struct source_tree *g, uint32_t what)
{
	return g->frame_of ? g->frame_of[what] : what;
}

#endif
