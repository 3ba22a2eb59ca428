/*
 * event_name.h - which events the user wants, by their names
 *
 * Names are as perf prints them: "cycles:u", "cpu_core/cycles/P", "sched:sched_switch".
 *
 * Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_EVENT_NAME_H
#define PERFOLD_MODEL_NAMES_EVENT_NAME_H

#include "base/span.h"

/* wanted: names or globs, NULL ended, of which "all" takes all; NULL: the event is wanted if it is
 * like first. */
bool event_name_wanted(struct span name, const char *const *wanted, struct span first);

/* "sched:sched_switch", not "cycles:u" nor "cpu/event=0x1/:u". */
bool event_name_is_tracepoint(struct span name);
/* cpu-clock and task-clock: their period counts nanoseconds. */
bool event_name_is_clock(struct span name);

#endif
