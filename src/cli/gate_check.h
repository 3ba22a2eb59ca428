/*
 * gate_check.h - --fail-if: a result is judged by the rules, and the verdict printed and written
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_GATE_CHECK_H
#define PERFOLD_CLI_GATE_CHECK_H

#include "cli/diff_table.h"

/* Judges a comparison, if there are rules. *status becomes EXIT_THRESHOLD if a rule fails, or
 * EXIT_QUALITY if the recordings are not fit to be judged. */
int gate_check_diff(const struct diff_run *c, const struct options *o, int *status, struct err *e);
/* Likewise a single result, which has a profile by_name. */
int gate_check_profile(
	const struct pipeline_result *r, const struct options *o, int *status, struct err *e);

#endif
