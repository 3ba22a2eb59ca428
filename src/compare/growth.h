/*
 * growth.h - could a growth be noise, and which growth could not?
 *
 * The test of gates: significance.h for a growth only, with the counts divided by the design effect
 * of overdispersion.h. A rule may ask for more than a clear growth: for one beyond a limit. Growth
 * that is detectable is both, in so many of ten recordings.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_COMPARE_GROWTH_H
#define PERFOLD_COMPARE_GROWTH_H

#include "compare/change.h"

/* What is compared: the same for all functions, but for their variation. */
struct growth_test {
	struct change_scale scale;
	double same_run;  /* of the side before, see overdispersion_design_effect() */
	double variation; /* of the cost from run to run */
};

/* Samples of one function on both sides. One-sided, as only growth fails. */
double growth_p_value(const struct growth_test *t, uint64_t before, uint64_t after);

/* Is a function beyond the limit of a rule, with these shares? */
typedef bool (*growth_limit)(const void *rule, double share_before, double share_after);

/* The largest p-value beyond the limit, however the function's samples were divided between both
 * sides; SIGNIFICANCE_NO_TEST if it is never beyond. This depends only on the sum of its samples.
 */
double growth_bound(const struct growth_test *t, const struct change *c, growth_limit is_over,
	const void *rule);

/* Its weight among other tests, see significance_holm(). This too depends only on the sum. */
double growth_weight(const struct growth_test *t, uint64_t before, uint64_t after);

/* How often detectable growth is found. */
#define GROWTH_POWER 0.8

/* The least growth from a share before that exceeds the limit and has at most this p-value, times
 * its weight, in GROWTH_POWER of all comparisons like this one; as a part of the whole. 0: none
 * has. */
double growth_detectable(const struct growth_test *t, double share, double level,
	growth_limit is_over, const void *rule);

/* The test of recordings with so many times the samples. */
struct growth_test growth_with_samples(const struct growth_test *t, double times);

#endif
