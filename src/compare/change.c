/*
 * A change is two costs, the shares they are of their wholes, and a p-value. The scale of a
 * comparison says what both sides are measured by:
 *
 *	relative	shares of each side's own total weight; p-value: are both the same share?
 *	absolute	shares of the total weight after; p-value: are the samples of both sides
 *			divided as equal weights would be? Half the sampling period gives twice
 *			the samples for the same work, so after_part need not be 1/2.
 *
 * The p-values of nodes are computed once, in collapse/diff.c, adjusted over all nodes, and kept in
 * struct node_before. Those of functions are computed here, since a function's cost is a sum over
 * nodes (compare/costs.h); change_functions_init() adjusts self and total costs apart from each
 * other, each over all functions.
 *
 * Pictures show a change as one of a few classes (enum change_class): by its ratio, in the steps
 * of class_names. A change that is not significant is in the class CHANGE_NOISE whatever its ratio.
 */
#include "compare/change.h"

#include "base/mem.h"
#include "compare/significance.h"

#include <math.h>
#include <stdlib.h>

static struct cost self_before(const struct profile *p, node_id i)
{
	const struct node_before *n = &p->before->of[i];

	return (struct cost){ n->self, n->self_samples };
}

static struct cost total_before(const struct profile *p, node_id i)
{
	const struct node_before *n = &p->before->of[i];

	return (struct cost){ n->total, n->total_samples };
}

static struct cost self_after(const struct profile *p, node_id i)
{
	const struct node_after *a = p->before->after;

	return a ? (struct cost){ a[i].self, a[i].self_samples }
		 : (struct cost){ p->nodes[i].self, profile_samples(p, i).self };
}

static struct cost total_after(const struct profile *p, node_id i)
{
	const struct node_after *a = p->before->after;

	return a ? (struct cost){ a[i].total, a[i].total_samples }
		 : (struct cost){ p->nodes[i].total, profile_samples(p, i).total };
}

static double per_sample(struct cost c)
{
	return c.samples ? (double)c.weight / (double)c.samples : 0;
}

struct change_scale change_scale_of(const struct profile *p)
{
	struct change_scale s = { .before = total_before(p, 0),
		.after = total_after(p, 0),
		.absolute = p->before->absolute,
		.after_part = 0.5 };
	double before = per_sample(s.before), after = per_sample(s.after);

	/* A recording of the same work with half the period has twice the samples. */
	if (before > 0 && after > 0)
		s.after_part = before / (before + after);
	return s;
}

static double share(uint64_t weight, uint64_t whole)
{
	return whole ? (double)weight / (double)whole : 0;
}

static struct change shares_of(
	const struct change_scale *s, struct cost before, struct cost after, double p_value)
{
	bool own = !s->absolute || !s->after.weight;

	return (struct change){ before, after,
		share(before.weight, own ? s->before.weight : s->after.weight),
		share(after.weight, s->after.weight), p_value };
}

struct change change_of(const struct change_scale *s, struct cost before, struct cost after)
{
	double p_value;

	if (s->absolute)
		p_value = significance_of_division(before.samples, after.samples, s->after_part);
	else
		p_value = significance_of_shares(
			(struct proportion){ before.samples, s->before.samples },
			(struct proportion){ after.samples, s->after.samples });
	return shares_of(s, before, after, p_value);
}

struct change change_of_node_self(const struct profile *p, node_id i)
{
	struct change_scale s = change_scale_of(p);

	return shares_of(
		&s, self_before(p, i), self_after(p, i), (double)p->before->of[i].self_p_value);
}

struct change change_of_node_total(const struct profile *p, node_id i)
{
	struct change_scale s = change_scale_of(p);

	return shares_of(
		&s, total_before(p, i), total_after(p, i), (double)p->before->of[i].total_p_value);
}

/* Classes of change */

static const char *const class_names[CHANGE_CLASSES] = {
	[CHANGE_NOISE] = "no clear change",
	[CHANGE_CALLER] = "caller of what is gone or new",
	[CHANGE_GROWN] = "grown up to 1.1 times",
	[CHANGE_GROWN + 1] = "grown up to 1.25 times",
	[CHANGE_GROWN + 2] = "grown up to 1.5 times",
	[CHANGE_GROWN + 3] = "grown up to 2 times",
	[CHANGE_GROWN + 4] = "grown more",
	[CHANGE_GROWN + 5] = "new",
	[CHANGE_SHRUNK] = "shrunk up to 1.1 times",
	[CHANGE_SHRUNK + 1] = "shrunk up to 1.25 times",
	[CHANGE_SHRUNK + 2] = "shrunk up to 1.5 times",
	[CHANGE_SHRUNK + 3] = "shrunk up to 2 times",
	[CHANGE_SHRUNK + 4] = "shrunk more",
	[CHANGE_SHRUNK + 5] = "gone",
};

enum change_class change_class_of(const struct profile *p, const struct change *c)
{
	static const double limits[CHANGE_LEVELS - 2] = { 1.1, 1.25, 1.5, 2 };
	double more = c->share_after, less = c->share_before;
	enum change_class level = CHANGE_GROWN;
	int i;

	if (!change_is_clear(p, c) || more == less)
		return CHANGE_NOISE;
	if (more < less) {
		level = CHANGE_SHRUNK;
		more = c->share_before;
		less = c->share_after;
	}
	if (less <= 0)
		return level + CHANGE_LEVELS - 1;
	for (i = 0; i < CHANGE_LEVELS - 2 && more > limits[i] * less; i++)
		level++;
	return level;
}

const char *change_class_name(enum change_class of)
{
	return class_names[of];
}

bool change_class_by_name(struct span name, enum change_class *of)
{
	int i;

	for (i = 0; i < CHANGE_CLASSES; i++) {
		if (span_eq(name, span_of(class_names[i]))) {
			*of = i;
			return true;
		}
	}
	return false;
}

/* Functions */

static void adjust_all(struct change_functions *c)
{
	uint32_t n = c->costs.functions.n, i;
	double *p_value = xcalloc((size_t)n + 1, sizeof(*p_value));

	for (i = 0; i < n; i++)
		p_value[i] = c->of[i].self.p_value;
	significance_benjamini_hochberg(p_value, n);
	for (i = 0; i < n; i++) {
		c->of[i].self.p_value = p_value[i];
		p_value[i] = c->of[i].total.p_value;
	}
	significance_benjamini_hochberg(p_value, n);
	for (i = 0; i < n; i++)
		c->of[i].total.p_value = p_value[i];
	free(p_value);
}

void change_functions_init(struct change_functions *c, const struct profile *p, bool adjust)
{
	struct change_scale s = change_scale_of(p);
	uint32_t i;

	costs_init(&c->costs, p);
	c->of = xcalloc((size_t)c->costs.functions.n + 1, sizeof(*c->of));
	for (i = 0; i < c->costs.functions.n; i++) {
		const struct function_cost *after = &c->costs.of[i], *before = &c->costs.before[i];

		c->of[i] = (struct function_change){ i, change_of(&s, before->self, after->self),
			change_of(&s, before->total, after->total) };
	}
	if (adjust)
		adjust_all(c);
}

void change_functions_release(struct change_functions *c)
{
	costs_release(&c->costs);
	free(c->of);
}

/* qsort() passes no context to its comparison, so a row holds what is compared. */
struct ranked_change {
	double first, second; /* differences of shares, without sign */
	struct span name, module;
	function_id function;
};

static int larger_first(double a, double b)
{
	return (a < b) - (a > b);
}

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked_change *a = pa, *b = pb;
	int order = larger_first(a->first, b->first);

	if (!order)
		order = larger_first(a->second, b->second);
	if (!order)
		order = span_cmp(a->name, b->name);
	if (!order)
		order = span_cmp(a->module, b->module);
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

struct function_change *change_functions_ranked(
	const struct change_functions *c, enum cost_order by, uint32_t *n)
{
	const struct functions *f = &c->costs.functions;
	struct ranked_change *rows = xcalloc((size_t)f->n + 1, sizeof(*rows));
	struct function_change *ranked;
	uint32_t i;

	*n = 0;
	for (i = 0; i < f->n; i++) {
		double self = fabs(change_points(&c->of[i].self));
		double total = fabs(change_points(&c->of[i].total));

		if (self > 0 || total > 0)
			rows[(*n)++] = (struct ranked_change){ by == BY_SELF ? self : total,
				by == BY_SELF ? total : self, functions_name(f, i),
				strtab_get(f->p->strings, f->function[i].module), i };
	}
	qsort(rows, *n, sizeof(*rows), compare_ranked);
	ranked = xcalloc((size_t)*n + 1, sizeof(*ranked));
	for (i = 0; i < *n; i++)
		ranked[i] = c->of[rows[i].function];
	free(rows);
	return ranked;
}
