/*
 * pass2_switches.h - switches of --off-cpu, in the workers of pass 2
 *
 * A switch becomes a row of a log and, where a thread leaves or wakes another, a stack, whose
 * weight is known when all are joined. Switches recorded in pass 1 (switch_waits.h) are
 * resolved here.
 *
 * Owns: nothing between calls. Threads: each worker has its own. Private to process/.
 */
#ifndef PERFOLD_PROCESS_PASS2_SWITCHES_H
#define PERFOLD_PROCESS_PASS2_SWITCHES_H

#include "process/pass2_worker.h"

/* A sample of an event that has a role (switch_events.h), and a record of --switch-events. */
void pass2_switches_add_sample(
	struct pass2_worker *w, const struct perfdata_record *r, uint32_t event);
void pass2_switches_add_record(struct pass2_worker *w, const struct perfdata_record *r);
/* Find threads and stacks of all waits from pass 1. */
void pass2_switches_resolve(struct pass2_worker *w);
/* Join the switches of n workers; what is counted goes to the first of them. */
void pass2_switches_join(
	const struct pass2 *p, struct pass2_worker *workers, unsigned n, struct pool *pool);

#endif
