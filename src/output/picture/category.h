/*
 * category.h - the other ways to colour a frame: by category, by module
 *
 * The category is what a rule said (category /re/ LABEL), else what kind of code the frame is. The
 * well-known ones have their own colours; any other text gets one of a few by its hash, the same in
 * every picture. All are light enough for black text and for both backgrounds.
 *
 * Owns: nothing; texts are borrowed. Threads: any. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_CATEGORY_H
#define PERFOLD_OUTPUT_PICTURE_CATEGORY_H

#include "model/profile.h"
#include "output/picture/palette.h"

/* name: as the frame is shown, its annotation included. */
struct span category_of_frame(const struct profile *p, frame_id id, struct span name);
struct color category_color(struct span category);
/* By the last part of its path, so that a library has one colour wherever it lies. */
struct color category_module_color(struct span module);

/* The letter of the annotation that the frame has, or would have if it were asked for; 0: none. */
char category_kind_letter(const struct profile *p, frame_id id, struct span name);

#endif
