/*
 * overdispersion.h - how much of a difference between recordings is noise
 *
 * Two things make a function's share differ between two recordings of the same work. One is what
 * the sampling hit: k samples of n, a binomial count. The other is the machine: caches, neighbours
 * and clocks make a function dearer in one run than in the next, and all of its samples with it. If
 * p is its share, and v says how much its cost varies from run to run (0.03: three percent), the
 * variance of the share is
 *
 *	p(1 - p)/n + (v p(1 - p))^2
 *
 * So n samples tell as much as n / (1 + v^2 p(1 - p) n) independent ones: the design effect. A test
 * of independent samples (chance.h) gets the counts divided by it.
 *
 * v is assumed, or estimated from recordings of the same work, by the second term above over all
 * functions. The assumption counts as two more recordings, as a few may agree by luck. If a
 * function itself clearly varied by more than that, its own variation counts instead.
 *
 * Source: Kish 1965 (design effect); Williams 1982 (extra-binomial variation by moments); Holm
 *1979. Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_COMPARE_OVERDISPERSION_H
#define PERFOLD_COMPARE_OVERDISPERSION_H

#include "compare/significance.h"

#include <stdbool.h>

/* What recordings of the same work show of v; a zeroed struct is empty. */
struct overdispersion_sum {
	double sampling, excess, scale;
};

/* How a function fared in n recordings. */
void overdispersion_add(struct overdispersion_sum *s, const struct proportion *run, size_t n);
/* v, with the assumed one taken in. */
double overdispersion_variation(const struct overdispersion_sum *s, size_t n_runs, double assumed);

/* v of a function that these sums are of: v of all, or its own if its shares differed by more than
 * two standard deviations of what sampling and v explain. */
double overdispersion_own_variation(
	const struct overdispersion_sum *own, size_t n_runs, double of_all);

/* What to divide the samples of a side by. same_run: are two samples of that side usually from one
 * recording (1), or from n recordings of one size (1 / n)? */
double overdispersion_design_effect(
	double variation, double share, uint64_t samples, double same_run);

#endif
