/*
 * event_loop.h - iterations of an event loop, from the durations of its phases
 *
 * libuv runs, over and over: pending, idle, prepare, io_poll, check, closing, timers (before 1.45
 * timers came first). Official builds of Node.js have some of these inlined, so that there is no
 * function to probe: such a phase is the gap between its neighbours.
 *
 * uv__io_poll waits and runs the callbacks of what happened. The wait is its system calls
 * epoll_wait, epoll_pwait; where these are recorded, it is shown by itself.
 *
 * An iteration lasts from one uv__io_poll to the next of the same thread. Without the wait, it is
 * how long something that was ready may have waited for its turn. Phases inside phases (spawnSync()
 * runs a loop of its own) belong to the outer one.
 *
 * Threads: one. Source: uv_run() in src/unix/core.c of libuv.
 */
#ifndef PERFOLD_TRACE_EVENT_LOOP_H
#define PERFOLD_TRACE_EVENT_LOOP_H

#include "trace/spans.h"

#define LOOP_POLL      "uv__io_poll"
#define LOOP_WAIT      "uv__io_poll: wait"
#define LOOP_CALLBACKS "uv__io_poll: callbacks"
#define LOOP_ITERATION "iteration"
#define LOOP_BUSY      "iteration without the wait"
#define LOOP_OUTSIDE   "no phase"

/* Samples of CPU time, and the phases that they fell into. */
struct loop_samples {
	struct loop_sample {
		str_id phase;
		node_id stack;
	} * item;
	size_t n, cap;
};

/* What spans_pair() made of a recording: d from this item and this thread on. */
struct loop_source {
	const struct recording *recording;
	const struct profile *profile; /* the stacks are nodes of it */
	size_t first_item;
	uint32_t first_thread;
};

/* Add the phases that are inlined, the parts of uv__io_poll, and the iterations. */
void event_loop_add(
	struct durations *d, const struct loop_source *from, struct loop_samples *samples);
void event_loop_samples_release(struct loop_samples *s);

#endif
