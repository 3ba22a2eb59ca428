/*
 * picture_layout.c - boxes in the three orders
 *
 *	LAYOUT_MERGED    push_children(): down the tree, siblings in the order of sorted lines
 *	LAYOUT_REVERSED  stacks sorted from their ends (leaf_cmp()), then side by side: a flow
 *	LAYOUT_TIME      slices of each thread in order of time (slices.h): a flow too
 *
 * A flow keeps the boxes of the latest stack open, one for each depth. The next stack shares those
 * whose keys (name, or node) are equal from the root on; the others are closed, which is when
 * their width is known, and new ones opened:
 *
 *	open     main > parse > read          next stack: main > parse > scan
 *	         keep main, parse; close read at f->at; open scan
 *
 * A closed box that is too narrow goes into the narrow run of its depth, which becomes one box
 * when a wide neighbour or the end of the parent follows. Boxes are added when they are closed,
 * children first, so a flow is sorted in the end.
 *
 * flamegraph.pl sorts lines "name;name... N", so a frame sorts as if followed by " " where a stack
 * ends in it, else by ";". That order is kept, so that each box is where flamegraph.pl draws it.
 *
 * A picture that is drawn then gets its rows (picture_layout_fold()): frames that all samples have
 * in common may be thousands, each as wide as the picture.
 *
 * Nothing recurses: stacks may be 10^5 frames deep. LAYOUT_MERGED costs a sort for each node that
 * is wide enough, and does not look below narrow ones.
 */
#include "output/picture/picture_layout.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "output/slices/slices.h"

#include <stdlib.h>

struct layout_work {
	struct picture_layout *l;
	const struct profile *p;
	const struct output_opts *opts;
	struct display_names *names;
	double min_weight;
};

/* Narrow neighbours on the same box. */
struct narrow_run {
	uint64_t start, weight;
	uint32_t n;
};

bool picture_layout_is_time(const struct profile *p, enum picture_layout_order order)
{
	uint32_t i;

	for (i = 0; i < p->n_threads; i++) {
		const struct profile_thread *t = &p->threads[i];

		/* rows are in order of time: if the last has none, all have none */
		if (t->n_rows && !p->rows[t->first_row + t->n_rows - 1].time_ns)
			return false;
	}
	return order == LAYOUT_TIME;
}

static uint64_t slice_width(const struct slice *s, bool time)
{
	if (!time)
		return s->weight;
	return s->until_ns > s->from_ns ? s->until_ns - s->from_ns : 0;
}

static uint64_t time_total(const struct profile *p, const struct output_opts *o)
{
	bool time = picture_layout_is_time(p, LAYOUT_TIME);
	uint32_t track, n = slices_tracks(p);
	uint64_t total = 0;

	for (track = 0; track < n; track++) {
		struct slices slices;
		struct slice s;

		if (!slices_start(&slices, p, o, track))
			continue;
		while (slices_next(&slices, &s))
			total = saturated_add(total, slice_width(&s, time));
	}
	return total;
}

uint64_t picture_layout_total(
	const struct profile *p, const struct output_opts *o, enum picture_layout_order order)
{
	if (order == LAYOUT_TIME)
		return time_total(p, o);
	return p->n_nodes ? p->nodes[0].total : 0;
}

void picture_layout_release(struct picture_layout *l)
{
	free(l->boxes);
	*l = (struct picture_layout){ 0 };
}

static bool is_waker_mark(const struct layout_work *w, uint32_t name)
{
	return span_eq(display_names_get(w->names, name), SPAN("--"));
}

static bool is_narrow(const struct layout_work *w, const struct box *b)
{
	return !b->weight || (double)b->weight < w->min_weight;
}

static void add_box(struct layout_work *w, const struct box *b)
{
	struct picture_layout *l = w->l;

	ARRAY_GROW(l->boxes, l->n, l->cap);
	l->boxes[l->n++] = *b;
	if (b->depth > l->max_depth)
		l->max_depth = b->depth;
}

static void run_add(struct narrow_run *r, const struct box *b)
{
	if (!b->weight)
		return;
	if (!r->n)
		r->start = b->start;
	r->weight = b->start + b->weight - r->start;
	r->n++;
}

/* Ends the run; true if it is wide enough for a box, which is then in *b. */
static bool run_command_end(
	const struct layout_work *w, struct narrow_run *r, uint32_t depth, struct box *b)
{
	*b = (struct box){ .depth = depth, .start = r->start, .weight = r->weight, .small = r->n };
	*r = (struct narrow_run){ 0 };
	return b->small && !is_narrow(w, b);
}

/* The tree itself. Where a sort of lines would draw a function twice, one box is drawn. */

struct sibling {
	struct span name;
	node_id node;
	bool ends; /* stacks end here */
	struct box box;
};

static int sibling_cmp(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;

	return span_cmp_ended(x->name, x->ends ? ' ' : ';', y->name, y->ends ? ' ' : ';');
}

struct siblings {
	struct sibling *at;
	size_t n, cap;
};

/* Replaces narrow siblings by runs, in place. */
static void drop_narrow(const struct layout_work *w, struct siblings *s, uint32_t depth)
{
	struct narrow_run run = { 0 };
	struct box small;
	size_t n = s->n, i;

	for (s->n = 0, i = 0; i <= n; i++) {
		struct sibling at = { 0 };

		if (i < n)
			at = s->at[i];
		if (i < n && is_narrow(w, &at.box)) {
			run_add(&run, &at.box);
			continue;
		}
		/* A run has freed one place at least. */
		if (run_command_end(w, &run, depth, &small))
			s->at[s->n++] = (struct sibling){ .box = small };
		if (i < n)
			s->at[s->n++] = at;
	}
}

/* Pushes the children that are wide enough onto the list of boxes to draw, the last one first. */
static void push_children(struct layout_work *w, struct siblings *todo, struct siblings *scratch,
	const struct sibling *up)
{
	const struct node *nodes = w->p->nodes;
	node_id end = up->node + nodes[up->node].subtree, c;
	bool waker = up->box.waker || is_waker_mark(w, up->box.name);
	uint64_t start = up->box.start + nodes[up->node].self;
	size_t i;

	scratch->n = 0;
	for (c = up->node + 1; c < end; c += nodes[c].subtree) {
		uint32_t name = display_names_number(w->names, nodes[c].frame);

		ARRAY_GROW(scratch->at, scratch->n, scratch->cap);
		scratch->at[scratch->n++] =
			(struct sibling){ .name = display_names_get(w->names, name),
				.node = c,
				.ends = nodes[c].self > 0,
				.box = { .frame = nodes[c].frame,
					.node = c,
					.name = name,
					.depth = nodes[c].depth,
					.waker = waker,
					.weight = nodes[c].total } };
	}
	if (scratch->n > 1)
		qsort(scratch->at, scratch->n, sizeof(*scratch->at), sibling_cmp);
	for (i = 0; i < scratch->n; i++) {
		scratch->at[i].box.start = start;
		start += scratch->at[i].box.weight;
	}
	drop_narrow(w, scratch, nodes[up->node].depth + 1);
	for (i = scratch->n; i-- > 0;) {
		ARRAY_GROW(todo->at, todo->n, todo->cap);
		todo->at[todo->n++] = scratch->at[i];
	}
}

static void layout_merged(struct layout_work *w)
{
	struct siblings todo = { 0 }, scratch = { 0 };
	struct sibling at = { .box = w->l->boxes[0] };

	push_children(w, &todo, &scratch, &at);
	while (todo.n) {
		at = todo.at[--todo.n];
		add_box(w, &at.box);
		if (!at.box.small)
			push_children(w, &todo, &scratch, &at);
	}
	free(todo.at);
	free(scratch.at);
}

/* A flow: stacks side by side, in an order in which those to be merged are neighbours. */

struct flow {
	struct layout_work *w;
	struct box *open;       /* by depth - 1 */
	uint32_t *key;          /* of open boxes: equal keys on the same box are merged */
	struct narrow_run *run; /* of narrow boxes, by depth - 1 */
	uint32_t n_open;
	uint64_t at;
};

static void flow_end_run(struct flow *f, uint32_t depth)
{
	struct box small;

	if (run_command_end(f->w, &f->run[depth - 1], depth, &small))
		add_box(f->w, &small);
}

static void flow_close(struct flow *f, uint32_t keep)
{
	while (f->n_open > keep) {
		struct box *b = &f->open[--f->n_open];
		struct narrow_run *run = &f->run[f->n_open];

		b->weight = f->at - b->start;
		flow_end_run(f, b->depth + 1);
		if (run->n && run->start + run->weight < b->start)
			flow_end_run(f, b->depth);
		if (is_narrow(f->w, b)) {
			run_add(run, b);
			continue;
		}
		flow_end_run(f, b->depth);
		add_box(f->w, b);
	}
}

static void flow_open(struct flow *f, frame_id frame, uint32_t key)
{
	uint32_t n = f->n_open++;
	const struct box *below = n ? &f->open[n - 1] : NULL;

	f->key[n] = key;
	f->open[n] = (struct box){ .frame = frame,
		.name = display_names_number(f->w->names, frame),
		.depth = n + 1,
		.waker = below && (below->waker || is_waker_mark(f->w, below->name)),
		.start = f->at };
}

static int box_cmp(const void *a, const void *b)
{
	const struct box *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void flow_init(struct flow *f, struct layout_work *w)
{
	*f = (struct flow){ .w = w };
	f->open = xcalloc((size_t)w->p->max_depth + 1, sizeof(*f->open));
	f->key = xcalloc((size_t)w->p->max_depth + 1, sizeof(*f->key));
	f->run = xcalloc((size_t)w->p->max_depth + 2, sizeof(*f->run));
}

static void flow_finish(struct flow *f)
{
	struct picture_layout *l = f->w->l;

	flow_close(f, 0);
	flow_end_run(f, 1);
	qsort(l->boxes, l->n, sizeof(*l->boxes), box_cmp);
	free(f->open);
	free(f->key);
	free(f->run);
}

/* One stack, innermost frame first, as LAYOUT_REVERSED draws it. */
static void flow_up(struct flow *f, node_id leaf)
{
	const struct node *nodes = f->w->p->nodes;
	uint32_t depth = 0;
	node_id at;

	for (at = leaf; at; at = nodes[at].parent, depth++)
		if (depth == f->n_open ||
			f->key[depth] != display_names_number(f->w->names, nodes[at].frame))
			break;
	flow_close(f, depth);
	for (; at; at = nodes[at].parent)
		flow_open(f, nodes[at].frame, display_names_number(f->w->names, nodes[at].frame));
	f->at += nodes[leaf].self;
}

struct leaf_order {
	const struct node *nodes;
	struct display_names *names;
};

/* The order of the lines "name;name;... N" of two stacks, read from their ends. */
static int leaf_cmp(const void *a, const void *b, void *ctx)
{
	const struct leaf_order *l = ctx;
	node_id x = *(const node_id *)a, y = *(const node_id *)b;

	for (; x != y; x = l->nodes[x].parent, y = l->nodes[y].parent) {
		uint32_t nx, ny;

		if (!x || !y)
			return x ? 1 : -1;
		nx = display_names_number(l->names, l->nodes[x].frame);
		ny = display_names_number(l->names, l->nodes[y].frame);
		if (nx != ny) {
			struct sibling sx = { .name = display_names_get(l->names, nx) };
			struct sibling sy = { .name = display_names_get(l->names, ny) };

			sx.ends = !l->nodes[x].parent;
			sy.ends = !l->nodes[y].parent;
			return sibling_cmp(&sx, &sy);
		}
	}
	return 0;
}

static void layout_reversed(struct layout_work *w)
{
	struct leaf_order l = { w->p->nodes, w->names };
	node_id *leaves = xcalloc((size_t)w->p->n_nodes + 1, sizeof(*leaves));
	struct flow f;
	size_t n = 0, i;
	node_id c;

	for (c = 0; c < w->p->n_nodes; c++)
		if (w->p->nodes[c].self)
			leaves[n++] = c;
	qsort_r(leaves, n, sizeof(*leaves), leaf_cmp, &l);
	flow_init(&f, w);
	for (i = 0; i < n; i++)
		flow_up(&f, leaves[i]);
	flow_finish(&f);
	free(leaves);
}

/* One slice; path has room for its nodes, without the root. */
static void flow_slice(struct flow *f, const struct slice *s, uint64_t width, node_id *path)
{
	const struct node *nodes = f->w->p->nodes;
	uint32_t n = s->idle ? 0 : nodes[s->stack].depth, same = 0, i = n;
	node_id at;

	for (at = n ? s->stack : 0; at; at = nodes[at].parent)
		path[--i] = at;
	while (same < n && same < f->n_open && f->key[same] == path[same])
		same++;
	flow_close(f, same);
	for (i = same; i < n; i++)
		flow_open(f, nodes[path[i]].frame, path[i]);
	f->at = saturated_add(f->at, width);
}

static void layout_time(struct layout_work *w)
{
	node_id *path = xcalloc((size_t)w->p->max_depth + 1, sizeof(*path));
	bool time = picture_layout_is_time(w->p, LAYOUT_TIME);
	uint32_t track, n = slices_tracks(w->p);
	struct flow f;

	flow_init(&f, w);
	for (track = 0; track < n; track++) {
		struct slices slices;
		struct slice s;

		if (!slices_start(&slices, w->p, w->opts, track))
			continue;
		flow_close(&f, 0);
		while (slices_next(&slices, &s))
			flow_slice(&f, &s, slice_width(&s, time), path);
	}
	flow_finish(&f);
	free(path);
}

/* Rows of which each has one box, as wide as the picture: what all samples have in common.
 * flame_layout.js folds narrow towers, too, which a click opens; here nothing could open them, and
 * their frames are where the time went. */

/* Shorter runs are not worth a riddle; flame_layout.js has the same limit. */
enum { FOLD_LEAST = 8 };

struct depth_use {
	size_t boxes, box; /* how many, and the last of them */
};

static bool is_link(const struct picture_layout *l, const struct depth_use *at)
{
	const struct box *a = &l->boxes[at[0].box], *b = &l->boxes[at[1].box];

	return at[0].boxes == 1 && at[1].boxes == 1 && !a->small && !b->small &&
	       a->weight == l->total && b->weight == l->total;
}

/* Where a run ends that begins at a depth. Not in it are the root, and the frame that others branch
 * off from. */
static uint32_t fold_end(const struct picture_layout *l, const struct depth_use *use, uint32_t from)
{
	uint32_t end = from;

	while (end && end < l->max_depth && is_link(l, &use[end]))
		end++;
	return end - from >= FOLD_LEAST ? end : from;
}

static void fold_rows(struct picture_layout *l, const struct depth_use *use, uint32_t *row)
{
	uint32_t depth, end;

	for (depth = 0; depth <= l->max_depth; l->n_rows++) {
		end = fold_end(l, use, depth);
		row[depth] = l->n_rows;
		if (end > depth) {
			l->boxes[use[depth].box].fold = end - depth;
			l->boxes[use[depth].box].last = l->boxes[use[end - 1].box].name;
		}
		for (depth++; depth < end; depth++)
			row[depth] = UINT32_MAX;
	}
}

void picture_layout_fold(struct picture_layout *l)
{
	struct depth_use *use = xcalloc((size_t)l->max_depth + 1, sizeof(*use));
	uint32_t *row = xcalloc((size_t)l->max_depth + 1, sizeof(*row));
	size_t i, n = 0;

	for (i = 0; i < l->n; i++) {
		use[l->boxes[i].depth].boxes++;
		use[l->boxes[i].depth].box = i;
	}
	l->n_rows = 0;
	if (l->n)
		fold_rows(l, use, row);
	for (i = 0; i < l->n; i++) {
		if (row[l->boxes[i].depth] == UINT32_MAX)
			continue;
		l->boxes[n] = l->boxes[i];
		l->boxes[n].row = row[l->boxes[i].depth];
		n++;
	}
	l->n = n;
	free(use);
	free(row);
}

void picture_layout_make(struct picture_layout *l, const struct output_opts *o,
	struct display_names *names, enum picture_layout_order order, double min_weight)
{
	struct layout_work w = { l, names->p, o, names, min_weight };
	struct box all = { .frame = 0, .name = display_names_number(names, 0) };

	*l = (struct picture_layout){ .total = picture_layout_total(w.p, o, order) };
	if (!l->total)
		return;
	all.weight = l->total;
	add_box(&w, &all);
	if (order == LAYOUT_REVERSED)
		layout_reversed(&w);
	else if (order == LAYOUT_TIME)
		layout_time(&w);
	else
		layout_merged(&w);
}
