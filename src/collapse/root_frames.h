/*
 * root_frames.h - the frames at the root of a stack, as --root selects them
 *
 * Owns: a memo. Threads: each has its own. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_ROOT_FRAMES_H
#define PERFOLD_COLLAPSE_ROOT_FRAMES_H

#include "collapse/collapse.h"

struct root_frames {
	const struct recording *recording; /* borrowed */
	const struct collapse_opts *opts;  /* borrowed */
	void *rules;                       /* opts->rewriter's worker, borrowed; NULL: none */
	struct root_run {
		frame_id frame[ROOT_PARTS_MAX];
		uint8_t n;
		bool known, java;
	} * runs; /* by root_id */
	uint32_t cap;
};

void root_frames_init(struct root_frames *f, const struct recording *recording,
	const struct collapse_opts *opts, void *rules);
void root_frames_release(struct root_frames *f);
const struct root_run *root_frames_get(struct root_frames *f, root_id id);

#endif
