/*
 * eventname.h - which events the user wants, by their names
 *
 * Names are as perf prints them: "cycles:u", "cpu_core/cycles/P", "sched:sched_switch".
 *
 * Threads: any.
 */
#ifndef PERFOLD_MODEL_EVENTNAME_H
#define PERFOLD_MODEL_EVENTNAME_H

#include "base/span.h"

/* pattern is a name or a glob (* ? [a-z] [!a-z]); one without modifiers takes any: "cycles" is
 * "cycles:u" and "cycles/period=1000/" too. */
bool event_name_matches(struct span name, struct span pattern);
/* The same event, perhaps on the two kinds of processors of a hybrid machine: cpu_core/cycles/ and
 * cpu_atom/cycles/. */
bool event_name_alike(struct span a, struct span b);
/* wanted: names or globs, NULL ended, of which "all" takes all; NULL: the event is wanted if it is
 * like first. */
bool event_name_wanted(struct span name, const char *const *wanted, struct span first);

/* "sched:sched_switch", not "cycles:u" nor "cpu/event=0x1/:u". */
bool event_name_is_tracepoint(struct span name);
/* cpu-clock and task-clock: their period counts nanoseconds. */
bool event_name_is_clock(struct span name);

#endif
