/*
 * naming.h - names as a reader wants them
 *
 * What stackcollapse-perf.pl does to names, without its faults: argument lists go (a real scan of
 * brackets, so that "std::function<void (int)>::operator()" stays whole, and a lambda in f(int)
 * does not become f), and Java class names of threads called java* lose the "L" in front of them.
 * The tiers of a JavaScript function, which V8 marks (model/names/v8_name.h), are one function.
 *
 * Owns: its memo. Threads: each has its own. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_NAMING_H
#define PERFOLD_COLLAPSE_NAMING_H

#include "base/buf.h"
#include "collapse/collapse.h"

struct naming {
	struct frames *frames;            /* borrowed */
	const struct collapse_opts *opts; /* borrowed */
	frame_id *memo[2]; /* by frame_id: the tidied frame, 0 not yet known; [1]: java */
	uint32_t cap[2];
	struct buf scratch;
};

void naming_init(struct naming *n, struct frames *frames, const struct collapse_opts *o);
void naming_release(struct naming *n);
frame_id naming_tidy(struct naming *n, frame_id id, bool java);

/* A name without its argument list, and without that of a function it is nested in: f::g for
 * "f(int)::g(char)". Usually part of the name itself, else built in scratch. */
struct span naming_without_arguments(struct span name, struct buf *scratch);

#endif
