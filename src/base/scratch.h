/*
 * scratch.h - a directory for files that are removed when the program ends
 *
 * It is created in $TMPDIR, else in /tmp, or in /var/tmp where /tmp is in memory. Only this user
 * can read it.
 *
 * Owns: nothing; whoever creates a directory removes it. Threads: any.
 */
#ifndef PERFOLD_BASE_SCRATCH_H
#define PERFOLD_BASE_SCRATCH_H

#include "base/err.h"

#include <stdbool.h>

/* The directory for temporary files; borrowed from the environment. */
const char *scratch_parent(void);
/* True for a file system in memory, which a large file would fill. */
bool scratch_is_in_memory(const char *dir);

enum scratch_step {
	SCRATCH_CREATING, /* one is about to be created; dir is NULL */
	SCRATCH_CREATED,  /* it exists; or, with dir NULL, could not be created */
	SCRATCH_REMOVED,
};

/* Creates an empty directory; its path is the caller's to free. on_step (may be NULL) is called at
 * each step, so that the directory can be removed even if a signal ends the program. Whoever
 * removes it calls on_step with SCRATCH_REMOVED. */
int scratch_make(
	char **dir, void (*on_step)(const char *dir, enum scratch_step step), struct err *e);
/* Removes the directory with its content. Links are removed, not followed. A signal handler may
 * call this while another thread still creates files in it. */
void scratch_remove(const char *dir);

#endif
