/*
 * naming.h - shorter names for frames
 *
 * Names are changed as by stackcollapse-perf.pl, without its faults: argument lists are cut (by a
 * scan of brackets, so that "std::function<void (int)>::operator()" stays whole, and a lambda in
 * f(int) does not become f), and Java class names in threads called java* lose their leading "L".
 * The tiers of a JavaScript function, which V8 marks (model/names/v8_name.h), are one function.
 * Code without a name is kept apart by function as builds.h says.
 *
 * Owns: its memo. Threads: each has its own. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_NAMING_H
#define PERFOLD_COLLAPSE_NAMING_H

#include "base/buf.h"
#include "collapse/builds.h"
#include "collapse/collapse.h"

struct naming {
	struct frames *frames;            /* borrowed */
	const struct collapse_opts *opts; /* borrowed */
	frame_id *memo[2]; /* by frame_id: the frame with the short name, 0: not made yet; [1]: java
			    */
	uint32_t cap[2];
	struct buf scratch;
	struct builds builds; /* of all frames there are */
};

/* n_frames: those that sites have, counted before any worker adds frames of its own. */
void naming_init(
	struct naming *n, struct frames *frames, uint32_t n_frames, const struct collapse_opts *o);
void naming_release(struct naming *n);
/* Is its name shortened as in any other frame of which this is true? */
bool naming_is_plain(const struct frame *f);
/* A root frame stays as it is. */
frame_id naming_tidy(struct naming *n, frame_id id, bool java);
/* The same, not kept, into f: for a frame that is looked up once and changed further. false: the
 * frame stays as it is. */
bool naming_tidy_copy(struct naming *n, frame_id id, bool java, struct frame *f);

#endif
