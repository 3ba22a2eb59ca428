/*
 * thread_times.h - which times of each thread are wanted (--during)
 *
 *	tid 7	[1.0 s, 1.2 s)  [3.4 s, 3.5 s)
 *	tid 9	[1.1 s, 1.4 s)
 *	others	nothing, or always
 *
 * Ranges are added in any order, then thread_times_settle() puts them in order.
 *
 * Owns: its ranges. Threads: made by one, then read by any.
 */
#ifndef PERFOLD_MODEL_THREAD_TIMES_H
#define PERFOLD_MODEL_THREAD_TIMES_H

#include "base/index.h"
#include "model/time_set.h"

/* A zeroed struct is empty. */
struct thread_times {
	struct thread_time_set {
		int32_t tid;
		struct time_set times;
	} * threads;
	uint32_t n, cap;
	struct index by_tid;
	struct time_set others; /* of threads that are not listed */
};

void thread_times_release(struct thread_times *t);

/* An empty range is ignored. */
void thread_times_add(struct thread_times *t, int32_t tid, struct time_range when);
/* All threads, always: nothing else is added. */
void thread_times_add_all(struct thread_times *t);
/* All are added. */
void thread_times_settle(struct thread_times *t);
/* Take the times of another out; both are settled. */
void thread_times_subtract(struct thread_times *t, const struct thread_times *by);

/* Never NULL; it stays where it is. */
const struct time_set *thread_times_of(const struct thread_times *t, int32_t tid);

static inline bool thread_times_has(const struct thread_times *t, int32_t tid, uint64_t time_ns)
{
	return time_set_has(thread_times_of(t, tid), time_ns);
}

#endif
