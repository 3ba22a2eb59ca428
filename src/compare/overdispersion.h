/*
 * overdispersion.h - how much of a difference between recordings is due to the machine
 *
 * Two things make a function's share differ between two recordings of the same work. One is what
 * the sampling hit: k samples of n, a binomial count. The other is the machine: caches, neighbours
 * and clocks make a function more expensive in one run than in the next, and all of its samples
 * with it. So counts scatter more than a binomial distribution says: they are overdispersed. With
 * p the share of a function, and v the variation of its cost from run to run (0.03: three percent),
 * the variance of its share is
 *
 *	p(1 - p)/n		sampling
 *	+ (v p(1 - p))^2	from run to run: if the cost of one part of the whole grows by
 *				the factor 1 + v, its share grows by about v p(1 - p)
 *
 * Therefore n samples say as much as n / (1 + v^2 p(1 - p) n) independent ones. The divisor is the
 * design effect. A test of independent samples (significance.h) is given the counts divided by it.
 *
 * v is assumed, or estimated by moments from several recordings of the same work: over all
 * functions, the variance of shares beyond sampling is set equal to the second term. The assumed v
 * counts as two more recordings, as a few may agree by luck. A function that clearly varied more
 * than v says, by two standard deviations, gets its own variation instead.
 *
 * Owns: nothing. Threads: any. Source: L. Kish, "Survey Sampling" (1965), design effect;
 * D. A. Williams, "Extra-binomial variation in logistic linear models" (1982), estimate by moments.
 */
#ifndef PERFOLD_COMPARE_OVERDISPERSION_H
#define PERFOLD_COMPARE_OVERDISPERSION_H

#include "compare/significance.h"

#include <stdbool.h>

/* Sums over functions, from which v is estimated; a zeroed struct is empty. */
struct overdispersion_sum {
	double sampling; /* variance that sampling explains: sum of p(1 - p)/n */
	double excess;   /* what was observed beyond that; negative by luck */
	double scale;    /* what v^2 is multiplied by: sum of (p(1 - p))^2 */
};

/* Adds one function, with its counts in n recordings of the same work. */
void overdispersion_add(struct overdispersion_sum *s, const struct proportion *run, size_t n);
/* v, estimated from the sums and the assumed v together. */
double overdispersion_variation(const struct overdispersion_sum *s, size_t n_runs, double assumed);

/* v of the one function in these sums: of_all, or its own where that is clearly larger. */
double overdispersion_own_variation(
	const struct overdispersion_sum *own, size_t n_runs, double of_all);

/* The divisor for the samples of a side. same_run: the probability that two samples of that side
 * are from one recording: 1, or 1 / n of n recordings of one size. */
double overdispersion_design_effect(
	double variation, double share, uint64_t samples, double same_run);

#endif
