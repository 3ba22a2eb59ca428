/*
 * losses.h - when records were lost
 *
 * A LOST record is written before the first record that found room again. What was lost came after
 * the CPU's record before it, so the range begins there; where records have no CPU, at the record
 * before it in the file.
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
	struct moment *last;    /* by CPU */
	struct moment last_any; /* of all: for a CPU that is not known, or beyond the limit */
};

void losses_release(struct losses *l);
/* A record was written; cpu: -1 where it is not known. Between two losses, in any order. */
void losses_add_record(struct losses *l, int32_t cpu, struct moment at);
/* A record LOST. */
void losses_add_lost(struct losses *l, int32_t cpu, uint64_t time_ns);
/* All are added: sort them, and merge those that overlap. */
void losses_merge(struct losses *l);

#endif
