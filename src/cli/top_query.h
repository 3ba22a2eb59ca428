/*
 * top_query.h - what perfold top is asked about: --callers, --callees, --paths, --group
 *
 * Owns: the profile that the answer is shown from. Threads: one.
 */
#ifndef PERFOLD_CLI_TOP_QUERY_H
#define PERFOLD_CLI_TOP_QUERY_H

#include "cli/options.h"
#include "compare/grouping.h"

struct top_query {
	const struct profile *p; /* to show: a tree of calls, of groups, or the whole */
	uint64_t whole;          /* weight of everything that was read */
	bool about_function;     /* p is of some functions only */
	struct profile *tree, *grouped;
};

/* ERR_USAGE if no function has the name that is asked for, and none matches it. */
int top_query_make(
	struct top_query *q, const struct top_opts *o, const struct profile *p, struct err *e);
void top_query_release(struct top_query *q);

/* What the options of a query need of how recordings are read. ERR_USAGE if two of them are
 * given. */
int top_query_prepare(struct options *o, struct err *e);

/* The paths of a tree of callers: the nodes at which they begin, the most expensive first. *n
 * becomes their number; owned by the caller. */
node_id *top_query_paths(const struct top_query *q, uint32_t *n);

#endif
