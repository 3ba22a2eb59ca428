/*
 * cli.h - the commands: a file cmd_NAME.c and a row in commands.c for each
 *
 * A command reads its arguments, runs the pipeline and reports the result to the user. It returns
 * an exit status through *status, or an error for main() to print.
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_CLI_H
#define PERFOLD_CLI_CLI_H

#include "base/err.h"
#include "cli/message.h"

#include <stdbool.h>
#include <stddef.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1, /* an input failed */
	EXIT_USAGE = 2,
	EXIT_THRESHOLD = 3, /* a rule of --fail-if holds */
	EXIT_QUALITY = 4,   /* the recording is not good enough */
	EXIT_LEFT_OUT = 5,  /* done, but for inputs that --keep-going left out */
	EXIT_AGAIN = 6,     /* this machine failed: later, or elsewhere, it may succeed */
};

struct command {
	const char *name; /* NULL: what perfold does without a command */
	const char *about;
	int (*run)(int argc, char **argv, int *status, struct err *e);
	unsigned options; /* enum command_bits: which rows of the table of options are its own */
};

/* The command that the first argument names, else perfold without a command; never NULL. */
const struct command *commands_find(int argc, char **argv);
void commands_print(void);
/* The commands in order, that without a name first; NULL after the last. */
const struct command *commands_at(size_t i);

int cmd_fold(int argc, char **argv, int *status, struct err *e);
/* What perfold without a command does on a terminal: the table of top, and how to go on. *fits is
 * false, and nothing done, if the options are not those of top. */
int cmd_top_first_page(int argc, char **argv, bool *fits, int *status, struct err *e);
int cmd_info(int argc, char **argv, int *status, struct err *e);
int cmd_top(int argc, char **argv, int *status, struct err *e);
int cmd_view(int argc, char **argv, int *status, struct err *e);
int cmd_annotate(int argc, char **argv, int *status, struct err *e);
int cmd_diff(int argc, char **argv, int *status, struct err *e);
int cmd_resolve(int argc, char **argv, int *status, struct err *e);
int cmd_pack(int argc, char **argv, int *status, struct err *e);
int cmd_strip(int argc, char **argv, int *status, struct err *e);
int cmd_filters(int argc, char **argv, int *status, struct err *e);
int cmd_spans(int argc, char **argv, int *status, struct err *e);
int cmd_merge(int argc, char **argv, int *status, struct err *e);

#endif
