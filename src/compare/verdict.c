/*
 * Every function that a rule applies to (or all that match, for rules about their sum) becomes a
 * subject of one list:
 *
 *	rules x functions ─► subjects ─► p-values ─► adjusted for all ─► findings: over the limit
 *	                                                                 and p <= max: failed
 *	                                                                 else: noise
 *
 * A p-value answers: how likely is a growth this large (or, without a comparison, a share this far
 * above the limit) if nothing has changed? (compare/growth.h; the variation is estimated from the
 * bases.) As many subjects are tested, some look clear by luck, so Holm's correction is applied
 * over all rules together: the probability that an unchanged program fails any of them is at most
 * max_p_value. That probability is not divided equally, but so that it goes where it is needed,
 * without looking at the outcome of tests: a subject counts only as far as it can exceed its limit
 * by luck (growth_bound()), a large one more than a small one (growth_weight()), and subjects with
 * the same counts, as a function has that calls none, are one test.
 *
 * The bases are profiles before, one recording each, with tables of functions of their own: a
 * function is found there by a frame that represents it (judge.frame).
 *
 * Costs: a pass over the nodes for each profile, and for each listed finding one more for its parts
 * (callers, and functions where a rule adds up several).
 */
#include "compare/judge.h"

#include "base/mem.h"
#include "compare/significance.h"
#include "model/sample_choice.h"

#include <math.h>
#include <stdlib.h>

/* Costs */

static void profile_costs_init(struct profile_costs *s, const struct profile *p)
{
	costs_init(&s->costs, p);
	s->n = s->costs.functions.n;
	s->after = (struct cost){ p->nodes[0].total, profile_samples(p, 0).total };
	if (p->before)
		s->before = (struct cost){ p->before->of[0].total, p->before->of[0].total_samples };
}

static struct span field_string(const struct costs *c, function_id f, enum gate_field field)
{
	const struct function *function = &c->functions.function[f];

	if (field == GATE_FUNCTION)
		return functions_name(&c->functions, f);
	return strtab_get(
		c->functions.p->strings, field == GATE_MODULE ? function->module : function->file);
}

static bool *mark_selected(const struct profile_costs *s, const struct gate_rule *r)
{
	bool *marked = xcalloc((size_t)s->costs.functions.n + 1, sizeof(*marked));
	function_id f;

	for (f = 0; f < s->n; f++)
		marked[f] = !r->pattern ||
			    name_pattern_matches(r->pattern, field_string(&s->costs, f, r->field));
	return marked;
}

static frame_id *frames_of_functions(struct profile_costs *s)
{
	const struct profile *p = s->costs.functions.p;
	frame_id *frame = xcalloc((size_t)s->n + 1, sizeof(*frame));
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		if (stack_path_includes(p, i))
			frame[functions_of_frame(&s->costs.functions, stack_path_frame(p, i))] =
				stack_path_frame(p, i);
	return frame;
}

static const struct cost *cost_by(const struct function_cost *c, bool self)
{
	return self ? &c->self : &c->total;
}

/* The same function in each of the bases. */
static void find_runs(struct judge *j, function_id f, bool self)
{
	size_t i;

	for (i = 0; i < j->in->n_bases; i++) {
		struct profile_costs *s = &j->base[i];
		function_id there = functions_of_frame(&s->costs.functions, j->frame[f]);

		j->run[i] = (struct proportion){ 0, s->before.samples };
		if (there < s->n)
			j->run[i].k = cost_by(&s->costs.before[there], self)->samples;
	}
}

/* P-values */

/* The variation over all functions, of their self costs: so each sample counts once. */
static double variation_of_all(struct judge *j)
{
	struct overdispersion_sum sum = { 0 };
	function_id f;

	for (f = 0; f < j->all.n && j->in->n_bases > 1; f++) {
		if (j->all.costs.before[f].self.samples < j->in->min_samples)
			continue;
		find_runs(j, f, true);
		overdispersion_add(&sum, j->run, j->in->n_bases);
	}
	return overdispersion_variation(&sum, j->in->n_bases, j->in->variation);
}

/* The variation of the subject in j->run. */
static double own_variation(const struct judge *j)
{
	struct overdispersion_sum sum = { 0 };

	overdispersion_add(&sum, j->run, j->in->n_bases);
	return overdispersion_own_variation(&sum, j->in->n_bases, j->v->variation);
}

/* The probability that two samples before are from one recording: larger than 1 / n where one
 * recording has most of the samples. */
static double same_run_before(const struct judge *j)
{
	double whole = (double)j->all.before.samples, sum = 0;
	size_t i;

	for (i = 0; i < j->in->n_bases; i++)
		sum += pow((double)j->base[i].before.samples, 2);
	return whole > 0 ? sum / (whole * whole) : 1;
}

/* Without a comparison: is it over the limit, or was that the sampling? */
static double p_value_over_limit(const struct judge *j, const struct subject *s, double limit)
{
	double effect = overdispersion_design_effect(s->variation, limit, j->all.after.samples, 1);
	uint64_t whole = (uint64_t)ceil((double)j->all.after.samples / effect);
	uint64_t part = (uint64_t)floor((double)s->change.after.samples / effect);

	if (part > whole)
		return SIGNIFICANCE_NO_TEST;
	return significance_of_larger_part(whole - part, part, limit);
}

static bool against_limit(const struct gate_rule *r)
{
	return r->limit_by == GATE_SHARE && r->what != GATE_NEW;
}

bool judge_is_over(const void *rule, double before, double after)
{
	const struct gate_rule *r = rule;

	switch (r->limit_by) {
	case GATE_POINTS:
		return 100 * (after - before) > r->limit;
	case GATE_TIMES:
		return after > r->limit * before;
	case GATE_SHARE:
		break;
	}
	return 100 * after > r->limit;
}

static void test_limit(struct judge *j, struct subject *s)
{
	double limit = j->v->rules->item[s->rule].limit;

	/* Nothing is below 0% or above 100%. */
	s->p_value = limit > 0 && limit < 100 ? p_value_over_limit(j, s, limit / 100) : 0;
	s->bound = 1;
}

void judge_bound_growth(const struct judge *j, struct subject *s, double times)
{
	const struct gate_rule *r = &j->v->rules->item[s->rule];
	struct growth_test test = growth_with_samples(&j->test, times);

	test.variation = s->variation;
	/* What is new is looked at because it was not there before. */
	s->bound = r->what == GATE_NEW ? 1 : growth_bound(&test, &s->change, judge_is_over, r);
}

static void test_growth(struct judge *j, struct subject *s)
{
	const struct change *c = &s->change;
	struct growth_test test = j->test;

	judge_bound_growth(j, s, 1);
	test.variation = s->variation;
	s->p_value = growth_p_value(&test, c->before.samples, c->after.samples);
	if (!judge_is_over(&j->v->rules->item[s->rule], c->share_before, c->share_after))
		s->p_value = SIGNIFICANCE_NO_TEST;
}

static void set_p_value(struct judge *j, struct subject *s)
{
	s->variation = own_variation(j);
	s->weight = growth_weight(&j->test, s->change.before.samples, s->change.after.samples);
	s->is_budget = against_limit(&j->v->rules->item[s->rule]);
	if (s->is_budget)
		test_limit(j, s);
	else
		test_growth(j, s);
}

static int compare_subjects(const void *pa, const void *pb)
{
	const struct subject *a = *(struct subject *const *)pa, *b = *(struct subject *const *)pb;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->change.after.samples != b->change.after.samples)
		return a->change.after.samples < b->change.after.samples ? -1 : 1;
	if (a->change.before.samples != b->change.before.samples)
		return a->change.before.samples < b->change.before.samples ? -1 : 1;
	if (a->is_budget != b->is_budget)
		return a->is_budget ? 1 : -1;
	return a->is_budget ? (a->p_value > b->p_value) - (a->p_value < b->p_value) : 0;
}

/* Equal counts are one test: a function that calls none has the same self and total cost. */
static bool is_same_test(const struct subject *a, const struct subject *b)
{
	return a->function != VERDICT_ALL_MATCHING && !compare_subjects(&a, &b);
}

static void list_tests(struct judge *j)
{
	struct tests *t = &j->tests;
	size_t i;

	*t = (struct tests){ xcalloc(j->n + 1, sizeof(*t->test)), xcalloc(j->n + 1, sizeof(*t->of)),
		0, xcalloc(j->n + 1, sizeof(struct subject *)) };
	for (i = 0; i < j->n; i++)
		t->sorted[i] = &j->subject[i];
	qsort(t->sorted, j->n, sizeof(struct subject *), compare_subjects);
	for (i = 0; i < j->n; i++) {
		const struct subject *s = t->sorted[i];
		double bound = s->bound <= 1 ? s->bound : 0;
		struct significance_test *test;

		if (!i || !is_same_test(s, t->sorted[i - 1]))
			t->test[t->n++] =
				(struct significance_test){ s->p_value, bound, s->weight };
		test = &t->test[t->n - 1];
		test->p_value = fmin(test->p_value, s->p_value);
		test->bound = fmax(test->bound, bound);
		t->of[i] = t->n - 1;
	}
}

static void adjust_p_values(struct judge *j)
{
	const struct tests *t = &j->tests;
	size_t i;

	list_tests(j);
	significance_holm(t->test, t->n);
	for (i = 0; i < j->n; i++)
		t->sorted[i]->p_value = t->test[t->of[i]].p_value;
}

/* Subjects */

static struct change change_from(const struct judge *j, struct cost before, struct cost after)
{
	double whole = (double)j->all.after.weight;

	if (j->in->n_bases)
		return change_of(&j->test.scale, before, after);
	return (struct change){ .after = after,
		.share_after = whole > 0 ? (double)after.weight / whole : 0 };
}

static void add_subject(
	struct judge *j, size_t rule, function_id f, struct cost before, struct cost after)
{
	struct change change = change_from(j, before, after);
	struct subject *s;

	if (before.samples + after.samples < j->in->min_samples)
		return;
	ARRAY_GROW(j->subject, j->n, j->cap);
	s = &j->subject[j->n++];
	*s = (struct subject){ .rule = rule, .function = f, .change = change };
	set_p_value(j, s);
	j->v->of[rule].looked_at++;
}

static void test_each(struct judge *j, size_t rule, const bool *marked)
{
	const struct gate_rule *r = &j->v->rules->item[rule];
	bool self = gate_is_self(r);
	function_id f;

	for (f = 0; f < j->all.n; f++) {
		struct cost before = { 0 };

		if (!marked[f])
			continue;
		if (j->in->n_bases)
			before = *cost_by(&j->all.costs.before[f], self);
		if (r->what == GATE_NEW && !costs_is_zero(before))
			continue;
		find_runs(j, f, self);
		add_subject(j, rule, f, before, *cost_by(&j->all.costs.of[f], self));
	}
}

static void test_together(struct judge *j, size_t rule, const bool *marked)
{
	const struct gate_rule *r = &j->v->rules->item[rule];
	enum cost_order by = gate_is_self(r) ? BY_SELF : BY_TOTAL;
	struct cost before = { 0 };
	size_t i;

	for (i = 0; i < j->in->n_bases; i++) {
		struct profile_costs *s = &j->base[i];
		bool *there = mark_selected(s, r);
		struct cost c = costs_sum(&s->costs, there, by, true);

		j->run[i] = (struct proportion){ c.samples, s->before.samples };
		free(there);
	}
	if (j->in->n_bases)
		before = costs_sum(&j->all.costs, marked, by, true);
	add_subject(
		j, rule, VERDICT_ALL_MATCHING, before, costs_sum(&j->all.costs, marked, by, false));
}

static void test_rule(struct judge *j, size_t rule)
{
	const struct gate_rule *r = &j->v->rules->item[rule];
	bool *marked = mark_selected(&j->all, r);

	if (gate_is_any(r))
		test_each(j, rule, marked);
	else
		test_together(j, rule, marked);
	free(marked);
}

/* Parts of a finding */

struct part_sum {
	uint32_t number; /* of the display name, plus 1; 0: no caller */
	struct cost before, after;
};

static uint32_t caller_number(struct judge *j, node_id node)
{
	const struct profile *p = j->in->p;
	node_id parent = p->nodes[node].parent;

	return node && parent ? 1 + display_names_number(
					    &j->all.costs.functions.names, p->nodes[parent].frame)
			      : 0;
}

static uint32_t own_number(struct judge *j, node_id node)
{
	return 1 + display_names_number(
			   &j->all.costs.functions.names, stack_path_frame(j->in->p, node));
}

static int larger_growth_first(const void *pa, const void *pb)
{
	const struct verdict_part *a = pa, *b = pb;
	double x = a->after - a->before, y = b->after - b->before;

	return x != y ? (x < y) - (x > y) : span_cmp(a->name, b->name);
}

static struct span copy_string(struct verdict *v, struct span text)
{
	return (struct span){ arena_string(&v->texts, text.p, text.n), text.n };
}

static void keep_largest(
	struct judge *j, struct verdict_parts *to, const struct part_sum *sum, size_t n)
{
	struct verdict_part *part = xcalloc(n + 1, sizeof(*part));
	size_t i, grown = 0;

	for (i = 0; i < n; i++) {
		struct change c = change_from(j, sum[i].before, sum[i].after);
		struct span name = SPAN("no caller");

		if (c.share_after <= c.share_before)
			continue;
		if (sum[i].number)
			name = display_names_get(&j->all.costs.functions.names, sum[i].number - 1);
		part[grown++] = (struct verdict_part){ name, c.share_before, c.share_after };
	}
	qsort(part, grown, sizeof(*part), larger_growth_first);
	to->n = grown < VERDICT_PARTS ? (unsigned)grown : VERDICT_PARTS;
	to->more = (uint32_t)(grown - to->n);
	for (i = 0; i < to->n; i++) {
		to->item[i] = part[i];
		to->item[i].name = copy_string(j->v, part[i].name);
	}
	free(part);
}

/* What the marked functions cost together, by the name that number() gives for a node. */
static void find_parts(struct judge *j, struct verdict_parts *to, const bool *marked, bool self,
	uint32_t (*number)(struct judge *j, node_id node))
{
	struct costs_walk w = {
		.c = &j->all.costs, .marked = marked, .by = self ? BY_SELF : BY_TOTAL
	};
	uint32_t *place = NULL, known = 0; /* by number: in sum, plus 1 */
	struct part_sum *sum = NULL;
	size_t n = 0, cap = 0, places = 0;
	node_id node;

	while (costs_walk_next(&w, &node)) {
		uint32_t name = number(j, node);
		struct cost after = costs_of_node(&w, node, false), before = { 0 };

		if (j->in->n_bases)
			before = costs_of_node(&w, node, true);
		if (name >= known) {
			ARRAY_RESERVE(place, (size_t)name + 1, places);
			memset(place + known, 0, (places - known) * sizeof(*place));
			known = (uint32_t)places;
		}
		if (!place[name]) {
			ARRAY_GROW(sum, n, cap);
			sum[n++] = (struct part_sum){ .number = name };
			place[name] = (uint32_t)n;
		}
		costs_add(&sum[place[name] - 1].before, before.weight, before.samples);
		costs_add(&sum[place[name] - 1].after, after.weight, after.samples);
	}
	keep_largest(j, to, sum, n);
	free(place);
	free(sum);
}

/* Findings */

static bool is_noise(const struct judge *j, const struct subject *s)
{
	return s->p_value > j->in->max_p_value;
}

static struct verdict_finding finding_of(struct judge *j, const struct subject *s)
{
	struct costs *c = &j->all.costs;
	struct verdict_finding f = { .rule = s->rule,
		.function = s->function,
		.before = s->change.before,
		.after = s->change.after,
		.share_before = s->change.share_before,
		.share_after = s->change.share_after,
		.p_value = s->p_value,
		.noise = is_noise(j, s) };

	if (s->function != VERDICT_ALL_MATCHING) {
		f.name = copy_string(j->v, field_string(c, s->function, GATE_FUNCTION));
		f.module = copy_string(j->v, field_string(c, s->function, GATE_MODULE));
	}
	return f;
}

static void add_parts(struct judge *j, struct verdict_finding *f)
{
	const struct gate_rule *r = &j->v->rules->item[f->rule];
	bool *marked, self = gate_is_self(r);

	if (f->function == VERDICT_ALL_MATCHING) {
		marked = mark_selected(&j->all, r);
		find_parts(j, &f->functions, marked, self, own_number);
	} else {
		marked = xcalloc((size_t)j->all.costs.functions.n + 1, sizeof(*marked));
		marked[f->function] = true;
	}
	find_parts(j, &f->callers, marked, self, caller_number);
	free(marked);
}

static int clearest_first(const void *pa, const void *pb)
{
	const struct verdict_finding *a = pa, *b = pb;
	double x = a->share_after - a->share_before, y = b->share_after - b->share_before;

	if (a->noise != b->noise)
		return a->noise ? 1 : -1;
	if (a->rule != b->rule)
		return a->rule < b->rule ? -1 : 1;
	if (x != y)
		return (x < y) - (x > y);
	return span_eq(a->name, b->name) ? span_cmp(a->module, b->module)
					 : span_cmp(a->name, b->name);
}

static void mark_listed(struct judge *j)
{
	size_t *listed = xcalloc(j->v->rules->n + 1, sizeof(*listed)), i;

	for (i = 0; i < j->v->n; i++) {
		struct verdict_finding *f = &j->v->finding[i];

		f->listed = listed[f->rule]++ < VERDICT_LISTED;
		if (f->listed)
			add_parts(j, f);
	}
	free(listed);
}

static void find(struct judge *j)
{
	struct verdict *v = j->v;
	size_t i;

	v->finding = xcalloc(j->n + 1, sizeof(*v->finding));
	for (i = 0; i < j->n; i++) {
		const struct subject *s = &j->subject[i];

		if (!judge_is_over(&v->rules->item[s->rule], s->change.share_before,
			    s->change.share_after))
			continue;
		v->finding[v->n++] = finding_of(j, s);
		if (is_noise(j, s)) {
			v->of[s->rule].noise++;
		} else {
			v->of[s->rule].over++;
			v->n_failed++;
		}
	}
	qsort(v->finding, v->n, sizeof(*v->finding), clearest_first);
	mark_listed(j);
}

static void judge_init(struct judge *j)
{
	const struct verdict_input *in = j->in;
	size_t i;

	profile_costs_init(&j->all, in->p);
	j->frame = frames_of_functions(&j->all);
	if (in->n_bases)
		j->test.scale = change_scale_of(in->p);
	j->base = xcalloc(in->n_bases + 1, sizeof(*j->base));
	for (i = 0; i < in->n_bases; i++)
		profile_costs_init(&j->base[i], in->bases[i]);
	j->run = xcalloc(in->n_bases + 1, sizeof(*j->run));
	j->test.same_run = same_run_before(j);
}

static void judge_release(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->in->n_bases; i++)
		costs_release(&j->base[i].costs);
	costs_release(&j->all.costs);
	free(j->tests.test);
	free(j->tests.of);
	free(j->tests.sorted);
	free(j->base);
	free(j->frame);
	free(j->subject);
	free(j->run);
}

void verdict_make(struct verdict *v, const struct gate_rules *g, const struct verdict_input *in)
{
	struct judge j = { .in = in, .v = v };
	size_t i;

	*v = (struct verdict){ .rules = g,
		.of = xcalloc(g->n + 1, sizeof(*v->of)),
		.compares = in->n_bases > 0,
		.absolute = in->n_bases && in->p->before->absolute,
		.n_bases = in->n_bases,
		.max_p_value = in->max_p_value };
	judge_init(&j);
	v->variation = variation_of_all(&j);
	for (i = 0; i < g->n; i++)
		test_rule(&j, i);
	v->looked_at = j.n;
	adjust_p_values(&j);
	find(&j);
	judge_find_power(&j);
	judge_release(&j);
}

enum verdict_result verdict_result(const struct verdict *v)
{
	if (v->n_unfit)
		return VERDICT_UNFIT;
	return v->n_failed ? VERDICT_FAILED : VERDICT_PASSED;
}

const char *verdict_result_name(enum verdict_result is)
{
	static const char *const name[] = {
		[VERDICT_PASSED] = "passed", [VERDICT_FAILED] = "failed", [VERDICT_UNFIT] = "unfit"
	};

	return name[is];
}

void verdict_release(struct verdict *v)
{
	free(v->of);
	free(v->finding);
	arena_release(&v->texts);
	*v = (struct verdict){ 0 };
}
