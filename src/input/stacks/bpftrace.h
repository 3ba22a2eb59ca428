/*
 * bpftrace.h - maps of stacks that bpftrace prints when it ends
 *
 *	@[
 *	    finish_task_switch+1                 frames, innermost first
 *	    schedule+44
 *	,
 *	    __read_nocancel+7                    the next key: another stack
 *	    main+17
 *	, bash, 1234]: 42                        or a name, or a number
 *
 * Keys may come in any order; several stacks are joined in the order of the text, the first one on
 * top. Of the other keys, a name is the thread's and the first number is the process. Frames of
 * mode perf tell their module: " ffffffff8100 name+1 (module)". In a map of statistics ("count 3,
 * average 2, total 6") the total counts; histograms are left out.
 *
 * Source: bpftrace(8).
 */
#ifndef PERFOLD_INPUT_BPFTRACE_H
#define PERFOLD_INPUT_BPFTRACE_H

#include "input/input.h"

extern const struct input_format stacks_bpftrace;

#endif
