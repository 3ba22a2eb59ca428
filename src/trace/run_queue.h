/*
 * run_queue.h - how long threads that could run waited for a CPU, from marks of the scheduler
 *
 *	woken		from sched_waking, sched_wakeup or sched_wakeup_new, whichever is first
 *			since the thread left its CPU, until it runs
 *	preempted	from the sched_switch at which it left although it could run on, until
 *			it runs
 *
 * It runs from the sched_switch that names it as the next thread, or from the record SWITCH
 * (MARK_SWITCHED_IN), whichever is first: perf record -p sees only the latter.
 *
 * A duration belongs to the thread that waited, with the stack at which it left its CPU. Threads
 * of which no switch was recorded have none.
 *
 * Owns: its tables. Threads: one. Private to trace/.
 * Source: include/trace/events/sched.h; timehist of tools/perf/builtin-sched.c, whose "sch delay"
 * is woken.
 */
#ifndef PERFOLD_TRACE_RUN_QUEUE_H
#define PERFOLD_TRACE_RUN_QUEUE_H

#include "trace/spans.h"

/* What it is made of; the fields that marks must have are RUN_QUEUE_FIELDS. */
#define RUN_QUEUE_SWITCH "sched:sched_switch"
#define RUN_QUEUE_WAKES  "sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new"
#define RUN_QUEUE_FIELDS "prev_pid", "prev_state", "next_pid", "next_comm", "pid"

/* first_thread: the number in d of the first thread of the marks. */
void run_queue_pair(struct durations *d, const struct recording *r, const struct marks *marks,
	uint32_t first_thread, const struct spans_opts *o);

#endif
