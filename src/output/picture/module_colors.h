/*
 * module_colors.h - a colour for each module, or package, of a profile: the heaviest have their own
 *
 * A module comes here as the last part of its path, so that a library has one colour in whatever
 * directory it is. Kernel code has the colour of its category, what is of none that of the root.
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

/* keys: the module or package of each frame, by frame_id; area: how much of the picture it
 * is. */
void module_colors_choose(
	struct module_colors *m, const struct span *keys, const uint64_t *area, uint32_t frames);
struct color module_colors_of(const struct module_colors *m, struct span module);

#endif
