/*
 * From trees in order of arrival to the profile's preorder. Frames are ranked once by their shown
 * name (and, where that is equal, by all else that tells them apart), so that what stands on a node
 * is put in order by numbers. All trees are walked at once: nodes of one rank on one node become
 * one, whichever trees they are of. So the trees of workers are merged, and siblings of one shown
 * name, without a tree of all. Nothing here recurses, stacks may be 10^5 frames deep.
 */
#include "collapse/finish.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <math.h>
#include <stdlib.h>

/* ---- the order of frames ------------------------------------------------------------------ */

struct frame_ranks {
	uint32_t *rank;  /* by frame_id: its place among all frames of the trees */
	frame_id *frame; /* by rank */
	uint32_t n;
};

struct ranked_frame {
	frame_id frame;
	struct span shown; /* with ";" behind it, which is what the order of lines compares */
	const struct frame *content;
	const struct strtab *strings;
};

static int compare_text(const struct strtab *t, str_id a, str_id b)
{
	return a == b ? 0 : span_cmp(strtab_get(t, a), strtab_get(t, b));
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_content(const struct strtab *t, const struct frame *a, const struct frame *b)
{
	int c;

	if ((c = compare_text(t, a->name, b->name)) ||
		(c = compare_text(t, a->module, b->module)) ||
		(c = compare_text(t, a->file, b->file)) ||
		(c = compare_text(t, a->category, b->category)))
		return c;
	if ((c = compare_numbers(a->line, b->line)) ||
		(c = compare_numbers(a->column, b->column)) ||
		(c = compare_numbers(a->address, b->address)))
		return c;
	return compare_numbers((uint64_t)a->kind << 24 | a->flags << 16 | a->why << 8 | a->tier,
		(uint64_t)b->kind << 24 | b->flags << 16 | b->why << 8 | b->tier);
}

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked_frame *a = pa, *b = pb;
	int c = span_cmp(a->shown, b->shown);

	return c ? c : compare_content(a->strings, a->content, b->content);
}

static frame_id frame_at(const struct grown *g, uint32_t what)
{
	return g->frame_of ? g->frame_of[what] : what;
}

static void mark_used(const struct grown *g, bool *used)
{
	uint32_t i;

	for (i = 1; g->frame_of && i < g->n_numbers; i++)
		used[g->frame_of[i]] = true;
	for (i = 1; !g->frame_of && i < g->tree->n; i++)
		used[g->tree->nodes[i].what] = true;
}

/* The frames that are used, with their names in *text. */
static struct ranked_frame *collect_frames(
	struct frame_ranks *r, const struct profile *p, const bool *used, struct buf *text)
{
	uint32_t count = frames_count(p->frames), i, n = 0;
	struct ranked_frame *f;
	size_t *at;

	for (i = 0; i < count; i++)
		r->n += used[i];
	at = xreallocarray(NULL, (size_t)r->n + 1, sizeof(*at));
	f = xreallocarray(NULL, r->n, sizeof(*f));
	for (i = 0; i < count; i++) {
		if (!used[i])
			continue;
		at[n] = text->n;
		f[n++] = (struct ranked_frame){
			.frame = i, .content = frames_get(p->frames, i), .strings = p->strings
		};
		profile_put_name(p, i, text);
		buf_putc(text, ';');
	}
	at[n] = text->n;
	for (i = 0; i < n; i++) /* only now: the buffer has moved while it grew */
		f[i].shown = (struct span){ text->p + at[i], at[i + 1] - at[i] };
	free(at);
	return f;
}

/* by_name: frames that are shown alike have the rank of the first of them. */
static void ranks_init(struct frame_ranks *r, const struct grown *trees, uint32_t n,
	const struct profile *p, bool by_name)
{
	uint32_t count = frames_count(p->frames), i;
	bool *used = xcalloc(count, sizeof(*used));
	struct ranked_frame *f;
	struct buf text = { 0 };

	*r = (struct frame_ranks){ 0 };
	used[0] = true; /* the root's */
	for (i = 0; i < n; i++)
		mark_used(&trees[i], used);
	f = collect_frames(r, p, used, &text);
	qsort(f, r->n, sizeof(*f), compare_ranked);
	r->rank = xcalloc(count, sizeof(*r->rank));
	r->frame = xcalloc(r->n, sizeof(*r->frame));
	for (i = 0; i < r->n; i++) {
		bool same = by_name && i && span_eq(f[i].shown, f[i - 1].shown);

		r->rank[f[i].frame] = same ? r->rank[f[i - 1].frame] : i;
		r->frame[i] = f[i].frame;
	}
	free(f);
	free(used);
	buf_release(&text);
}

static void ranks_release(struct frame_ranks *r)
{
	free(r->rank);
	free(r->frame);
}

/* ---- the order of nodes ------------------------------------------------------------------- */

/* A node of a tree that stands on one of the profile. */
struct item {
	uint32_t rank;
	node_id parent;
	uint32_t tree, node;
};

struct items {
	struct item *at;
	size_t n, cap;
};

/* A node of the profile while the trees are there: what they know of it, no more. Seeds lie at the
 * end of the array of nodes, which take their place from its front: none is written over that has
 * not been read. So at no time are there trees and whole nodes. */
struct seed {
	frame_id frame;
	node_id parent;
	uint64_t self, samples;
};

_Static_assert(sizeof(struct seed) <= sizeof(struct node), "seeds lie in the array of nodes");

struct walk {
	const struct grown *trees;
	uint32_t **rank; /* by tree and number */
	const frame_id *frame;
	struct seed *seeds;
	uint32_t n_seeds;
	struct items todo;  /* the next one at the end; those that become one lie together */
	struct items group; /* what becomes the node at work */
	/* Writers add weights up, and write them as signed numbers: all together must have room in
	 * one. Only a recording made to do harm has more. */
	uint64_t room, room_for_samples;
};

static int last_first(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	return compare_numbers(b->rank, a->rank);
}

static void items_add(struct items *l, struct item it)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = it;
}

/* Most nodes have one child, nearly all of the others have a few. */
static void items_sort(struct item *at, size_t n)
{
	enum { FEW = 12 };
	size_t i, k;

	if (n > FEW) {
		qsort(at, n, sizeof(*at), last_first);
		return;
	}
	for (i = 1; i < n; i++) {
		struct item it = at[i];

		for (k = i; k && at[k - 1].rank < it.rank; k--)
			at[k] = at[k - 1];
		at[k] = it;
	}
}

/* The next node's items, from the end of what is to do. */
static void take_group(struct walk *w)
{
	struct items *todo = &w->todo;
	struct item first = todo->at[--todo->n];

	w->group.n = 0;
	items_add(&w->group, first);
	while (todo->n && todo->at[todo->n - 1].rank == first.rank &&
		todo->at[todo->n - 1].parent == first.parent)
		items_add(&w->group, todo->at[--todo->n]);
}

static void open_item(struct walk *w, const struct item *it, node_id to)
{
	const struct grown *g = &w->trees[it->tree];
	const struct tree_node *nodes = g->tree->nodes;
	struct tree_sum own = tree_own(g->tree, it->node);
	struct seed *s = &w->seeds[to];
	uint32_t c;

	s->self = add_saturated(s->self, g->by_samples ? own.samples : own.weight);
	s->samples = add_saturated(s->samples, own.samples);
	if (g->place)
		g->place[it->node] = to;
	for (c = nodes[it->node].child; c; c = nodes[c].next)
		items_add(&w->todo,
			(struct item){ w->rank[it->tree][nodes[c].what], to, it->tree, c });
}

static void make_seed(struct walk *w)
{
	const struct item *first = &w->group.at[0];
	node_id to = w->n_seeds++;
	struct seed *s = &w->seeds[to];
	size_t before = w->todo.n, i;

	*s = (struct seed){ .frame = w->frame[first->rank], .parent = first->parent };
	for (i = 0; i < w->group.n; i++)
		open_item(w, &w->group.at[i], to);
	items_sort(w->todo.at + before, w->todo.n - before);
	s->self = fit_into(s->self, &w->room);
	s->samples = fit_into(s->samples, &w->room_for_samples);
}

/* By number of a tree: the rank of its frame. */
static uint32_t *ranks_of(const struct grown *g, const struct frame_ranks *r)
{
	uint32_t *rank = xcalloc(g->n_numbers, sizeof(*rank)), i;

	for (i = 0; i < g->n_numbers; i++)
		rank[i] = r->rank[frame_at(g, i)];
	return rank;
}

static const struct seed *walk_trees(
	struct profile *p, const struct grown *trees, uint32_t n, const struct frame_ranks *r)
{
	struct walk w = { .trees = trees,
		.rank = xcalloc(n, sizeof(*w.rank)),
		.frame = r->frame,
		.room = INT64_MAX,
		.room_for_samples = INT64_MAX };
	size_t most = 0;
	uint32_t i;

	for (i = n; i-- > 0;) {
		w.rank[i] = trees[i].frame_of ? ranks_of(&trees[i], r) : r->rank;
		most += trees[i].tree->n;
		items_add(&w.todo, (struct item){ .rank = r->rank[0], .tree = i });
	}
	p->nodes = xreallocarray(NULL, most, sizeof(*p->nodes));
	w.seeds = (struct seed *)(void *)(p->nodes + most) - most;
	while (w.todo.n) {
		take_group(&w);
		make_seed(&w);
	}
	p->n_nodes = w.n_seeds;
	for (i = 0; i < n; i++)
		if (trees[i].frame_of)
			free(w.rank[i]);
	free(w.rank);
	free(w.todo.at);
	free(w.group.at);
	return w.seeds;
}

/* ---- sums --------------------------------------------------------------------------------- */

static void add_to_parent(struct profile *p, node_id i)
{
	const struct node *n = &p->nodes[i];
	struct node *parent = &p->nodes[n->parent];

	parent->total += n->total;
	parent->total_samples += n->total_samples;
	parent->subtree += n->subtree;
}

/* The nodes from i down to one that more stands on have all that is theirs. */
static void close_nodes(struct profile *p, node_id i, node_id down_to)
{
	for (; i != down_to; i = p->nodes[i].parent)
		add_to_parent(p, i);
}

static void grow_seeds(struct profile *p, const struct seed *seeds)
{
	node_id i;

	for (i = 0; i < p->n_nodes; i++) {
		struct seed s = seeds[i];
		uint32_t depth = 0;

		if (i) {
			close_nodes(p, i - 1, s.parent);
			depth = p->nodes[s.parent].depth + 1;
		}
		if (depth > p->max_depth)
			p->max_depth = depth;
		p->nodes[i] = (struct node){ .frame = s.frame,
			.parent = s.parent,
			.subtree = 1,
			.depth = depth,
			.self = s.self,
			.self_samples = s.samples,
			.total = s.self,
			.total_samples = s.samples };
	}
	close_nodes(p, p->n_nodes - 1, 0);
}

/* Subtrees that are too small become weight of their parent. What stands on the root stays: it has
 * no caller to leave its weight to. moved[i] gets the new number of what node i has gone to. */
static void drop_small(struct profile *p, uint64_t min_weight, node_id *moved)
{
	node_id i, k, n = 0;

	for (i = 0; i < p->n_nodes;) {
		struct node *from = &p->nodes[i], *parent = &p->nodes[moved[from->parent]];
		uint32_t subtree = from->subtree;

		if (!i || !moved[from->parent] || from->total >= min_weight) {
			from->parent = moved[from->parent];
			from->total = from->self;
			from->total_samples = from->self_samples;
			from->subtree = 1;
			moved[i++] = n;
			p->nodes[n++] = *from;
			continue;
		}
		parent->self += from->total;
		parent->total += from->total;
		parent->self_samples += from->total_samples;
		parent->total_samples += from->total_samples;
		for (k = 0; k < subtree; k++)
			moved[i++] = moved[from->parent];
	}
	p->n_nodes = n;
}

static void prune(struct profile *p, const struct grown *trees, uint32_t n, double min_percent)
{
	uint64_t min_weight = (uint64_t)ceil((double)p->nodes[0].total * min_percent / 100.0);
	node_id *moved = xcalloc(p->n_nodes, sizeof(*moved));
	uint32_t i, k;

	drop_small(p, min_weight, moved);
	p->max_depth = 0;
	for (i = p->n_nodes; i-- > 1;) {
		add_to_parent(p, i);
		if (p->nodes[i].depth > p->max_depth)
			p->max_depth = p->nodes[i].depth;
	}
	for (i = 0; i < n; i++)
		for (k = 0; trees[i].place && k < trees[i].tree->n; k++)
			trees[i].place[k] = moved[trees[i].place[k]];
	free(moved);
}

const struct seed *trees_walk(
	const struct grown *trees, uint32_t n, struct profile *p, bool by_name)
{
	const struct seed *seeds;
	struct frame_ranks r;

	ranks_init(&r, trees, n, p, by_name);
	seeds = walk_trees(p, trees, n, &r);
	ranks_release(&r);
	return seeds;
}

void trees_sum(const struct grown *trees, uint32_t n, struct profile *p, const struct seed *seeds,
	double min_percent)
{
	grow_seeds(p, seeds);
	if (min_percent > 0)
		prune(p, trees, n, min_percent);
}

void trees_finish(
	const struct grown *trees, uint32_t n, struct profile *p, bool by_name, double min_percent)
{
	trees_sum(trees, n, p, trees_walk(trees, n, p, by_name), min_percent);
}

void tree_finish(const struct tree *t, struct profile *p, double min_percent, node_id *place)
{
	struct grown g = { .tree = t, .place = place };

	trees_finish(&g, 1, p, false, min_percent);
}
