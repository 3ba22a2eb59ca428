/*
 * The trees are those of compare/call_tree.h, as lists of rows: the heaviest branch first, what
 * weighs less than a hundredth of the function left out. A callee that is the only one follows
 * without an indent, as in perfold top --tree: stacks are deep, and of interest where they fork.
 *
 * Each list has half of the page, or what the other one leaves. The arrows up and down go from one
 * list to the other, too.
 */
#include "view/calls_page.h"

#include "base/mem.h"
#include "compare/call_tree.h"

#include <stdio.h>
#include <stdlib.h>

enum { SHARE = 7, HEAD = 1, ROWS_MOST = 5000, PREFIX_MOST = 400, WHEEL_ROWS = 3 };

#define LEAST_PART 0.01

static const struct screen_style plain, dim = { .attributes = SCREEN_DIM };

void calls_page_init(struct calls_page *c, struct view_names *names)
{
	*c = (struct calls_page){ .names = names };
}

static void release_list(struct calls_list *l)
{
	profile_free(l->tree);
	free(l->row);
	buf_release(&l->prefixes);
	*l = (struct calls_list){ 0 };
}

void calls_page_release(struct calls_page *c)
{
	unsigned i;

	for (i = 0; i < CALLS_LISTS; i++)
		release_list(&c->list[i]);
	free(c->back);
}

/* ---- rows ---------------------------------------------------------------------------------- */

struct calls_branch {
	node_id node;
	size_t prefix, prefix_bytes; /* of its parent */
	enum { ALONE, FORKED, FORKED_LAST } how;
};

struct calls_walk {
	struct calls_list *list;
	struct calls_branch *waiting; /* the next one is last */
	size_t n, cap;
	uint64_t least;
};

static int compare_branches(const void *pa, const void *pb, void *ctx)
{
	const struct calls_branch *a = pa, *b = pb;
	const struct node *n = ((const struct profile *)ctx)->nodes;

	/* The heaviest is taken first: it is last. */
	if (n[a->node].total != n[b->node].total)
		return n[a->node].total < n[b->node].total ? -1 : 1;
	return (a->node < b->node) - (a->node > b->node);
}

static void push_children(struct calls_walk *w, node_id of, const struct calls_row *row)
{
	struct profile *tree = w->list->tree;
	node_id i, end = of + tree->nodes[of].subtree;
	size_t first = w->n, k;

	for (i = of + 1; i < end; i += tree->nodes[i].subtree) {
		if (!tree->nodes[i].total || tree->nodes[i].total < w->least)
			continue;
		ARRAY_GROW(w->waiting, w->n, w->cap);
		w->waiting[w->n++] =
			(struct calls_branch){ i, row->prefix, row->prefix_bytes, FORKED };
	}
	if (w->n - first > 1)
		qsort_r(w->waiting + first, w->n - first, sizeof(*w->waiting), compare_branches,
			tree);
	for (k = first; k < w->n; k++)
		w->waiting[k].how = w->n - first == 1 ? ALONE : k == first ? FORKED_LAST : FORKED;
}

/* What is left of a row, and of those below it. */
static void add_row(struct calls_walk *w, const struct calls_branch *b)
{
	static const char *const joint[] = { "", "├ ", "└ " };
	static const char *const onward[] = { "", "│ ", "  " };
	struct calls_list *l = w->list;
	struct calls_row row = { b->node, l->prefixes.n, 0 }, below;
	size_t kept = b->prefix_bytes < PREFIX_MOST ? b->prefix_bytes : 0;

	buf_reserve(&l->prefixes, 2 * (kept + sizeof("│ "))); /* they are copied within it */
	buf_put(&l->prefixes, l->prefixes.p + b->prefix, kept);
	buf_puts(&l->prefixes, joint[b->how]);
	row.prefix_bytes = l->prefixes.n - row.prefix;
	below.prefix = l->prefixes.n;
	buf_put(&l->prefixes, l->prefixes.p + b->prefix, kept);
	buf_puts(&l->prefixes, onward[b->how]);
	below.prefix_bytes = l->prefixes.n - below.prefix;
	ARRAY_GROW(l->row, l->n, l->cap);
	l->row[l->n++] = row;
	push_children(w, b->node, &below);
}

/* Node 1 is the function itself. */
static void make_rows(struct calls_list *l)
{
	const struct calls_row none = { 0 };
	struct calls_walk w = { .list = l };

	if (l->tree->n_nodes < 2)
		return;
	w.least = (uint64_t)((double)l->tree->nodes[0].total * LEAST_PART);
	push_children(&w, 1, &none);
	while (w.n && l->n < ROWS_MOST) {
		struct calls_branch b = w.waiting[--w.n];

		add_row(&w, &b);
	}
	free(w.waiting);
}

static void make_lists(struct calls_page *c, function_id function)
{
	struct costs *costs = &c->names->costs;
	bool *marked = xcalloc((size_t)costs->functions.n + 1, sizeof(*marked));
	unsigned i;

	marked[function] = true;
	c->list[CALLS_CALLERS].tree = call_tree_callers(costs, marked);
	c->list[CALLS_CALLEES].tree = call_tree_callees(costs, marked);
	for (i = 0; i < CALLS_LISTS; i++)
		make_rows(&c->list[i]);
	free(marked);
}

static void show(struct calls_page *c, frame_id frame)
{
	function_id function;
	unsigned i;

	for (i = 0; i < CALLS_LISTS; i++)
		release_list(&c->list[i]);
	c->frame = 0;
	c->active = CALLS_CALLERS;
	if (!view_names_function(c->names, frame, &function))
		return;
	c->frame = frame;
	make_lists(c, function);
}

void calls_page_show(struct calls_page *c, frame_id frame)
{
	c->n_back = 0;
	if (frame != c->frame || !frame)
		show(c, frame);
}

bool calls_page_go_back(struct calls_page *c)
{
	if (!c->n_back)
		return false;
	show(c, c->back[--c->n_back]);
	return true;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void put_share(struct screen_line *l, double part, struct screen_style style)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%6.1f%%", 100 * part);

	screen_put(l, (struct span){ text, (size_t)n }, style);
}

static void draw_row(
	struct calls_page *c, const struct calls_list *list, uint32_t at, unsigned row, bool active)
{
	const struct calls_row *r = &list->row[at];
	const struct node *n = &list->tree->nodes[r->node];
	struct screen_line l = screen_line(list->area.screen, row, 0, list->area.screen->columns);
	struct screen_style style = plain, tree = dim;
	struct span name = view_names_get(c->names, n->frame);
	struct buf label = { 0 };

	if (view_names_is_found(c->names, n->frame))
		style = (struct screen_style){ .attributes = SCREEN_BOLD | SCREEN_UNDERLINE };
	if (at == list->chosen && active)
		style = tree = (struct screen_style){ .attributes = SCREEN_REVERSE | SCREEN_BOLD };
	put_share(&l, view_names_part(c->names, n->total), style);
	put_share(&l, (double)n->total / (double)list->tree->nodes[0].total, style);
	screen_pad(&l, 2 * SHARE + 2, style);
	screen_put(&l, (struct span){ list->prefixes.p + r->prefix, r->prefix_bytes }, tree);
	screen_put(&l, SPAN("█"),
		(struct screen_style){ .text = view_names_color(c->names, n->frame) });
	screen_pad(&l, l.column + 1, style);
	view_names_fit(&label, name, screen_room(&l));
	screen_put(&l, buf_span(&label), style);
	screen_pad(&l, l.end, style);
	buf_release(&label);
}

static void draw_list(struct calls_page *c, unsigned which, const struct page_area *area)
{
	static const char *const titles[] = { "callers; below each, what calls it",
		"callees; below each, what it calls" };
	struct calls_list *list = &c->list[which];
	struct screen_line l = screen_line(area->screen, area->top, 0, area->screen->columns);
	unsigned i, rows = area->rows ? area->rows - HEAD : 0;

	list->area = *area;
	if (!area->rows)
		return;
	screen_printf(&l,
		which == c->active ? (struct screen_style){ .attributes = SCREEN_BOLD } : dim,
		" of all  of it  %s%s", titles[which], list->n ? "" : ": none");
	list->first = page_scroll(list->first, list->chosen, list->n, rows);
	for (i = 0; i < rows && list->first + i < list->n; i++)
		draw_row(c, list, list->first + i, area->top + HEAD + i, which == c->active);
}

/* Callers get half, or what callees leave of it. */
static unsigned rows_of_callers(const struct calls_page *c, unsigned rows)
{
	unsigned half = rows / 2, callers = c->list[CALLS_CALLERS].n + HEAD,
		 callees = c->list[CALLS_CALLEES].n + HEAD;

	if (callers <= half)
		return callers;
	if (callees < rows - half)
		return rows - callees < callers ? rows - callees : callers;
	return half;
}

void calls_page_draw(struct calls_page *c, const struct page_area *area)
{
	struct screen_line l = screen_line(area->screen, area->top, 0, area->screen->columns);
	struct page_area part = { area->screen, area->top + HEAD, area->rows - HEAD };
	struct buf label = { 0 };

	if (!c->frame) {
		screen_put(&l, SPAN("no function is chosen: threads and \"all\" are none"), dim);
		return;
	}
	screen_put(&l, SPAN("of "), dim);
	view_names_fit(&label, view_names_get(c->names, c->frame), screen_room(&l));
	screen_put(&l, buf_span(&label), (struct screen_style){ .attributes = SCREEN_BOLD });
	buf_release(&label);
	part.rows = rows_of_callers(c, area->rows - HEAD);
	draw_list(c, CALLS_CALLERS, &part);
	part.top += part.rows;
	part.rows = area->rows - HEAD - part.rows;
	draw_list(c, CALLS_CALLEES, &part);
}

/* ---- events -------------------------------------------------------------------------------- */

static struct calls_list *active(struct calls_page *c)
{
	return &c->list[c->active];
}

/* At the end of a list the other one goes on. */
static bool crosses(struct calls_page *c, uint32_t key)
{
	struct calls_list *l = active(c);
	bool down = key == VIEW_KEY_DOWN || key == 'j', up = key == VIEW_KEY_UP || key == 'k';
	struct calls_list *other = &c->list[!c->active];

	if (!other->n)
		return false;
	if (down && c->active == CALLS_CALLERS && l->chosen + 1 >= l->n) {
		other->chosen = 0;
	} else if (up && c->active == CALLS_CALLEES && !l->chosen) {
		other->chosen = other->n - 1;
	} else {
		return false;
	}
	c->active = !c->active;
	return true;
}

static void open_row(struct calls_page *c)
{
	frame_id frame = calls_page_chosen(c);
	function_id function;

	if (frame == c->frame || !view_names_function(c->names, frame, &function))
		return;
	ARRAY_GROW(c->back, c->n_back, c->cap_back);
	c->back[c->n_back++] = c->frame;
	show(c, frame);
}

static void click(struct calls_page *c, const struct view_event *event)
{
	unsigned i;

	for (i = 0; i < CALLS_LISTS; i++) {
		struct calls_list *l = &c->list[i];
		uint32_t row = l->first + event->row - l->area.top - HEAD;

		if (!page_has(&l->area, event->row) || event->row == l->area.top || row >= l->n)
			continue;
		if (c->active == i && l->chosen == row) {
			open_row(c);
			return;
		}
		c->active = i;
		l->chosen = row;
	}
}

bool calls_page_take(struct calls_page *c, const struct view_event *event)
{
	struct calls_list *l = active(c);
	unsigned i, rows = l->area.rows ? l->area.rows - HEAD : 0;

	switch (event->key) {
	case VIEW_KEY_ENTER:
		open_row(c);
		return true;
	case VIEW_KEY_BACKSPACE:
		calls_page_go_back(c);
		return true;
	case VIEW_KEY_LEFT:
	case VIEW_KEY_RIGHT:
		c->active = !c->active;
		return true;
	case VIEW_KEY_CLICK:
		click(c, event);
		return true;
	case VIEW_KEY_WHEEL_UP:
	case VIEW_KEY_WHEEL_DOWN:
		for (i = 0; i < WHEEL_ROWS; i++)
			page_move(event->key == VIEW_KEY_WHEEL_UP ? VIEW_KEY_UP : VIEW_KEY_DOWN,
				&l->chosen, l->n, rows);
		return true;
	default:
		return crosses(c, event->key) || page_move(event->key, &l->chosen, l->n, rows);
	}
}

void calls_page_next_match(struct calls_page *c, int step)
{
	uint32_t all = c->list[0].n + c->list[1].n, i,
		 at = active(c)->chosen + (c->active ? c->list[0].n : 0);

	for (i = 0; i < all; i++) {
		unsigned which;
		uint32_t row;

		at = step > 0 ? (at + 1) % all : (at + all - 1) % all;
		which = at >= c->list[0].n;
		row = which ? at - c->list[0].n : at;
		if (view_names_is_found(c->names,
			    c->list[which].tree->nodes[c->list[which].row[row].node].frame)) {
			c->active = which;
			c->list[which].chosen = row;
			return;
		}
	}
}

/* ---- what is chosen ------------------------------------------------------------------------ */

static const struct node *chosen_node(const struct calls_page *c)
{
	const struct calls_list *l = &c->list[c->active];

	return l->n ? &l->tree->nodes[l->row[l->chosen].node] : NULL;
}

frame_id calls_page_chosen(const struct calls_page *c)
{
	const struct node *n = chosen_node(c);

	return n ? n->frame : c->frame;
}

void calls_page_put_status(struct calls_page *c, struct page_status *status)
{
	const struct node *n = chosen_node(c);
	const struct calls_list *l = active(c);

	if (!n)
		return;
	buf_put_span(&status->name, view_names_get(c->names, n->frame));
	buf_put_span(&status->module, view_names_module(c->names, n->frame));
	page_put_kind(status, c->names, n->frame);
	view_names_put_share(&status->share, c->names, n->total);
	buf_printf(&status->share, " of all, %.1f%% of the function · ",
		100.0 * (double)n->total / (double)l->tree->nodes[0].total);
	headline_put_weight(&status->share, &c->names->of, n->total,
		profile_samples(l->tree, l->row[l->chosen].node).total);
}
