#include "model/recording.h"

#include "base/bisect.h"
#include "base/mem.h"
#include "model/site_use.h"

#include <stdlib.h>

struct recording *recording_new(const char *path, struct strtab *strings, struct frames *frames)
{
	struct recording *r = xcalloc(1, sizeof(*r));

	r->path = path;
	r->strings = strings;
	r->frames = frames;
	r->modules = modules_new();
	r->sites = sites_new();
	r->roots = roots_new();
	r->site_counts = xcalloc(1, sizeof(*r->site_counts));
	r->facts.first_time_ns = UINT64_MAX;
	return r;
}

void recording_free(struct recording *r)
{
	unsigned i;

	if (!r)
		return;
	for (i = 0; i < r->n_logs; i++) {
		stacklog_free(r->logs[i]);
		if (r->timelines)
			timeline_free(r->timelines[i]);
		if (r->marks)
			marks_free(r->marks[i]);
	}
	free(r->logs);
	site_use_forget(r);
	free(r->site_counts);
	free(r->code);
	free(r->timelines);
	free(r->marks);
	free(r->gaps);
	branch_traces_free(r->branches);
	if (r->written_branches)
		free(r->written_branches->row);
	free(r->written_branches);
	branch_sites_release(&r->branch_sites);
	if (r->inside)
		thread_times_release(r->inside);
	free(r->inside);
	free(r->span_counts);
	free(r->numbered);
	free(r->events);
	free(r->processes);
	free(r->threads);
	off_cpu_release(&r->off_cpu);
	recorded_symbols_release(&r->symbols);
	source_files_free(r->sources);
	label_list_release(&r->labels);
	roots_free(r->roots);
	sites_free(r->sites);
	modules_free(r->modules);
	free(r);
}

struct process_use *recording_process(const struct recording *r, int32_t pid)
{
	uint32_t at = bisect(i, 0u, r->n_processes, r->processes[i].pid >= pid);

	return at < r->n_processes && r->processes[at].pid == pid ? &r->processes[at] : NULL;
}

static struct span event_unit(const struct recording *r, const struct event *v)
{
	struct span name = strtab_get(r->strings, v->name);
	const char *colon = memchr(name.p, ':', name.n);

	if (v->unit)
		return strtab_get(r->strings, v->unit);
	if (v->time_ns_unit)
		return SPAN("nanoseconds");
	/* "cycles:u" counts cycles; "sched:sched_switch" is a name of its own. */
	return colon && !v->tracepoint ? span_range(name.p, colon) : name;
}

/* Of a text, the periods are the unit of events without a name. */
static struct span known_unit(const struct recording *r, const struct event *v)
{
	struct span unit = event_unit(r, v);

	return !unit.n && v->periods ? SPAN("periods") : unit;
}

str_id recording_event_unit(
	const struct recording *r, const struct event *v, bool weight_by_samples)
{
	struct span unit = weight_by_samples ? SPAN("") : known_unit(r, v);

	if (r->weight_unit && !weight_by_samples)
		return r->weight_unit;
	return strtab_add(r->strings, unit.n ? unit : SPAN("samples"));
}

const char *recording_uncountable_branches(const struct recording *r)
{
	switch ((enum branch_stacks_kind)r->facts.branch_stacks) {
	case BRANCH_STACKS_OF_CALLS:
		return "its branch stacks are call stacks (--call-graph lbr), which leave out "
		       "branches: record them by perf record -j any,u";
	case BRANCH_STACKS_NAMED:
		return "its branches are between symbols, not addresses: make the text by perf "
		       "script -F pid,ip,brstack --show-mmap-events";
	case BRANCH_STACKS_UNMAPPED:
		return "the text does not say what was mapped at the addresses of its branches: "
		       "make it by perf script -F pid,ip,brstack --show-mmap-events";
	case BRANCH_STACKS_NONE:
	case BRANCH_STACKS_COUNTABLE:
		break;
	}
	return NULL;
}

uint64_t recording_event_period(const struct event *v)
{
	if (v->time_ns_unit && v->frequency_hz)
		return 1000000000 / v->frequency_hz;
	return v->period;
}

str_id recording_unit(const struct recording *r, bool weight_by_samples)
{
	struct span unit = { 0 };
	uint32_t i;

	if (r->weight_unit && !weight_by_samples)
		return r->weight_unit;
	for (i = 0; i < r->n_events && !weight_by_samples; i++) {
		struct span u;

		if (!r->events[i].chosen || !r->events[i].samples)
			continue;
		u = known_unit(r, &r->events[i]);
		if (unit.n && !span_eq(unit, u))
			return strtab_add_str(r->strings, "events");
		unit = u;
	}
	return strtab_add(r->strings, unit.n ? unit : SPAN("samples"));
}
