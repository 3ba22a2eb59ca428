/*
 * scratch.h - a folder for files that go when the program ends
 *
 * It is made below $TMPDIR, else /tmp; or /var/tmp where /tmp is in memory. Only this user can
 * look into it.
 *
 * Owns: nothing; whoever makes a folder removes it. Threads: any.
 */
#ifndef PERFOLD_BASE_SCRATCH_H
#define PERFOLD_BASE_SCRATCH_H

#include "base/err.h"

#include <stdbool.h>

/* Where temporary files belong; borrowed from the environment. */
const char *scratch_parent(void);
/* Is it in memory, which a large file would fill? */
bool scratch_is_in_memory(const char *folder);

enum scratch_step {
	SCRATCH_CREATING, /* one is about to be made; folder is NULL */
	SCRATCH_CREATED,  /* it is there; or, folder being NULL, cannot be made */
	SCRATCH_REMOVED,
};

/* An empty folder; its path is the caller's to free. told (may be NULL) hears of each step, so that
 * the folder goes even if a signal ends the program. Whoever removes the folder tells of
 * SCRATCH_REMOVED. */
int scratch_make(
	char **folder, void (*told)(const char *folder, enum scratch_step step), struct err *e);
/* Remove the folder with all that is in it. Links are removed, not followed. A signal handler may
 * call this while another thread still fills the folder. */
void scratch_remove(const char *folder);

#endif
