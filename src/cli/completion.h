/*
 * completion.h - what a shell needs to complete a command line, made from the tables of commands
 * and options
 *
 * Threads: one.
 */
#ifndef PERFOLD_CLI_COMPLETION_H
#define PERFOLD_CLI_COMPLETION_H

#include "base/buf.h"
#include "base/err.h"

/* The script for a shell: "bash", "zsh" or "fish". */
int completion_put(struct buf *b, const char *shell, struct err *e);

#endif
