/*
 * category.h - the colours of categories, modules and changes
 *
 * The category is what a rule set (category /re/ LABEL), else the kind of code that the frame is.
 * The well-known ones have their own colours, which nobody takes for one another, whatever colours
 * they see (category_test.c measures it); any other name gets one of a few by its hash, the same in
 * every picture. Of a difference, the category is the class of change. Modules have those few by
 * their weight (module_colors.h). All are light enough for black text.
 *
 * Owns: nothing; names are borrowed. Threads: any. Private to picture/.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_CATEGORY_H
#define PERFOLD_OUTPUT_PICTURE_CATEGORY_H

#include "model/profile.h"
#include "output/picture/palette.h"

/* name: as the frame is shown, its annotation included. */
struct span category_of_frame(const struct profile *p, frame_id id, struct span name);
struct color category_color(struct span category);

enum { CATEGORY_OTHERS = 12 };
/* Of the modules, in order of their weights; those after the last have one for all. */
struct color category_other_color(unsigned number);

/* The letter of the annotation that the frame has, or would have if it were asked for; 0: none. */
char category_kind_letter(const struct profile *p, frame_id id, struct span name);

#endif
