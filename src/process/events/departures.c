#include "process/events/departures.h"

/* --off-cpu draws the switches themselves. */
static bool is_wanted(const struct read_opts *o)
{
	return o->timeline && !o->off_cpu;
}

bool departures_are_records(const struct perfdata *pd, const struct read_opts *o)
{
	return is_wanted(o) && perfdata_has_switches(pd);
}

static bool is_switch(const struct perfdata_attr *a, struct span name)
{
	return span_eq(name, SPAN("sched:sched_switch")) ||
	       (a->type == EVENT_SOFTWARE && a->config == SOFTWARE_CONTEXT_SWITCHES);
}

/* The tracepoint says more than the counter. */
static uint32_t find_event(const struct recording *r, const struct perfdata_attr *a)
{
	uint32_t found = DEPARTURES_NO_EVENT, i;

	for (i = 0; i < r->n_events; i++) {
		const struct event *v = &r->events[i];

		if (!is_switch(&a[i], strtab_get(r->strings, v->name)))
			continue;
		if (v->chosen)
			return DEPARTURES_NO_EVENT;
		if (v->period == 1 && v->samples && (found == DEPARTURES_NO_EVENT || v->tracepoint))
			found = i;
	}
	return found;
}

void departures_init(struct departures *d, const struct recording *r, const struct perfdata *pd,
	const struct tracing *tracing, const struct read_opts *o)
{
	const struct trace_format *format;
	uint32_t n;

	*d = (struct departures){ .attrs = perfdata_attrs(pd, &n), .event = DEPARTURES_NO_EVENT };
	if (is_wanted(o) && !perfdata_has_switches(pd))
		d->event = find_event(r, d->attrs);
	format = d->event == DEPARTURES_NO_EVENT ? NULL : tracing->of[d->event].format;
	if (format) {
		d->prev = trace_format_number(format, SPAN("prev_pid"));
		d->next = trace_format_number(format, SPAN("next_pid"));
	}
}

void departures_add_record(
	struct off_cpu *to, const struct perfdata *pd, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_switch s;

	if (!perfdata_record_decode_switch(pd, r, &s) ||
		!perfdata_record_decode_trailer(pd, r, &t) || !t.has_time)
		return;
	if (s.out)
		off_cpu_add_departure(to, t.tid, t.time_ns);
	else
		off_cpu_add_return(to, t.tid, t.time_ns);
}

static bool read_tid(
	const struct trace_number *field, const struct perfdata_sample *s, int32_t *tid)
{
	uint64_t v;

	if (!trace_format_read_number(field, s->raw, s->raw_bytes, s->swapped, &v) || v > INT32_MAX)
		return false;
	*tid = (int32_t)v;
	return true;
}

/* In a container the thread ids in fields (of the first namespace) are not those of samples (of
 * perf's): where prev_pid is not the sample's thread, next_pid is nobody's. */
void departures_add_sample(
	const struct departures *d, struct off_cpu *to, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	int32_t tid;

	if (!perfdata_sample_decode(&d->attrs[d->event], r, &s))
		return;
	off_cpu_add_departure(to, s.tid, s.time_ns);
	if (read_tid(&d->prev, &s, &tid) && tid == s.tid && read_tid(&d->next, &s, &tid))
		off_cpu_add_return(to, tid, s.time_ns);
}

void departures_finish(struct recording *r)
{
	off_cpu_finish(&r->off_cpu);
	r->off_cpu.complete = r->off_cpu.n && !r->diag.count[DIAG_LOST];
}
