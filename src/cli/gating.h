/*
 * gating.h - --fail-if: what the rules say of what was read, told and written
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_GATING_H
#define PERFOLD_CLI_GATING_H

#include "cli/diff.h"

/* Where there are rules: *status becomes EXIT_THRESHOLD where one fails, but for EXIT_QUALITY,
 * which stays. */
int gating_compare(
	const struct comparison_run *c, const struct options *o, int *status, struct err *e);
/* The same for a result with its profile by_name, not compared. */
int gating_check(
	const struct pipeline_result *r, const struct options *o, int *status, struct err *e);

#endif
