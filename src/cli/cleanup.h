/*
 * cleanup.h - temporary folders and unfinished files go even if a signal ends the program
 *
 * SIGINT, SIGTERM and SIGHUP remove them and then do what they do else; so does exit(), as where
 * memory is out.
 *
 * Owns: copies of the paths. Threads: any may call; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

#include "base/scratch.h"

/* A folder is made, or gone. No signal comes to this thread, and to no other one does it end the
 * program, while one is made: what nobody knows yet nobody would remove. */
void cleanup_folder(const char *folder, enum scratch_step step);
/* A file that may be written, by a sink, which may give it a temporary name until it is whole. */
void cleanup_output(const char *path);
/* All sinks are closed, so that nothing is unfinished. */
void cleanup_outputs_done(void);

#endif
