#include "process/events/read_groups.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"
#include "base/sort.h"

#include <stdlib.h>

void read_groups_release(struct read_groups *g)
{
	free(g->sample);
	free(g->value);
	free(g->series_of);
	free(g->series);
	index_release(&g->by_id);
	*g = (struct read_groups){ 0 };
}

/* ---- pass 1: values ----------------------------------------------------------------------- */

static uint32_t find_series(
	struct read_groups *g, const struct perfdata *pd, uint64_t id, int32_t tid)
{
	uint64_t hash = hash_pair(id, (uint32_t)tid);
	struct index_cursor c;
	uint32_t i, event;

	index_for_each (&g->by_id, hash, c, i)
		if (g->series[i].id == id && g->series[i].tid == tid)
			return i;
	if (!perfdata_find_event(pd, id, &event))
		event = READ_NO_EVENT;
	ARRAY_GROW(g->series, g->n_series, g->cap_series);
	g->series[g->n_series] = (struct read_series){ .id = id, .tid = tid, .event = event };
	index_add(&g->by_id, hash, g->n_series);
	return g->n_series++;
}

static void add_value(struct read_groups *g, uint32_t series, uint64_t value, uint64_t time_ns)
{
	struct read_series *s = &g->series[series];

	g->unordered |= time_ns < s->time_ns;
	s->time_ns = time_ns;
	g->value[g->n_values] = value;
	g->series_of[g->n_values++] = series;
}

enum read_groups_result read_groups_add(struct read_groups *g, const struct perfdata *pd,
	const struct perfdata_attr *a, const struct perfdata_record *r, uint64_t time_ns)
{
	struct perfdata_sample s;
	int32_t tid;
	uint32_t i;

	/* A damaged sample is left out as a whole: what it read counts for the next one. */
	if (!read_groups_applies(a) || !perfdata_sample_decode(a, r, &s))
		return READ_NONE;
	if (s.n_reads > READ_VALUES_MAX - g->n_values || g->n == READ_VALUES_MAX)
		return READ_FULL;
	ARRAY_RESERVE(g->value, g->n_values + s.n_reads, g->cap_values);
	ARRAY_RESERVE(g->series_of, g->n_values + s.n_reads, g->cap_series_of);
	ARRAY_GROW(g->sample, g->n, g->cap);
	g->sample[g->n++] = (struct read_sample){ r->position, time_ns, g->n_values };
	tid = a->inherit ? s.tid : -1;
	for (i = 0; i < s.n_reads; i++) {
		struct perfdata_read read = perfdata_sample_read(a, &s, i);
		uint64_t id = a->read_format & READ_ID ? read.id : s.id;

		add_value(g, find_series(g, pd, id, tid), read.value, time_ns);
	}
	return READ_ADDED;
}

/* ---- differences -------------------------------------------------------------------------- */

static void compute_sample(struct read_groups *g, uint32_t i)
{
	uint32_t at, to;

	for (read_groups_counters(g, i, &at, &to); at < to; at++) {
		struct read_series *s = &g->series[g->series_of[at]];
		uint64_t value = g->value[at];

		g->value[at] = value - s->value;
		s->value = value;
	}
}

struct read_order {
	uint64_t time_ns;
	uint32_t sample;
};

static int compare_orders(const void *left, const void *right)
{
	const struct read_order *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (a->sample > b->sample) - (a->sample < b->sample);
}

static void compute_by_time(struct read_groups *g)
{
	struct read_order *order = xcalloc(g->n, sizeof(*order));
	uint32_t i;

	for (i = 0; i < g->n; i++)
		order[i] = (struct read_order){ g->sample[i].time_ns, i };
	sort_in_place(order, g->n, sizeof(*order), compare_orders);
	for (i = 0; i < g->n; i++)
		compute_sample(g, order[i].sample);
	free(order);
}

void read_groups_compute_deltas(struct read_groups *g)
{
	uint32_t i;

	if (g->unordered) {
		compute_by_time(g);
		return;
	}
	for (i = 0; i < g->n; i++)
		compute_sample(g, i);
}

/* ---- pass 2: look-up ---------------------------------------------------------------------- */

bool read_groups_find(const struct read_groups *g, uint64_t position, uint32_t *near)
{
	uint32_t first;

	if (*near + 1 < g->n && g->sample[*near + 1].position == position) {
		++*near;
		return true;
	}
	first = bisect(i, 0, g->n, g->sample[i].position >= position);
	if (first == g->n || g->sample[first].position != position)
		return false;
	*near = first;
	return true;
}
