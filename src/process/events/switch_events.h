/*
 * switch_events.h - --off-cpu: what threads waited for, from a recording's switches
 *
 * Which events are switches, and how their samples and records are decoded (trace/switch_log.h
 * keeps them, trace/switches.h joins them). Stacks go into the workers' logs when they are decoded,
 * and weigh nothing until the join says how long the thread was off its CPU.
 *
 * Where no event has the stack of a switch, PERF_RECORD_SWITCH alone says how long threads were off
 * their CPU: without stacks.
 *
 * Owns: the offsets of fields. Threads: made by one, then read by any; workers have a log each.
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_SWITCH_EVENTS_H
#define PERFOLD_PROCESS_EVENTS_SWITCH_EVENTS_H

#include "input/perfdata/perfdata.h"
#include "process/events/losses.h"
#include "process/process.h"
#include "process/events/tracing.h"

struct switch_events {
	bool on;                       /* off-CPU time is wanted, and comes from switches */
	bool no_stacks;                /* from records SWITCH alone */
	const struct tracing *tracing; /* borrowed */
	struct switch_event {
		enum switch_role {
			ROLE_NONE,
			ROLE_OUT,  /* a thread leaves its CPU */
			ROLE_WAKE, /* a thread wakes another */
			ROLE_RAN,  /* --wall: any other that is chosen */
		} role;
		/* state: of ROLE_WAKE, the flags that say whether it was an interrupt. */
		struct trace_number state, prev, next, woken;
		/* What all of its samples share: all but thread, stack and state. */
		struct switch_class class;
	} * of;
	str_id state_names[STATE_COUNT];
};

/* Choose the events of recording->events that --off-cpu is made from. Fails where there are
 * none. */
int switch_events_choose(
	struct recording *r, const struct perfdata *pd, const struct read_opts *o, struct err *e);

/* After the choice. */
void switch_events_init(struct switch_events *s, struct recording *r, const struct perfdata *pd,
	const struct tracing *t, const struct read_opts *o);
void switch_events_release(struct switch_events *s);

/* Before pass 1: what will be chosen if all events turn out to have samples. False where nothing
 * can be. The recording stays as it is. */
bool switch_events_expect(struct switch_events *s, const struct recording *r,
	const struct perfdata *pd, const struct tracing *t, const struct read_opts *o);
/* Whether that came true, for events that have samples. */
bool switch_events_is_as_expected(const struct switch_events *s,
	const struct switch_events *expected, const struct recording *r);

static inline int32_t switch_events_cpu(int32_t cpu)
{
	return (uint32_t)cpu < SWITCH_CPUS_MAX ? cpu : -1;
}

/* In a container the thread ids in fields (of the first namespace) are not those of samples (of
 * perf's): then fields are of no use. */
bool switch_events_same_namespace(
	const struct switch_event *event, const struct perfdata_sample *s);

/* A switch from a sample, but for its thread and stack; false where it is damaged. */
bool switch_events_decode_sample(const struct switch_events *s, uint32_t event,
	const struct perfdata_sample *sample, struct switch_seen *seen);
/* The same from a record SWITCH or SWITCH_CPU_WIDE; false where it is not wanted. */
bool switch_events_decode_record(const struct switch_events *s, const struct perfdata *pd,
	const struct perfdata_record *r, struct switch_seen *seen);

#endif
