/*
 * wakers.h - --wakers: on top of a blocked stack, the stack that ended the wait
 *
 *	thread's root; blocked stack, outermost first; --; waker's stack, innermost first; its name
 *
 * so that going up in the picture leads from what waited to what it waited for, as in offwaketime
 * and chain graphs. With --waker-depth, -- and the stack that woke the waker follow, and so on.
 *
 * A chain of such stacks becomes one in a log of its own, which is added to the recording.
 *
 * Owns: the chains. Threads: one. Private to process/.
 * Source: offwaketime of bcc, https://www.brendangregg.com/FlameGraphs/offcpuflamegraphs.html
 */
#ifndef PERFOLD_PROCESS_EVENTS_WAKERS_H
#define PERFOLD_PROCESS_EVENTS_WAKERS_H

#include "base/index.h"
#include "model/recording.h"
#include "trace/trace.h"

/* A zeroed struct is empty. */
struct wakers {
	/* A blocked stack, and those of its wakers, the last one first. */
	struct wakers_chain {
		uint32_t first, n; /* in stacks */
		uint64_t weight;
		uint32_t samples;
	} * chain;
	uint32_t n, cap;
	struct wakers_stack {
		uint32_t log;
		stack_id stack;
	} * stacks;
	uint32_t n_stacks, cap_stacks;
	struct index by_stacks;
	struct timeline *timeline; /* stack: the number of a chain; NULL: there are no rows */
};

/* A wait that a thread ended. */
uint32_t wakers_add(struct wakers *w, const struct switches_interval *p);
/* A row for a chain, whose thread is not yet set. */
void wakers_add_row(
	struct wakers *w, uint32_t chain, const struct thread_use *use, struct timeline_row row);
/* The recording has all its logs: add one with the chains. Empties w. */
int wakers_finish(struct wakers *w, struct recording *r, struct err *e);
void wakers_release(struct wakers *w);

#endif
