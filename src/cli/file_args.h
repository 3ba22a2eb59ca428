/*
 * written.h - the files that a command writes: each once, and none that it reads
 *
 * A recording is lost for good where "-o folded:perf.data" takes its place. Names differ that are
 * one file (x.svg and ./x.svg, a link), so files are compared by what the system says they are.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_WRITTEN_H
#define PERFOLD_CLI_WRITTEN_H

#include "cli/options.h"

/* Calls take() for each file that options name to be written; option is without its dashes. */
void file_args_each_output(const struct options *o,
	void (*take)(void *ctx, const char *option, const char *path), void *ctx);

/* Fails where two options write one file, or one an input. */
int file_args_check(const struct options *o, struct err *e);

/* Tells of inputs that are one file and count more than once. */
void file_args_report_repeats(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx);

#endif
