/*
 * span_match.h - the events of a recording that begin or end a span, by the rules
 *
 * An event may have several roles: a call of the resolver ends a request's wait for a thread, and
 * begins the call itself. Roles of one group pair with each other.
 *
 * Owns: its tables. Threads: one. Private to trace/.
 */
#ifndef PERFOLD_TRACE_SPAN_MATCH_H
#define PERFOLD_TRACE_SPAN_MATCH_H

#include "trace/spans.h"

enum span_key_part { KEY_TID, KEY_PID, KEY_FIELD };
/* In the order in which roles of one event are taken: what ends comes first. */
enum span_role_kind { ROLE_ENDS, ROLE_BEGINS, ROLE_STEPS };

struct span_matcher {
	const struct recording *recording; /* borrowed */
	const struct spans_opts *opts;     /* borrowed */
	struct span_key {
		enum span_key_part part[SPAN_KEYS_MAX];
		uint32_t field[SPAN_KEYS_MAX];
		uint32_t n;
	} * keys; /* by rule */
	struct span_role {
		uint32_t event, rule, group;
		enum span_role_kind kind;
	} * roles; /* by event; within one event, those that end something come first */
	uint32_t n_roles, cap_roles;
	uint32_t *first; /* by event: its first role; they go on to the next event's first */
	str_id *groups;  /* rule and stars, as a string */
	uint32_t n_groups, cap_groups;
};

int span_match_init(struct span_matcher *m, const struct recording *r, const struct spans_opts *o,
	struct err *e);
void span_match_release(struct span_matcher *m);

bool span_match_condition(const struct span_matcher *m, const struct marks *marks,
	const struct mark *mark, const struct span_condition *c);

#endif
