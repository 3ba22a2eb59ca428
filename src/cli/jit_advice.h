/*
 * jit_advice.h - which map or jitdump would name the JIT code that has no name, and where to get it
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_JIT_ADVICE_H
#define PERFOLD_CLI_JIT_ADVICE_H

#include "cli/run_summary.h"

/* How many frames are in JIT code and have no name. a: all frames of the recording. */
uint64_t jit_advice_unnamed(const struct recording *r, const struct frame_account *a);
/* Whether it is so much that a profile would be misread. */
bool jit_advice_is_needed(uint64_t unnamed, const struct frame_account *a);
/* Calls put with a line for each of the processes that need a map, at most so many of them; those
 * with the most unnamed frames first. */
void jit_advice_report(const struct recording *r, const struct frame_account *a, uint32_t most,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
