/*
 * module_colors.h - a colour for each module of a profile: the heaviest have one of their own
 *
 * By the last part of a path, so that a library has one colour in whatever directory it is. Kernel
 * code has that of its category.
 *
 * Owns: nothing; names are borrowed from the profile. Threads: made by one, then any. Private to
 * picture/.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_MODULE_COLORS_H
#define PERFOLD_OUTPUT_PICTURE_MODULE_COLORS_H

#include "output/picture/category.h"

struct module_colors {
	struct span heaviest[CATEGORY_OTHERS];
	unsigned n;
};

/* self: the weight of each frame by itself, by frame_id. */
void module_colors_choose(struct module_colors *m, const struct profile *p, const uint64_t *self);
struct color module_colors_of(const struct module_colors *m, struct span module);

#endif
