/*
 * departures.h - when threads left their CPU and came back, for drawing threads over time
 *
 * SWITCH records say both and are counted in pass 1. Without them, samples of sched:sched_switch
 * say who leaves and who comes, and those of context-switches who leaves; they are counted in
 * pass 2. An event that missed some switches (as with a frequency) is not used, nor is one that is
 * drawn itself: no thread ran at its samples.
 *
 * Only with a timeline and without --off-cpu, which draws the switches themselves.
 *
 * Owns: nothing. Threads: made by one, then read by any; each worker adds to its own list. Private
 * to process/.
 * Source: perf_event_open(2), include/trace/events/sched.h.
 */
#ifndef PERFOLD_PROCESS_EVENTS_DEPARTURES_H
#define PERFOLD_PROCESS_EVENTS_DEPARTURES_H

#include "input/perfdata/perfdata.h"
#include "process/events/tracing.h"

#define DEPARTURES_NO_EVENT UINT32_MAX

struct departures {
	const struct perfdata_attr *attrs; /* borrowed */
	uint32_t event; /* its samples are departures; DEPARTURES_NO_EVENT: no event */
	struct trace_number prev, next;
};

/* SWITCH records are wanted of pass 1, and say all. */
bool departures_are_records(const struct perfdata *pd, const struct read_opts *o);
/* A SWITCH or SWITCH_CPU_WIDE record, in pass 1. */
void departures_add_record(
	struct off_cpu *to, const struct perfdata *pd, const struct perfdata_record *r);

/* The event for pass 2. Events must be chosen. */
void departures_init(struct departures *d, const struct recording *r, const struct perfdata *pd,
	const struct tracing *tracing, const struct read_opts *o);
/* A sample of that event. */
void departures_add_sample(
	const struct departures *d, struct off_cpu *to, const struct perfdata_record *r);

/* Joins departures to returns, once all are merged. */
void departures_finish(struct recording *r);

#endif
