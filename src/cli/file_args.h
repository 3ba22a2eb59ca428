/*
 * file_args.h - checks of the files that arguments name: each is written once, and none that is
 * read
 *
 * "-o folded:perf.data" would overwrite a recording for good. One file can have several names
 * (x.svg and ./x.svg, a link), so files are compared by device and inode.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_FILE_ARGS_H
#define PERFOLD_CLI_FILE_ARGS_H

#include "cli/options.h"

/* Calls visit() for each file that options name to be written; option has no dashes. */
void file_args_each_output(const struct options *o,
	void (*visit)(void *ctx, const char *option, const char *path), void *ctx);

/* Fails where two options write one file, or one an input. */
int file_args_check(const struct options *o, struct err *e);

/* Fails where several inputs are standard input. */
int file_args_check_stdin(const struct options *o, struct err *e);

/* Puts a line for each input that is given more than once, as its samples count each time. */
void file_args_report_repeats(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx);

#endif
