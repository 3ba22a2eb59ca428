/*
 * naming.h - names as a reader wants them
 *
 * What stackcollapse-perf.pl does to names, without its faults: argument lists go (a real scan of
 * brackets, so that "std::function<void (int)>::operator()" stays whole), and Java class names of
 * threads called java* lose the "L" in front of them. The tiers of a JavaScript function, which V8
 * marks (model/v8name.h), are one function.
 *
 * Owns: its memo. Threads: one for each. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_NAMING_H
#define PERFOLD_COLLAPSE_NAMING_H

#include "model/frame.h"

struct naming {
	struct frames *frames; /* borrowed */
	bool full_names, tiers;
	frame_id *memo[2]; /* by frame_id: the tidied frame, 0 not yet known; [1]: java */
	uint32_t cap[2];
};

/* tiers: they stay apart, by V8's names. */
void naming_init(struct naming *n, struct frames *frames, bool full_names, bool tiers);
void naming_release(struct naming *n);
frame_id naming_tidy(struct naming *n, frame_id id, bool java);

/* The part of a name before its argument list. */
struct span naming_without_arguments(struct span name);

#endif
