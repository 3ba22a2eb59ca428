/*
 * judge_power.c - what a comparison could have found
 *
 * A verdict that passes says little if it could not have failed. So the test is asked backwards:
 *
 *	bounds of all subjects ─► the largest p-value that is clear ─► at a share: the least growth
 *	                                                               that is found (growth.h)
 *
 * for the function that costs most, as its share is the hardest to judge, and for a small one. How
 * many samples it takes to find somewhat more than a limit is found by bisection: the counts of all
 * subjects are multiplied, and their bounds computed anew.
 */
#include "compare/judge.h"

#include "base/mem.h"
#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

/* No more samples than this many times those recorded are asked for. */
#define MOST_TIMES 1000.0
/* What is more than half of the whole has little room to grow: main(), not what it calls. */
#define LARGEST_SHARE 0.5

static bool looks_for_growth(const struct gate_rule *r)
{
	return r->limit_by != GATE_SHARE;
}

/* The subject with the largest share before; NULL if no rule looks for growth. The rules about the
 * self cost of each function come first: their shares are those of a profile's first rows. */
static const struct subject *largest_subject(const struct judge *j)
{
	const struct subject *largest = NULL;
	bool self = false;
	size_t i;

	for (i = 0; i < j->n; i++) {
		const struct subject *s = &j->subject[i];
		const struct gate_rule *r = &j->v->rules->item[s->rule];
		double share = s->change.share_before;

		if (!looks_for_growth(r) || share > LARGEST_SHARE ||
			self > (r->what == GATE_ANY_SELF))
			continue;
		if (!largest || self < (r->what == GATE_ANY_SELF) ||
			share > largest->change.share_before)
			largest = s;
		self |= r->what == GATE_ANY_SELF;
	}
	return largest;
}

/* Half more than the limit: growth of the limit itself is beyond it only every other time. */
static double wanted_growth(const struct gate_rule *r, double share)
{
	double limit = r->limit_by == GATE_POINTS ? r->limit / 100 : (r->limit - 1) * share;

	return 1.5 * limit;
}

/* The level up to which a finding is no noise (significance.h), if there are so many times the
 * samples: then fewer functions exceed their limit by luck. */
static double least_clear(const struct judge *j, double times)
{
	const struct tests *t = &j->tests;
	struct significance_test *test = xcalloc(t->n + 1, sizeof(*test));
	double level;
	size_t i;

	for (i = 0; i < t->n; i++)
		test[i] = (struct significance_test){ .weight = t->test[i].weight };

	for (i = 0; i < j->n; i++) {
		const struct subject *s = t->sorted[i];
		struct subject more = *s;

		if (s->bound <= 1 && s->bound > 0 && !s->is_budget) {
			more.change.before.samples =
				(uint64_t)((double)s->change.before.samples * times);
			more.change.after.samples =
				(uint64_t)((double)s->change.after.samples * times);
			judge_bound_growth(j, &more, times);
		}
		if (more.bound <= 1)
			test[t->of[i]].bound = fmax(test[t->of[i]].bound, more.bound);
	}
	level = significance_least_clear(test, t->n, j->in->max_p_value);
	free(test);
	return level;
}

static double detectable(
	const struct judge *j, const struct verdict_power *p, double variation, double times)
{
	struct growth_test test = growth_with_samples(&j->test, times);

	test.variation = variation;
	return growth_detectable(
		&test, p->share, least_clear(j, times), judge_is_over, &j->v->rules->item[p->rule]);
}

static bool is_enough(
	const struct judge *j, const struct verdict_power *p, double variation, double times)
{
	double growth = detectable(j, p, variation, times);

	return growth > 0 && growth <= p->wanted;
}

static uint64_t samples_for_wanted(
	const struct judge *j, const struct verdict_power *p, double variation)
{
	const struct change_scale *s = &j->test.scale;
	uint64_t now = s->before.samples < s->after.samples ? s->before.samples : s->after.samples;
	double low = 1 / MOST_TIMES, high = MOST_TIMES;

	if (!is_enough(j, p, variation, high))
		return 0;
	while (high > 1.05 * low) {
		double middle = sqrt(low * high);

		if (is_enough(j, p, variation, middle))
			high = middle;
		else
			low = middle;
	}
	return (uint64_t)ceil((double)now * high);
}

static void add_power(
	struct judge *j, size_t rule, struct span name, double share, double variation)
{
	struct verdict *v = j->v;
	struct verdict_power *p = &v->power[v->n_power++];

	*p = (struct verdict_power){ .rule = rule,
		.name = name,
		.share = share,
		.wanted = wanted_growth(&v->rules->item[rule], share) };
	p->growth = detectable(j, p, variation, 1);
	p->samples = samples_for_wanted(j, p, variation);
}

void judge_find_power(struct judge *j)
{
	const struct subject *s = j->in->n_bases ? largest_subject(j) : NULL;
	const struct gate_rule *r;
	struct span name;

	if (!s || !j->test.scale.before.samples || !j->test.scale.after.samples ||
		j->test.scale.absolute)
		return;
	r = &j->v->rules->item[s->rule];
	name = r->text;
	if (s->function != VERDICT_ALL_MATCHING)
		name = functions_name(&j->all.costs.functions, s->function);
	name = (struct span){ arena_string(&j->v->texts, name.p, name.n), name.n };
	add_power(j, s->rule, name, s->change.share_before, s->variation);
	if (gate_is_any(r) && 100 * s->change.share_before > VERDICT_SMALL_PERCENT)
		add_power(j, s->rule, (struct span){ 0 }, VERDICT_SMALL_PERCENT / 100.0,
			j->v->variation);
}
