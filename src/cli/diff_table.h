/*
 * diff_table.h - the functions that changed between two sides of perfold diff, as a table
 *
 * Owns: a diff_run owns all it points to (cmd_diff.c reads and releases it). Threads: one.
 */
#ifndef PERFOLD_CLI_DIFF_TABLE_H
#define PERFOLD_CLI_DIFF_TABLE_H

#include "cli/options.h"

/* Both sides of a comparison, and the difference between them. */
struct diff_run {
	/* One for each recording before, in the order given. All share the strings and frames of
	 * the first; their profiles are by_name. */
	struct pipeline_result *before;
	size_t n_before;
	struct pipeline_result after;
	struct diff diff;
	struct gate_result *judged; /* gate_check.h; NULL: there are no rules */
	char *outside, *inside; /* names of both sides of an input compared with itself, or NULL */
};

/* Prints the table on standard output. */
void diff_table_print(const struct diff_run *c, const struct options *o);

#endif
