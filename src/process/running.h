/*
 * running.h - the pass that finds out how many threads ran at each moment (--weight latency)
 *
 * PERF_RECORD_SWITCH says it (--switch-events; perf record --latency); an exec shows that a thread
 * runs, and an exit that it stopped. Where no switches were recorded, the samples of the chosen
 * event that has most of them have to do (trace/parallelism.h).
 *
 * Owns: nothing between calls. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_RUNNING_H
#define PERFOLD_PROCESS_RUNNING_H

#include "base/pool.h"
#include "process/pass2.h"

/* Does nothing without --weight latency. The blocks of p->pd are read, and rewound. Fails where
 * samples have no times. */
int running_read(struct parallelism *to, const struct pass2 *p, struct pool *pool, struct err *e);

/* A sample of an event with a period below 1000 would lose its share to rounding: then all weights
 * are in thousandths, and the recording's unit says so. Returns how many parts a unit has: 1 or
 * 1000. Without --weight latency nothing changes. */
uint64_t running_unit(struct recording *r, const struct read_opts *o);

#endif
