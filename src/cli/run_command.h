/*
 * run.h - what all commands do: read their arguments, run the pipeline
 *
 * Owns: nothing; a result belongs to the caller (pipeline_release()). Threads: one.
 */
#ifndef PERFOLD_CLI_RUN_H
#define PERFOLD_CLI_RUN_H

#include "cli/options.h"

struct command_line {
	int argc;
	char **argv;
};

/* Parses the options of a command. --help prints usage and the options, --version the version; else
 * run() is called. */
int run_command(enum command_bits command, struct command_line line, const char *usage,
	int (*run)(struct options *o, int *status, struct err *e), int *status, struct err *e);

/* Before a command does anything: guards what it may write, and notes which files that its options
 * name are not there. */
void run_command_begin(struct options *o);
/* When all went well: what it wrote is whole. */
void run_command_end(void);

/* What a command does with o->run, given the user's filter folders, the progress line, and warnings
 * on standard error. */
int run_command_work(struct options *o, int (*work)(struct options *o, void *ctx, struct err *e),
	void *ctx, struct err *e);

/* The pipeline with the user's filter folders, the progress line, and warnings on standard error.
 * Release the result in any case. */
int run_command_pipeline(struct options *o, struct pipeline_result *r, struct err *e);

/* --strict, --require: if the recording is not good enough, sets *status and says why. */
void run_command_check_quality(
	const struct options *o, const struct pipeline_result *r, int *status);

/* All that was written to standard output has arrived. */
int run_command_flush(struct err *e);

#endif
