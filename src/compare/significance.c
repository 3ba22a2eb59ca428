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

/* Which differences count: those as large in either direction, or growths as large. */
enum sides { BOTH_SIDES, GROWTH };

static double normal(double z, enum sides sides)
{
	return sides == GROWTH ? erfc(z / sqrt(2)) / 2 : erfc(fabs(z) / sqrt(2));
}

/*
 * Of k things x are on one side, with a probability p(x) that rises to one peak and falls. p(x) is
 * complicated but p(x + 1) / p(x) is simple, so all are computed relative to the observed one.
 */
struct drawn {
	uint64_t least, most, seen;
	uint64_t k;
	/* hypergeometric: of n_after of one kind and n_before of the other */
	uint64_t n_before, n_after;
	double odds; /* binomial; 0: hypergeometric */
};

static double ratio_up(const struct drawn *d, uint64_t x)
{
	double left = (double)(d->k - x), here = (double)x;

	if (d->odds > 0)
		return left / (here + 1) * d->odds;
	return left * ((double)d->n_after - here) / ((here + 1) * ((double)d->n_before - left + 1));
}

struct tail {
	double as_rare, all;
};

static bool add_term(struct tail *t, double relative)
{
	t->all += relative;
	if (relative <= AS_LIKELY)
		t->as_rare += relative;
	return relative > NEGLIGIBLE * t->all && isfinite(t->all);
}

/* The sum over all outcomes that are as rare as the observed one or rarer, or as large or
 * larger. */
static double exact(const struct drawn *d, enum sides sides)
{
	struct tail t = { 1, 1 };
	double relative = 1, as_much;
	uint64_t x;

	for (x = d->seen; x < d->most; x++) {
		relative *= ratio_up(d, x);
		if (!add_term(&t, relative))
			break;
	}
	as_much = t.all;
	relative = 1;
	for (x = d->seen; x > d->least; x--) {
		relative /= ratio_up(d, x - 1);
		if (!add_term(&t, relative))
			break;
	}
	if (!isfinite(t.all)) /* what was seen is far from the peak: above or below it? */
		return sides == GROWTH && isfinite(as_much) ? 1 : 0;
	return fmin((sides == GROWTH ? as_much : t.as_rare) / t.all, 1);
}

static double chance_of_counts(struct proportion before, struct proportion after, enum sides sides)
{
	double n1 = (double)before.n, n2 = (double)after.n, n = n1 + n2;
	double k = (double)before.k + (double)after.k, share, least;
	struct drawn d = { 0, before.k + after.k, after.k, before.k + after.k, before.n, after.n,
		0 };

	if (!before.n || !after.n || k < SIGNIFICANCE_MIN_SAMPLES)
		return SIGNIFICANCE_NO_TEST;
	share = k / n;
	least = fmin(share, 1 - share) * fmin(n1, n2);
	if (least >= LARGE)
		return normal(((double)after.k / n2 - (double)before.k / n1) /
				      sqrt(share * (1 - share) * (1 / n1 + 1 / n2)),
			sides);
	if (d.most > after.n)
		d.most = after.n;
	if (d.k > before.n)
		d.least = d.k - before.n;
	return exact(&d, sides);
}

double significance_of_shares(struct proportion before, struct proportion after)
{
	return chance_of_counts(before, after, BOTH_SIDES);
}

double significance_of_larger_share(struct proportion before, struct proportion after)
{
	return chance_of_counts(before, after, GROWTH);
}

static double chance_of_parts(uint64_t before, uint64_t after, double part, enum sides sides)
{
	double k = (double)before + (double)after;
	struct drawn d = { 0, before + after, after, before + after, 0, 0, part / (1 - part) };

	if (k < SIGNIFICANCE_MIN_SAMPLES || !(part > 0 && part < 1))
		return SIGNIFICANCE_NO_TEST;
	if (fmin(part, 1 - part) * k >= LARGE)
		return normal(((double)after - part * k) / sqrt(k * part * (1 - part)), sides);
	return exact(&d, sides);
}

double significance_of_division(uint64_t before, uint64_t after, double part)
{
	return chance_of_parts(before, after, part, BOTH_SIDES);
}

double significance_of_larger_part(uint64_t before, uint64_t after, double part)
{
	return chance_of_parts(before, after, part, GROWTH);
}

static int compare_doubles(const void *pa, const void *pb)
{
	double a = **(double *const *)pa, b = **(double *const *)pb;

	return (a > b) - (a < b);
}

double **significance_sorted(double *chance, size_t n, size_t *n_tests)
{
	double **sorted = xcalloc(n + 1, sizeof(*sorted));
	size_t i;

	*n_tests = 0;
	for (i = 0; i < n; i++) {
		if (chance[i] <= 1)
			sorted[(*n_tests)++] = &chance[i];
		else
			chance[i] = 1;
	}
	qsort(sorted, *n_tests, sizeof(*sorted), compare_doubles);
	return sorted;
}

void significance_benjamini_hochberg(double *chance, size_t n)
{
	size_t tests, i;
	double **sorted = significance_sorted(chance, n, &tests), least = 1;

	for (i = tests; i-- > 0;) {
		least = fmin(least, *sorted[i] * (double)tests / (double)(i + 1));
		*sorted[i] = least;
	}
	free(sorted);
}

void significance_holm(double *chance, size_t n)
{
	size_t tests, i;
	double **sorted = significance_sorted(chance, n, &tests), most = 0;

	for (i = 0; i < tests; i++) {
		most = fmin(1, fmax(most, *sorted[i] * (double)(tests - i)));
		*sorted[i] = most;
	}
	free(sorted);
}
