/*
 * events.h - what a recording has beside stacks: counts, fields, switches, losses
 *
 *	tracing		fields of tracepoints: --where, --weight, --root
 *	marking		those that perfold spans wants
 *	read_groups	counters of groups
 *	losses		when records were lost
 *	departures	when threads left their CPU, for outputs with a timeline
 *	running_log	which threads ran when: --weight latency
 *	offcpu		samples of perf record --off-cpu
 *
 * and for --off-cpu and --wall:
 *
 *	switch_events	which events and records are switches, and their fields
 *	switch_waits	switches recorded in pass 1; switch_match: most of them, by their bytes
 *	blocked		off-CPU time to stacks and timelines; wakers: to chains of stacks
 *
 * The door of this directory: others include this header only.
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
#include "process/events/running_log.h"
#include "process/events/switch_events.h"
#include "process/events/tracing.h"
#include "process/events/wakers.h"

#endif
