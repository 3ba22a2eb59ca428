#include "process/events/departures.h"

enum { NO_EVENT = UINT32_MAX };

struct leaves {
	struct off_cpu *off_cpu;
	const struct perfdata *pd;
	const struct perfdata_attr *attrs;
	bool records;   /* SWITCH records tell of all */
	uint32_t event; /* else samples of this event do; NO_EVENT: nothing does */
	struct trace_number prev, next;
};

static bool has_records(const struct perfdata_attr *a, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (a[i].context_switch)
			return true;
	return false;
}

static bool is_switch(const struct perfdata_attr *a, struct span name)
{
	return span_eq(name, SPAN("sched:sched_switch")) ||
	       (a->type == EVENT_SOFTWARE && a->config == SOFTWARE_CONTEXT_SWITCHES);
}

/* The tracepoint tells more than the counter. */
static uint32_t find_event(const struct recording *r, const struct perfdata_attr *a)
{
	uint32_t found = NO_EVENT, i;

	for (i = 0; i < r->n_events; i++) {
		const struct event *v = &r->events[i];

		if (!is_switch(&a[i], strtab_get(r->strings, v->name)))
			continue;
		if (v->chosen)
			return NO_EVENT;
		if (v->period == 1 && v->samples && (found == NO_EVENT || v->tracepoint))
			found = i;
	}
	return found;
}

static void take_record(const struct leaves *l, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_switch s;

	if (!perfdata_record_decode_switch(l->pd, r, &s) ||
		!perfdata_record_decode_trailer(l->pd, r, &t) || !t.has_time)
		return;
	if (s.out)
		off_cpu_add_departure(l->off_cpu, t.tid, t.time_ns);
	else
		off_cpu_add_return(l->off_cpu, t.tid, t.time_ns);
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

/* The kernel writes threads into fields by their number in the first namespace, into samples by
 * that in perf's own: in a container no number of a field fits. */
static void take_sample(const struct leaves *l, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t event;
	int32_t tid;

	if (!perfdata_sample_event(l->pd, r, &event) || event != l->event ||
		!perfdata_sample_decode(&l->attrs[event], r, &s))
		return;
	off_cpu_add_departure(l->off_cpu, s.tid, s.time_ns);
	if (read_tid(&l->prev, &s, &tid) && tid == s.tid && read_tid(&l->next, &s, &tid))
		off_cpu_add_return(l->off_cpu, tid, s.time_ns);
}

static int read_blocks(const struct leaves *l, struct perfdata *pd, struct err *e)
{
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	int rc;

	while ((rc = perfdata_pop_block(pd, &block, e)) == OK)
		while (perfdata_block_next(&block, &r)) {
			if (r.type == RECORD_SAMPLE && !l->records)
				take_sample(l, &r);
			else if (l->records)
				take_record(l, &r);
		}
	perfdata_block_release(&block);
	perfdata_rewind(pd);
	return rc == END ? OK : rc;
}

int departures_read(
	struct recording *r, struct perfdata *pd, const struct tracing *tracing, struct err *e)
{
	struct leaves l = { .off_cpu = &r->off_cpu, .pd = pd };
	const struct trace_format *format;
	uint32_t n;

	l.attrs = perfdata_attrs(pd, &n);
	l.event = find_event(r, l.attrs);
	l.records = has_records(l.attrs, n);
	if (!l.records && l.event == NO_EVENT)
		return OK;
	format = l.event == NO_EVENT ? NULL : tracing->of[l.event].format;
	if (format) {
		l.prev = trace_format_number(format, SPAN("prev_pid"));
		l.next = trace_format_number(format, SPAN("next_pid"));
	}
	if (read_blocks(&l, pd, e))
		return e->code;
	off_cpu_finish(&r->off_cpu);
	r->off_cpu.complete = r->off_cpu.n && !r->diag.count[DIAG_LOST];
	return OK;
}
