/*
 * picture_layout.h - a profile as boxes: what is drawn where in a flame graph
 *
 * A box covers a run of the whole weight at one depth. In a flame chart it covers a time in
 * nanoseconds instead: threads follow one another, with gaps where they waited (slices.h); if
 * samples have no times it is weight there too. Boxes are sorted by start, then by depth: a box
 * comes before those that stand on it. Those narrower than asked for are no boxes of their own:
 * neighbours on one box become one together, with their number, if that is wide enough.
 *
 * Owns: the boxes. Threads: each has its own. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PICTURE_LAYOUT_H
#define PERFOLD_OUTPUT_PICTURE_PICTURE_LAYOUT_H

#include "model/display_names.h"
#include "output/output.h"

enum picture_layout_order {
	LAYOUT_MERGED,   /* by name: flame graph */
	LAYOUT_REVERSED, /* by name, the innermost frame at the root */
	LAYOUT_TIME,     /* samples in order, only neighbours merged: flame chart; needs rows */
};

struct box {
	frame_id frame; /* of depth 0: none, the box is everything */
	uint32_t name;  /* number in the shown names */
	uint32_t depth;
	node_id node;   /* of LAYOUT_MERGED: the one that is drawn */
	uint32_t small; /* how many frames too narrow to be drawn it stands for; 0: it is a frame */
	bool waker;     /* stands on a frame "--" */
	uint64_t start, weight;
};

struct picture_layout {
	struct box *boxes;
	size_t n, cap;
	uint32_t max_depth;
	uint64_t total; /* what the picture's width weighs */
};

/* Are widths time? */
bool picture_layout_is_time(const struct profile *p, enum picture_layout_order order);
/* How wide a picture of the profile is. */
uint64_t picture_layout_total(
	const struct profile *p, const struct output_opts *o, enum picture_layout_order order);
/* names are those of the profile. */
void picture_layout_make(struct picture_layout *l, const struct output_opts *o,
	struct display_names *names, enum picture_layout_order order, double min_weight);
void picture_layout_release(struct picture_layout *l);

#endif
