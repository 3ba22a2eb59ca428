/*
 * cleanup.h - a temporary folder goes even if a signal ends the program
 *
 * SIGINT, SIGTERM and SIGHUP remove it and then do what they do else; so does exit(), as where
 * memory is out. One folder at a time.
 *
 * Owns: a copy of the path. Threads: one calls it; a signal may come to any.
 */
#ifndef PERFOLD_CLI_CLEANUP_H
#define PERFOLD_CLI_CLEANUP_H

/* NULL: it is gone. */
void cleanup_folder(const char *folder);

#endif
