/*
 * frame_color.h - the colour of a frame: where the palettes and the categories meet
 *
 *	colours              of a frame                            decided in
 *	"palette"            by its name, as in flamegraph.pl      palette.c: choose_*(), hues[]
 *	    in a difference  by how much it changed                category.c: change_color()
 *	"category"           by a rule's label, else by its kind   category.c: known_categories[]
 *	"module"             by its module's name                  category.c: other_colors[]
 *	"tier share"         mixed from those of its tiers         mixes.c: tiers[]
 *
 * "palette" is this function's. It colours an SVG as it is drawn without its script, and is the
 * script's first choice (of a difference that is "category", the same colours); a report begins
 * with "category", a little lighter or darker for each frame (report_looks.js). All five are in the
 * packed data (packed.h), for the menus of both.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_FRAME_COLOR_H
#define PERFOLD_OUTPUT_PICTURE_FRAME_COLOR_H

#include "model/profile.h"
#include "output/picture/palette.h"

struct frame_coloring {
	const struct profile *p;
	const struct palette *palette;
	bool by_hash; /* --hash: similar names, similar colours */
};

/* name: as the frame is shown, its annotation included. waker: above a frame "--". */
struct color frame_color(const struct frame_coloring *c, frame_id id, struct span name, bool waker);

#endif
