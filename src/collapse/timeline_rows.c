/*
 * timeline_rows.c - rows of all logs into one array, sorted by thread and time
 *
 * Rows are most of a run's memory. So the first log's array becomes the profile's, and the rows of
 * the others are moved ROWS_AT_ONCE at a time while their array shrinks: at no time are there two
 * copies of more than that. Stacks become nodes on the way; rows of dropped stacks go.
 *
 * Threads of all logs are merged by (recording, pid, tid, group), with the latest name, and
 * ranked by weight; the sort of rows is in place (base/sort.h) by thread, time and the rest of the
 * row, so that the number of workers changes nothing.
 */
#include "collapse/timeline_rows.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"
#include "collapse/replay.h"

#include <stdlib.h>

enum { ROWS_AT_ONCE = 1 << 16 };

static uint64_t hash_thread(int32_t pid, int32_t tid, str_id group, unsigned recording)
{
	return hash_pair(
		(uint64_t)(uint32_t)pid << 32 | (uint32_t)tid, (uint64_t)group << 32 | recording);
}

static struct index index_threads(const struct profile *p)
{
	struct index threads = { 0 };
	uint32_t i;

	for (i = 0; i < p->n_threads; i++) {
		const struct profile_thread *t = &p->threads[i];

		index_add(&threads, hash_thread(t->pid, t->tid, t->group, t->recording), i);
	}
	return threads;
}

/* There is room for one more. */
static uint32_t thread_number(struct profile *p, struct index *threads,
	const struct timeline_thread *t, unsigned recording)
{
	uint64_t hash = hash_thread(t->pid, t->tid, t->group, recording);
	struct index_cursor c;
	uint32_t i;

	index_for_each (threads, hash, c, i) {
		struct profile_thread *k = &p->threads[i];

		if (k->pid != t->pid || k->tid != t->tid || k->group != t->group ||
			k->recording != recording)
			continue;
		if (t->name_time_ns > k->name_time_ns) {
			k->name = t->name;
			k->name_time_ns = t->name_time_ns;
		}
		return i;
	}
	p->threads[p->n_threads] = (struct profile_thread){
		.pid = t->pid,
		.tid = t->tid,
		.name = t->name,
		.group = t->group,
		.name_time_ns = t->name_time_ns,
		.recording = recording,
	};
	index_add(threads, hash, p->n_threads);
	return p->n_threads++;
}

static void move_row(struct profile *p, struct timeline_row row, const uint32_t *number,
	const node_id *node_of_stack, bool weight_by_samples)
{
	struct profile_thread *thread;

	row.stack = node_of_stack[row.stack];
	if (row.stack == NODE_DROPPED)
		return;
	if (weight_by_samples)
		row.weight = 1;
	row.thread = number[row.thread];
	thread = &p->threads[row.thread];
	thread->weight = saturated_add(thread->weight, row.weight);
	thread->samples++;
	p->rows[p->n_rows++] = row;
}

/* Makes the first log's array the profile's: it may be in order already. */
static void move_first_rows(struct profile *p, struct timeline *t, const uint32_t *number,
	const node_id *node_of_stack, bool weight_by_samples)
{
	size_t i;

	p->rows = t->rows;
	t->rows = NULL;
	for (i = 0; i < t->n; i++)
		move_row(p, p->rows[i], number, node_of_stack, weight_by_samples);
	t->n = t->cap = 0;
}

void timeline_rows_add(struct profile *p, struct timeline *t, unsigned recording,
	const node_id *node_of_stack, bool weight_by_samples)
{
	uint32_t *number = xcalloc(t->n_threads, sizeof(*number));
	struct index threads = index_threads(p);
	size_t i;

	p->threads = xreallocarray(
		p->threads, (size_t)p->n_threads + t->n_threads + 1, sizeof(*p->threads));
	for (i = 0; i < t->n_threads; i++)
		number[i] = thread_number(p, &threads, &t->threads[i], recording);
	index_release(&threads);
	if (!p->rows)
		move_first_rows(p, t, number, node_of_stack, weight_by_samples);
	while (t->n) {
		size_t n = t->n < ROWS_AT_ONCE ? t->n : ROWS_AT_ONCE;

		p->rows = xreallocarray(p->rows, p->n_rows + n, sizeof(*p->rows));
		for (i = t->n - n; i < t->n; i++)
			move_row(p, t->rows[i], number, node_of_stack, weight_by_samples);
		t->n -= n;
		t->cap = t->n;
		t->rows = xreallocarray(t->rows, t->n, sizeof(*t->rows));
	}
	free(number);
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

struct ranked_thread {
	struct profile_thread thread;
	uint32_t was;
};

static int compare_threads(const void *pa, const void *pb)
{
	const struct profile_thread *a = &((const struct ranked_thread *)pa)->thread;
	const struct profile_thread *b = &((const struct ranked_thread *)pb)->thread;
	int c;

	if ((c = compare_u64(b->weight, a->weight)) ||
		(c = compare_u64(a->recording, b->recording)))
		return c;
	if ((c = compare_u64((uint32_t)a->pid, (uint32_t)b->pid)))
		return c;
	return compare_u64((uint32_t)a->tid, (uint32_t)b->tid);
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct timeline_row *a = pa, *b = pb;
	int c;

	if ((c = compare_u64(a->thread, b->thread)) || (c = compare_u64(a->time_ns, b->time_ns)) ||
		(c = compare_u64(a->stack, b->stack)))
		return c;
	if ((c = compare_u64(a->weight, b->weight)) || (c = compare_u64(a->event, b->event)))
		return c;
	return compare_u64((uint32_t)a->cpu, (uint32_t)b->cpu);
}

static void rank_threads(struct profile *p)
{
	struct ranked_thread *ranked = xcalloc(p->n_threads, sizeof(*ranked));
	uint32_t *now = xcalloc(p->n_threads, sizeof(*now)), i;
	size_t r;

	for (i = 0; i < p->n_threads; i++)
		ranked[i] = (struct ranked_thread){ p->threads[i], i };
	qsort(ranked, p->n_threads, sizeof(*ranked), compare_threads);
	for (i = 0; i < p->n_threads; i++) {
		p->threads[i] = ranked[i].thread;
		now[ranked[i].was] = i;
	}
	for (r = 0; r < p->n_rows; r++)
		p->rows[r].thread = now[p->rows[r].thread];
	free(now);
	free(ranked);
}

void timeline_rows_finish(struct profile *p)
{
	uint64_t room = INT64_MAX; /* as for the weights of nodes */
	size_t at;
	uint32_t i;

	rank_threads(p);
	if (p->n_rows)
		sort_in_place(p->rows, p->n_rows, sizeof(*p->rows), compare_rows);
	for (at = 0; at < p->n_rows; at++)
		p->rows[at].weight = saturated_fit(p->rows[at].weight, &room);
	for (i = 0, at = 0; i < p->n_threads; i++) {
		p->threads[i].first_row = at;
		while (at < p->n_rows && p->rows[at].thread == i)
			at++;
		p->threads[i].n_rows = at - p->threads[i].first_row;
	}
}
