/*
 * wakers.h - --wakers: on top of a blocked stack, the stack that ended the wait
 *
 *	thread's root; blocked stack, outermost first; --; waker's stack, innermost first; its name
 *
 * so that going up in the picture leads from what waited to what it waited for, as in offwaketime
 * and chain graphs.
 *
 * A pair of stacks becomes one in a log of its own, which is added to the recording.
 *
 * Owns: the pairs. Threads: one. Private to process/.
 * Source: offwaketime of bcc, https://www.brendangregg.com/FlameGraphs/offcpuflamegraphs.html
 */
#ifndef PERFOLD_PROCESS_EVENTS_WAKERS_H
#define PERFOLD_PROCESS_EVENTS_WAKERS_H

#include "base/index.h"
#include "model/recording.h"
#include "trace/trace.h"

/* A zeroed struct is empty. */
struct wakers {
	struct wakers_pair {
		uint32_t log, waker_log;
		stack_id stack, waker;
		uint64_t weight;
		uint32_t samples;
	} * pair;
	uint32_t n, cap;
	struct index by_stacks;
	struct timeline *timeline; /* stack: the number of a pair; NULL: there are no rows */
};

/* A wait that a thread ended. */
uint32_t wakers_add(struct wakers *w, const struct switches_interval *p);
/* A row for a pair, whose thread is not yet set. */
void wakers_add_row(
	struct wakers *w, uint32_t pair, const struct thread_use *use, struct timeline_row row);
/* The recording has all its logs: add one with the pairs. Empties w. */
int wakers_finish(struct wakers *w, struct recording *r, struct err *e);
void wakers_release(struct wakers *w);

#endif
