/*
 * finish.h - the order of frames by shown name, and a finished tree
 *
 * Owns: the ranks. Threads: one. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_FINISH_H
#define PERFOLD_COLLAPSE_FINISH_H

#include "collapse/tree.h"

struct frame_ranks {
	uint32_t *rank;  /* by frame_id: place among all frames of the tree */
	frame_id *alike; /* by frame_id: the first frame with the same shown name */
	uint32_t n;
	bool twins; /* some frames are shown alike */
};

/* Of the frames in n trees; p says how names are shown. */
void frame_ranks_init(struct frame_ranks *r, const struct profile *p,
	const struct tree *const *trees, uint32_t n);
void frame_ranks_release(struct frame_ranks *r);
void tree_finish_ranked(const struct tree *t, struct profile *p, uint64_t min_weight,
	const struct frame_ranks *r, node_id *map);

#endif
