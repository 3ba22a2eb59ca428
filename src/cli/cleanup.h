/*
 * cleanup.h - temporary folders and unfinished files go even if a signal ends the program
 *
 * SIGINT, SIGTERM and SIGHUP remove them and then do what they usually do; so does exit(), as when
 * memory is out.
 *
 * Owns: copies of the paths. Threads: any may call; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

#include "base/scratch.h"

/* A folder is being made, or is gone. While one is made no signal comes to this thread, nor does
 * one that comes to another thread end the program: nobody would remove what nobody knows yet. */
void cleanup_dir(const char *folder, enum scratch_step step);
/* A file that a sink may write, under a temporary name until it is whole. */
void cleanup_output(const char *path);
/* All sinks are closed, so nothing is unfinished. */
void cleanup_outputs_done(void);

#endif
