/*
 * frame_color.h - the colour of a frame: where the palettes and the categories meet
 *
 *	colours              of a frame                            decided in
 *	"palette"            by its name, as in flamegraph.pl      palette.c: choose_*(), hues[]
 *	    in a difference  by how much it changed                category.c: change_color()
 *	"category"           by a rule's label, else by its kind   category.c: known_categories[]
 *	"module"             by its module, the heaviest first     module_colors.c
 *	"package"            by its namespace, crate or package    model/names/package_name.c
 *	"tier share"         mixed from those of its tiers         mixes.c: tiers[]
 *
 * Pictures and reports begin with the one that tells most (frame_color_choose()), but with a
 * palette that was asked for; the drawing of an SVG without its script has that one. All six are
 * in the packed data (packed.h), for the menus of both.
 *
 * Owns: nothing; a profile's strings are borrowed. Threads: chosen by one, then any.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_FRAME_COLOR_H
#define PERFOLD_OUTPUT_PICTURE_FRAME_COLOR_H

#include "model/display_names.h"
#include "output/output.h"
#include "output/picture/module_colors.h"
#include "output/picture/palette.h"

enum frame_colors { COLORS_BY_PALETTE, COLORS_BY_CATEGORY, COLORS_BY_MODULE, COLORS_BY_PACKAGE };

struct frame_coloring {
	const struct profile *p;
	const struct palette *palette;
	bool by_hash; /* --hash: similar names, similar colours */
	enum frame_colors first;
	struct module_colors modules, packages;
};

/* The palette; an unknown one is ERR_USAGE. */
int frame_color_init(struct frame_coloring *c, const struct profile *p,
	const struct picture_opts *o, struct err *e);
/* What a picture begins with: categories if two of them have a good part of the weight, else
 * modules, else packages, if two have, else the palette. */
void frame_color_choose(
	struct frame_coloring *c, struct display_names *names, const struct picture_opts *o);
/* "palette", "category", "module", "package": for scripts. */
const char *frame_color_mode(const struct frame_coloring *c);

/* name: as the frame is shown, its annotation included. waker: above a frame "--". Its colour in
 * the palette, or what the picture begins with. */
struct color frame_color(const struct frame_coloring *c, frame_id id, struct span name, bool waker);
struct color frame_color_first(
	const struct frame_coloring *c, frame_id id, struct span name, bool waker);

/* The package of a frame, by the name that is shown; that of kernel code is [kernel.kallsyms]. */
struct span frame_color_package(const struct profile *p, frame_id id, struct span name);

#endif
