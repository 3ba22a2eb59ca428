#include "model/time_set.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "base/sort.h"

#include <stdlib.h>

void time_set_release(struct time_set *s)
{
	free(s->range);
	*s = (struct time_set){ 0 };
}

void time_set_add(struct time_set *s, struct time_range when)
{
	if (when.from_ns >= when.to_ns)
		return;
	ARRAY_GROW(s->range, s->n, s->cap);
	s->range[s->n++] = when;
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct time_range *a = pa, *b = pb;

	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

void time_set_settle(struct time_set *s)
{
	size_t i, n = 0;

	if (s->n)
		sort_in_place(s->range, s->n, sizeof(*s->range), compare_ranges);
	for (i = 0; i < s->n; i++)
		if (!n || s->range[i].from_ns > s->range[n - 1].to_ns)
			s->range[n++] = s->range[i];
		else if (s->range[i].to_ns > s->range[n - 1].to_ns)
			s->range[n - 1].to_ns = s->range[i].to_ns;
	s->n = n;
}

/* Both are walked once. */
void time_set_subtract(struct time_set *s, const struct time_set *by)
{
	struct time_set rest = { 0 };
	size_t i, k = 0, m;

	for (i = 0; i < s->n; i++) {
		uint64_t from_ns = s->range[i].from_ns, to_ns = s->range[i].to_ns;

		while (k < by->n && by->range[k].to_ns <= from_ns)
			k++;
		for (m = k; m < by->n && by->range[m].from_ns < to_ns; m++) {
			time_set_add(&rest, (struct time_range){ from_ns, by->range[m].from_ns });
			from_ns = by->range[m].to_ns;
		}
		time_set_add(&rest, (struct time_range){ from_ns, to_ns });
	}
	time_set_release(s);
	*s = rest;
}

size_t time_set_after(const struct time_set *s, uint64_t time_ns)
{
	return bisect(i, 0, s->n, s->range[i].to_ns > time_ns);
}

bool time_set_has(const struct time_set *s, uint64_t time_ns)
{
	size_t i = time_set_after(s, time_ns);

	return i < s->n && s->range[i].from_ns <= time_ns;
}

uint64_t time_set_overlap_ns(const struct time_set *s, struct time_range when)
{
	size_t i = time_set_after(s, when.from_ns);
	uint64_t sum_ns = 0;

	for (; i < s->n && s->range[i].from_ns < when.to_ns; i++) {
		const struct time_range *r = &s->range[i];
		uint64_t from_ns = r->from_ns > when.from_ns ? r->from_ns : when.from_ns;
		uint64_t to_ns = r->to_ns < when.to_ns ? r->to_ns : when.to_ns;

		sum_ns += to_ns - from_ns;
	}
	return sum_ns;
}
