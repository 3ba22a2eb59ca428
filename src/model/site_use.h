/*
 * site_use.h - how many samples each site of a recording is in
 *
 * A replay of the logs costs what differs between stacks, not their depth: counts stay at the depth
 * where a stack ended, and move outwards when that part of the stack is popped.
 *
 * What was counted is kept in the recording (recording.site_counts): a summary, a page and advice
 * ask for the same. It counts as long as neither sites nor samples have been added. Who asks for
 * weights gets samples counted with them.
 *
 * Owns: nothing; the result belongs to the caller. Threads: one at a time.
 */
#ifndef PERFOLD_MODEL_SITE_USE_H
#define PERFOLD_MODEL_SITE_USE_H

#include "model/recording.h"

struct site_counts {
	uint64_t *samples, *weights; /* by site_id; NULL: not counted */
	uint64_t weight;             /* of all stacks, where weights were counted */
	uint32_t n_sites;
	unsigned n_logs;
	uint64_t samples_kept, weight_kept; /* of the recording, when they were counted */
};

/* By site_id; a stack that holds a site twice counts twice. Owned by the caller: free(). */
uint64_t *site_use_count(const struct recording *r);
/* The same of weights; before the stacks of a log are dropped. *sum: the weight of all stacks. */
uint64_t *site_use_weigh(const struct recording *r, uint64_t *sum);
/* Counts both now, so that who asks for them later need not wait. */
void site_use_prepare(const struct recording *r);
/* Frees what is kept. */
void site_use_forget(struct recording *r);
/* Keeps the counts and drops the stacks, where nothing else will ask for these. */
void site_use_keep(struct recording *r);

#endif
