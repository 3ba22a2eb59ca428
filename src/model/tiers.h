/*
 * tiers.h - how much of a function ran in which tier of its compiler
 *
 * A runtime that compiles a function several times has several names for it, which collapse/ merges
 * into one. What that hides is kept here: the weight of its samples in each tier.
 *
 * Owns: the list. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_TIERS_H
#define PERFOLD_MODEL_TIERS_H

#include "model/frames.h"
#include "model/names/runtime_name.h"

#include <stdlib.h>

struct tier_use {
	frame_id frame;  /* as the profile has it; may be here several times */
	uint32_t tier;   /* enum v8_tier or code_tier, never 0 */
	uint64_t weight; /* of the samples in it; counted twice if a stack has it twice */
};

struct tiers {
	struct tier_use *use;
	uint32_t n, cap;
};

static inline void tiers_release(struct tiers *t)
{
	free(t->use);
	*t = (struct tiers){ 0 };
}

#endif
