/*
 * verdict.h - judging a profile by rules (--fail-if), alone or compared with others
 *
 * A rule is about functions: each by itself, or the sum of all that match. What exceeds its limit
 * is a finding. It fails the profile unless it may be noise: what the sampling hit, or how the
 * machine varies from run to run (compare/overdispersion.h). p-values are adjusted for all tests
 * together.
 *
 * Owns: findings and their strings; the rules are borrowed. Threads: one.
 */
#ifndef PERFOLD_COMPARE_VERDICT_H
#define PERFOLD_COMPARE_VERDICT_H

#include "base/arena.h"
#include "compare/change.h"
#include "compare/gate.h"
#include "compare/overdispersion.h"

struct verdict_input {
	/* A profile, or a difference: then also its bases one by one, each as a difference. */
	const struct profile *p;
	const struct profile *const *bases;
	size_t n_bases;       /* 0: nothing is compared */
	double max_p_value;   /* a finding with a larger p-value is noise */
	double variation;     /* assumed: see compare/overdispersion.h */
	uint64_t min_samples; /* what has fewer, on both sides together, is not looked at */
};

/* Shares of the whole, 0 to 1. */
struct verdict_part {
	struct span name;
	double before, after;
};

enum { VERDICT_PARTS = 3 };
/* This many findings of a rule have parts and are listed in a report: nobody reads more, and
 * finding the parts of one takes a pass over the profile. */
enum { VERDICT_LISTED = 20 };
#define VERDICT_ALL_MATCHING UINT32_MAX

/* The parts that have grown most, the largest first. */
struct verdict_parts {
	struct verdict_part item[VERDICT_PARTS];
	unsigned n;
	uint32_t more; /* others that have grown */
};

struct verdict_finding {
	function_id function;     /* or VERDICT_ALL_MATCHING */
	size_t rule;              /* number of the rule */
	struct span name, module; /* of the function; empty for several */
	struct cost before, after;
	double share_before, share_after;
	double p_value; /* adjusted for all that were looked at */
	bool noise;
	bool listed;                             /* one of the first VERDICT_LISTED of its rule */
	struct verdict_parts callers, functions; /* functions: if the rule is about several */
};

struct verdict_rule {
	uint32_t looked_at, over, noise; /* noise: over the limit, but not significantly */
};

/* What a comparison could have found: growth of a function of that share. */
struct verdict_power {
	size_t rule;      /* number of the rule */
	struct span name; /* of the function or, for a rule about several, the rule; empty: any */
	double share;     /* before */
	double growth;    /* from here on it is found, see growth_detectable(); 0: never */
	double wanted;    /* somewhat more than the rule's limit */
	uint64_t samples; /* on each side, to find that; 0: no number is enough */
};

enum { VERDICT_POWERS = 2, VERDICT_SMALL_PERCENT = 2 };

struct verdict {
	const struct gate_rules *rules;
	struct verdict_rule *of; /* by rule */
	/* All that are over a limit: the clear ones first, then by rule, the largest first. */
	struct verdict_finding *finding;
	size_t n, n_failed; /* failed: not noise */
	size_t looked_at;
	/* The function that costs most, and any of VERDICT_SMALL_PERCENT; none without growth to
	 * look for. */
	struct verdict_power power[VERDICT_POWERS];
	size_t n_power;
	bool compares;
	bool absolute; /* shares of both sides are of the whole after */
	size_t n_bases;
	double max_p_value, variation;
	/* Borrowed, set by the caller: what was compared, and why that is not fit for it. */
	const char *const *before_names; /* n_bases of them */
	const char *after_name;
	const char *title, *subtitle; /* model/headline.h */
	const char *const *unfit;
	size_t n_unfit;
	unsigned page_tokens; /* of Markdown, at most about; 0: the default */
	struct arena texts;
};

enum verdict_result { VERDICT_PASSED, VERDICT_FAILED, VERDICT_UNFIT };
enum verdict_result verdict_result(const struct verdict *v);
/* "passed", "failed", "unfit" */
const char *verdict_result_name(enum verdict_result is);

void verdict_make(struct verdict *v, const struct gate_rules *g, const struct verdict_input *in);
void verdict_release(struct verdict *v);

#endif
