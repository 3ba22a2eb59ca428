/*
 * event_name.h - events by their names: which are chosen, and of which kind they are
 *
 * Names are as perf prints them: "cycles:u", "cpu_core/cycles/P", "sched:sched_switch".
 *
 * Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_EVENT_NAME_H
#define PERFOLD_MODEL_NAMES_EVENT_NAME_H

#include "base/span.h"

/* wanted: a NULL-terminated list of names and globs (* ? [a-z] [!a-z]); "all" is every event. One
 * without modifiers matches any: "cycles" is "cycles:u" and "cycles/period=1000/" too. NULL: the
 * same event as first, perhaps on the other PMU of a hybrid CPU: cpu_core/cycles/ and
 * cpu_atom/cycles/. */
bool event_name_wanted(struct span name, const char *const *wanted, struct span first);

/* "sched:sched_switch", not "cycles:u" nor "cpu/event=0x1/:u". */
bool event_name_is_tracepoint(struct span name);
/* Without modifiers: "cycles" of "cycles:u". */
struct span event_name_base(struct span name);
/* cpu-clock and task-clock: their period counts nanoseconds. */
bool event_name_is_clock(struct span name);

#endif
