/*
 * The rule is in stitch.h. It is applied without comparing stacks in pairs, in three replays of all
 * logs:
 *
 *	add_run		The first STITCH_RUN_MAX frames of each truncated stack go into a trie, one
 *			for each thread: a node is the run of frames down to it.
 *	mark_complete	A complete stack walks the trie from each of its frames. Each node that it
 *			reaches gets what is outside of the first frame of the walk, its outer
 *			part. A node with two different outer parts is marked `several`.
 *	join		A truncated stack walks its own nodes; the deepest that has an outer part
 *			is the longest match and gives it, unless it is `several`.
 *
 *	complete	main  loop  handle  read	trie: handle ── read ── memcpy
 *	truncated	            handle  read  memcpy	      outer part of both: main, loop
 *
 * All nodes are in one array and found by a hash of (thread, parent, site), so nothing recurses.
 * Cost: for each frame of a complete stack as many steps as its match is long, which is mostly
 * none.
 */
#include "process/callstack/stitch.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"

#include <stdlib.h>

/* The frames outside of a run of frames in a complete stack. */
struct outer {
	uint32_t n;
	site_id sites[];
};

/* A trie of the first frames of truncated stacks, for each thread. Node 0 is the root of all. */
struct stitch_node {
	uint64_t thread;
	const struct outer *outer; /* NULL: no complete stack has the run of frames down to here */
	uint32_t parent;
	site_id site;
};

struct stitching {
	const struct recording *recording;
	struct stitch_marks marks;
	struct stacklog *log; /* the one that is being replayed */
	struct diag *diag;
	struct stitch_node *nodes;
	uint32_t n_nodes, cap_nodes;
	struct index by_step;
	struct arena outer_parts;
};

/* There are several outer parts, so none is the right one. */
static const struct outer several;

/* ---- the trie ----------------------------------------------------------------------------- */

static uint64_t thread_of(const struct stitching *g, const struct stacklog_entry *s)
{
	const struct root *r = roots_get(g->recording->roots, s->root);

	return (uint64_t)(uint32_t)r->pid << 32 | (uint32_t)r->tid;
}

static uint64_t step_hash(uint64_t thread, uint32_t parent, site_id site)
{
	return hash_pair(thread, (uint64_t)parent << 32 | site);
}

/* 0: none */
static uint32_t find_child(
	const struct stitching *g, uint64_t thread, uint32_t parent, site_id site)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&g->by_step, step_hash(thread, parent, site), c, i) {
		const struct stitch_node *n = &g->nodes[i];

		if (n->thread == thread && n->parent == parent && n->site == site)
			return i;
	}
	return 0;
}

static uint32_t add_child(struct stitching *g, uint64_t thread, uint32_t parent, site_id site)
{
	uint32_t i = find_child(g, thread, parent, site);

	if (i)
		return i;
	ARRAY_GROW(g->nodes, g->n_nodes, g->cap_nodes);
	g->nodes[g->n_nodes] =
		(struct stitch_node){ .thread = thread, .parent = parent, .site = site };
	index_add(&g->by_step, step_hash(thread, parent, site), g->n_nodes);
	return g->n_nodes++;
}

/* ---- truncated stacks --------------------------------------------------------------------- */

static bool is_cut(const struct stitching *g, const struct stacklog_entry *s)
{
	return s->n && s->sites[0] == g->marks.truncated;
}

/* If the first frame occurs again, the stack was cut in a recursion of unknown depth. */
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
	struct stitching *g = ctx;
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

static const struct outer *new_outer(struct stitching *g, const site_id *sites, uint32_t n)
{
	struct outer *o = arena_alloc(&g->outer_parts, sizeof(*o) + n * sizeof(*sites));

	o->n = n;
	memcpy(o->sites, sites, n * sizeof(*sites));
	return o;
}

/* Marks all runs that start at frame `from`: the frames before it are their outer part. */
static void mark_runs(
	struct stitching *g, uint64_t thread, const struct stacklog_entry *s, uint32_t from)
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
	struct stitching *g = ctx;
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
static const struct outer *find_outer(const struct stitching *g, const struct stacklog_entry *s)
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
	struct stitching *g = ctx;
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

static void visit_logs(struct stitching *g, stacklog_visit visit)
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
	struct stitching g = { .recording = r, .marks = marks, .diag = &r->diag };

	ARRAY_GROW(g.nodes, g.n_nodes, g.cap_nodes);
	g.nodes[g.n_nodes++] = (struct stitch_node){ 0 };
	visit_logs(&g, add_run);
	visit_logs(&g, mark_complete);
	visit_logs(&g, join);
	free(g.nodes);
	index_release(&g.by_step);
	arena_release(&g.outer_parts);
}
