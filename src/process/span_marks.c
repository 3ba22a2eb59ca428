/*
 * Each worker has a list of marks for each measure (trace/during.h). An event can belong to several
 * measures, so what is wanted is a bit set by event; a sample without a bit is not decoded:
 *
 *	event	cpu-clock	0
 *		sys_enter_read	0b01	file-io
 *		epoll_wait	0b10	event-loop
 *
 * Then the lists of a measure are merged in order of time, and during_spans_find() pairs them.
 *
 * Cost: one more pass over all blocks; 32 bytes for each mark and 8 for each of its fields, until
 * they are paired.
 */
#include "process/span_marks.h"

#include "base/mem.h"

#include <stdlib.h>

_Static_assert(DURING_MEASURES_MAX <= 32, "a bit for each");

struct mark_reader {
	const struct pass2 *pass;          /* borrowed */
	const struct perfdata_attr *attrs; /* borrowed */
	const uint32_t *measures;          /* bits, by event; borrowed */
	const struct marking *marking;     /* by measure; borrowed */
	struct marks **marks;              /* by measure */
};

static const struct during *during_of(const struct read_opts *o)
{
	return o->choice ? o->choice->during : NULL;
}

static int find_measures(
	const struct during *d, const struct recording *r, uint32_t *measures, struct err *e)
{
	bool *wanted = xcalloc(r->n_events, sizeof(*wanted));
	uint32_t i, k;
	int rc = OK;

	for (i = 0; i < d->n_measures && !rc; i++) {
		memset(wanted, 0, r->n_events * sizeof(*wanted));
		rc = during_spans_events(d, i, r, wanted, e);
		for (k = 0; k < r->n_events; k++)
			measures[k] |= (uint32_t)wanted[k] << i;
	}
	free(wanted);
	return rc;
}

int span_marks_find_events(
	const struct recording *r, const struct read_opts *o, bool **of_event, struct err *e)
{
	const struct during *d = during_of(o);
	uint32_t *measures, i;
	int rc;

	*of_event = NULL;
	if (!d)
		return OK;
	measures = xcalloc(r->n_events, sizeof(*measures));
	rc = find_measures(d, r, measures, e);
	*of_event = xcalloc(r->n_events, sizeof(**of_event));
	for (i = 0; i < r->n_events; i++)
		(*of_event)[i] = measures[i] != 0;
	free(measures);
	return rc;
}

/* ---- a worker ----------------------------------------------------------------------------- */

static void add_mark(struct mark_reader *w, uint32_t measure, const struct perfdata_record *r,
	const struct perfdata_sample *s, uint32_t event)
{
	struct marks *to = w->marks[measure];
	struct mark mark = {
		.time_ns = s->time_ns,
		.position = r->position,
		.thread = timeline_thread(to->threads, s->pid, s->tid, 0, s->time_ns),
		.stack = MARK_NO_STACK,
		.event = (uint16_t)event,
	};

	marking_add(&w->marking[measure], to, &mark, s, w->pass->recording->strings);
}

static void read_sample(struct mark_reader *w, const struct perfdata_record *r)
{
	struct perfdata_sample s;
	uint32_t event, bits;

	if (!perfdata_sample_event(w->pass->pd, r, &event) || !w->measures[event] ||
		!perfdata_sample_decode(&w->attrs[event], r, &s))
		return; /* pass 2 counts damage */
	for (bits = w->measures[event]; bits; bits &= bits - 1)
		add_mark(w, (uint32_t)__builtin_ctz(bits), r, &s, event);
}

/* A record SWITCH says that a thread is on a CPU again: waits for a CPU need that. */
static void read_switch(struct mark_reader *w, const struct perfdata_record *r)
{
	const struct during *d = during_of(w->pass->opts);
	struct perfdata_switch sw;
	struct perfdata_trailer t;
	struct mark mark = {
		.position = r->position, .stack = MARK_NO_STACK, .event = MARK_SWITCHED_IN
	};
	uint32_t i;

	if (!perfdata_record_decode_switch(w->pass->pd, r, &sw) || sw.out ||
		!perfdata_record_decode_trailer(w->pass->pd, r, &t) || !t.has_time)
		return;
	mark.time_ns = t.time_ns;
	for (i = 0; i < d->n_measures; i++) {
		struct marks *to = w->marks[i];

		if (!d->measures[i].preset || d->measures[i].preset->of != SPANS_OF_RUN_QUEUE)
			continue;
		mark.thread = timeline_thread(to->threads, t.pid, t.tid, 0, t.time_ns);
		marks_add(to, &mark);
	}
}

static void read_record(struct mark_reader *w, const struct perfdata_record *r)
{
	if (r->type == RECORD_SAMPLE)
		read_sample(w, r);
	else if (r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE)
		read_switch(w, r);
}

static int run_reader(void *ctx, unsigned number, struct err *e)
{
	struct mark_reader *w = (struct mark_reader *)ctx + number;
	struct perfdata_block block = { 0 };
	struct perfdata_record r;
	int rc;

	while ((rc = perfdata_pop_block(w->pass->pd, &block, e)) == OK) {
		while (perfdata_block_next(&block, &r))
			read_record(w, &r);
	}
	perfdata_block_release(&block);
	return rc == END ? OK : rc;
}

/* ---- all ---------------------------------------------------------------------------------- */

static struct mark_reader *make_readers(
	const struct pass2 *p, unsigned n, const uint32_t *measures, const struct marking *marking)
{
	struct mark_reader *w = xcalloc(n, sizeof(*w));
	uint32_t n_measures = during_of(p->opts)->n_measures, unused, i;
	unsigned k;

	for (k = 0; k < n; k++) {
		w[k] = (struct mark_reader){ .pass = p,
			.attrs = perfdata_attrs(p->pd, &unused),
			.measures = measures,
			.marking = marking,
			.marks = xcalloc(n_measures, sizeof(struct marks *)) };
		for (i = 0; i < n_measures; i++)
			w[k].marks[i] = marks_new();
	}
	return w;
}

/* Those of one measure, of all workers. */
static struct marks *merge_marks(struct mark_reader *w, unsigned n, uint32_t measure)
{
	struct marks **parts = xcalloc(n, sizeof(*parts)), *all;
	unsigned k;

	for (k = 0; k < n; k++)
		parts[k] = w[k].marks[measure];
	all = marks_merge(parts, n);
	free(parts);
	return all;
}

static int find_times(struct thread_times *inside, const struct pass2 *p, struct mark_reader *w,
	unsigned n, struct err *e)
{
	const struct during *d = during_of(p->opts);
	struct marks **marks = xcalloc(d->n_measures, sizeof(*marks));
	uint32_t i;
	int rc;

	for (i = 0; i < d->n_measures; i++)
		marks[i] = merge_marks(w, n, i);
	rc = during_spans_find(d, p->recording, marks, inside, e);
	free(marks);
	return rc;
}

static int read_marks(struct thread_times *inside, const struct pass2 *p, const uint32_t *measures,
	struct pool *pool, struct err *e)
{
	const struct during *d = during_of(p->opts);
	struct marking *marking = xcalloc(d->n_measures, sizeof(*marking));
	unsigned n = pool_workers(pool), k;
	struct mark_reader *readers;
	uint32_t i;
	int rc;

	for (i = 0; i < d->n_measures; i++)
		marking_init(&marking[i], p->tracing, &d->measures[i].fields);
	readers = make_readers(p, n, measures, marking);
	rc = pool_run(pool, run_reader, readers, e);
	perfdata_rewind(p->pd);
	if (!rc)
		rc = find_times(inside, p, readers, n, e);
	else
		for (k = 0; k < n; k++)
			for (i = 0; i < d->n_measures; i++)
				marks_free(readers[k].marks[i]);
	for (k = 0; k < n; k++)
		free(readers[k].marks);
	free(readers);
	for (i = 0; i < d->n_measures; i++)
		marking_release(&marking[i]);
	free(marking);
	return rc;
}

int span_marks_read(
	struct thread_times *inside, const struct pass2 *p, struct pool *pool, struct err *e)
{
	const struct during *d = during_of(p->opts);
	uint32_t *measures;
	int rc;

	if (!d)
		return OK;
	if (!p->has_times)
		return err_set(e, ERR_UNSUPPORTED,
			"--during needs the times of samples, which the recording does not have");
	measures = xcalloc(p->recording->n_events, sizeof(*measures));
	rc = find_measures(d, p->recording, measures, e);
	if (!rc)
		rc = read_marks(inside, p, measures, pool, e);
	free(measures);
	return rc;
}
