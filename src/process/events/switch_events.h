/*
 * switch_events.h - --off-cpu: what threads waited for, from a recording's switches
 *
 * Which events tell of switches, what workers note down of their samples, and what is made of it
 * once all is read (trace/switches.h joins it). Stacks go into the workers' logs when they are
 * seen, and weigh nothing until the join says how long the thread was away.
 *
 * Where no event has the stack of a switch, the records PERF_RECORD_SWITCH alone tell how long
 * threads were away: without stacks.
 *
 * Owns: the places of fields. Threads: made by one, then read by any; workers have a log each.
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
	uint32_t out_event;            /* the event that no_stacks counts for */
	const struct tracing *tracing; /* borrowed */
	struct switch_event {
		enum switch_role {
			ROLE_NONE,
			ROLE_OUT,  /* a thread leaves its processor */
			ROLE_WAKE, /* a thread wakes another */
			ROLE_RAN,  /* --wall: any other that is chosen */
		} role;
		struct trace_number state, prev, next, woken;
		/* What all of its samples share: not thread, stack and state. */
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

/* The kernel numbers threads in fields as the first namespace does, and in samples as perf's
 * namespace does: in a container the two differ, and fields fit no thread. */
bool switch_events_same_namespace(
	const struct switch_event *event, const struct perfdata_sample *s);

/* What a sample tells of a switch, apart from thread and stack; false where it is damaged. */
bool switch_events_decode_sample(const struct switch_events *s, uint32_t event,
	const struct perfdata_sample *sample, struct switch_seen *seen);
/* The same for a record SWITCH or SWITCH_CPU_WIDE; false where it tells nothing that is wanted. */
bool switch_events_decode_record(const struct switch_events *s, const struct perfdata *pd,
	const struct perfdata_record *r, struct switch_seen *seen);

#endif
