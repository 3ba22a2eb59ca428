/*
 * mixes.h - a colour and a description for the tiers in which a function ran
 *
 * If a function ran in several tiers, its colour is between theirs, by the share of weight in
 * each. Functions with one name are one function; those without tiers have mix 0.
 *
 * Owns: the mixes. Threads: each has its own. Private to picture/.
 */
#ifndef PERFOLD_OUTPUT_PICTURE_MIXES_H
#define PERFOLD_OUTPUT_PICTURE_MIXES_H

#include "model/display_names.h"
#include "model/tiers.h"
#include "output/picture/palette.h"

struct mix {
	struct span name; /* as it is shown, borrowed */
	struct buf text;  /* "TurboFan 80%, interpreted 20%" */
	struct color color;
	uint32_t tier; /* the one with most weight */
};

struct mixes {
	struct mix *mix; /* sorted by name: the numbers of names differ between runs */
	uint32_t n, cap;
	const struct display_names *names; /* borrowed */
};

/* t may be NULL. */
void mixes_init(struct mixes *m, const struct tiers *t, struct display_names *names);
void mixes_release(struct mixes *m);
/* The number of the mix of a shown name; 0: it has none. */
uint32_t mixes_of(const struct mixes *m, uint32_t name);
/* Of code of one tier, below CODE_TIERS. */
struct color mixes_tier_color(unsigned tier);

#endif
