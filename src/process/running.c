/*
 * Each worker logs what it sees in a log of its own (trace/switch_log.h): 8 bytes for a switch or a
 * sample. A class of the log is a thread with one kind of row, found by hash. Then
 * parallelism_make() walks the rows of all in order of time, so that it makes no difference who saw
 * what.
 *
 * Cost: one more pass over all blocks. Of switches only the trailer is decoded; samples are decoded
 * only where there are no switches.
 */
#include "process/running.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

struct watcher {
	const struct pass2 *pass;          /* borrowed */
	const struct perfdata_attr *attrs; /* borrowed */
	uint32_t event;                    /* of samples; RUNNING_SWITCHES: there are switches */
	struct switch_log log;
	struct index by_class;
	uint32_t last; /* class found last */
};

#define RUNNING_SWITCHES UINT32_MAX

static bool is_class(const struct watcher *w, uint32_t i, const struct switch_class *of)
{
	const struct switch_class *class = &w->log.classes[i];

	return class->tid == of->tid && class->thread == of->thread && class->kind == of->kind;
}

static uint32_t find_class(struct watcher *w, const struct switch_class *of)
{
	uint64_t hash = hash_pair((uint64_t)of->thread << 32 | (uint32_t)of->tid, of->kind);
	struct index_cursor c;
	uint32_t i;

	if (w->last < w->log.n_classes && is_class(w, w->last, of))
		return w->last;
	index_for_each (&w->by_class, hash, c, i)
		if (is_class(w, i, of))
			return w->last = i;
	i = switch_log_add_class(&w->log, of);
	if (i != SWITCH_NO_CLASS)
		index_add(&w->by_class, hash, i);
	return w->last = i;
}

/* Idle (0) is no thread. */
static void add(struct watcher *w, enum switch_kind kind, int32_t pid, int32_t tid, int32_t cpu,
	uint64_t time_ns)
{
	struct switch_seen seen = {
		.class = { .thread = (uint32_t)pid, .tid = tid, .kind = kind },
		.time_ns = time_ns,
		.other_tid = SWITCH_NOBODY,
		.cpu = switch_events_cpu(cpu),
	};

	if (tid > 0 && time_ns)
		switch_log_add(&w->log, find_class(w, &seen.class), &seen);
}

static void read_switch(struct watcher *w, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_switch s;

	if (perfdata_record_decode_switch(w->pass->pd, r, &s) &&
		perfdata_record_decode_trailer(w->pass->pd, r, &t) && t.has_time)
		add(w, s.out ? SWITCH_OUT : SWITCH_IN, t.pid, t.tid, -1, t.time_ns);
}

/* No switch follows the end of a thread. */
static void read_exit(struct watcher *w, const struct perfdata_record *r)
{
	struct perfdata_task t;

	if (perfdata_record_decode_task(w->pass->pd, r, &t))
		add(w, SWITCH_OUT, t.pid, t.tid, -1, t.time_ns);
}

/* perf record's own command begins with an exec, not with a switch. */
static void read_comm(struct watcher *w, const struct perfdata_record *r)
{
	struct perfdata_trailer t;
	struct perfdata_comm c;

	if (perfdata_record_decode_comm(w->pass->pd, r, &c) && c.exec &&
		perfdata_record_decode_trailer(w->pass->pd, r, &t) && t.has_time)
		add(w, SWITCH_IN, c.pid, c.tid, -1, t.time_ns);
}

static void read_sample(struct watcher *w, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t event;

	if (perfdata_sample_event(w->pass->pd, r, &event) && event == w->event &&
		perfdata_sample_decode(&w->attrs[event], r, &s))
		add(w, SWITCH_RAN, s.pid, s.tid, s.cpu, s.time_ns);
}

static void read_record(struct watcher *w, const struct perfdata_record *r)
{
	if (w->event != RUNNING_SWITCHES) {
		if (r->type == RECORD_SAMPLE)
			read_sample(w, r);
		return;
	}
	switch (r->type) {
	case RECORD_SWITCH:
	case RECORD_SWITCH_CPU_WIDE:
		read_switch(w, r);
		break;
	case RECORD_EXIT:
		read_exit(w, r);
		break;
	case RECORD_COMM:
		read_comm(w, r);
		break;
	}
}

static int run_watcher(void *ctx, unsigned number, struct err *e)
{
	struct watcher *w = (struct watcher *)ctx + number;
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	int rc;

	while ((rc = perfdata_pop_block(w->pass->pd, &block, e)) == OK)
		while (perfdata_block_next(&block, &r))
			read_record(w, &r);
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* Of several chosen events: two samples of one moment would look like a short interval. */
static uint32_t event_with_most_samples(const struct recording *r)
{
	uint32_t i, most = 0;

	for (i = 0; i < r->n_events; i++)
		if (r->events[i].chosen &&
			(!r->events[most].chosen || r->events[i].samples > r->events[most].samples))
			most = i;
	return most;
}

static struct watcher *make_watchers(const struct pass2 *p, unsigned n)
{
	struct watcher *w = xcalloc(n, sizeof(*w));
	struct recording *r = p->recording;
	uint32_t unused, event = RUNNING_SWITCHES;
	unsigned k;

	r->facts.parallelism_estimated = !perfdata_has_switches(p->pd);
	if (r->facts.parallelism_estimated)
		event = event_with_most_samples(r);
	for (k = 0; k < n; k++) {
		w[k].pass = p;
		w[k].attrs = perfdata_attrs(p->pd, &unused);
		w[k].event = event;
	}
	return w;
}

static void release_watchers(struct watcher *w, unsigned n)
{
	unsigned k;

	for (k = 0; k < n; k++) {
		switch_log_release(&w[k].log);
		index_release(&w[k].by_class);
	}
	free(w);
}

static void make_parallelism(
	struct parallelism *to, const struct pass2 *p, struct watcher *w, unsigned n)
{
	struct parallelism_opts o = {
		.by_process = p->opts->parallelism_of == PARALLELISM_OF_PROCESS,
		.count_at_most = p->recording->facts.n_cpus,
	};
	struct switch_log *logs = xcalloc(n, sizeof(*logs));
	unsigned k;

	for (k = 0; k < n; k++) {
		logs[k] = w[k].log;
		w[k].log = (struct switch_log){ 0 };
	}
	parallelism_make(to, logs, n, &o);
	for (k = 0; k < n; k++)
		switch_log_release(&logs[k]);
	free(logs);
}

int running_read(struct parallelism *to, const struct pass2 *p, struct pool *pool, struct err *e)
{
	unsigned n = pool_workers(pool);
	struct watcher *watchers;
	int rc;

	if (!p->opts->weight_by_latency)
		return OK;
	if (!p->has_times)
		return err_set(e, ERR_UNSUPPORTED,
			"--weight latency needs the times of samples, which the "
			"recording does not have");
	watchers = make_watchers(p, n);
	rc = pool_run(pool, run_watcher, watchers, e);
	perfdata_rewind(p->pd);
	if (!rc)
		make_parallelism(to, p, watchers, n);
	release_watchers(watchers, n);
	return rc;
}

/* A fixed period, of what is no time: nanoseconds are small enough. */
static bool is_coarse(const struct event *v)
{
	return v->chosen && v->samples && !v->time_ns_unit && v->period && v->period < 1000;
}

uint64_t running_unit(struct recording *r, const struct read_opts *o)
{
	bool coarse = false;
	struct buf unit = { 0 };
	uint32_t i;

	if (!o->weight_by_latency)
		return 1;
	r->weighs = strtab_add_str(r->strings, "Latency");
	for (i = 0; i < r->n_events; i++)
		coarse |= is_coarse(&r->events[i]);
	if (!coarse)
		return 1;
	buf_printf(&unit, "1/1000 %s", strtab_str(r->strings, recording_unit(r, false)));
	r->weight_unit = strtab_add(r->strings, buf_span(&unit));
	buf_release(&unit);
	return 1000;
}
