#include "input/perfdata/tally.h"

#include "base/mem.h"

#include <stdlib.h>

static const struct tally_moment never = { UINT64_MAX, 0 };

static bool is_alike(const struct perfdata_attr *a, const struct perfdata_attr *b)
{
	return a->offsets.time == b->offsets.time && a->offsets.cpu == b->offsets.cpu &&
	       a->offsets.fixed_bytes == b->offsets.fixed_bytes;
}

bool tally_is_possible(const struct perfdata *pd)
{
	uint32_t i;

	if (!pd->n_attrs || pd->n_attrs > TALLY_EVENTS_MAX || !pd->attrs[0].offsets.time)
		return false;
	for (i = 1; i < pd->n_attrs; i++)
		if (!is_alike(&pd->attrs[0], &pd->attrs[i]))
			return false;
	return true;
}

void tally_init(struct tally *t, const struct perfdata *pd)
{
	const struct perfdata_offsets *at = &pd->attrs[0].offsets;

	*t = (struct tally){
		.pd = pd,
		.time_at = at->time,
		.cpu_at = at->cpu,
		.id_at = pd->n_attrs > 1 ? pd->sample_id_at : 0,
		.fixed_bytes = at->fixed_bytes,
	};
	t->sum.n_events = pd->n_attrs;
	t->sum.event = xcalloc(pd->n_attrs, sizeof(*t->sum.event));
	t->sum.has_cpus = at->cpu != 0;
	tally_clear(t);
}

void tally_release(struct tally *t)
{
	free(t->sum.event);
	free(t->sum.cpu);
	*t = (struct tally){ 0 };
}

void tally_clear(struct tally *t)
{
	uint32_t i;

	for (i = 0; i < t->sum.n_events; i++)
		t->sum.event[i] = (struct tally_event){ 0, UINT64_MAX };
	t->sum.n_cpus = 0;
	t->sum.last_time_ns = 0;
	t->sum.last = never;
	t->sum.bytes = 0;
}

/* False if no event has the id. */
static bool find_event(struct tally *t, uint64_t id)
{
	uint32_t attr;

	if (!perfdata_find_event(t->pd, id, &attr))
		return false;
	t->id = id;
	t->attr = attr;
	return true;
}

bool tally_begin_run(
	struct tally *t, struct tally_run *run, const uint8_t *p, uint32_t size, bool swapped)
{
	uint64_t id;

	*run = (struct tally_run){ .lowest_ns = UINT64_MAX };
	if (size < t->fixed_bytes)
		return false;
	id = t->id_at ? bytes_u64(p + t->id_at, swapped) : t->id;
	run->cpu = t->cpu_at ? bytes_u32(p + t->cpu_at, swapped) : 0;
	return run->cpu < TALLY_CPUS_MAX && (id == t->id || find_event(t, id));
}

/* Makes room for the CPUs that occur: on most machines a few, not TALLY_CPUS_MAX. */
static void reach_cpu(struct tally *t, uint32_t cpu)
{
	ARRAY_RESERVE(t->sum.cpu, cpu + 1, t->cap_cpus);
	while (t->sum.n_cpus <= cpu)
		t->sum.cpu[t->sum.n_cpus++] = never;
}

void tally_end_run(struct tally *t, struct tally_run run, uint64_t position, uint64_t bytes)
{
	const struct tally_moment last = { run.time_ns, position };
	struct tally_event *event = &t->sum.event[t->attr];

	if (!run.samples)
		return;
	event->samples += run.samples;
	if (run.lowest_ns < event->first_time_ns)
		event->first_time_ns = run.lowest_ns;
	if (run.highest_ns > t->sum.last_time_ns)
		t->sum.last_time_ns = run.highest_ns;
	if (run.cpu >= t->sum.n_cpus)
		reach_cpu(t, run.cpu);
	t->sum.cpu[run.cpu] = last;
	t->sum.last = last;
	t->sum.bytes += bytes;
}

bool tally_add(struct tally *t, const uint8_t *p, uint32_t size, uint64_t position, bool swapped)
{
	struct tally_run run;

	if (!tally_begin_run(t, &run, p, size, swapped) ||
		!tally_add_to_run(t, &run, p, size, swapped))
		return false;
	tally_end_run(t, run, position, size);
	return true;
}
