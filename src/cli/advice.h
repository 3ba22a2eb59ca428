/*
 * advice.h - what a user could do to get a better recording, or more out of this one
 *
 * One line each, only if the recording shows the need.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_ADVICE_H
#define PERFOLD_CLI_ADVICE_H

#include "cli/run_summary.h"

/* Calls put for each line. */
void advice_report(const struct pipeline_result *r, size_t which, const struct frame_account *a,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
