/*
 * gating.h - --fail-if: what the rules say of what was read: told, and written
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_GATING_H
#define PERFOLD_CLI_GATING_H

#include "cli/diff_table.h"

/* If there are rules: *status becomes EXIT_THRESHOLD if one fails; EXIT_QUALITY stays. */
int gate_check_diff(const struct diff_run *c, const struct options *o, int *status, struct err *e);
/* The same for a single result, whose profile is by_name. */
int gate_check_profile(
	const struct pipeline_result *r, const struct options *o, int *status, struct err *e);

#endif
