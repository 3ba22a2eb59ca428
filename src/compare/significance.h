/*
 * significance.h - can the difference of two counts of samples be due to chance?
 *
 * Samples are counted, not weights, since samples are what was drawn. Two recordings of the same
 * work differ by what the sampling hit. The p-value of a difference is how often one as large comes
 * about that way. Small counts get an exact test, large ones its normal approximation.
 *
 * Samples are assumed to be independent. Those of a periodic program are not quite (its phases last
 * for many samples), so a p-value is a lower bound: see perfold-diff(1). compare/overdispersion.h
 * corrects for what differs from run to run.
 *
 * Owns: nothing. Threads: any. Source: Fisher 1922; Benjamini, Hochberg 1995; Holm 1979; Tarone
 * 1990 and Westfall, Wolfinger 1997 (what tests cannot show does not count); see significance.c.
 */
#ifndef PERFOLD_COMPARE_SIGNIFICANCE_H
#define PERFOLD_COMPARE_SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

/* Fewer samples than this, on both sides together, never show anything: such a difference has no
 * p-value, only SIGNIFICANCE_NO_TEST, which is likelier than certain. */
enum { SIGNIFICANCE_MIN_SAMPLES = 6 };
#define SIGNIFICANCE_NO_TEST 2.0

/* k samples of n */
struct proportion {
	uint64_t k, n;
};

/* Are both the same share? Fisher's exact test, or two proportions by z; two-sided. */
double significance_of_shares(struct proportion before, struct proportion after);
/* One-sided: how often the share after is as large as observed, or larger, by chance. */
double significance_of_larger_share(struct proportion before, struct proportion after);

/* A part (0 to 1) of the samples of both sides is expected after: are they divided like that? The
 * binomial test, exact or by z; two-sided. */
double significance_of_division(uint64_t before, uint64_t after, double part);
/* One-sided, as above. */
double significance_of_larger_part(uint64_t before, uint64_t after, double part);

/* The corrections for n tests at once. SIGNIFICANCE_NO_TEST is no test; it becomes 1.
 *
 * Benjamini and Hochberg: each p-value becomes the share of false discoveries among all differences
 * that are at least as clear. */
void significance_benjamini_hochberg(double *p_value, size_t n);
/* One of several tests. */
struct significance_test {
	double p_value;
	double bound;  /* its largest p-value that is reported; SIGNIFICANCE_NO_TEST: none is */
	double weight; /* of the probability of a false report, this test's part; above 0 */
};

/* Holm: each p-value becomes the probability that at least one difference is reported that is as
 * clear, although nothing has changed. */
void significance_holm(struct significance_test *test, size_t n);
/* A difference is clear, without others, up to this p-value times its weight. */
double significance_least_clear(const struct significance_test *test, size_t n, double max_p_value);

#endif
