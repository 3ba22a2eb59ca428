/*
 * losses.h - when records were lost
 *
 * A record LOST is written before the first one that found room again. What was lost lies behind
 * the record of the same processor that came before it, so that is where the range begins; where
 * the records do not tell their processor, at the one before it in the file.
 *
 * Owns: its lists. Threads: filled by one, then read by any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_LOSSES_H
#define PERFOLD_PROCESS_EVENTS_LOSSES_H

#include "process/world/world.h"
#include "trace/trace.h"

enum { LOSSES_CPUS_MAX = 4096 };

/* A zeroed struct is empty. */
struct losses {
	struct time_range *range;
	size_t n, cap;
	struct moment
		*last; /* by processor; of those beyond the limit, and of none: the last one */
	struct moment last_any;
};

void losses_release(struct losses *l);
/* A record was written; cpu: -1 where it is not known. Those between two losses in any order. */
void losses_saw(struct losses *l, int32_t cpu, struct moment at);
/* A record LOST. */
void losses_add(struct losses *l, int32_t cpu, uint64_t time_ns);
/* All are there: put them in order, none in another. */
void losses_settle(struct losses *l);

#endif
