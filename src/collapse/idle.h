/*
 * idle.h - a frame for blocked time in which a thread had nothing to do
 *
 * An event loop that waits in epoll is idle, not blocked. In profiles of blocked time (struct root
 * has a state) such stacks get a frame [idle] above their root frames, which rules see too:
 * -e 'drop-stack /^\[idle\]$/' leaves them out.
 *
 * Owns: a memo. Threads: each has its own. Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_IDLE_H
#define PERFOLD_COLLAPSE_IDLE_H

#include "model/frames.h"
#include "model/roots.h"

struct idle {
	struct frames *frames; /* borrowed */
	frame_id frame;        /* 0: not made yet */
	uint8_t *memo;         /* by frame_id: enum in idle.c */
	uint32_t cap;
	str_id preempted; /* a state in which a thread does not wait */
};

void idle_init(struct idle *i, struct frames *frames);
void idle_release(struct idle *i);
bool idle_is_stack(struct idle *i, const struct root *root, const frame_id *frames, uint32_t n);
frame_id idle_frame(struct idle *i);

#endif
