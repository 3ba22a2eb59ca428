#include "model/thread_times.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

static uint32_t find_thread(const struct thread_times *t, int32_t tid)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_tid, hash_u64((uint32_t)tid), c, i)
		if (t->threads[i].tid == tid)
			return i;
	return INDEX_NONE;
}

static uint32_t add_thread(struct thread_times *t, int32_t tid)
{
	uint32_t i = find_thread(t, tid);

	if (i != INDEX_NONE)
		return i;
	ARRAY_GROW(t->threads, t->n, t->cap);
	t->threads[t->n] = (struct thread_time_set){ .tid = tid };
	index_add(&t->by_tid, hash_u64((uint32_t)tid), t->n);
	return t->n++;
}

void thread_times_release(struct thread_times *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		time_set_release(&t->threads[i].times);
	free(t->threads);
	time_set_release(&t->others);
	index_release(&t->by_tid);
	*t = (struct thread_times){ 0 };
}

void thread_times_add(struct thread_times *t, int32_t tid, struct time_range when)
{
	uint32_t i;

	if (when.from_ns >= when.to_ns)
		return;
	i = add_thread(t, tid);
	time_set_add(&t->threads[i].times, when);
}

void thread_times_add_all(struct thread_times *t)
{
	time_set_add(&t->others, (struct time_range){ 0, UINT64_MAX });
}

void thread_times_settle(struct thread_times *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++)
		time_set_settle(&t->threads[i].times);
	time_set_settle(&t->others);
}

/* A thread that only one of the two lists is one of the others in the other. */
static void list_threads(struct thread_times *t, const struct thread_times *by)
{
	uint32_t i, k;
	size_t m;

	for (i = 0; i < by->n; i++) {
		if (find_thread(t, by->threads[i].tid) != INDEX_NONE)
			continue;
		k = add_thread(t, by->threads[i].tid);
		for (m = 0; m < t->others.n; m++)
			time_set_add(&t->threads[k].times, t->others.range[m]);
	}
}

void thread_times_subtract(struct thread_times *t, const struct thread_times *by)
{
	uint32_t i;

	list_threads(t, by);
	for (i = 0; i < t->n; i++)
		time_set_subtract(&t->threads[i].times, thread_times_of(by, t->threads[i].tid));
	time_set_subtract(&t->others, &by->others);
}

const struct time_set *thread_times_of(const struct thread_times *t, int32_t tid)
{
	uint32_t i = find_thread(t, tid);

	return i == INDEX_NONE ? &t->others : &t->threads[i].times;
}
