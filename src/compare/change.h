/*
 * change.h - what has changed between two profiles, for a node or a function
 *
 * For profiles with a comparison (profile.before, made by collapse/). Shares are of the whole: the
 * weight before is a share of all weight before, the weight after of all after; where weights are
 * compared as they are (comparison.absolute), both are shares of all weight after.
 *
 * Owns: the table of functions. Threads: each has its own.
 */
#ifndef PERFOLD_COMPARE_CHANGE_H
#define PERFOLD_COMPARE_CHANGE_H

#include "compare/costs.h"

struct change {
	struct cost before, after;
	double share_before, share_after; /* 0 to 1; more where absolute */
	double p_value;                   /* see compare/significance.h */
};

/* What a change is measured by; made once for a profile. */
struct change_scale {
	struct cost before, after; /* of the whole */
	bool absolute;
	double after_part; /* of all samples: expected after, where absolute */
};

struct change_scale change_scale_of(const struct profile *p);
/* The p-value is not adjusted: for many changes see significance_benjamini_hochberg(). */
struct change change_of(const struct change_scale *s, struct cost before, struct cost after);
/* With the p-value adjusted for all nodes. */
struct change change_of_node_self(const struct profile *p, node_id node);
struct change change_of_node_total(const struct profile *p, node_id node);

/* True where the change is significant. */
static inline bool change_is_clear(const struct profile *p, const struct change *c)
{
	return c->p_value <= p->before->max_p_value;
}

/* The classes of a picture's legend and colours. What has not changed significantly is a class of
 * its own, and so are the callers of what is gone or new. */
enum change_class {
	CHANGE_NOISE,
	CHANGE_CALLER,
	CHANGE_GROWN, /* CHANGE_LEVELS of them, by ratio; the last is new */
	CHANGE_SHRUNK = CHANGE_GROWN + 6,
	CHANGE_CLASSES = CHANGE_SHRUNK + 6,
};
enum { CHANGE_LEVELS = CHANGE_SHRUNK - CHANGE_GROWN };

enum change_class change_class_of(const struct profile *p, const struct change *c);
/* The name as a category. */
const char *change_class_name(enum change_class of);
/* False if a category is none of these names. */
bool change_class_by_name(struct span name, enum change_class *of);

/* In percentage points. */
static inline double change_points(const struct change *c)
{
	return 100 * (c->share_after - c->share_before);
}

struct function_change {
	function_id function;
	struct change self, total;
};

/* The functions of both sides. */
struct change_functions {
	struct costs costs;         /* with those before */
	struct function_change *of; /* by function_id, costs.functions.n of them */
};

/* adjust: p-values are adjusted for all functions. */
void change_functions_init(struct change_functions *c, const struct profile *p, bool adjust);
void change_functions_release(struct change_functions *c);

/* The functions that differ at all, the largest difference of shares first; ties are broken by
 * name. Owned by the caller. */
struct function_change *change_functions_ranked(
	const struct change_functions *c, enum cost_order by, uint32_t *n);

#endif
