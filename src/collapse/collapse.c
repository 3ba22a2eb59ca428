/*
 * collapse.c - the jobs: one log of one recording each
 *
 *	log 0 of r0 ─► job ─ replay.h ─► tree of frames ─┐
 *	log 1 of r0 ─► job ─ replay.h ─► tree of frames ─┼─ finish.h ─► nodes ─► timeline_rows.h
 *	log 0 of r1 ─► job ─ (tree of sites is enough) ──┘
 *
 * A worker pops jobs. When none are left, it replays parts of other logs of its last recording
 * into its own tree (help_others()); where nodes of single stacks are needed, it notes for each
 * part whose tree these are of. A log that is a tree of sites already (folded stacks) is not
 * replayed if every site has one frame: its tree is walked as it is, with the frames in frame_of.
 *
 * The peak of memory is here. Stacks are freed once they are replayed, of which only the counts of
 * sites are kept (drop_replayed()); trees between the two steps of finish.h, and the largest of
 * them gives its memory to the nodes (drop_trees()), which saves page faults.
 *
 * The order of the result is that of displayed names (tree_walk.h), so the number of workers
 * changes no byte. Costs: see replay.c and tree_walk.c; the rest is a pass over events and
 * threads.
 */
#include "collapse/collapse.h"

#include "base/mem.h"
#include "collapse/cells.h"
#include "collapse/code_addresses.h"
#include "collapse/finish.h"
#include "collapse/lost.h"
#include "collapse/replay.h"
#include "collapse/siblings.h"
#include "collapse/timeline_rows.h"
#include "model/site_use.h"

#include <stdlib.h>

/* One log of one recording. */
struct job {
	MEM_APART const struct recording *recording;
	unsigned recording_number, log;
	stack_id n_stacks;
	struct replay replay;
	_Atomic uint32_t next_part, n_parts; /* of the log; 0 until the job has begun */
	uint32_t *node_of_stack;             /* of the log (replay.h); NULL: not needed */
	const struct job **replayed_by; /* by part, with node_of_stack: whose nodes these are */
	/* The log's own tree of sites if that is enough, and the frame of each site. */
	const struct tree *sums;
	frame_id *frame_of;
	node_id *place; /* by node of the replay's tree; NULL: not needed */
};

struct collapsing {
	struct job *job;
	uint32_t n, n_frames; /* frames before workers add their own */
	struct recording *const *recordings;
	unsigned n_recordings;
	const struct collapse_opts *opts;
	struct place_map place_map; /* with opts->places */
	struct place_tally *places; /* by worker */
	unsigned n_workers;
	_Atomic uint32_t next;
};

static struct stacklog *log_of(const struct job *j)
{
	return j->recording->logs[j->log];
}

/* by: j itself, or another job of its recording. */
static int run_parts(struct job *j, struct job *by, struct err *e)
{
	uint32_t n = j->n_parts, part;
	int rc = OK;

	by->replay.node_of_stack = j->node_of_stack;
	while (!rc && n && (part = pool_next(&j->next_part)) < n) {
		if (j->node_of_stack)
			j->replayed_by[part] = by;
		rc = replay_run(&by->replay, log_of(j), part, e);
	}
	return rc;
}

static bool wants_nodes(const struct job *j)
{
	return j->replay.opts->timeline || j->recording->marks;
}

static void begin_parts(struct job *j)
{
	uint32_t n = stacklog_parts(log_of(j));

	if (wants_nodes(j)) {
		j->node_of_stack = xreallocarray(NULL, j->n_stacks, sizeof(*j->node_of_stack));
		j->replayed_by = xcalloc(n, sizeof(*j->replayed_by));
	}
	j->n_parts = n;
}

static int run_job(struct job *j, const struct collapsing *jobs, unsigned worker, struct err *e)
{
	replay_init(&j->replay, j->recording, jobs->n_frames, jobs->opts, &jobs->places[worker]);
	j->frame_of = replay_frames_of_sites(&j->replay, log_of(j));
	if (j->frame_of) {
		j->sums = stacklog_tree(log_of(j));
		return OK;
	}
	begin_parts(j);
	return run_parts(j, j, e);
}

/* Replays parts of other logs into the worker's own tree: some logs are longer than others. */
static int help_others(struct collapsing *jobs, struct job *own, struct err *e)
{
	uint32_t i;
	int rc = OK;

	for (i = 0; i < jobs->n && !rc; i++)
		if (jobs->job[i].recording == own->recording)
			rc = run_parts(&jobs->job[i], own, e);
	return rc;
}

static int run_jobs(void *ctx, unsigned worker, struct err *e)
{
	struct collapsing *jobs = ctx;
	struct job *own = NULL;
	uint32_t i;
	int rc = OK;

	while (!rc && (i = pool_next(&jobs->next)) < jobs->n) {
		own = &jobs->job[i];
		rc = run_job(own, jobs, worker, e);
	}
	if (!rc && own)
		rc = help_others(jobs, own, e);
	return rc;
}

static void jobs_init(struct collapsing *jobs, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, unsigned n_workers)
{
	struct frames *frames = recordings[0]->frames;
	unsigned i, log;
	uint32_t n_logs = 0;

	*jobs = (struct collapsing){ .recordings = recordings,
		.n_recordings = n,
		.opts = o,
		.n_frames = frames_count(frames),
		.n_workers = n_workers };
	jobs->places = xcalloc_apart(n_workers, sizeof(*jobs->places));
	for (i = 0; i < n_workers; i++)
		place_tally_init(&jobs->places[i], frames, &jobs->place_map);
	for (i = 0; i < n; i++)
		n_logs += recordings[i]->n_logs;
	jobs->job = xcalloc_apart(n_logs, sizeof(*jobs->job));
	for (i = 0; i < n; i++) {
		for (log = 0; log < recordings[i]->n_logs; log++) {
			jobs->job[jobs->n++] = (struct job){ .recording = recordings[i],
				.recording_number = i,
				.log = log,
				.n_stacks = stacklog_count(recordings[i]->logs[log]) };
		}
	}
}

static void release_places(struct collapsing *jobs)
{
	unsigned i;

	for (i = 0; i < jobs->n_workers; i++)
		place_tally_release(&jobs->places[i]);
	place_map_release(&jobs->place_map);
}

static void jobs_release(struct collapsing *jobs)
{
	uint32_t i;

	release_places(jobs);
	free(jobs->places);
	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (j->replay.opts)
			replay_release(&j->replay);
		free(j->frame_of);
		free(j->place);
		free(j->node_of_stack);
		free(j->replayed_by);
	}
	free(jobs->job);
}

static void add_lost(struct collapsing *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (j->log == 0)
			lost_add(&j->replay.tree, j->recording, jobs->opts->weight_by_samples);
	}
}

static void add_cells(struct profile *p, struct collapsing *jobs)
{
	struct cells c;
	uint32_t i;

	cells_init(&c, p);
	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		cells_add(&c, j->recording, j->replay.cells, j->replay.n_cells, j->place,
			jobs->opts->weight_by_samples);
	}
	cells_finish(&c);
}

static void move_part(struct job *j, const node_id *place, stack_id from, stack_id end)
{
	uint32_t *node = j->node_of_stack;
	stack_id s;

	for (s = from; s < end; s++)
		if (node[s] != NODE_DROPPED)
			node[s] = place[node[s]];
}

/* Turns node_of_stack from nodes of trees into nodes of the profile. */
static void move_stacks(struct job *j)
{
	uint32_t part;

	for (part = 0; j->node_of_stack && part < j->n_parts; part++) {
		stack_id from = part * STACKLOG_PART_STACKS;
		bool is_last = part + 1 == j->n_parts;

		move_part(j, j->replayed_by[part]->place, from,
			is_last ? j->n_stacks : from + STACKLOG_PART_STACKS);
	}
}

static void add_rows(struct profile *p, struct collapsing *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		const struct recording *r = j->recording;

		if (!r->timelines || !r->timelines[j->log])
			continue;
		move_stacks(j);
		timeline_rows_add(p, r->timelines[j->log], j->recording_number, j->node_of_stack,
			jobs->opts->weight_by_samples);
	}
	if (!jobs->opts->sorts_later)
		collapse_sort_rows(p);
}

static void place_marks(struct collapsing *jobs)
{
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];
		struct marks *marks = j->recording->marks ? j->recording->marks[j->log] : NULL;
		size_t k;

		if (!marks)
			continue;
		move_stacks(j);
		for (k = 0; k < marks->n; k++)
			if (marks->mark[k].stack != MARK_NO_STACK)
				marks->mark[k].stack = j->node_of_stack[marks->mark[k].stack];
	}
}

/* Frees the stacks of recordings whose logs were all replayed. */
static void drop_replayed(struct collapsing *jobs)
{
	uint32_t i, k;

	for (i = 0; i < jobs->n; i = k) {
		struct recording *r = jobs->recordings[jobs->job[i].recording_number];
		bool replayed = true;

		for (k = i; k < jobs->n && jobs->job[k].recording == r; k++)
			replayed &= !jobs->job[k].sums;
		if (replayed)
			site_use_keep(r);
	}
}

/* The trees of all jobs: the job's own, and the log's where that is enough. */
static struct source_tree *list_trees(struct collapsing *jobs, uint32_t *n)
{
	struct source_tree *trees = xcalloc((size_t)jobs->n * 2, sizeof(*trees));
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (wants_nodes(j) || jobs->opts->cells)
			j->place = xcalloc(j->replay.tree.n, sizeof(*j->place));
		trees[(*n)++] = (struct source_tree){ .tree = &j->replay.tree, .place = j->place };
		if (j->sums)
			trees[(*n)++] = (struct source_tree){ .tree = j->sums,
				.frame_of = j->frame_of,
				.n_numbers = sites_count(j->recording->sites),
				.by_samples = jobs->opts->weight_by_samples };
	}
	return trees;
}

static struct tree *larger(struct tree *a, struct tree *b)
{
	return !a || (b && b->cap > a->cap) ? b : a;
}

/* Frees the trees, as far as no places of their nodes are asked for, and stacks that were sums,
 * whose sites are counted already. The memory of the largest tree is returned, for the nodes: its
 * pages are mapped already. */
static void *drop_trees(struct collapsing *jobs)
{
	struct tree *largest = NULL;
	void *room = NULL;
	uint32_t i;

	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (!j->place)
			largest = larger(largest, &j->replay.tree);
		largest = larger(largest, stacklog_tree(log_of(j)));
	}
	if (largest) {
		room = largest->nodes;
		largest->nodes = NULL;
	}
	for (i = 0; i < jobs->n; i++) {
		struct job *j = &jobs->job[i];

		if (!j->place)
			tree_release(&j->replay.tree);
		if (stacklog_tree(log_of(j)))
			stacklog_drop_stacks(log_of(j));
	}
	return room;
}

/* What is done before the places of all frames are known. */
struct placing {
	struct collapsing *jobs;
	struct heavy_frames heavy;
	struct addressed_frames addressed;
};

static void add_addresses(void *ctx)
{
	struct placing *p = ctx;
	const struct collapsing *jobs = p->jobs;

	p->heavy = code_addresses_weigh(
		jobs->recordings, jobs->n_recordings, jobs->n_frames, jobs->opts);
	code_addresses_add(jobs->recordings, jobs->n_recordings, &p->heavy, &p->addressed);
}

static void fill_place_map(void *ctx)
{
	struct collapsing *jobs = ((struct placing *)ctx)->jobs;

	place_map_fill(&jobs->place_map, jobs->recordings[0]->frames, jobs->opts);
}

/* Addresses make frames, which have places, too. */
static void make_places(struct collapsing *jobs, struct pool *pool)
{
	static const struct pool_task tasks[] = { { .run = add_addresses },
		{ .run = fill_place_map } };
	struct placing placing = { .jobs = jobs };

	place_map_want(&jobs->place_map, jobs->recordings, jobs->n_recordings);
	pool_run_tasks(pool, tasks, ARRAY_LEN(tasks), &placing);
	place_map_add_addressed(&jobs->place_map, jobs->recordings[0]->frames, &placing.addressed);
	jobs->n_frames = frames_count(jobs->recordings[0]->frames);
	place_map_lighten(&jobs->place_map, &placing.heavy);
	free(placing.heavy.is);
	free(placing.addressed.frame);
}

static struct profile *make_profile(
	struct collapsing *jobs, const struct recording *first, struct pool *pool)
{
	const struct collapse_opts *o = jobs->opts;
	struct finish_opts finish = { o->by_name, o->weights_only, o->min_percent };
	struct profile *p = xcalloc(1, sizeof(*p));
	struct source_tree *trees;
	struct tree_walk *walked;
	uint32_t n = 0;

	p->frames = first->frames;
	p->strings = first->strings;
	p->annotate = o->annotate;
	p->addresses = o->addresses;
	trees = list_trees(jobs, &n);
	walked = finish_walk(trees, n, p, &finish, pool);
	p->nodes = drop_trees(jobs);
	finish_sum(trees, n, p, walked, &finish, pool);
	free(trees);
	if (o->cells)
		add_cells(p, jobs);
	if (o->timeline)
		add_rows(p, jobs);
	else
		place_marks(jobs);
	return p;
}

/* Sums of which it is assumed that they count samples do so if the user says so. */
static uint8_t sums_of(struct recording *const *recordings, unsigned n, bool weight_by_samples)
{
	uint8_t sums = SUMS_NONE;
	unsigned i;

	for (i = 0; i < n; i++)
		if (recordings[i]->facts.sums > sums)
			sums = recordings[i]->facts.sums;
	return sums == SUMS_ASSUMED && weight_by_samples ? SUMS_OF_SAMPLES : sums;
}

static void describe(struct profile *p, const struct recording *r, bool weight_by_samples)
{
	const struct event *chosen = NULL;
	uint32_t i, n = 0;

	p->unit = recording_unit(r, weight_by_samples);
	p->rows_have_duration = r->rows_have_duration && !weight_by_samples;
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

static bool has_few_stacks(struct recording *const *recordings, unsigned n)
{
	enum { FEW_STACKS = 1 << 16 };
	uint64_t sum = 0;
	unsigned i, log;

	for (i = 0; i < n; i++)
		for (log = 0; log < recordings[i]->n_logs; log++)
			sum += stacklog_count(recordings[i]->logs[log]);
	return sum < FEW_STACKS;
}

void collapse_free(struct collapsing *c)
{
	if (!c)
		return;
	jobs_release(c);
	free(c);
}

int collapse_begin(struct collapsing **out, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o, struct pool *pool, struct err *e)
{
	struct collapsing *c = xcalloc_apart(1, sizeof(*c));
	int rc;

	*out = NULL;
	jobs_init(c, recordings, n, o, pool_workers(pool));
	if (o->places)
		make_places(c, pool);
	rc = pool_run(pool, run_jobs, c, e);
	if (rc) {
		collapse_free(c);
		return rc;
	}
	if (o->lost_frame)
		add_lost(c);
	/* To count the sites of few stacks takes longer than it gains. */
	if (o->places || !has_few_stacks(recordings, n))
		drop_replayed(c);
	*out = c;
	return OK;
}

/* The tallies are as large as what is made of them. */
void collapse_sum_places(struct collapsing *c)
{
	*c->opts->places = place_tally_finish(c->places, c->n_workers);
	release_places(c);
}

bool collapse_makes_alone(const struct collapsing *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		if (!wants_nodes(&c->job[i]) && !c->opts->cells)
			return false;
	return true;
}

const struct tree **collapse_list_trees(const struct collapsing *c, uint32_t *n)
{
	const struct tree **trees = xcalloc((size_t)c->n + 1, sizeof(*trees));
	uint32_t i;

	for (i = 0; i < c->n; i++)
		trees[i] = &c->job[i].replay.tree;
	*n = c->n;
	return trees;
}

struct profile *collapse_make(struct collapsing *c, struct pool *pool)
{
	const struct collapse_opts *o = c->opts;
	struct recording *const *recordings = c->recordings;
	struct profile *p = make_profile(c, recordings[0], pool);

	describe(p, recordings[0], o->weight_by_samples);
	p->sums = sums_of(recordings, c->n_recordings, o->weight_by_samples);
	return p;
}

void collapse_sort_rows(struct profile *p)
{
	timeline_rows_finish(p);
}

/* A stack that ended at node i of the rows' profile ends at place[i] here. */
static void place_rows(struct profile *p, const node_id *place)
{
	size_t row;

	for (row = 0; row < p->n_rows; row++)
		p->rows[row].stack = place[p->rows[row].stack];
}

static void copy_rows(struct profile *p, const struct profile *full)
{
	p->n_threads = full->n_threads;
	if (full->n_threads)
		p->threads = xmemdup(full->threads, full->n_threads * sizeof(*p->threads));
	p->n_rows = full->n_rows;
	if (full->n_rows)
		p->rows = xmemdup(full->rows, full->n_rows * sizeof(*p->rows));
}

/* What nodes and rows do not say. */
static struct profile *copy_facts(const struct profile *full)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	*p = *full;
	p->nodes = NULL;
	p->samples = NULL;
	p->rows = NULL;
	p->n_rows = 0;
	p->threads = NULL;
	p->n_threads = 0;
	p->cells = NULL;
	p->n_cells = 0;
	p->keys = NULL;
	p->n_keys = 0;
	return p;
}

/* A frame as it is in the tree that is made. */
typedef frame_id frame_change(struct frames *frames, frame_id frame);

/* By number, what each frame that a node has becomes. */
static frame_id *change_frames(const struct profile *full, frame_change *change)
{
	frame_id *to = xcalloc(frames_count(full->frames), sizeof(*to));
	node_id i;

	for (i = 1; i < full->n_nodes; i++) {
		frame_id frame = full->nodes[i].frame;

		if (!to[frame])
			to[frame] = change(full->frames, frame);
	}
	return to;
}

/* A profile without rows whose frames are those of full, changed; siblings that become equal are
 * merged. *places: of each node of full; to be freed. */
static struct profile *remake_nodes(
	const struct profile *full, frame_change *change, node_id **places)
{
	const struct finish_opts o = { .weights_only = !full->samples };
	struct profile *p = copy_facts(full);
	node_id *grown = xcalloc(full->n_nodes, sizeof(*grown)), *place, i;
	frame_id *to = change_frames(full, change);
	struct tree t;
	struct source_tree g = { .tree = &t };

	p->max_depth = 0;
	tree_init(&t);
	for (i = 0; i < full->n_nodes; i++) {
		const struct node *n = &full->nodes[i];
		uint64_t samples = profile_samples(full, i).self;

		grown[i] = i ? tree_child(&t, grown[n->parent], to[n->frame]) : 0;
		if (n->self || samples)
			tree_add(&t, grown[i], n->self, samples);
	}
	g.place = place = xcalloc(t.n, sizeof(*place));
	finish_trees(&g, 1, p, &o);
	for (i = 0; i < full->n_nodes; i++)
		grown[i] = place[grown[i]];
	p->n_samples = full->n_samples; /* nodes of full may not have theirs */
	free(place);
	free(to);
	tree_release(&t);
	*places = grown;
	return p;
}

static struct profile *remake(const struct profile *full, frame_change *change)
{
	node_id *places;
	struct profile *p = remake_nodes(full, change, &places);

	copy_rows(p, full);
	place_rows(p, places);
	cells_copy(p, full, places);
	free(places);
	return p;
}

struct profile *collapse_by_name(const struct profile *full, bool with_rows)
{
	struct profile *p = copy_facts(full);
	node_id *places;

	p->nodes = xmemdup(full->nodes, full->n_nodes * sizeof(*p->nodes));
	if (full->samples)
		p->samples = xmemdup(full->samples, full->n_nodes * sizeof(*p->samples));
	places = siblings_merge(p);
	if (with_rows) {
		copy_rows(p, full);
		place_rows(p, places);
		cells_copy(p, full, places);
	}
	free(places);
	return p;
}

struct profile *collapse_without_lines(const struct profile *full)
{
	return remake(full, frames_without_line);
}

struct profile *collapse_without_addresses(const struct profile *full)
{
	return remake(full, frames_without_address);
}
