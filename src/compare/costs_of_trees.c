/*
 * costs_of_trees.c - the same of the trees that a profile is made of
 *
 * A worker's tree has nodes in the order of its stacks, without totals. So what passes through a
 * node is added up on the path (tree_path), and given to its function, and to the node above, when
 * the walk leaves it:
 *
 *	main 0  f 0  g 5  f 4		a stack of main, f, g, f
 *	main 0  f 0  g 9		the inner f is left: the outer one will count for it
 *	main 0  f 9			g had 9
 *
 * Nodes are those of the full profile, but that several have a part of one. Functions are numbered
 * in the order of their content, which the number of workers does not change. Costs two passes.
 */
#include "compare/costs.h"

#include "base/mem.h"

#include <stdlib.h>

struct tree_step {
	function_id function; /* plus 1; 0: no code */
	struct cost through;
};

/* The latest node, and all above it. */
struct tree_path {
	struct tree_step *step;
	uint32_t n, cap;
	uint32_t *active; /* by function, how often it is there */
};

struct tree_costs {
	struct costs *c;
	const struct tree *tree;
	function_id *function_of; /* by frame, of code: plus 1 */
	struct tree_path path;
	struct cost whole;
};

static struct cost node_self(const struct tree *t, uint32_t node)
{
	struct tree_sum own = tree_self(t, node);

	return (struct cost){ own.weight, own.samples };
}

static bool is_code(const struct costs *c, frame_id frame)
{
	return frame && frames_get(c->functions.p->frames, frame)->kind != FRAME_ROOT;
}

/* As stack_path_frame(). */
static frame_id frame_of(const struct costs *c, const struct tree *t, uint32_t node)
{
	return node ? t->nodes[node].what : stack_path_frame(c->functions.p, 0);
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Those of code, and of nodes where stacks without any end. */
static void add_functions(struct costs *c, const struct tree *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		frame_id frame = t->nodes[i].what;

		if (!c->functions.by_frame[frame] && (is_code(c, frame) || t->nodes[i].sum))
			functions_of_frame(&c->functions, frame_of(c, t, i));
	}
}

static function_id *list_functions(const struct costs *c)
{
	const struct functions *f = &c->functions;
	function_id *of = xcalloc(f->n_frames + (size_t)1, sizeof(*of));
	frame_id i;

	for (i = 1; i < f->n_frames; i++)
		if (f->by_frame[i] && is_code(c, i))
			of[i] = f->by_frame[i];
	return of;
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* The end of a stack without code: only its own weight. */
static void add_end(struct tree_costs *w, uint32_t node, struct cost self)
{
	struct costs *c = w->c;
	struct function_cost *of =
		&c->of[functions_of_frame(&c->functions, frame_of(c, w->tree, node))];

	costs_add_all(&of->self, self);
	costs_add_all(&of->total, self);
}

static void enter_node(struct tree_costs *w, uint32_t node)
{
	struct tree_path *path = &w->path;
	struct cost self = node_self(w->tree, node);
	function_id function = w->function_of[w->tree->nodes[node].what];

	ARRAY_GROW(path->step, path->n, path->cap);
	path->step[path->n++] = (struct tree_step){ function, self };
	if (function) {
		path->active[function - 1]++;
		costs_add_all(&w->c->of[function - 1].self, self);
	} else if (w->tree->nodes[node].sum) {
		add_end(w, node, self);
	}
}

static void leave_node(struct tree_costs *w)
{
	struct tree_path *path = &w->path;
	const struct tree_step *step = &path->step[--path->n];
	struct cost *above = path->n ? &path->step[path->n - 1].through : &w->whole;

	costs_add_all(above, step->through);
	if (step->function && !--path->active[step->function - 1])
		costs_add_all(&w->c->of[step->function - 1].total, step->through);
}

static void add_tree(struct tree_costs *w, const struct tree *t)
{
	uint32_t node = 0, left;

	w->tree = t;
	do {
		enter_node(w, node);
		for (node = tree_next(t, node, &left); left; left--)
			leave_node(w);
	} while (node);
	leave_node(w); /* the root */
}

struct cost costs_init_of_trees(
	struct costs *c, const struct profile *names, const struct tree *const *trees, uint32_t n)
{
	struct tree_costs w = { .c = c };
	uint32_t i;

	*c = (struct costs){ 0 };
	functions_init(&c->functions, names);
	for (i = 0; i < n; i++)
		add_functions(c, trees[i]);
	functions_sort(&c->functions);
	c->of = xcalloc((size_t)c->functions.n + 1, sizeof(*c->of));
	for (i = 0; i < c->functions.n; i++)
		c->of[i].function = i;
	w.function_of = list_functions(c);
	w.path.active = xcalloc((size_t)c->functions.n + 1, sizeof(*w.path.active));
	for (i = 0; i < n; i++)
		add_tree(&w, trees[i]);
	free(w.function_of);
	free(w.path.step);
	free(w.path.active);
	return w.whole;
}
