/*
 * growth.c - the test of a growth, asked backwards
 *
 * growth_p_value() answers for one division of a function's samples between both sides. The more
 * of them are after, the further beyond a limit and the smaller the p-value. So the largest p-value
 * beyond the limit is that of the first division beyond it, which growth_bound() finds by halving:
 *
 *	after   0 . . . . . . . . | x x x x x x x x  all
 *	                            ^ first beyond the limit
 *
 * growth_detectable() looks for the least growth whose outcome, with an average recording before,
 * is still a finding when the difference falls short by that much luck which only 1 - GROWTH_POWER
 * of all recordings exceed. Sampling and variation from run to run make up that luck, normally
 * distributed.
 */
#include "compare/growth.h"

#include "compare/overdispersion.h"
#include "compare/significance.h"

#include <math.h>

/* Of a standard normal distribution, GROWTH_POWER is below it. */
#define LUCK 0.8416
/* Weights are not 0. */
#define LEAST_WEIGHT 1e-6
/* Growth is found to this part of the whole. */
#define PRECISION 1e-5

static uint64_t fewer(uint64_t samples, double effect, double (*round_off)(double))
{
	return (uint64_t)round_off((double)samples / effect);
}

static double one_sided(const struct change_scale *s, uint64_t before, uint64_t after)
{
	if (s->absolute)
		return significance_of_larger_part(before, after, s->after_part);
	return significance_of_larger_share((struct proportion){ before, s->before.samples },
		(struct proportion){ after, s->after.samples });
}

static double pooled_share(const struct growth_test *t, uint64_t before, uint64_t after)
{
	double n = (double)t->scale.before.samples + (double)t->scale.after.samples;

	return n > 0 ? fmin(((double)before + (double)after) / n, 1) : 0;
}

/* The larger the variance of a share, the more points of growth it takes to be clear. */
double growth_weight(const struct growth_test *t, uint64_t before, uint64_t after)
{
	double share = pooled_share(t, before, after);

	return fmax(share * (1 - share), LEAST_WEIGHT);
}

/* Counts are rounded so that growth gets smaller. */
double growth_p_value(const struct growth_test *t, uint64_t before, uint64_t after)
{
	struct change_scale s = t->scale;
	double share = pooled_share(t, before, after), of_before, of_after;

	if (!s.before.samples && !s.after.samples)
		return SIGNIFICANCE_NO_TEST;
	of_before =
		overdispersion_design_effect(t->variation, share, s.before.samples, t->same_run);
	of_after = overdispersion_design_effect(t->variation, share, s.after.samples, 1);
	s.before.samples = fewer(s.before.samples, of_before, floor);
	s.after.samples = fewer(s.after.samples, of_after, ceil);
	before = fewer(before, of_before, ceil);
	if (!s.absolute && before > s.before.samples)
		before = s.before.samples;
	return one_sided(&s, before, fewer(after, of_after, floor));
}

static double part(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

/* The share that one sample of average weight is. */
static double share_of_sample(const struct change_scale *s, bool before)
{
	if (!before || !s->absolute)
		return part(1, before ? s->before.samples : s->after.samples);
	return part(s->before.weight, s->before.samples) /
	       (s->after.weight ? (double)s->after.weight : (double)s->before.weight);
}

double growth_bound(
	const struct growth_test *t, const struct change *c, growth_limit is_over, const void *rule)
{
	const struct change_scale *s = &t->scale;
	uint64_t all = c->before.samples + c->after.samples, low = 0, high = all;
	double before = share_of_sample(s, true), after = share_of_sample(s, false);
	double seen = (double)c->before.samples * before + (double)c->after.samples * after;

	if (seen > 0) { /* its samples may weigh more than the average */
		before *= (c->share_before + c->share_after) / seen;
		after *= (c->share_before + c->share_after) / seen;
	}
	if (!s->absolute) { /* no side has more than all of its samples */
		low = all > s->before.samples ? all - s->before.samples : 0;
		high = all < s->after.samples ? all : s->after.samples;
	}
	if (!is_over(rule, (double)(all - high) * before, (double)high * after))
		return SIGNIFICANCE_NO_TEST;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (is_over(rule, (double)(all - middle) * before, (double)middle * after))
			high = middle;
		else
			low = middle + 1;
	}
	return growth_p_value(t, all - high, high);
}

struct growth_test growth_with_samples(const struct growth_test *t, double times)
{
	struct growth_test more = *t;
	struct cost *side[] = { &more.scale.before, &more.scale.after };
	int i;

	for (i = 0; i < 2; i++) {
		side[i]->samples = (uint64_t)llround((double)side[i]->samples * times);
		side[i]->weight = (uint64_t)((double)side[i]->weight * times);
	}
	return more;
}

/* The variance of a share, with that from run to run. */
static double variance(const struct growth_test *t, double share, uint64_t samples, double same_run)
{
	return share * (1 - share) / (double)samples *
	       overdispersion_design_effect(t->variation, share, samples, same_run);
}

/* Is that growth still found if luck makes it smaller? */
static bool is_found(const struct growth_test *t, double share, double growth, double level,
	growth_limit is_over, const void *rule)
{
	uint64_t n = t->scale.before.samples, n_after = t->scale.after.samples;
	double luck = LUCK * sqrt(variance(t, share, n, t->same_run) +
				     variance(t, share + growth, n_after, 1));
	double after = share + growth - luck;
	uint64_t k, k_after;

	if (after <= share || !is_over(rule, share, after))
		return false;
	k = (uint64_t)llround(share * (double)n);
	k_after = (uint64_t)llround(after * (double)n_after);
	return growth_p_value(t, k, k_after) <= level * growth_weight(t, k, k_after);
}

double growth_detectable(const struct growth_test *t, double share, double level,
	growth_limit is_over, const void *rule)
{
	double low = 0, high = 1 - share;

	if (t->scale.absolute || !t->scale.before.samples || !t->scale.after.samples ||
		!is_found(t, share, high, level, is_over, rule))
		return 0;
	while (high - low > PRECISION) {
		double middle = (low + high) / 2;

		if (is_found(t, share, middle, level, is_over, rule))
			high = middle;
		else
			low = middle;
	}
	return high;
}
