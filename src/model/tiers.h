/*
 * tiers.h - how much of a function ran in which tier of their compiler
 *
 * A runtime that compiles a function several times has several names for it, which collapse/ makes
 * one. What that hides is told here: the weight of the samples in which it was in each tier.
 *
 * Owns: the list. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_TIERS_H
#define PERFOLD_MODEL_TIERS_H

#include "model/codename.h"
#include "model/frame.h"

#include <stdlib.h>

struct tier_use {
	frame_id frame;  /* as the profile has it; may be here several times */
	uint32_t tier;   /* enum v8_tier or code_tier, never 0 */
	uint64_t weight; /* of the samples in it; twice where a stack has it twice */
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
