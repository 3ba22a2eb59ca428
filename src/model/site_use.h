/*
 * site_use.h - how many samples each site of a recording is in
 *
 * A replay of the logs costs what differs between stacks, not their depth: counts stay at the depth
 * where a stack ended, and move outwards when that part of the stack is popped.
 *
 * Owns: nothing; the result belongs to the caller. Threads: any.
 */
#ifndef PERFOLD_MODEL_SITE_USE_H
#define PERFOLD_MODEL_SITE_USE_H

#include "model/recording.h"

/* By site_id; a stack that holds a site twice counts twice. Owned by the caller: free(). */
uint64_t *site_use_count(const struct recording *r);
/* The same of weights; before the stacks of a log are dropped. */
uint64_t *site_use_weigh(const struct recording *r);
/* Keeps the counts and drops the stacks, where nothing else will ask for these. */
void site_use_keep(struct recording *r);

#endif
