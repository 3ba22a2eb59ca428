/*
 * gate_check.h - --fail-if: a result is judged by the rules, and the verdict printed and written
 *
 * Owns: a gate_result borrows from what was judged, and from the options. Threads: one.
 */
#ifndef PERFOLD_CLI_GATE_CHECK_H
#define PERFOLD_CLI_GATE_CHECK_H

#include "cli/diff_table.h"
#include "compare/verdict.h"

struct gate_result;

/* Judges a comparison; NULL if there are no rules. */
struct gate_result *gate_check_diff(const struct diff_run *c, const struct options *o);
/* Likewise a single result, which has a profile by_name. */
struct gate_result *gate_check_profile(const struct pipeline_result *r, const struct options *o);
void gate_check_free(struct gate_result *g);

/* NULL if g is. */
const struct verdict *gate_check_verdict(const struct gate_result *g);
/* Writes the verdict, if there is one. *status becomes EXIT_THRESHOLD if a rule fails, or
 * EXIT_QUALITY if the recordings are not fit to be judged. */
int gate_check_report(
	const struct gate_result *g, const struct options *o, int *status, struct err *e);

#endif
