/*
 * Two questions are asked of counts of samples, and each is one of a textbook's tests:
 *
 *	k1 of n1 samples before, k2 of n2 after: are these the same share?
 *		exact: Fisher's test. Given k1 + k2, k2 is hypergeometric.
 *		large: two proportions by z, with the pooled share k / n, k = k1 + k2.
 *	k1 samples before, k2 after, of which a known part is expected after: is it?
 *		exact: binomial test. Given k1 + k2, k2 is binomial with that part.
 *		large: by z.
 *
 * The normal approximation is used where the least expected count is 30 or more: there both agree
 * (significance_test.c compares them), and the exact sum would have many terms. The exact sum needs
 * no factorials: with p(x) the probability of x samples after, p(x + 1) / p(x) is a simple
 * fraction, so the terms are computed outwards from the observed count, relative to its own, until
 * they no longer change the sum:
 *
 *	p(x)       .  . : | : .  .
 *	                x ^ observed = 1, then times ratio_up(x) to the right, divided to the left
 *
 * The two-sided p-value is the sum of all outcomes that are as improbable as the observed one or
 * more so, over the sum of all; the one-sided one is the sum from the observed count upwards.
 *
 * Many functions are tested at once, so some differ by luck. significance_benjamini_hochberg()
 * turns p-values into the share of false discoveries among what is reported (pictures, tables: a
 * few false ones may be in a list), significance_holm() into the probability that even one is false
 * (gates: a build fails). Both are step methods over the sorted p-values: with n of them, the i-th
 * is multiplied by n / i or by n - i + 1, and the sequence is made monotonic. Holm's holds however
 * the tests depend on each other; a function and its caller are not independent.
 *
 * A gate reports only what is beyond a limit too, and it can be less probable that a small function
 * is beyond it by luck than any p-value in question. In Holm's method, n - i + 1 times a p-value is
 * the sum of what all tests that are left may add to the probability of a false report. A test
 * adds no more than the largest p-value with which it is reported, its bound, so the sum is over
 * min(p, bound). Nor need tests have equal parts of that probability: each has its weight, and all
 * are compared at one level, p / weight.
 *
 * Source: R. A. Fisher, "On the interpretation of chi-square from contingency tables" (1922); Y.
 * Benjamini, Y. Hochberg, "Controlling the false discovery rate" (1995); S. Holm, "A simple
 * sequentially rejective multiple test procedure" (1979), which has the weights, too; R. E. Tarone,
 * "A modified Bonferroni method for discrete data" (1990) and P. H. Westfall, R. D. Wolfinger,
 * "Multiple tests with discrete distributions" (1997), which have the bounds.
 */
#include "compare/significance.h"

#include "base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* For expected counts from here on the normal approximation is as good as the exact sum, which
 * would have many terms. */
#define LARGE 30.0
/* Smaller terms no longer change a sum. */
#define NEGLIGIBLE 1e-18
/* Probabilities that differ only by rounding count as equal. */
#define AS_LIKELY (1 + 1e-7)

/* Of an interval, to find a point within it as exactly as a double can say. */
enum { HALVINGS = 60 };

/* The alternative hypothesis: the share differs, or it is greater after. */
enum alternative { TWO_SIDED, GREATER };

static double normal(double z, enum alternative alternative)
{
	return alternative == GREATER ? erfc(z / sqrt(2)) / 2 : erfc(fabs(z) / sqrt(2));
}

/* The counts that k samples may have after, least to most, and the observed one. */
struct outcomes {
	uint64_t least, most, seen;
	uint64_t k;
	/* hypergeometric: k are drawn from n_before and n_after */
	uint64_t n_before, n_after;
	double odds; /* binomial; 0: hypergeometric */
};

static double ratio_up(const struct outcomes *d, uint64_t x)
{
	double left = (double)(d->k - x), here = (double)x;

	if (d->odds > 0)
		return left / (here + 1) * d->odds;
	return left * ((double)d->n_after - here) / ((here + 1) * ((double)d->n_before - left + 1));
}

struct tail {
	double extreme, all;
};

static bool add_term(struct tail *t, double relative)
{
	t->all += relative;
	if (relative <= AS_LIKELY)
		t->extreme += relative;
	return relative > NEGLIGIBLE * t->all && isfinite(t->all);
}

static double exact(const struct outcomes *d, enum alternative alternative)
{
	struct tail t = { 1, 1 };
	double relative = 1, greater;
	uint64_t x;

	for (x = d->seen; x < d->most; x++) {
		relative *= ratio_up(d, x);
		if (!add_term(&t, relative))
			break;
	}
	greater = t.all;
	relative = 1;
	for (x = d->seen; x > d->least; x--) {
		relative /= ratio_up(d, x - 1);
		if (!add_term(&t, relative))
			break;
	}
	if (!isfinite(t.all)) /* the observed count is far from the peak: above or below it? */
		return alternative == GREATER && isfinite(greater) ? 1 : 0;
	return fmin((alternative == GREATER ? greater : t.extreme) / t.all, 1);
}

static double p_value_of_shares(
	struct proportion before, struct proportion after, enum alternative alternative)
{
	double n1 = (double)before.n, n2 = (double)after.n, n = n1 + n2;
	double k = (double)before.k + (double)after.k, share, least;
	struct outcomes d = { 0, before.k + after.k, after.k, before.k + after.k, before.n, after.n,
		0 };

	if (!before.n || !after.n || k < SIGNIFICANCE_MIN_SAMPLES)
		return SIGNIFICANCE_NO_TEST;
	share = k / n;
	least = fmin(share, 1 - share) * fmin(n1, n2);
	if (least >= LARGE)
		return normal(((double)after.k / n2 - (double)before.k / n1) /
				      sqrt(share * (1 - share) * (1 / n1 + 1 / n2)),
			alternative);
	if (d.most > after.n)
		d.most = after.n;
	if (d.k > before.n)
		d.least = d.k - before.n;
	return exact(&d, alternative);
}

double significance_of_shares(struct proportion before, struct proportion after)
{
	return p_value_of_shares(before, after, TWO_SIDED);
}

double significance_of_larger_share(struct proportion before, struct proportion after)
{
	return p_value_of_shares(before, after, GREATER);
}

static double p_value_of_division(
	uint64_t before, uint64_t after, double part, enum alternative alternative)
{
	double k = (double)before + (double)after;
	struct outcomes d = { 0, before + after, after, before + after, 0, 0, part / (1 - part) };

	if (k < SIGNIFICANCE_MIN_SAMPLES || !(part > 0 && part < 1))
		return SIGNIFICANCE_NO_TEST;
	if (fmin(part, 1 - part) * k >= LARGE)
		return normal(
			((double)after - part * k) / sqrt(k * part * (1 - part)), alternative);
	return exact(&d, alternative);
}

double significance_of_division(uint64_t before, uint64_t after, double part)
{
	return p_value_of_division(before, after, part, TWO_SIDED);
}

double significance_of_larger_part(uint64_t before, uint64_t after, double part)
{
	return p_value_of_division(before, after, part, GREATER);
}

static int compare_doubles(const void *pa, const void *pb)
{
	double a = **(double *const *)pa, b = **(double *const *)pb;

	return (a > b) - (a < b);
}

/* Pointers to the p-values, the least first. Owned by the caller: free(). */
static double **sort_tests(double *p_value, size_t n, size_t *n_tests)
{
	double **sorted = xcalloc(n + 1, sizeof(*sorted));
	size_t i;

	*n_tests = 0;
	for (i = 0; i < n; i++) {
		if (p_value[i] <= 1)
			sorted[(*n_tests)++] = &p_value[i];
		else
			p_value[i] = 1;
	}
	qsort(sorted, *n_tests, sizeof(*sorted), compare_doubles);
	return sorted;
}

void significance_benjamini_hochberg(double *p_value, size_t n)
{
	size_t tests, i;
	double **sorted = sort_tests(p_value, n, &tests), least = 1;

	for (i = tests; i-- > 0;) {
		least = fmin(least, *sorted[i] * (double)tests / (double)(i + 1));
		*sorted[i] = least;
	}
	free(sorted);
}

/* What these tests add to the probability of a false report, at that p-value times the weight. */
static double sum_of_bounds(struct significance_test *const *test, size_t n, double level)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (test[i]->bound <= 1)
			sum += fmin(test[i]->weight * level, test[i]->bound);
	return sum;
}

static double level_of(const struct significance_test *t)
{
	return t->p_value / t->weight;
}

static bool is_test(const struct significance_test *t)
{
	return t->p_value <= 1;
}

/* What is no test comes last. */
static int compare_tests(const void *pa, const void *pb)
{
	const struct significance_test *a = *(struct significance_test *const *)pa;
	const struct significance_test *b = *(struct significance_test *const *)pb;

	if (is_test(a) != is_test(b))
		return is_test(a) ? -1 : 1;
	return (level_of(a) > level_of(b)) - (level_of(a) < level_of(b));
}

void significance_holm(struct significance_test *test, size_t n)
{
	struct significance_test **sorted = xcalloc(n + 1, sizeof(*sorted));
	double most = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sorted[i] = &test[i];
	if (n)
		qsort(sorted, n, sizeof(*sorted), compare_tests);
	for (i = 0; i < n; i++) {
		/* From 1 on there is nothing to add up. */
		if (most < 1 && is_test(sorted[i]))
			most = fmax(most, sum_of_bounds(sorted + i, n - i, level_of(sorted[i])));
		else
			most = 1;
		most = fmin(most, 1);
		sorted[i]->p_value = most;
	}
	free(sorted);
}

double significance_least_clear(const struct significance_test *test, size_t n, double max_p_value)
{
	double low = 0, high = 0, sum;
	size_t i, round;

	/* So high that a test alone would be clear. */
	for (i = 0; i < n; i++)
		high = fmax(high, 1 / test[i].weight);
	for (round = 0; round < HALVINGS; round++) {
		double middle = (low + high) / 2;

		for (sum = 0, i = 0; i < n; i++)
			if (test[i].bound <= 1)
				sum += fmin(test[i].weight * middle, test[i].bound);
		if (sum <= max_p_value)
			low = middle;
		else
			high = middle;
	}
	return low;
}
