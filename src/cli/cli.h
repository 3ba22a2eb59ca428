/*
 * cli.h - the commands: one file each, one row each in commands.c
 *
 * A command reads its arguments, runs the pipeline and tells the user. It returns an exit status
 * through *status, or an error for main to print.
 *
 * Threads: one.
 */
#ifndef PERFOLD_CLI_CLI_H
#define PERFOLD_CLI_CLI_H

#include "base/err.h"
#include "cli/message.h"

#include <stddef.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* the input or an output */
	EXIT_USAGE = 2,
	EXIT_THRESHOLD = 3, /* what was measured is over a limit */
	EXIT_QUALITY = 4,   /* the recording is not good enough */
};

struct command {
	const char *name; /* NULL: what perfold does without a command */
	const char *about;
	int (*run)(int argc, char **argv, int *status, struct err *e);
	unsigned options; /* enum command_bits: its rows in the table of options */
};

/* By the first argument; never NULL. argv[0] of the command is that argument, or perfold's own. */
const struct command *commands_find(int argc, char **argv);
void commands_print(void);
/* 0: what perfold does without a command; NULL after the last. */
const struct command *commands_at(size_t i);

extern const struct command cmd_fold, cmd_info, cmd_top, cmd_diff, cmd_resolve, cmd_pack,
	cmd_filters, cmd_spans, cmd_merge;

#endif
