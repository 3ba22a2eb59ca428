/*
 * noise.h - how much of a difference between recordings is noise
 *
 * Two things make a function's share differ between two recordings of the same work. One is what
 * the sampling hit: k samples of n, a binomial count. The other is the machine: caches, neighbours
 * and clocks make a function dearer in one run than in the next, and all of its samples with it.
 * With p its share, and v by how much its cost varies from run to run (0.03: three percent), the
 * variance of a share is
 *
 *	p(1 - p)/n + (v p(1 - p))^2
 *
 * So n samples tell as much as n / (1 + v^2 p(1 - p) n) independent ones: the design effect. A test
 * of independent samples (chance.h) gets the counts divided by it.
 *
 * v is assumed, or estimated from recordings of the same: by the second term above, over all
 * functions. The assumption counts as two recordings more, since few of them agree by luck. What a
 * function itself varied by counts instead where it is clearly more than that.
 *
 * Source: Kish 1965 (design effect); Williams 1982 (extra-binomial variation by moments); Holm
 *1979. Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_MODEL_NOISE_H
#define PERFOLD_MODEL_NOISE_H

#include "model/chance.h"

#include <stdbool.h>

/* What recordings of the same show of v; a zeroed struct is empty. */
struct noise_sum {
	double sampling, excess, scale;
};

/* How a function fared in n recordings. */
void noise_sum_add(struct noise_sum *s, const struct chance_count *run, size_t n);
/* v by these alone; 0 where sampling explains it all. */
double noise_measured(const struct noise_sum *s);
/* v, with what was assumed. */
double noise_variation(const struct noise_sum *s, size_t n_runs, double assumed);

/* v of a function of which these are the sum: v of all, or its own where its shares differed by
 * more than two standard deviations of what sampling and v make them differ by. */
double noise_own_variation(const struct noise_sum *own, size_t n_runs, double of_all);

/* By how much the samples of a side are to be divided. same_run: of two samples of that side, are
 * they as a rule of one recording (1), or of n alike recordings (1 / n)? */
double noise_design_effect(double variation, double share, uint64_t samples, double same_run);

/* Many differences were looked at: chances become those of even one being as clear where nothing
 * has changed. What is CHANCE_UNTOLD stays out of it, and becomes 1. */
void noise_adjust(double *chance, size_t n);

#endif
