/*
 * diff.h - two sides, read, and the difference between them
 *
 * For perfold diff, and for judging its results.
 *
 * Owns: all it points to. Threads: one.
 */
#ifndef PERFOLD_CLI_DIFF_H
#define PERFOLD_CLI_DIFF_H

#include "cli/options.h"

struct diff_run {
	/* One for each recording before, in the order given. All share the strings and frames of
	 * the first; their profiles are by_name. */
	struct pipeline_result *before;
	size_t n_before;
	struct pipeline_result after;
	struct diff diff;
};

/* Reads both sides and compares them; release it in any case. */
int comparison_run(struct diff_run *c, struct options *o, struct err *e);
void comparison_run_release(struct diff_run *c);

/* The differences of functions, as a table on standard output. */
void diff_table_print(const struct diff_run *c, const struct options *o);

#endif
