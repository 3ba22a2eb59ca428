#include "model/timeline.h"

#include "base/mem.h"

#include <stdlib.h>

struct timeline *timeline_new(void)
{
	return xcalloc(1, sizeof(struct timeline));
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	index_release(&t->by_thread);
	free(t->rows);
	free(t->threads);
	free(t);
}

uint32_t timeline_thread(
	struct timeline *t, int32_t pid, int32_t tid, str_id name, uint64_t time_ns)
{
	return timeline_thread_in(t, pid, tid, 0, name, time_ns);
}

uint32_t timeline_thread_in(
	struct timeline *t, int32_t pid, int32_t tid, str_id group, str_id name, uint64_t time_ns)
{
	uint64_t hash = hash_pair(hash_pair((uint32_t)pid, (uint32_t)tid), group);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_thread, hash, c, i) {
		struct timeline_thread *known = &t->threads[i];

		if (known->pid != pid || known->tid != tid || known->group != group)
			continue;
		if (time_ns >= known->name_time_ns) {
			known->name = name;
			known->name_time_ns = time_ns;
		}
		return i;
	}
	ARRAY_GROW(t->threads, t->n_threads, t->cap_threads);
	t->threads[t->n_threads] = (struct timeline_thread){ pid, tid, name, group, time_ns };
	index_add(&t->by_thread, hash, t->n_threads);
	return t->n_threads++;
}

uint32_t timeline_add(struct timeline *t, const struct timeline_row *row)
{
	ARRAY_GROW(t->rows, t->n, t->cap);
	t->rows[t->n] = *row;
	return (uint32_t)t->n++;
}

void timeline_set_stack(void *timeline, uint32_t tag, stack_id stack)
{
	struct timeline *t = timeline;

	t->rows[tag].stack = stack;
}
