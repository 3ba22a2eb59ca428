/*
 * leaves.h - the switches of a recording, for drawing threads over time
 *
 * SWITCH records tell of both ends. Without them, samples of sched:sched_switch tell who leaves and
 * who comes, or those of context-switches who leaves. An event that missed some (as with a
 * frequency) is not used, nor is one that is shown itself: no thread ran at its samples.
 *
 * Private to process/. Source: perf_event_open(2), include/trace/events/sched.h.
 */
#ifndef PERFOLD_PROCESS_EVENTS_LEAVES_H
#define PERFOLD_PROCESS_EVENTS_LEAVES_H

#include "input/perfdata/perfdata.h"
#include "process/events/tracing.h"

/* Fills r->away; reads the recording once more where it has switches. Events must be chosen. */
int departures_read(
	struct recording *r, struct perfdata *pd, const struct tracing *tracing, struct err *e);

#endif
