/*
 * tree_walk.c - a preorder walk over several trees at once
 *
 *	tree 0   main          tree 1   main         popped together     seed
 *	         |- b                   |- a         main(0) main(1)     main, depth 1
 *	         `- c                   `- b         a(1)                a, depth 2
 *	                                             b(0) b(1)           b, depth 2
 *	                                             c(0)                c, depth 2
 *
 * The work list is a stack of items (tree, node, rank, depth). Items with the rank and
 * depth of the top one are adjacent, since they are children of one group and those are pushed
 * sorted by rank: they are popped together (pop_group()) and become one seed, whose sum is theirs.
 * Ranks are those of frames by displayed name (ranks.h), so comparing siblings is comparing
 * numbers.
 *
 * With several workers the top of the trees is walked first, by one (cut()). Subtree sizes are
 * known from ranked_tree.size. A group above the limit, a large node, is a seed of a "large"
 * segment, and its children are pushed; a smaller group goes whole, as items, into the latest
 * segment that has room. Segments are then walked by all workers, each into its part of one array
 * of seeds, which has gaps since merged nodes need less room than was reserved.
 *
 *	segments   [large: main, parse] [items ... ] [items ... ] [large: run] [items ... ]
 *
 * Invariants: the segments' seeds in order are the seeds of a walk by one worker; a large node is
 * before its subtree. A tree whose nodes' places are asked for is not cut, as a place is the
 * number of a seed.
 *
 * Costs: each node is an item once; nodes with one child (most) do not pass through the stack
 * (step_to_only_child()). Sizes use the memory of the seeds, which are written later.
 */
#include "collapse/tree_walk.h"

#include "base/mem.h"
#include "base/prefetch.h"
#include "base/saturated.h"

#include <stdlib.h>

/* A tree to be walked; by its numbers: the frame and its rank. */
struct ranked_tree {
	const struct tree *tree;
	uint32_t *rank;
	frame_id *frame;
	uint32_t *size; /* by node: of its subtree; only while segments are cut */
	node_id *place;
	bool by_samples;
};

struct ranked_trees {
	struct ranked_tree *at;
	uint32_t n;
	const struct source_tree *trees;
	const struct profile *p;
	bool by_name, measured;
	struct ranks ranks;
	_Atomic uint32_t next;
};

/* Ranks and sizes, before the walk */

static void measure(struct ranked_tree *w)
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
	struct ranked_trees *w = ctx;
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
	struct ranked_tree *to, const struct source_tree *g, const struct ranks *r, uint32_t n)
{
	uint32_t i;

	to->rank = xreallocarray(NULL, n, sizeof(*to->rank));
	to->frame = xreallocarray(NULL, n, sizeof(*to->frame));
	for (i = 0; i < n; i++) {
		to->rank[i] = r->rank[ranks_frame_of(g, i)];
		to->frame[i] = r->frame[ranks_frame_of(g, i)];
	}
}

/* Sizes, one for each node, are not needed once there are seeds: they use the memory of those. */
static void ranked_trees_init(struct ranked_trees *w, void *room, struct pool *pool)
{
	uint32_t frames = frames_count(w->p->frames), *size = room, i;
	struct err e;

	w->at = xcalloc(w->n, sizeof(*w->at));
	w->measured = pool_workers(pool) > 1;
	for (i = 0; i < w->n; i++) {
		const struct source_tree *g = &w->trees[i];

		w->at[i] = (struct ranked_tree){ .tree = g->tree,
			.size = size,
			.place = g->place,
			.by_samples = g->by_samples };
		size += g->tree->n;
		/* The number of a seed is its place only if there are no gaps. */
		w->measured &= !g->place;
	}
	pool_run(pool, rank_and_measure, w, &e);
	for (i = 0; i < w->n; i++)
		number_frames(&w->at[i], &w->trees[i], &w->ranks,
			w->trees[i].frame_of ? w->trees[i].n_numbers : frames);
}

static void ranked_trees_release(struct ranked_trees *w)
{
	uint32_t i;

	for (i = 0; i < w->n; i++) {
		free(w->at[i].rank);
		free(w->at[i].frame);
	}
	free(w->at);
	ranks_release(&w->ranks);
}

/* Items */

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

/* Sorts by rank, the highest first. Most nodes have one child, and nearly all others few. */
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

/* One segment */

struct walker {
	const struct ranked_trees *from;
	struct walk_segment *to;
	struct walk_items todo; /* a stack; items that become one node are adjacent */
	struct walk_items group, scratch;
};

static void walker_release(struct walker *w)
{
	items_release(&w->todo);
	items_release(&w->group);
	items_release(&w->scratch);
}

/* Pops the items of the next node. Adjacent items of one depth have the same parent. */
static void pop_group(struct walker *w)
{
	struct walk_items *todo = &w->todo;
	struct walk_item first = todo->at[--todo->n];

	w->group.n = 0;
	items_add(&w->group, first);
	while (todo->n && todo->at[todo->n - 1].rank == first.rank &&
		todo->at[todo->n - 1].depth == first.depth)
		items_add(&w->group, todo->at[--todo->n]);
}

static void put_sum(struct walk_segment *s, const struct ranked_tree *ranked, uint32_t sum)
{
	struct tree_sum own = ranked->tree->sums[sum];
	struct walk_seed *seed = &s->seeds[s->n - 1];
	struct tree_sum *to;

	if (!seed->weighs) {
		ARRAY_GROW(s->sums, s->n_sums, s->cap_sums);
		s->sums[s->n_sums++] = (struct tree_sum){ 0 };
		seed->weighs = true;
	}
	to = &s->sums[s->n_sums - 1];
	to->weight = saturated_add(to->weight, ranked->by_samples ? own.samples : own.weight);
	to->samples = saturated_add(to->samples, own.samples);
}

static frame_id frame_of(const struct walker *w, const struct walk_item *it)
{
	const struct ranked_tree *ranked = &w->from->at[it->tree];

	return ranked->frame[ranked->tree->nodes[it->node].what];
}

/* Of a thread's name and a function of that name at one place, the input that knows the thread
 * knows better. */
static frame_id frame_of_group(const struct walker *w)
{
	frame_id frame = frame_of(w, &w->group.at[0]), other;
	size_t i;

	for (i = 1; i < w->group.n; i++) {
		other = frame_of(w, &w->group.at[i]);
		if (other != frame && frames_get(w->from->p->frames, other)->kind == FRAME_ROOT)
			frame = other;
	}
	return frame;
}

static void put_seed(struct walker *w)
{
	const struct walk_item *it = &w->group.at[0], *end = it + w->group.n;
	struct walk_segment *s = w->to;

	s->seeds[s->n++] = (struct walk_seed){ .frame = frame_of_group(w), .depth = it->depth };
	for (; it < end; it++) {
		const struct ranked_tree *ranked = &w->from->at[it->tree];

		if (ranked->tree->nodes[it->node].sum)
			put_sum(s, ranked, ranked->tree->nodes[it->node].sum);
		if (ranked->place)
			ranked->place[it->node] = s->n - 1;
	}
}

/* Moves the group's only item to its only child: most nodes have just one. */
static bool step_to_only_child(struct walker *w)
{
	struct walk_item *it = &w->group.at[0];
	const struct tree_node *nodes = w->from->at[it->tree].tree->nodes;
	uint32_t child = nodes[it->node].child;

	if (w->group.n != 1 || !child || nodes[child].next)
		return false;
	it->node = child;
	it->depth++;
	return true;
}

/* Pushes the children of a group, and prefetches their weights. */
static void push_children(struct walker *w)
{
	size_t before = w->todo.n, i;

	for (i = 0; i < w->group.n; i++) {
		const struct walk_item *it = &w->group.at[i];
		const struct ranked_tree *ranked = &w->from->at[it->tree];
		const struct tree_node *nodes = ranked->tree->nodes;
		uint32_t c;

		for (c = nodes[it->node].child; c; c = nodes[c].next) {
			prefetch(&ranked->tree->sums[nodes[c].sum]);
			items_add(&w->todo, (struct walk_item){ ranked->rank[nodes[c].what],
						    it->depth + 1, it->tree, c });
		}
	}
	items_sort(w->todo.at + before, w->todo.n - before, &w->scratch);
}

static void walk_segment(struct walker *w, struct walk_segment *s)
{
	w->to = s;
	items_release(&w->todo);
	w->todo = s->todo;
	s->todo = (struct walk_items){ 0 };
	while (w->todo.n) {
		pop_group(w);
		do
			put_seed(w);
		while (step_to_only_child(w));
		push_children(w);
	}
}

/* Cutting into segments */

struct cutter {
	struct tree_walk *to;
	struct walker walker;
	uint32_t limit; /* nodes of a segment */
	size_t place;   /* in the seeds: of the next segment */
};

static struct walk_segment *new_segment(struct cutter *c, bool large)
{
	struct tree_walk *to = c->to;

	ARRAY_GROW(to->segment, to->n, to->cap);
	to->segment[to->n] = (struct walk_segment){ .large = large,
		.seeds = large ? NULL : to->seeds + c->place };
	return &to->segment[to->n++];
}

static uint32_t group_size(const struct walker *w)
{
	uint32_t size = 0;
	size_t i;

	for (i = 0; i < w->group.n; i++)
		size += w->from->at[w->group.at[i].tree].size[w->group.at[i].node];
	return size;
}

/* The last segment if it is of the same kind and has room for size more nodes, else a new one. */
static struct walk_segment *segment_for(struct cutter *c, bool large, uint32_t size)
{
	struct walk_segment *s = c->to->n ? &c->to->segment[c->to->n - 1] : NULL;

	if (!s || s->large != large || (!large && size > c->limit - s->most))
		s = new_segment(c, large);
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
		w->to = segment_for(c, true, 1);
		put_seed(w);
		push_children(w);
		return;
	}
	s = segment_for(c, false, size);
	for (i = 0; i < w->group.n; i++)
		items_add(&s->todo, w->group.at[i]);
}

static void reverse_items(struct walk_items *l)
{
	size_t i;

	for (i = 0; i < l->n / 2; i++) {
		struct walk_item it = l->at[i];

		l->at[i] = l->at[l->n - 1 - i];
		l->at[l->n - 1 - i] = it;
	}
}

/* Makes several segments for each worker, as their times are not known. */
static void cut(
	struct tree_walk *to, const struct ranked_trees *from, size_t most, struct pool *pool)
{
	enum { FOR_EACH = 16, LEAST = 1024 };
	struct cutter c = { .to = to, .walker = { .from = from } };
	uint32_t i;

	for (i = from->n; i-- > 0;)
		items_add(&c.walker.todo,
			(struct walk_item){ .rank = from->ranks.rank[0], .tree = i });
	if (!from->measured) {
		new_segment(&c, false)->todo = c.walker.todo;
		return;
	}
	c.limit = (uint32_t)(most / pool_workers(pool) / FOR_EACH) + LEAST;
	while (c.walker.todo.n) {
		pop_group(&c.walker);
		cut_group(&c);
	}
	for (i = 0; i < to->n; i++)
		reverse_items(&to->segment[i].todo);
	walker_release(&c.walker);
}

/* The walk */

struct walking {
	const struct ranked_trees *from;
	struct tree_walk *to;
	_Atomic uint32_t next;
};

static int walk_segments(void *ctx, unsigned worker, struct err *e)
{
	struct walking *all = ctx;
	struct walker w = { .from = all->from };
	uint32_t i;

	(void)worker;
	(void)e;
	while ((i = pool_next(&all->next)) < all->to->n)
		walk_segment(&w, &all->to->segment[i]);
	walker_release(&w);
	return OK;
}

/* Limits sums so that all together fit into a signed number, as writers need. Only a recording made
 * to do harm has more. */
static void fit_sums(struct tree_walk *to)
{
	uint64_t room = INT64_MAX, room_for_samples = INT64_MAX;
	uint32_t i, k;

	for (i = 0; i < to->n; i++) {
		for (k = 0; k < to->segment[i].n_sums; k++) {
			struct tree_sum *sum = &to->segment[i].sums[k];

			sum->weight = saturated_fit(sum->weight, &room);
			sum->samples = saturated_fit(sum->samples, &room_for_samples);
		}
	}
}

void tree_walk_run(struct tree_walk *to, const struct source_tree *trees, uint32_t n,
	const struct profile *p, bool by_name, struct pool *pool)
{
	struct ranked_trees from = { .trees = trees, .n = n, .p = p, .by_name = by_name };
	struct walking all = { .from = &from, .to = to };
	size_t most = 0;
	struct err e;
	uint32_t i;

	*to = (struct tree_walk){ 0 };
	for (i = 0; i < n; i++)
		most += trees[i].tree->n;
	to->seeds = xreallocarray(NULL, most, sizeof(*to->seeds));
	ranked_trees_init(&from, to->seeds, pool);
	cut(to, &from, most, pool);
	pool_run(pool, walk_segments, &all, &e);
	fit_sums(to);
	ranked_trees_release(&from);
}

void tree_walk_release(struct tree_walk *w)
{
	uint32_t i;

	for (i = 0; i < w->n; i++) {
		free(w->segment[i].sums);
		if (w->segment[i].large)
			free(w->segment[i].seeds);
	}
	free(w->segment);
	free(w->seeds);
}
