#include "collapse/tree_walk.h"

#include "base/mem.h"
#include "base/prefetch.h"
#include "base/saturated.h"

#include <stdlib.h>

/* A tree that is walked; by its numbers: the frame each stands for, and its rank. */
struct wood {
	const struct tree *tree;
	uint32_t *rank;
	frame_id *frame;
	uint32_t *size; /* by node: how many nodes its subtree has; while stretches are cut */
	node_id *place;
	bool by_samples;
};

struct woods {
	struct wood *at;
	uint32_t n;
	const struct source_tree *trees;
	const struct profile *p;
	bool by_name, measured;
	struct ranks ranks;
	_Atomic uint32_t next;
};

/* ---- what is asked for at each node, in advance ------------------------------------------- */

static void measure(struct wood *w)
{
	const struct tree *t = w->tree;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		w->size[i] = 1;
	for (i = t->n; --i > 0;)
		w->size[t->nodes[i].parent] += w->size[i];
}

/* One worker ranks frames, which takes as long as measuring a million nodes. */
static int rank_and_measure(void *ctx, unsigned worker, struct err *e)
{
	struct woods *w = ctx;
	uint32_t i;

	(void)worker;
	(void)e;
	while ((i = pool_next(&w->next)) <= w->n) {
		if (!i)
			ranks_init(&w->ranks, w->trees, w->n, w->p, w->by_name);
		else if (w->measured)
			measure(&w->at[i - 1]);
	}
	return OK;
}

static void number_frames(
	struct wood *to, const struct source_tree *g, const struct ranks *r, uint32_t n)
{
	uint32_t i;

	to->rank = xreallocarray(NULL, n, sizeof(*to->rank));
	to->frame = xreallocarray(NULL, n, sizeof(*to->frame));
	for (i = 0; i < n; i++) {
		to->rank[i] = r->rank[ranks_frame_of(g, i)];
		to->frame[i] = r->frame[to->rank[i]];
	}
}

/* Sizes, one for each node, are no longer needed once there are seeds: they lie where seeds
 * will. */
static void woods_init(struct woods *w, void *room, struct pool *pool)
{
	uint32_t frames = frames_count(w->p->frames), *size = room, i;
	struct err e;

	w->at = xcalloc(w->n, sizeof(*w->at));
	w->measured = pool && pool_workers(pool) > 1;
	for (i = 0; i < w->n; i++) {
		const struct source_tree *g = &w->trees[i];

		w->at[i] = (struct wood){ .tree = g->tree,
			.size = size,
			.place = g->place,
			.by_samples = g->by_samples };
		size += g->tree->n;
		/* The number of a seed is its place only as long as there are no gaps. */
		w->measured &= !g->place;
	}
	pool_run(pool, rank_and_measure, w, &e);
	for (i = 0; i < w->n; i++)
		number_frames(&w->at[i], &w->trees[i], &w->ranks,
			w->trees[i].frame_of ? w->trees[i].n_numbers : frames);
}

static void woods_release(struct woods *w)
{
	uint32_t i;

	for (i = 0; i < w->n; i++) {
		free(w->at[i].rank);
		free(w->at[i].frame);
	}
	free(w->at);
	ranks_release(&w->ranks);
}

/* ---- items -------------------------------------------------------------------------------- */

static void items_add(struct walk_items *l, struct walk_item it)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = it;
}

static void items_release(struct walk_items *l)
{
	free(l->at);
	*l = (struct walk_items){ 0 };
}

/* By one byte of their ranks, the highest first; equal ones keep their order. */
static void sort_by_byte(
	struct walk_item *to, const struct walk_item *from, size_t n, unsigned shift)
{
	size_t place[257] = { 0 }, i;

	for (i = 0; i < n; i++)
		place[256 - (from[i].rank >> shift & 255)]++;
	for (i = 1; i < 257; i++)
		place[i] += place[i - 1];
	for (i = 0; i < n; i++)
		to[place[255 - (from[i].rank >> shift & 255)]++] = from[i];
}

static void sort_many(struct walk_item *at, size_t n, struct walk_items *scratch)
{
	uint32_t bits = 0;
	unsigned shift;
	size_t i;

	ARRAY_RESERVE(scratch->at, n, scratch->cap);
	for (i = 0; i < n; i++)
		bits |= at[i].rank;
	for (shift = 0; shift < 32 && bits >> shift; shift += 16) {
		sort_by_byte(scratch->at, at, n, shift);
		sort_by_byte(at, scratch->at, n, shift + 8);
	}
}

/* The highest rank first. Most nodes have one child, and nearly all others have few. */
static void items_sort(struct walk_item *at, size_t n, struct walk_items *scratch)
{
	enum { FEW = 24 };
	size_t i, k;

	if (n > FEW) {
		sort_many(at, n, scratch);
		return;
	}
	for (i = 1; i < n; i++) {
		struct walk_item it = at[i];

		for (k = i; k && at[k - 1].rank < it.rank; k--)
			at[k] = at[k - 1];
		at[k] = it;
	}
}

/* ---- one stretch -------------------------------------------------------------------------- */

struct walker {
	const struct woods *woods;
	struct walk_segment *to;
	struct walk_items
		todo; /* the next one is at the end; items that become one node lie together */
	struct walk_items group, scratch;
};

static void walker_release(struct walker *w)
{
	items_release(&w->todo);
	items_release(&w->group);
	items_release(&w->scratch);
}

/* Takes the next node's items from the end of the list. Items of one depth that lie next to one
 * another have the same parent. */
static void take_group(struct walker *w)
{
	struct walk_items *todo = &w->todo;
	struct walk_item first = todo->at[--todo->n];

	w->group.n = 0;
	items_add(&w->group, first);
	while (todo->n && todo->at[todo->n - 1].rank == first.rank &&
		todo->at[todo->n - 1].depth == first.depth)
		items_add(&w->group, todo->at[--todo->n]);
}

static void put_sum(struct walk_segment *s, const struct wood *wood, uint32_t sum)
{
	struct tree_sum own = wood->tree->sums[sum];
	struct walk_seed *seed = &s->seeds[s->n - 1];
	struct tree_sum *to;

	if (!seed->weighs) {
		ARRAY_GROW(s->sums, s->n_sums, s->cap_sums);
		s->sums[s->n_sums++] = (struct tree_sum){ 0 };
		seed->weighs = true;
	}
	to = &s->sums[s->n_sums - 1];
	to->weight = saturated_add(to->weight, wood->by_samples ? own.samples : own.weight);
	to->samples = saturated_add(to->samples, own.samples);
}

static void put_seed(struct walker *w)
{
	const struct walk_item *it = &w->group.at[0], *end = it + w->group.n;
	struct walk_segment *s = w->to;
	const struct wood *wood = &w->woods->at[it->tree];

	s->seeds[s->n++] =
		(struct walk_seed){ .frame = wood->frame[wood->tree->nodes[it->node].what],
			.depth = it->depth };
	for (; it < end; it++) {
		wood = &w->woods->at[it->tree];
		if (wood->tree->nodes[it->node].sum)
			put_sum(s, wood, wood->tree->nodes[it->node].sum);
		if (wood->place)
			wood->place[it->node] = s->n - 1;
	}
}

/* The group's only item steps to its only child: most nodes have just one. */
static bool step_to_only_child(struct walker *w)
{
	struct walk_item *it = &w->group.at[0];
	const struct tree_node *nodes = w->woods->at[it->tree].tree->nodes;
	uint32_t child = nodes[it->node].child;

	if (w->group.n != 1 || !child || nodes[child].next)
		return false;
	it->node = child;
	it->depth++;
	return true;
}

/* Prefetches what a child weighs, before its turn comes. */
static void push_children(struct walker *w)
{
	size_t before = w->todo.n, i;

	for (i = 0; i < w->group.n; i++) {
		const struct walk_item *it = &w->group.at[i];
		const struct wood *wood = &w->woods->at[it->tree];
		const struct tree_node *nodes = wood->tree->nodes;
		uint32_t c;

		for (c = nodes[it->node].child; c; c = nodes[c].next) {
			prefetch(&wood->tree->sums[nodes[c].sum]);
			items_add(&w->todo, (struct walk_item){ wood->rank[nodes[c].what],
						    it->depth + 1, it->tree, c });
		}
	}
	items_sort(w->todo.at + before, w->todo.n - before, &w->scratch);
}

static void walk_stretch(struct walker *w, struct walk_segment *s)
{
	w->to = s;
	items_release(&w->todo);
	w->todo = s->todo;
	s->todo = (struct walk_items){ 0 };
	while (w->todo.n) {
		take_group(w);
		do
			put_seed(w);
		while (step_to_only_child(w));
		push_children(w);
	}
}

/* ---- cutting into stretches --------------------------------------------------------------- */

struct cutter {
	struct tree_walk *to;
	struct walker walker;
	uint32_t limit; /* nodes of a stretch */
	size_t place;   /* in the seeds: of what comes next */
};

static struct walk_segment *new_stretch(struct cutter *c, bool large)
{
	struct tree_walk *to = c->to;

	ARRAY_GROW(to->stretch, to->n, to->cap);
	to->stretch[to->n] = (struct walk_segment){ .large = large,
		.seeds = large ? NULL : to->seeds + c->place };
	return &to->stretch[to->n++];
}

static uint32_t group_size(const struct walker *w)
{
	uint32_t size = 0;
	size_t i;

	for (i = 0; i < w->group.n; i++)
		size += w->woods->at[w->group.at[i].tree].size[w->group.at[i].node];
	return size;
}

/* The latest stretch if it is of that kind and has room for size more nodes, else a new one. */
static struct walk_segment *stretch_for(struct cutter *c, bool large, uint32_t size)
{
	struct walk_segment *s = c->to->n ? &c->to->stretch[c->to->n - 1] : NULL;

	if (!s || s->large != large || (!large && size > c->limit - s->most))
		s = new_stretch(c, large);
	s->most += size;
	if (large)
		ARRAY_GROW(s->seeds, s->n, s->cap_large);
	else
		c->place += size;
	return s;
}

static void cut_group(struct cutter *c)
{
	struct walker *w = &c->walker;
	uint32_t size = group_size(w);
	struct walk_segment *s;
	size_t i;

	if (size > c->limit) {
		w->to = stretch_for(c, true, 1);
		put_seed(w);
		push_children(w);
		return;
	}
	s = stretch_for(c, false, size);
	for (i = 0; i < w->group.n; i++)
		items_add(&s->todo, w->group.at[i]);
}

static void turn_round(struct walk_items *l)
{
	size_t i;

	for (i = 0; i < l->n / 2; i++) {
		struct walk_item it = l->at[i];

		l->at[i] = l->at[l->n - 1 - i];
		l->at[l->n - 1 - i] = it;
	}
}

/* Makes several stretches for each worker, as nobody knows how long one takes. */
static void cut(struct tree_walk *to, const struct woods *woods, size_t most, struct pool *pool)
{
	enum { FOR_EACH = 16, LEAST = 1024 };
	struct cutter c = { .to = to, .walker = { .woods = woods } };
	uint32_t i;

	for (i = woods->n; i-- > 0;)
		items_add(&c.walker.todo,
			(struct walk_item){ .rank = woods->ranks.rank[0], .tree = i });
	if (!woods->measured) {
		new_stretch(&c, false)->todo = c.walker.todo;
		return;
	}
	c.limit = (uint32_t)(most / pool_workers(pool) / FOR_EACH) + LEAST;
	while (c.walker.todo.n) {
		take_group(&c.walker);
		cut_group(&c);
	}
	for (i = 0; i < to->n; i++)
		turn_round(&to->stretch[i].todo);
	walker_release(&c.walker);
}

/* ---- all ---------------------------------------------------------------------------------- */

struct walking {
	const struct woods *woods;
	struct tree_walk *to;
	_Atomic uint32_t next;
};

static int walk_stretches(void *ctx, unsigned worker, struct err *e)
{
	struct walking *all = ctx;
	struct walker w = { .woods = all->woods };
	uint32_t i;

	(void)worker;
	(void)e;
	while ((i = pool_next(&all->next)) < all->to->n)
		walk_stretch(&w, &all->to->stretch[i]);
	walker_release(&w);
	return OK;
}

/* Writers add weights up and write them as signed numbers, so the sum of all must fit into one.
 * Only a recording made to do harm has more. */
static void fit_sums(struct tree_walk *to)
{
	uint64_t room = INT64_MAX, room_for_samples = INT64_MAX;
	uint32_t i, k;

	for (i = 0; i < to->n; i++) {
		for (k = 0; k < to->stretch[i].n_sums; k++) {
			struct tree_sum *sum = &to->stretch[i].sums[k];

			sum->weight = saturated_fit(sum->weight, &room);
			sum->samples = saturated_fit(sum->samples, &room_for_samples);
		}
	}
}

void tree_walk_run(struct tree_walk *to, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name, struct pool *pool)
{
	struct woods woods = { .trees = trees, .n = n, .p = p, .by_name = by_name };
	struct walking all = { .woods = &woods, .to = to };
	size_t most = 0;
	struct err e;
	uint32_t i;

	*to = (struct tree_walk){ 0 };
	for (i = 0; i < n; i++)
		most += trees[i].tree->n;
	to->seeds = xreallocarray(NULL, most, sizeof(*to->seeds));
	woods_init(&woods, to->seeds, pool);
	cut(to, &woods, most, pool);
	pool_run(pool, walk_stretches, &all, &e);
	fit_sums(to);
	woods_release(&woods);
}

void tree_walk_release(struct tree_walk *w)
{
	uint32_t i;

	for (i = 0; i < w->n; i++) {
		free(w->stretch[i].sums);
		if (w->stretch[i].large)
			free(w->stretch[i].seeds);
	}
	free(w->stretch);
	free(w->seeds);
}
