/*
 * module_list.h - the modules of a recording by their share of frames: their files, what was found,
 * tried and refused, and what would help
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_MODULE_LIST_H
#define PERFOLD_CLI_MODULE_LIST_H

#include "pipeline/pipeline.h"

/* Puts a line for each module with more than a thousandth of all frames; all: for every module,
 * with every place that was tried and what would help. */
void module_list_report(const struct recording *r, const struct symbolize_report *rep, bool all,
	void (*put)(void *ctx, const char *line), void *ctx);

#endif
