/*
 * during.h - the conditions of --during: which spans samples must be in
 *
 *	condition = ["!"] SPANS [OP TIME | "#" NUMBER]        OP: > >= < <=
 *	SPANS     = PRESET                                    of perfold spans
 *	          | BEGIN ".." [STEP ".."] END ["by" KEY]     its --begin, --end and --key
 *
 * A sample is wanted if it is in a span of any condition, and in none of a condition with "!". A
 * NUMBER is that of one span alone, as perfold spans lists it.
 *
 * Conditions on the same spans share a measure: what begins and ends these is read once.
 *
 * Owns: its conditions; presets are constant. Threads: read by any.
 */
#ifndef PERFOLD_TRACE_DURING_H
#define PERFOLD_TRACE_DURING_H

#include "base/arena.h"
#include "trace/span_preset.h"

struct during_measure {
	struct span text;                 /* as the user wrote it */
	const struct span_preset *preset; /* NULL: rule */
	struct span_rule rule;
	const char *step;          /* NULL: none */
	struct mark_fields fields; /* by which events belong together */
};

struct during_condition {
	const char *text;
	uint32_t measure;
	bool negated;
	uint64_t number;         /* of the only span; 0: any of a length */
	uint64_t min_ns, max_ns; /* both inclusive */
};

enum { DURING_MEASURES_MAX = 16 };

/* A zeroed struct has no condition: all samples are wanted. */
struct during {
	struct during_measure *measures;
	uint32_t n_measures, cap_measures;
	struct during_condition *conditions;
	uint32_t n_conditions, cap_conditions;
	struct arena strings;
	uint32_t listed; /* 1 + the measure whose spans are listed with their numbers; 0: none */
};

int during_add(struct during *d, const char *text, struct err *e);
/* List all spans of a preset, or of a rule, in recording->numbered, as far as it has any. */
int during_list(struct during *d, const struct span_preset *preset, const struct span_rule *rule,
	struct err *e);
/* Is there a condition on the spans of a measure? */
bool during_is_asked(const struct during *d, uint32_t measure);
void during_release(struct during *d);

/* What begins and ends the spans of a measure in a recording. The rules are constant, or the
 * measure's. */
struct spans_opts during_rules(const struct during_measure *m, const struct recording *r);

#endif
