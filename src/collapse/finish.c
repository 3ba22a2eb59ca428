/*
 * finish.c - seeds to nodes: parents, totals, subtree sizes
 *
 * tree_walk.h leaves seeds in segments, either of large nodes or of whole subtrees of large nodes:
 *
 *	segments  [L: main, parse]  [x y z]  [u v]  [L: run]  [w]
 *	nodes     0     1            2 3 4    5 6    7         8      first node of each piece
 *
 *	1  place_pieces(): the first node of each segment follows from the sizes of those before;
 *	   large nodes are made.
 *	2  grow_piece(), by all workers: the nodes of a segment of subtrees; each adds its total to
 *	   its parent within the piece as soon as the walk leaves it (close_nodes()).
 *	3  close_pieces(), by one worker: the rest, which is the tops of pieces and the large nodes,
 *	   backwards, so that a node is complete when it is added to its parent.
 *
 * prune() then makes subtrees below the limit weight of their parents; nodes keep their order, and
 * places follow by moved[].
 *
 * Invariant: nodes are in preorder, so a parent is before its children and a subtree is
 * contiguous. The result does not depend on where segments were cut. Costs one pass over the
 * seeds, and one over the large nodes and tops.
 */
#include "collapse/finish.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "collapse/tree_walk.h"

#include <math.h>
#include <stdlib.h>

static void add_to_parent(struct profile *p, node_id i)
{
	const struct node *n = &p->nodes[i];
	struct node *parent = &p->nodes[n->parent];

	parent->total += n->total;
	parent->subtree += n->subtree;
	if (p->samples)
		p->samples[n->parent].total += p->samples[i].total;
}

/* A segment and its place in the profile. */
struct finish_piece {
	const struct walk_segment *of;
	node_id first, below; /* its first node, and the last large one before it */
	uint32_t max_depth;
	uint64_t samples;
};

struct growth {
	struct profile *p;
	struct finish_piece *piece;
	uint32_t n;
	_Atomic uint32_t next;
};

/* Goes from node i to the parent of a node of that depth. The nodes on the way are complete, and
 * each adds its weight to its parent if that is in the same piece. */
static node_id close_nodes(struct profile *p, node_id i, uint32_t depth, node_id first)
{
	while (p->nodes[i].depth >= depth) {
		node_id parent = p->nodes[i].parent;

		if (parent >= first)
			add_to_parent(p, i);
		i = parent;
	}
	return i;
}

static void grow_piece(struct profile *p, struct finish_piece *piece)
{
	const struct walk_seed *seed = piece->of->seeds, *end = seed + piece->of->n;
	const struct tree_sum *sum = piece->of->sums;
	/* Large nodes add their totals in close_pieces(). */
	node_id i = piece->first, first = piece->of->large ? UINT32_MAX : i, before = piece->below;

	for (; seed < end; before = i++, seed++) {
		struct tree_sum own = seed->weighs ? *sum++ : (struct tree_sum){ 0 };

		p->nodes[i] = (struct node){ .frame = seed->frame,
			.parent = seed->depth ? close_nodes(p, before, seed->depth, first) : 0,
			.subtree = 1,
			.depth = seed->depth,
			.self = own.weight,
			.total = own.weight };
		piece->samples += own.samples;
		if (p->samples)
			p->samples[i] = (struct node_samples){ own.samples, own.samples };
		if (seed->depth > piece->max_depth)
			piece->max_depth = seed->depth;
	}
	if (!piece->of->large)
		close_nodes(p, before, 1, first);
}

static int grow_pieces(void *ctx, unsigned worker, struct err *e)
{
	struct growth *g = ctx;
	uint32_t i;

	(void)worker;
	(void)e;
	while ((i = pool_next(&g->next)) < g->n)
		if (!g->piece[i].of->large)
			grow_piece(g->p, &g->piece[i]);
	return OK;
}

/* Places all pieces, and makes the large nodes. */
static void place_pieces(struct growth *g, const struct tree_walk *w, bool with_samples)
{
	node_id below = 0, n = 0;
	uint32_t i;

	g->n = w->n;
	g->piece = xcalloc(w->n, sizeof(*g->piece));
	for (i = 0; i < w->n; i++) {
		g->piece[i] = (struct finish_piece){ .of = &w->segment[i], .first = n };
		n += w->segment[i].n;
	}
	g->p->n_nodes = n;
	g->p->nodes = xreallocarray(g->p->nodes, n, sizeof(*g->p->nodes));
	g->p->samples = with_samples ? xreallocarray(NULL, n, sizeof(*g->p->samples)) : NULL;
	for (i = 0; i < w->n; i++) {
		struct finish_piece *piece = &g->piece[i];

		piece->below = below;
		if (piece->of->large) {
			grow_piece(g->p, piece);
			below = piece->first + piece->of->n - 1;
		}
	}
}

/* Adds up the children of large nodes, backwards: descendants of a node come after it. */
static void close_pieces(struct growth *g)
{
	struct profile *p = g->p;
	uint32_t k;
	node_id i;

	p->n_samples = 0;
	for (k = g->n; k-- > 0;) {
		const struct finish_piece *piece = &g->piece[k];
		node_id end = piece->first + piece->of->n;

		p->n_samples = saturated_add(p->n_samples, piece->samples);
		if (piece->max_depth > p->max_depth)
			p->max_depth = piece->max_depth;
		if (piece->of->large)
			for (i = end; i-- > piece->first && i;)
				add_to_parent(p, i);
		else if (piece->first)
			for (i = piece->first; i < end; i += p->nodes[i].subtree)
				add_to_parent(p, i);
	}
}

static void move_node(struct profile *p, node_id from, node_id to)
{
	struct node *n = &p->nodes[to];

	*n = p->nodes[from];
	n->total = n->self;
	n->subtree = 1;
	if (p->samples)
		p->samples[to] =
			(struct node_samples){ p->samples[from].self, p->samples[from].self };
}

static void add_to_self(struct profile *p, node_id from, node_id parent)
{
	p->nodes[parent].self += p->nodes[from].total;
	p->nodes[parent].total += p->nodes[from].total;
	if (p->samples) {
		p->samples[parent].self += p->samples[from].total;
		p->samples[parent].total += p->samples[from].total;
	}
}

/* Makes subtrees that are too small weight of their parent. Children of the root stay: they have no
 * caller that could have their weight. moved[i] becomes the new number of node i, or of the node
 * that has its weight now. */
static void drop_small(struct profile *p, uint64_t min_weight, node_id *moved)
{
	node_id i, k, n = 0;

	for (i = 0; i < p->n_nodes;) {
		node_id parent = moved[p->nodes[i].parent];
		uint32_t subtree = p->nodes[i].subtree;

		if (!i || !parent || p->nodes[i].total >= min_weight) {
			move_node(p, i, n);
			p->nodes[n].parent = parent;
			moved[i++] = n++;
			continue;
		}
		add_to_self(p, i, parent);
		for (k = 0; k < subtree; k++)
			moved[i++] = parent;
	}
	p->n_nodes = n;
}

static void prune(
	struct profile *p, const struct source_tree *trees, uint32_t n, double min_percent)
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

struct tree_walk *finish_walk(const struct source_tree *trees, uint32_t n, const struct profile *p,
	const struct finish_opts *o, struct pool *pool)
{
	struct tree_walk *w = xcalloc(1, sizeof(*w));

	tree_walk_run(w, trees, n, p, o->by_name, pool);
	return w;
}

void finish_sum(const struct source_tree *trees, uint32_t n, struct profile *p, struct tree_walk *w,
	const struct finish_opts *o, struct pool *pool)
{
	struct growth g = { .p = p };
	struct err e;

	place_pieces(&g, w, !o->weights_only);
	pool_run(pool, grow_pieces, &g, &e);
	close_pieces(&g);
	free(g.piece);
	tree_walk_release(w);
	free(w);
	if (o->min_percent > 0)
		prune(p, trees, n, o->min_percent);
}

void finish_trees(
	const struct source_tree *trees, uint32_t n, struct profile *p, const struct finish_opts *o)
{
	finish_sum(trees, n, p, finish_walk(trees, n, p, o, NULL), o, NULL);
}

void finish_tree(const struct tree *t, struct profile *p, double min_percent, node_id *place)
{
	struct source_tree g = { .tree = t, .place = place };
	struct finish_opts o = { .min_percent = min_percent };

	finish_trees(&g, 1, p, &o);
}
