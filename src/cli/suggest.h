/*
 * mistyped.h - what a word of the command line was meant to be
 *
 * Owns: nothing. Threads: one.
 */
#ifndef PERFOLD_CLI_MISTYPED_H
#define PERFOLD_CLI_MISTYPED_H

#include "base/err.h"
#include "cli/options.h"

/* The error for an option ("--colours=red", "-x") that the command does not know, or cannot tell
 * from others. */
int suggest_option(enum command_bits command, const char *word, struct err *e);

/* The name of the command that is nearly this; NULL: none is. */
const char *suggest_command(const char *word);

#endif
