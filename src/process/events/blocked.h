/*
 * blocked.h - joined switches into the logs and timelines of the workers
 *
 * Owns: nothing between calls. Threads: one, with a pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_BLOCKED_H
#define PERFOLD_PROCESS_EVENTS_BLOCKED_H

#include "base/pool.h"
#include "process/events/switch_events.h"
#include "process/events/wakers.h"

/* What one worker has. */
struct blocked_part {
	struct stacklog *log;
	struct timeline *timeline; /* NULL: none is wanted */
	struct thread_use *uses;   /* by switch_class.thread */
	uint32_t n_uses;
};

struct blocked_total {
	uint64_t samples, weight;
};

/* Join the rows of n workers; logs are emptied. total gets what counts, beside the recording's
 * events; wakers gets the waits that were ended by a thread with a known stack. pool: NULL if
 * wakers or timelines are wanted, as these are filled in order. */
void blocked_join(struct recording *r, struct switch_log *logs, const struct blocked_part *parts,
	unsigned n, const struct switches_opts *o, struct wakers *wakers,
	struct blocked_total *total, struct pool *pool);

#endif
