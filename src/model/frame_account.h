/*
 * frame_account.h - how many frames of a recording have a name, and why the others have none
 *
 * A frame counts as often as there are samples with it.
 *
 * Owns: the list of gaps belongs to the caller. Threads: any, once names are found.
 */
#ifndef PERFOLD_MODEL_FRAME_ACCOUNT_H
#define PERFOLD_MODEL_FRAME_ACCOUNT_H

#include "model/recording.h"

struct frame_account {
	uint64_t frames;
	uint64_t why[WHY_COUNT]; /* [WHY_HAS_NAME]: resolved */
};

/* Adds the frames of a recording to *a. */
void frame_account_add(struct frame_account *a, const struct recording *r);

/* Frames of a module that have no name, for one reason. */
struct frame_gap {
	str_id module; /* as it is shown; 0: nothing was mapped there */
	enum frame_why why;
	uint64_t frames, sites;
};

/* The gaps of all recordings, the largest first. Owned by the caller: free(). */
struct frame_gap *frame_account_gaps(
	struct recording *const *recordings, size_t n_recordings, uint32_t *n);

#endif
