/*
 * spans.h - durations from pairs of events
 *
 * A rule names the event that begins something and the one that ends it, and what both have in
 * common: the thread, the process, fields. If its names have stars, these must match the same
 * on both sides: "syscalls:sys_enter_*" goes with "syscalls:sys_exit_*".
 *
 * All marks are walked once, in order of time. What has begun is in the list of its key:
 *
 *	SPAN_NESTED	a function that calls itself: the end belongs to what began last
 *	SPAN_SINGLE	a system call: what begins again had not been seen to end
 *	SPAN_QUEUE	requests: the end belongs to what began first
 *
 * An event that does not meet the condition of its rule begins nothing, and the one that would have
 * ended it is not missed a beginning.
 *
 * There may be steps: events with the same key in between, each of which says on which thread the
 * work is from then on.
 *
 * If records were lost between a beginning and an end, the two may belong to different pairs: that
 * is not a duration, and is counted.
 *
 * Owns: a matcher its tables. Threads: one.
 */
#ifndef PERFOLD_TRACE_SPANS_H
#define PERFOLD_TRACE_SPANS_H

#include "base/err.h"
#include "model/durations.h"

enum span_order { SPAN_NESTED, SPAN_SINGLE, SPAN_QUEUE };

/* What makes the spans. */
enum spans_of { SPANS_OF_RULES, SPANS_OF_RUN_QUEUE, SPANS_OF_HTTP };

enum { SPAN_KEYS_MAX = 3, SPAN_NO_FIELD = -1 };

/* The field must have this value; no condition if the field is NULL. */
struct span_condition {
	const char *field, *value; /* a string, or a number, or several with blanks between */
	const char *text;          /* the value as perf script prints it; may be NULL */
	uint64_t mask;             /* of a number, these bits count; 0: all */
};

struct span_rule {
	const char *begin; /* one name with stars, or several separated by blanks: the
			      first that fits counts */
	const char *end;
	const char *key; /* "tid", "pid", "field:NAME", or several separated by commas; "": none */
	enum span_order order;
	const char *name; /* of the durations; NULL: of the event that begins them */
	struct span_condition begin_if, end_if;
};

/* A mark of an event between the two of a pair. */
struct span_step {
	uint32_t mark;
	uint32_t before; /* number of the step before; SPAN_NO_STEP: it is the first */
};

#define SPAN_NO_STEP UINT32_MAX

/* Fill d with what the rules make of a recording's marks, which are merged. describe, if not NULL,
 * gives the detail of a pair. */
struct span_pair {
	const struct span_rule *rule;
	const struct mark *begin, *end;
	str_id name;
	const struct span_step *steps;
	uint32_t last_step; /* or SPAN_NO_STEP */
};

struct spans_opts {
	const struct span_rule *rules;
	size_t n_rules;
	const struct mark_fields *fields;
	const char *step; /* of all rules: names of events in between that have the key; NULL: none
			   */
	enum spans_of of; /* if not of the rules, these only name the events, the first of them
			     one that is needed */
	/* Called in order of time, for each pair. May be NULL. */
	str_id (*describe)(void *ctx, struct span_pair *p);
	void *ctx;
};

/* ERR_USAGE if a rule is wrong. recording->marks must have one list (marks_merge()). number: that
 * of the recording among the inputs. */
int spans_pair(struct durations *d, const struct recording *r, uint32_t number,
	const struct spans_opts *o, struct err *e);
/* The same with marks that are not the recording's. */
int spans_pair_marks(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t number, const struct spans_opts *o, struct err *e);

/* Does the recording have events that the rules pair? Not if none begins, or none ends,
 * anything. */
bool spans_applies(const struct recording *r, const struct spans_opts *o);

#endif
