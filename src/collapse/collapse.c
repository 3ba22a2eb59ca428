#include "collapse/collapse.h"

#include "base/mem.h"
#include "collapse/finish.h"
#include "collapse/replay.h"
#include "collapse/rows.h"

#include <math.h>
#include <stdlib.h>

/* One log of one recording: the unit of work. */
struct job {
	const struct recording *recording;
	unsigned recording_number, log;
	struct replay replay;
	uint32_t *merged; /* with a timeline: node of the whole tree for each of the job's tree */
};

struct jobs {
	struct job *job;
	uint32_t n;
	const struct collapse_opts *opts;
	_Atomic uint32_t next;
};

static int run_jobs(void *ctx, unsigned worker, struct err *e)
{
	struct jobs *jobs = ctx;
	uint32_t i;

	(void)worker;
	while ((i = pool_take(&jobs->next)) < jobs->n) {
		struct job *j = &jobs->job[i];

		replay_init(&j->replay, j->recording, jobs->opts);
		if (replay_run(&j->replay, j->recording->logs[j->log], e))
			return e->code;
	}
	return OK;
}

static void jobs_init(struct jobs *jobs, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o)
{
	unsigned i, log;
	uint32_t cap = 0;

	*jobs = (struct jobs){ .opts = o };
	for (i = 0; i < n; i++) {
		for (log = 0; log < recordings[i]->n_logs; log++) {
			ARRAY_GROW(jobs->job, jobs->n, cap);
			jobs->job[jobs->n++] = (struct job){ .recording = recordings[i],
				.recording_number = i,
				.log = log };
		}
	}
}

static void jobs_release(struct jobs *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		if (jobs->job[i].replay.opts)
			replay_release(&jobs->job[i].replay);
		free(jobs->job[i].merged);
	}
	free(jobs->job);
}

static void merge_jobs(struct jobs *jobs, struct tree *whole)
{
	uint32_t i;

	tree_init(whole);
	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (jobs->opts->timeline)
			j->merged = xcalloc(j->replay.tree.n, sizeof(*j->merged));
		tree_merge(whole, &j->replay.tree, j->merged);
		index_release(&j->replay.tree.by_child); /* the large part, no longer needed */
	}
}

static void add_rows(struct profile *p, const struct jobs *jobs, const node_id *place)
{
	uint32_t i;
	stack_no s;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		const struct recording *r = j->recording;
		node_id *node = j->replay.node_of_stack;

		if (!r->timelines || !r->timelines[j->log])
			continue;
		for (s = 0; s < stacklog_count(r->logs[j->log]); s++)
			if (node[s] != NODE_DROPPED)
				node[s] = place[j->merged[node[s]]];
		rows_add(p, r->timelines[j->log], j->recording_number, node,
			jobs->opts->weight_by_samples);
	}
	rows_finish(p);
}

static uint64_t tree_weight(const struct tree *t)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		sum += t->nodes[i].self;
	return sum;
}

static struct profile *make_profile(const struct jobs *jobs, const struct tree *whole,
	const struct recording *first)
{
	const struct collapse_opts *o = jobs->opts;
	struct profile *p = xcalloc(1, sizeof(*p));
	node_id *place = o->timeline ? xcalloc(whole->n, sizeof(*place)) : NULL;
	uint64_t min_weight =
		(uint64_t)ceil((double)tree_weight(whole) * o->min_percent / 100.0);

	p->frames = first->frames;
	p->strings = first->strings;
	p->annotate = o->annotate;
	p->addresses = o->addresses;
	tree_finish(whole, p, min_weight, place);
	if (o->timeline)
		add_rows(p, jobs, place);
	free(place);
	return p;
}

static void describe(struct profile *p, const struct recording *r, bool weight_by_samples)
{
	const struct event *chosen = NULL;
	uint32_t i, n = 0;

	p->unit = recording_unit(r, weight_by_samples);
	for (i = 0; i < r->n_events; i++) {
		if (r->events[i].chosen && r->events[i].samples) {
			chosen = &r->events[i];
			n++;
		}
	}
	if (n != 1)
		return;
	p->event = chosen->name;
	if (chosen->frequency_hz)
		p->period_ns = 1000000000 / chosen->frequency_hz;
	else if (chosen->time_ns_unit)
		p->period_ns = chosen->period;
	p->period = weight_by_samples	? 1 :
		    chosen->time_ns_unit ? p->period_ns :
					   chosen->period;
}

int collapse(struct profile **out, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, struct pool *pool, struct err *e)
{
	struct jobs jobs;
	struct tree whole;

	*out = NULL;
	jobs_init(&jobs, recordings, n, o);
	if (!pool_run(pool, run_jobs, &jobs, e)) {
		merge_jobs(&jobs, &whole);
		*out = make_profile(&jobs, &whole, recordings[0]);
		describe(*out, recordings[0], o->weight_by_samples);
		tree_release(&whole);
	}
	jobs_release(&jobs);
	return *out ? OK : e->code;
}

struct profile *collapse_by_name(const struct profile *full)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	uint32_t *node = xcalloc(full->n_nodes, sizeof(*node)), i;
	node_id *place;
	struct frame_ranks ranks;
	struct tree names, t;
	size_t row;

	*p = *full;
	p->nodes = NULL;
	p->max_depth = 0;
	p->rows = NULL;
	p->threads = NULL;

	tree_init(&names);
	for (i = 1; i < full->n_nodes; i++)
		tree_child(&names, 0, full->nodes[i].frame);
	frame_ranks_init(&ranks, full, &names);
	tree_release(&names);

	tree_init(&t);
	for (i = 0; i < full->n_nodes; i++) {
		const struct node *n = &full->nodes[i];

		node[i] = i ? tree_child(&t, node[n->parent], ranks.alike[n->frame]) : 0;
		tree_count(&t, node[i], n->self, n->self_samples);
	}
	place = xcalloc(t.n, sizeof(*place));
	tree_finish_ranked(&t, p, 0, &ranks, place);

	if (full->n_threads)
		p->threads = xmemdup(full->threads, full->n_threads * sizeof(*p->threads));
	if (full->n_rows)
		p->rows = xmemdup(full->rows, full->n_rows * sizeof(*p->rows));
	for (row = 0; row < full->n_rows; row++)
		p->rows[row].stack = place[node[full->rows[row].stack]];
	free(node);
	free(place);
	frame_ranks_release(&ranks);
	tree_release(&t);
	return p;
}
