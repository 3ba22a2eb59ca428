/*
 * dtrace.h - what DTrace prints: stacks with counts, and rows with a stack below
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s            a row of a probe
 *
 *	  bash                                                 keys of an aggregation, if any
 *	              genunix`fop_inactive+0x76                frames, innermost first
 *	              0x36197fa3bf9c JS:*fib /srv/app.js:5:13  of generated code, resolved by a map
 *	                1                                      count
 *
 *	node 86454 181012024: profile-1ms:                     printf("%s %d %d: %s:\n", execname,
 *	              node`uv_run+0x7d                         pid, ms, probename); ustack();
 *
 * A stack counts once where a row is followed by frames and no count: profile_1ms.d, soconnect and
 * uv_getaddrinfo scripts. Rows "CPU ID FUNCTION:NAME ..." and "EXECNAME PID TIME: PROBE:" tell
 * their event; all others are of the event "samples". In what a script prints there, a name and the
 * number beside it are the process. Rows without frames are no samples.
 *
 * "module`" becomes the frame's module. Source: dtrace(1), Solaris Dynamic Tracing Guide.
 */
#ifndef PERFOLD_INPUT_DTRACE_H
#define PERFOLD_INPUT_DTRACE_H

#include "input/input.h"

extern const struct input_format stacks_dtrace;

#endif
