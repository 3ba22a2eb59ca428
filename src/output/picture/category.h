/*
 * category.h - the colours of categories, modules and changes
 *
 * The category is what a rule set (category /re/ LABEL), else the kind of code that the frame is.
 * The well-known ones have their own colours; any other name gets one of a few by its hash, the
 * same in every picture. Of a difference, the category is the class of change. All are light enough
 * for black text and for both backgrounds.
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
/* By the last part of its path, so that a library has one colour in whatever directory it is. */
struct color category_module_color(struct span module);

/* The letter of the annotation that the frame has, or would have if it were asked for; 0: none. */
char category_kind_letter(const struct profile *p, frame_id id, struct span name);

#endif
