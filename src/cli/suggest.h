/*
 * suggest.h - suggestions for mistyped options and commands
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_SUGGEST_H
#define PERFOLD_CLI_SUGGEST_H

#include "base/err.h"
#include "cli/options.h"

/* Sets the error for an option ("--colours=red", "-x") that the command does not have, or that is
 * the beginning of several. */
int suggest_option(enum command_bits command, const char *word, struct err *e);

/* The command whose name is most like the word; NULL: none is like it. */
const char *suggest_command(const char *word);

#endif
