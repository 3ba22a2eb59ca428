/*
 * cleanup.h - temporary folders go even if a signal ends the program
 *
 * SIGINT, SIGTERM and SIGHUP remove them and then do what they do else; so does exit(), as where
 * memory is out.
 *
 * Owns: copies of the paths. Threads: any may call; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

#include <stdbool.h>

/* A folder was made, or it is gone. */
void cleanup_folder(const char *folder, bool is_there);

#endif
