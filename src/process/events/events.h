/*
 * events.h - what a recording tells beside stacks: counts, fields, switches, losses
 *
 * tracing.h has the fields of tracepoints, marking.h what perfold spans wants of them, readgroups.h
 * the counters of groups, losses.h when records were lost. Of switches: which events and records
 * tell of them (switching.h), how millions are noted down (noted.h), what they are joined into
 * (blocked.h), who woke whom (wakers.h), what perf record --off-cpu wrote (offcpu.h), and where
 * slices of a thread end (leaves.h).
 *
 * The door of this folder: others include this header only.
 */
#ifndef PERFOLD_PROCESS_EVENTS_EVENTS_H
#define PERFOLD_PROCESS_EVENTS_EVENTS_H

#include "process/events/blocked.h"
#include "process/events/departures.h"
#include "process/events/losses.h"
#include "process/events/marking.h"
#include "process/events/switch_waits.h"
#include "process/events/offcpu.h"
#include "process/events/read_groups.h"
#include "process/events/switch_events.h"
#include "process/events/tracing.h"
#include "process/events/wakers.h"

#endif
