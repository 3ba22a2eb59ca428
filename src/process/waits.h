/*
 * waits.h - switches of --off-cpu, taken by the workers of the second pass
 *
 * A switch becomes a row of a log and, where a thread goes or wakes another, a stack; what these
 * weigh is known when all are joined. Switches that were noted down (noted.h) get their meaning.
 *
 * Owns: nothing between calls. Threads: those of the worker. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WAITS_H
#define PERFOLD_PROCESS_WAITS_H

#include "process/worker.h"

/* A sample of an event that has a role (switching.h), and a record of --switch-events. */
void waits_take_sample(struct worker *w, const struct perfdata_record *r, uint32_t event);
void waits_take_record(struct worker *w, const struct perfdata_record *r);
/* Find out what all that was noted down means. */
void waits_settle(struct worker *w);
/* Join what n workers took; the first of them stands for all in what is counted. */
void waits_join(const struct pass2 *p, struct worker *workers, unsigned n, struct pool *pool);

#endif
