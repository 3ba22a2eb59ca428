/*
 * running.h - how many threads ran at each moment (--weight latency)
 *
 * PERF_RECORD_SWITCH says it (--switch-events; perf record --latency); an exec shows that a thread
 * runs, and an exit that it stopped. They are logged in pass 1 (events/running_log.h), but for
 * blocks that it does not hand out, as those of compressed recordings. Where no switches were
 * recorded, the samples of the chosen event that has most of them have to do: one more pass.
 *
 * Owns: nothing between calls. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_RUNNING_H
#define PERFOLD_PROCESS_RUNNING_H

#include "base/pool.h"
#include "process/events/events.h"
#include "process/pass2.h"

/* For pass 1 to fill, one for each worker; NULL without --weight latency, or without switches. */
struct running_log *running_logs_new(
	const struct perfdata *pd, const struct read_opts *o, unsigned n_workers);
void running_logs_free(struct running_log *logs, unsigned n_workers);

/* Does nothing without --weight latency. The logs are used up. The blocks of p->pd that are not
 * logged yet are read; all are rewound. Fails where samples have no times. */
int running_read(struct parallelism *to, struct running_log **logs, const struct pass2 *p,
	struct pool *pool, struct err *e);

/* A sample of an event with a period below 1000 would lose its share to rounding: then all weights
 * are in thousandths, and the recording's unit says so. Returns how many parts a unit has: 1 or
 * 1000. Without --weight latency nothing changes. */
uint64_t running_unit(struct recording *r, const struct read_opts *o);

#endif
