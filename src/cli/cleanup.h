/*
 * cleanup.h - temporary directories and unfinished files are removed even if a signal ends the
 * program
 *
 * SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGABRT remove them and then do what they usually do; so
 * does exit(), as when memory is out.
 *
 * Owns: copies of the paths. Threads: any may call; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

#include "base/scratch.h"

/* A directory is about to be created, was created, or was removed. Between the first two no signal
 * reaches this thread, nor does one that reaches another thread end the program: a directory that
 * is not registered yet would not be removed. */
void cleanup_dir(const char *dir, enum scratch_step step);
/* A file that a sink may write, under a temporary name until it is whole. */
void cleanup_output(const char *path);
/* All sinks are closed, so nothing is unfinished. */
void cleanup_outputs_done(void);

#endif
