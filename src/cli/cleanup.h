/*
 * cleanup.h - temporary directories and unfinished files are removed even if a signal ends the
 * program
 *
 * SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGABRT remove them and then do what they usually do; so
 * does exit(), as when memory is out. A terminal that was changed is given back, too, then by all
 * signals that end a program, those of faults among them; but nobody can catch SIGKILL.
 *
 * Owns: copies of the paths. Threads: any may call; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

#include "base/scratch.h"
#include "base/span.h"

#include <termios.h>

/* A directory is about to be created, was created, or was removed. Between the first two no signal
 * reaches this thread, nor does one that reaches another thread end the program: a directory that
 * is not registered yet would not be removed. */
void cleanup_dir(const char *dir, enum scratch_step step);
/* A file that a sink may write, under a temporary name until it is whole. */
void cleanup_output(const char *path);
/* All sinks are closed, so nothing is unfinished. */
void cleanup_outputs_done(void);

/* The terminal at fd is about to be changed: what to write to it so that it is as it was, and the
 * modes that it had. Called again, this takes the place of what was said before. */
void cleanup_terminal(int fd, const struct termios *before, struct span restore);
/* It is as it was. */
void cleanup_terminal_done(void);

#endif
