#include "process/events/losses.h"

#include "base/mem.h"

#include <stdlib.h>

void losses_release(struct losses *l)
{
	free(l->range);
	free(l->last);
	*l = (struct losses){ 0 };
}

static bool is_known(int32_t cpu)
{
	return cpu >= 0 && cpu < LOSSES_CPUS_MAX;
}

static void keep_later(struct moment *last, struct moment at)
{
	if (at.position >= last->position)
		*last = at;
}

void losses_add_record(struct losses *l, int32_t cpu, struct moment at)
{
	if (!l->last)
		l->last = xcalloc(LOSSES_CPUS_MAX, sizeof(*l->last));
	keep_later(&l->last_any, at);
	if (is_known(cpu))
		keep_later(&l->last[cpu], at);
}

void losses_add_lost(struct losses *l, int32_t cpu, uint64_t time_ns)
{
	uint64_t before = l->last && is_known(cpu) ? l->last[cpu].time_ns : l->last_any.time_ns;

	ARRAY_GROW(l->range, l->n, l->cap);
	l->range[l->n++] = (struct time_range){ before < time_ns ? before : time_ns, time_ns + 1 };
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct time_range *a = pa, *b = pb;

	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

void losses_merge(struct losses *l)
{
	size_t i, n = 0;

	if (l->n)
		qsort(l->range, l->n, sizeof(*l->range), compare_ranges);
	for (i = 0; i < l->n; i++) {
		if (n && l->range[i].from_ns <= l->range[n - 1].to_ns) {
			if (l->range[i].to_ns > l->range[n - 1].to_ns)
				l->range[n - 1].to_ns = l->range[i].to_ns;
		} else {
			l->range[n++] = l->range[i];
		}
	}
	l->n = n;
}
