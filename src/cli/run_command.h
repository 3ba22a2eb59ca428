/*
 * run_command.h - what all commands do: read their arguments, run the pipeline
 *
 * Owns: nothing; a result belongs to the caller (pipeline_release()). Threads: one.
 */
#ifndef PERFOLD_CLI_RUN_COMMAND_H
#define PERFOLD_CLI_RUN_COMMAND_H

#include "cli/options.h"

struct command_line {
	int argc;
	char **argv;
};

/* Parses the options of a command. --help prints usage and the options, --version the version; else
 * run() is called. */
int run_command(enum command_bits command, struct command_line line, const char *usage,
	int (*run)(struct options *o, int *status, struct err *e), int *status, struct err *e);

/* To call before a command does anything: unfinished outputs are removed from now on if a signal
 * comes. Fails if a file that an option names is not there, or is of another kind. */
int run_command_begin(struct options *o, struct err *e);
/* To call when all went well: outputs are whole. */
void run_command_end(void);

/* Calls work() while o->run has the user's filter directories, the progress line, and warnings on
 * standard error. */
int run_command_work(struct options *o, int (*work)(struct options *o, void *ctx, struct err *e),
	void *ctx, struct err *e);

/* Runs the pipeline in that way. Release the result in any case. */
int run_command_pipeline(struct options *o, struct pipeline_result *r, struct err *e);

/* --strict, --require: if the recording is not good enough, sets *status and says why. */
void run_command_check_quality(
	const struct options *o, const struct pipeline_result *r, int *status);

/* Flushes standard output; an error if not all of it arrived. */
int run_command_flush(struct err *e);

#endif
