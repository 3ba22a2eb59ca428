/*
 * picture_layout.h - a profile as boxes: what a flame graph draws, and where
 *
 * A box covers a range of the total weight at one depth. In a flame chart it covers a range of
 * time, in nanoseconds: threads follow one another, with gaps where they waited (slices.h); if
 * samples have no times, it is weight there too. Boxes are sorted by start, then by depth: a box
 * comes before its children. Children narrower than the limit are not boxes of their own:
 * neighbours become one box together, which says how many they are, if that is wide enough.
 *
 * Owns: the boxes. Threads: each has its own. Private to picture/.
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
	frame_id frame; /* at depth 0: none, the box is the root */
	uint32_t name;  /* number in the shown names */
	uint32_t depth;
	node_id node;   /* of LAYOUT_MERGED: the one that is drawn */
	uint32_t row;   /* its depth, but for what is folded */
	uint32_t fold;  /* it stands for so many frames, one on the other; 0: for itself */
	uint32_t last;  /* of these: the name of the innermost */
	uint32_t small; /* the number of narrow frames that it stands for; 0: it is a frame */
	bool waker;     /* above a frame "--" */
	uint64_t start, weight;
};

struct picture_layout {
	struct box *boxes;
	size_t n, cap;
	uint32_t max_depth, n_rows;
	uint64_t total; /* the weight of the picture's width */
};

/* True: widths are time. */
bool picture_layout_is_time(const struct profile *p, enum picture_layout_order order);
/* The width of a picture of the profile, as a weight or a time. */
uint64_t picture_layout_total(
	const struct profile *p, const struct output_opts *o, enum picture_layout_order order);
/* names are those of the profile. */
void picture_layout_make(struct picture_layout *l, const struct output_opts *o,
	struct display_names *names, enum picture_layout_order order, double min_weight);
/* Makes one row of a long run of frames that are as wide as the picture, of which each is all that
 * the one before calls. */
void picture_layout_fold(struct picture_layout *l);
void picture_layout_release(struct picture_layout *l);

#endif
