/*
 * significance.h - can the difference of two counts of samples be chance?
 *
 * Samples are counted, not weights, since samples are what was drawn. Two recordings of the same
 * work differ by what the sampling hit; the chance of a difference is how often one as large, in
 * either direction, comes about that way. Small counts get an exact test, large ones its normal
 * approximation, which gives the same there.
 *
 * Samples are assumed to be independent. Those of a periodic program are not quite (its phases last
 * for many samples), so a chance is a lower bound: see perfold-diff(1).
 *
 * Source: Fisher 1922; Benjamini and Hochberg 1995; Tarone 1990. Threads: any.
 */
#ifndef PERFOLD_COMPARE_SIGNIFICANCE_H
#define PERFOLD_COMPARE_SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

/* Fewer samples than this, on both sides together, never show anything: such a difference has no
 * chance to state, only SIGNIFICANCE_NO_TEST. */
enum { SIGNIFICANCE_MIN_SAMPLES = 6 };
#define SIGNIFICANCE_NO_TEST 2.0

/* k samples of n: are these the same share? Fisher's exact test, or two proportions by z. */
struct proportion {
	uint64_t k, n;
};
double significance_of_shares(struct proportion before, struct proportion after);
/* The same for growth alone: how often the share after comes out as large as it did, or larger. */
double significance_of_larger_share(struct proportion before, struct proportion after);

/* A part (0 to 1) of all samples on both sides is expected after: are they divided like that? The
 * binomial test, exact or by z. */
double significance_of_division(uint64_t before, uint64_t after, double part);
double significance_of_larger_part(uint64_t before, uint64_t after, double part);

/* Some of many differences are large by chance alone. Each chance becomes the share of false ones
 * among all differences that are at least as clear (Benjamini, Hochberg). SIGNIFICANCE_NO_TEST is
 * left out, and becomes 1. */
void significance_benjamini_hochberg(double *chance, size_t n);

/* Pointers to the chances, the least first; SIGNIFICANCE_NO_TEST is left out, and becomes 1. Owned
 * by the caller: free(). */
double **significance_sorted(double *chance, size_t n, size_t *n_tests);

/* Many differences were looked at: each chance becomes that of even one being as clear if nothing
 * has changed. SIGNIFICANCE_NO_TEST is left out, and becomes 1. */
void significance_holm(double *chance, size_t n);

#endif
