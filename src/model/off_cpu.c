#include "model/off_cpu.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Until switches are joined, a return is an interval without length. */
static bool is_return(const struct off_cpu_interval *s)
{
	return s->from_ns == s->until_ns;
}

void off_cpu_release(struct off_cpu *a)
{
	free(a->interval);
	*a = (struct off_cpu){ 0 };
}

static void add(struct off_cpu *a, struct off_cpu_interval s)
{
	if (s.tid <= 0) /* the idle task is no thread */
		return;
	ARRAY_GROW(a->interval, a->n, a->cap);
	a->interval[a->n++] = s;
}

void off_cpu_add_departure(struct off_cpu *a, int32_t tid, uint64_t time_ns)
{
	if (time_ns != UINT64_MAX)
		add(a, (struct off_cpu_interval){ time_ns, UINT64_MAX, tid });
}

void off_cpu_add_return(struct off_cpu *a, int32_t tid, uint64_t time_ns)
{
	add(a, (struct off_cpu_interval){ time_ns, time_ns, tid });
}

void off_cpu_merge(struct off_cpu *to, struct off_cpu *from)
{
	ARRAY_RESERVE(to->interval, to->n + from->n, to->cap);
	if (from->n)
		memcpy(to->interval + to->n, from->interval, from->n * sizeof(*from->interval));
	to->n += from->n;
	off_cpu_release(from);
}

static int compare(const void *pa, const void *pb)
{
	const struct off_cpu_interval *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	if (a->from_ns != b->from_ns)
		return a->from_ns < b->from_ns ? -1 : 1;
	return is_return(b) - is_return(a); /* a return comes before a departure of the same time */
}

/* An interval ends with the next switch of its thread, whatever kind that is. */
void off_cpu_finish(struct off_cpu *a)
{
	size_t i, out = 0;

	if (a->n)
		sort_in_place(a->interval, a->n, sizeof(*a->interval), compare);
	for (i = 0; i < a->n; i++) {
		struct off_cpu_interval s = a->interval[i];

		if (is_return(&s))
			continue;
		if (i + 1 < a->n && a->interval[i + 1].tid == s.tid)
			s.until_ns = a->interval[i + 1].from_ns;
		if (s.until_ns > s.from_ns)
			a->interval[out++] = s;
	}
	a->n = out;
}

/* The index of a thread's first interval, or where that would be. */
static size_t first_of(const struct off_cpu *a, int64_t tid)
{
	return bisect(i, 0, a->n, a->interval[i].tid >= tid);
}

const struct off_cpu_interval *off_cpu_of_thread(const struct off_cpu *a, int32_t tid, size_t *n)
{
	size_t first = first_of(a, tid);

	*n = first_of(a, (int64_t)tid + 1) - first;
	return *n ? a->interval + first : NULL;
}
