/*
 * symbols.h - the files of a recording, by their share of frames: what was found, tried, and is
 * missing
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SYMBOLS_H
#define PERFOLD_CLI_SYMBOLS_H

#include "pipeline/pipeline.h"

/* One line for each file with more than a thousandth of all frames; all: every file, with every
 * place that was tried and what would help. Lines go to put(). */
void module_list_report(const struct recording *r, const struct symbolize_report *rep, bool all,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
