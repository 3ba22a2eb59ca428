/*
 * leaves.h - the switches of a recording, for those who draw threads over time
 *
 * Records SWITCH tell of both ends; else samples of sched:sched_switch tell who leaves and who
 * comes, or those of context-switches who leaves. Nothing is taken from an event that missed some
 * (one recorded with a frequency), nor from one that is shown itself: its samples are no moments in
 * which a thread ran.
 *
 * Private to process/. Source: perf_event_open(2), include/trace/events/sched.h.
 */
#ifndef PERFOLD_PROCESS_EVENTS_LEAVES_H
#define PERFOLD_PROCESS_EVENTS_LEAVES_H

#include "input/perfdata/perfdata.h"
#include "process/events/tracing.h"

/* Fills r->away; reads the recording once more where it has switches. Events must be chosen. */
int leaves_read(
	struct recording *r, struct perfdata *pd, const struct tracing *tracing, struct err *e);

#endif
