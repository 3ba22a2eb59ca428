/*
 * How it works: until_ns[] has, for each seen line, the earliest time at which it or any later line
 * was seen; step_ns[] has the distinct values. perf_map_dates_find() computes bounds from them. It
 * then sweeps over the intervals [first, last] in which samples saw the addresses of the line: the
 * time that the fewest of these contain separates the old function's addresses from the new one's.
 *
 *	addresses   |---old---|
 *	                |--old--|      |---new---|
 *	                          |--new--|
 *	time          ----------^-----------------   crossed by none: the code came here
 */
#include "jit/perf_map_dates.h"

#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

enum {
	STEPS_BACK = 4, /* two were too few in a recording of Node.js 24 */
	/* Bounds for hostile recordings: what one line is dated by, and what all lines are
	 * together. */
	ADDRESSES_MAX = 4096,
	ADDRESSES_TOTAL = 1 << 24,
};

/* The first sample at an address, or the end of its last one. */
struct sample_edge {
	uint64_t time_ns;
	bool is_first;
};

/* The distinct values of a growing bound. */
static void list_steps(struct perf_map_dates *d, size_t n)
{
	size_t i;

	d->step_ns = xcalloc(n, sizeof(*d->step_ns));
	for (i = 0; i < n; i++)
		if (!d->n_steps || d->step_ns[d->n_steps - 1] != d->until_ns[i])
			d->step_ns[d->n_steps++] = d->until_ns[i];
}

void perf_map_dates_begin(struct perf_map_dates *d, const struct codemap_seen *seen)
{
	uint64_t latest = UINT64_MAX;
	size_t n = seen->n;

	*d = (struct perf_map_dates){ .seen = seen, .left = ADDRESSES_TOTAL };
	d->until_ns = xcalloc(n + 1, sizeof(*d->until_ns));
	d->edges = xcalloc(2 * ADDRESSES_MAX, sizeof(*d->edges));
	d->until_ns[n] = latest;
	while (n--) {
		if (seen->at[n].time_ns < latest)
			latest = seen->at[n].time_ns;
		d->until_ns[n] = latest;
	}
	list_steps(d, seen->n + 1);
}

void perf_map_dates_release(struct perf_map_dates *d)
{
	free(d->until_ns);
	free(d->step_ns);
	free(d->edges);
	*d = (struct perf_map_dates){ 0 };
}

/* Not before from, and not after until; the guess goes by the lines around it alone. */
struct bounds {
	uint64_t from_ns, guess_ns, until_ns;
};

static uint64_t some_steps_before(const struct perf_map_dates *d, uint64_t until_ns)
{
	size_t i = bisect(k, 0, d->n_steps, d->step_ns[k] >= until_ns);

	return d->step_ns[i > STEPS_BACK ? i - STEPS_BACK : 0];
}

/* The guess: when it was seen itself, or else the earlier of the two times when the lines around it
 * were. */
static struct bounds bounds_of(const struct perf_map_dates *d, uint64_t offset)
{
	size_t i = bisect(k, 0, d->seen->n, d->seen->at[k].entry >= offset);
	uint64_t until_ns = d->until_ns[i], from_ns = some_steps_before(d, until_ns);
	uint64_t guess_ns = until_ns;

	if (i == d->seen->n || d->seen->at[i].entry != offset)
		guess_ns = i ? d->until_ns[i - 1] : 0;
	return (struct bounds){ guess_ns < from_ns ? guess_ns : from_ns, guess_ns, until_ns };
}

/* What ends at a time comes before what begins then, as it was seen earlier. */
static int compare_edges(const void *pa, const void *pb)
{
	const struct sample_edge *a = pa, *b = pb;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->is_first - b->is_first;
}

/* Lists the turns between the bounds; returns how many addresses were seen both before and after a
 * time: at from, at the guess. */
static size_t list_edges(struct perf_map_dates *d, const struct codemap_range *at, struct bounds b,
	size_t *both, size_t *both_guess)
{
	const struct codemap_seen_address *s = d->seen->spot, *end = s + d->seen->n_spots;
	size_t n = 0, left = d->left < ADDRESSES_MAX ? d->left : ADDRESSES_MAX;

	*both = *both_guess = 0;
	s += bisect(k, 0, d->seen->n_spots, s[k].address >= at->start);
	for (; s < end && s->address < at->end && left; s++, left--, d->left--) {
		if (s->last_ns < b.from_ns || s->first_ns >= b.until_ns)
			continue;
		*both_guess += s->first_ns < b.guess_ns && b.guess_ns <= s->last_ns;
		if (s->first_ns < b.from_ns)
			(*both)++;
		else
			d->edges[n++] = (struct sample_edge){ s->first_ns, true };
		if (s->last_ns < b.until_ns)
			d->edges[n++] = (struct sample_edge){ s->last_ns + 1, false };
	}
	if (n)
		qsort(d->edges, n, sizeof(*d->edges), compare_edges);
	return n;
}

uint64_t perf_map_dates_find(
	struct perf_map_dates *d, uint64_t offset, const struct codemap_range *at)
{
	struct bounds b = bounds_of(d, offset);
	size_t both, least, i, n = list_edges(d, at, b, &both, &least);
	uint64_t time_ns = b.guess_ns;

	if (both < least) {
		least = both;
		time_ns = b.from_ns;
	}
	for (i = 0; i < n; i++) {
		both = d->edges[i].is_first ? both + 1 : both - 1;
		if (both < least) {
			least = both;
			time_ns = d->edges[i].time_ns;
		}
	}
	return time_ns;
}
