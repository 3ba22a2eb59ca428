#include "collapse/collapse.h"

#include "base/mem.h"
#include "collapse/finish.h"
#include "collapse/lost.h"
#include "collapse/replay.h"
#include "collapse/rows.h"

#include <stdlib.h>

/* One log of one recording: the unit of work. */
struct job {
	const struct recording *recording;
	unsigned recording_number, log;
	struct replay replay;
};

struct jobs {
	struct job *job;
	uint32_t n;
	const struct collapse_opts *opts;
	const frame_id *alike; /* by frame_id: the frame that stands for all of that name */
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
			jobs->job[jobs->n++] = (struct job){
				.recording = recordings[i], .recording_number = i, .log = log
			};
		}
	}
}

static void jobs_release(struct jobs *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		if (jobs->job[i].replay.opts)
			replay_release(&jobs->job[i].replay);
	}
	free(jobs->job);
}

static void add_lost(struct jobs *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (j->log == 0)
			lost_add(&j->replay.tree, j->recording, jobs->opts->weight_by_samples);
	}
}

static void move_stacks(struct job *j, const uint32_t *map)
{
	stack_no s, n = stacklog_count(j->recording->logs[j->log]);
	uint32_t *node = j->replay.node_of_stack;

	for (s = 0; node && s < n; s++)
		if (node[s] != NODE_DROPPED)
			node[s] = map[node[s]];
}

/* The job's tree by name: each worker does its own, before the trees are merged. */
static int name_jobs(void *ctx, unsigned worker, struct err *e)
{
	struct jobs *jobs = ctx;
	uint32_t i;

	(void)worker;
	(void)e;
	while ((i = pool_take(&jobs->next)) < jobs->n) {
		struct job *j = &jobs->job[i];
		uint32_t *map = xcalloc(j->replay.tree.n, sizeof(*map));
		struct tree named;

		tree_init(&named);
		tree_merge(&named, &j->replay.tree, jobs->alike, map);
		move_stacks(j, map);
		tree_release(&j->replay.tree);
		j->replay.tree = named;
		free(map);
	}
	return OK;
}

/* The first tree is the one that the others go into. */
static void merge_jobs(struct jobs *jobs, struct tree *whole)
{
	uint32_t i;

	*whole = jobs->job[0].replay.tree;
	jobs->job[0].replay.tree = (struct tree){ 0 };
	for (i = 1; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		uint32_t *map = xcalloc(j->replay.tree.n, sizeof(*map));

		tree_merge(whole, &j->replay.tree, NULL, map);
		move_stacks(j, map);
		tree_release(&j->replay.tree);
		free(map);
	}
}

static void add_rows(struct profile *p, struct jobs *jobs, const node_id *place)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		const struct recording *r = j->recording;

		if (!r->timelines || !r->timelines[j->log])
			continue;
		move_stacks(j, place);
		rows_add(p, r->timelines[j->log], j->recording_number, j->replay.node_of_stack,
			jobs->opts->weight_by_samples);
	}
	rows_finish(p);
}

static void place_marks(struct jobs *jobs, const node_id *place)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		struct marks *marks = j->recording->marks ? j->recording->marks[j->log] : NULL;
		size_t k;

		if (!marks)
			continue;
		move_stacks(j, place);
		for (k = 0; k < marks->n; k++)
			marks->mark[k].stack = j->replay.node_of_stack[marks->mark[k].stack];
	}
}

static void rank_frames(struct frame_ranks *ranks, const struct jobs *jobs, const struct profile *p)
{
	const struct tree **trees = xcalloc(jobs->n, sizeof(*trees));
	uint32_t i;

	for (i = 0; i < jobs->n; i++)
		trees[i] = &jobs->job[i].replay.tree;
	frame_ranks_init(ranks, p, trees, jobs->n);
	free(trees);
}

static int make_profile(struct profile **out, struct jobs *jobs, const struct recording *first,
	struct pool *pool, struct err *e)
{
	const struct collapse_opts *o = jobs->opts;
	struct profile *p = xcalloc(1, sizeof(*p));
	struct frame_ranks ranks;
	struct tree whole;
	uint64_t min_weight;
	node_id *place;
	int rc = OK;

	p->frames = first->frames;
	p->strings = first->strings;
	p->annotate = o->annotate;
	p->addresses = o->addresses;
	rank_frames(&ranks, jobs, p);
	if (o->by_name && ranks.twins) {
		jobs->alike = ranks.alike;
		jobs->next = 0;
		rc = pool_run(pool, name_jobs, jobs, e);
	}
	merge_jobs(jobs, &whole);
	min_weight = tree_least(&whole, o->min_percent);
	place = xcalloc(whole.n, sizeof(*place));
	tree_finish_ranked(&whole, p, min_weight, &ranks, place);
	if (o->timeline)
		add_rows(p, jobs, place);
	else
		place_marks(jobs, place);
	free(place);
	tree_release(&whole);
	frame_ranks_release(&ranks);
	*out = p;
	return rc;
}

static void describe(struct profile *p, const struct recording *r, bool weight_by_samples)
{
	const struct event *chosen = NULL;
	uint32_t i, n = 0;

	p->unit = recording_unit(r, weight_by_samples);
	p->rows_last = r->rows_last && !weight_by_samples;
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
	p->period = weight_by_samples ? 1 : chosen->time_ns_unit ? p->period_ns : chosen->period;
}

int collapse(struct profile **out, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, struct pool *pool, struct err *e)
{
	struct jobs jobs;
	int rc;

	*out = NULL;
	jobs_init(&jobs, recordings, n, o);
	rc = pool_run(pool, run_jobs, &jobs, e);
	if (!rc && o->lost_frame)
		add_lost(&jobs);
	if (!rc)
		rc = make_profile(out, &jobs, recordings[0], pool, e);
	if (*out)
		describe(*out, recordings[0], o->weight_by_samples);
	jobs_release(&jobs);
	return rc;
}

/* Node i of the full tree is place[node[i]]. */
static void copy_rows(
	struct profile *p, const struct profile *full, const uint32_t *node, const node_id *place)
{
	size_t row;

	p->n_threads = full->n_threads;
	if (full->n_threads)
		p->threads = xmemdup(full->threads, full->n_threads * sizeof(*p->threads));
	p->n_rows = full->n_rows;
	if (full->n_rows)
		p->rows = xmemdup(full->rows, full->n_rows * sizeof(*p->rows));
	for (row = 0; row < full->n_rows; row++)
		p->rows[row].stack = place[node[full->rows[row].stack]];
}

struct profile *collapse_by_name(const struct profile *full, bool with_rows)
{
	struct profile *p = xcalloc(1, sizeof(*p));
	uint32_t *node = xcalloc(full->n_nodes, sizeof(*node)), i;
	node_id *place;
	struct frame_ranks ranks;
	struct tree names, t;
	const struct tree *one = &names;

	*p = *full;
	p->nodes = NULL;
	p->max_depth = 0;
	p->rows = NULL;
	p->n_rows = 0;
	p->threads = NULL;
	p->n_threads = 0;

	tree_init(&names);
	for (i = 1; i < full->n_nodes; i++)
		tree_child(&names, 0, full->nodes[i].frame);
	frame_ranks_init(&ranks, full, &one, 1);
	tree_release(&names);

	tree_init(&t);
	for (i = 0; i < full->n_nodes; i++) {
		const struct node *n = &full->nodes[i];

		node[i] = i ? tree_child(&t, node[n->parent], ranks.alike[n->frame]) : 0;
		tree_count(&t, node[i], n->self, n->self_samples);
	}
	place = xcalloc(t.n, sizeof(*place));
	tree_finish_ranked(&t, p, 0, &ranks, place);

	if (with_rows)
		copy_rows(p, full, node, place);
	free(node);
	free(place);
	frame_ranks_release(&ranks);
	tree_release(&t);
	return p;
}
