#include "process/callstack/stitch.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"

#include <stdlib.h>

/* What lies outside of a run of frames in a complete stack. */
struct outer {
	uint32_t n;
	site_id sites[];
};

/* The first frames of stacks that were cut off, as a tree for each thread. Node 0 is above all. */
struct node {
	uint64_t thread;
	const struct outer *outer; /* NULL: no complete stack has the run of frames down to here */
	uint32_t parent;
	site_id site;
};

struct grafting {
	const struct recording *recording;
	struct stitch_marks marks;
	struct stacklog *log; /* the one that is being replayed */
	struct diag *diag;
	struct node *nodes;
	uint32_t n_nodes, cap_nodes;
	struct index by_step;
	struct arena outers;
};

/* There are several outer parts, so none is the right one. */
static const struct outer several;

/* ---- the tree ----------------------------------------------------------------------------- */

static uint64_t thread_of(const struct grafting *g, const struct stacklog_entry *s)
{
	const struct root *r = roots_get(g->recording->roots, s->root);

	return (uint64_t)(uint32_t)r->pid << 32 | (uint32_t)r->tid;
}

static uint64_t step_hash(uint64_t thread, uint32_t parent, site_id site)
{
	return hash_pair(thread, (uint64_t)parent << 32 | site);
}

/* 0: none */
static uint32_t find_child(const struct grafting *g, uint64_t thread, uint32_t parent, site_id site)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&g->by_step, step_hash(thread, parent, site), c, i) {
		const struct node *n = &g->nodes[i];

		if (n->thread == thread && n->parent == parent && n->site == site)
			return i;
	}
	return 0;
}

static uint32_t add_child(struct grafting *g, uint64_t thread, uint32_t parent, site_id site)
{
	uint32_t i = find_child(g, thread, parent, site);

	if (i)
		return i;
	ARRAY_GROW(g->nodes, g->n_nodes, g->cap_nodes);
	g->nodes[g->n_nodes] = (struct node){ .thread = thread, .parent = parent, .site = site };
	index_add(&g->by_step, step_hash(thread, parent, site), g->n_nodes);
	return g->n_nodes++;
}

/* ---- stacks that were cut off ------------------------------------------------------------- */

static bool is_cut(const struct grafting *g, const struct stacklog_entry *s)
{
	return s->n && s->sites[0] == g->marks.truncated;
}

/* Where the first frame comes again, the cut went through a recursion of unknown depth. */
static bool is_recursive(const struct stacklog_entry *s)
{
	uint32_t k;

	for (k = 2; k < s->n; k++)
		if (s->sites[k] == s->sites[1])
			return true;
	return false;
}

static int add_run(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct grafting *g = ctx;
	uint64_t thread = thread_of(g, s);
	uint32_t k, node = 0;

	(void)e;
	if (!is_cut(g, s) || is_recursive(s))
		return OK;
	for (k = 1; k < s->n && k <= STITCH_RUN_MAX; k++)
		node = add_child(g, thread, node, s->sites[k]);
	return OK;
}

/* ---- complete stacks ---------------------------------------------------------------------- */

static bool is_outer(const struct outer *o, const site_id *sites, uint32_t n)
{
	return o->n == n && memcmp(o->sites, sites, n * sizeof(*sites)) == 0;
}

static const struct outer *new_outer(struct grafting *g, const site_id *sites, uint32_t n)
{
	struct outer *o = arena_alloc(&g->outers, sizeof(*o) + n * sizeof(*sites));

	o->n = n;
	memcpy(o->sites, sites, n * sizeof(*sites));
	return o;
}

/* Marks all runs that start at frame `from`: the frames before it are their outer part. */
static void mark_runs(
	struct grafting *g, uint64_t thread, const struct stacklog_entry *s, uint32_t from)
{
	const struct outer *mine = NULL;
	uint32_t k, node = 0;

	for (k = from; k < s->n && k - from < STITCH_RUN_MAX; k++) {
		const struct outer **there;

		node = find_child(g, thread, node, s->sites[k]);
		if (!node)
			return;
		there = &g->nodes[node].outer;
		if (*there == &several || (*there && *there == mine))
			continue;
		if (*there && is_outer(*there, s->sites, from))
			mine = *there;
		if (!mine)
			mine = new_outer(g, s->sites, from);
		*there = *there && *there != mine ? &several : mine;
	}
}

static int mark_complete(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct grafting *g = ctx;
	uint64_t thread = thread_of(g, s);
	uint32_t from;

	(void)e;
	if (is_cut(g, s) || (s->n && s->sites[0] == g->marks.unfinished))
		return OK;
	for (from = 1; from < s->n; from++)
		mark_runs(g, thread, s, from);
	return OK;
}

/* ---- joining ------------------------------------------------------------------------------ */

/* The outer part for the longest run that a complete stack has; NULL: there is none, or several. */
static const struct outer *find_outer(const struct grafting *g, const struct stacklog_entry *s)
{
	const struct outer *found = NULL;
	uint64_t thread = thread_of(g, s);
	uint32_t k, node = 0;

	if (is_recursive(s))
		return NULL;
	for (k = 1; k < s->n && k <= STITCH_RUN_MAX; k++) {
		node = find_child(g, thread, node, s->sites[k]);
		if (!g->nodes[node].outer)
			break;
		found = g->nodes[node].outer;
	}
	return found == &several ? NULL : found;
}

static int join(void *ctx, const struct stacklog_entry *s, struct err *e)
{
	struct grafting *g = ctx;
	const struct outer *outer;

	(void)e;
	if (!s->n)
		return OK;
	if (s->sites[0] == g->marks.unfinished) {
		stacklog_stitch(g->log, s->number, NULL, 0);
	} else if (is_cut(g, s)) {
		outer = find_outer(g, s);
		if (outer)
			stacklog_stitch(g->log, s->number, outer->sites, outer->n);
		diag_add(g->diag, outer ? DIAG_STACK_JOINED : DIAG_STACK_NOT_JOINED, s->samples, 0);
	}
	return OK;
}

static void visit_logs(struct grafting *g, stacklog_visit visit)
{
	struct err e;
	unsigned i;

	for (i = 0; i < g->recording->n_logs; i++) {
		g->log = g->recording->logs[i];
		stacklog_replay(g->log, visit, g, &e);
	}
}

void stitch_stacks(struct recording *r, struct stitch_marks marks)
{
	struct grafting g = { .recording = r, .marks = marks, .diag = &r->diag };

	ARRAY_GROW(g.nodes, g.n_nodes, g.cap_nodes);
	g.nodes[g.n_nodes++] = (struct node){ 0 };
	visit_logs(&g, add_run);
	visit_logs(&g, mark_complete);
	visit_logs(&g, join);
	free(g.nodes);
	index_release(&g.by_step);
	arena_release(&g.outers);
}
