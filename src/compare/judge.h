/*
 * judge.h - what is known while a verdict is made
 *
 * Owns: its arrays; profiles and rules are borrowed. Threads: one. Private to verdict.c and
 * judge_power.c.
 */
#ifndef PERFOLD_COMPARE_JUDGE_H
#define PERFOLD_COMPARE_JUDGE_H

#include "compare/growth.h"
#include "compare/significance.h"
#include "compare/verdict.h"

/* One function, or all that match, under one rule. */
struct subject {
	size_t rule;
	function_id function; /* or VERDICT_ALL_MATCHING */
	struct change change;
	bool is_budget;   /* tested against a limit, not for a growth */
	double variation; /* of its own between the bases */
	double p_value;
	double bound, weight; /* see significance_holm() */
};

/* The tests of all subjects, those with equal counts as one: with the least p-value and the largest
 * bound. */
struct tests {
	struct significance_test *test;
	size_t *of; /* by place in sorted: the number of its test */
	size_t n;
	struct subject **sorted;
};

struct profile_costs {
	struct costs costs;
	struct cost before, after; /* of the whole */
	uint32_t n; /* functions with costs; look-ups for other profiles add some without */
};

struct judge {
	const struct verdict_input *in;
	struct verdict *v;
	struct growth_test test; /* without a variation */
	struct profile_costs all, *base;
	frame_id *frame; /* by function of all: a frame of it */
	struct subject *subject;
	size_t n, cap;
	struct tests tests;
	struct proportion *run; /* one subject's counts in each base */
};

/* Is a function with these shares over the limit of a struct gate_rule? */
bool judge_is_over(const void *rule, double before, double after);
/* Sets the subject's bound, for so many times the samples. */
void judge_bound_growth(const struct judge *j, struct subject *s, double times);
/* What the comparison could have found: verdict.power. */
void judge_find_power(struct judge *j);

#endif
