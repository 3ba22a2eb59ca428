/*
 * A profile is a tree in preorder; a function is in it once for each path that leads to it. Self
 * costs are added up node by node. Total costs must not count a stack twice that holds a function
 * twice, so only the outermost node of a function on each path counts:
 *
 *	main 10		counts for main
 *	└ f 8		counts for f
 *	  └ g 5		counts for g
 *	    └ f 4	is within f's 8
 *
 * cost_functions() walks the nodes in order with the functions of the current path (cost_path): one
 * pass, O(nodes).
 *
 * Several functions together (costs_walk, costs_sum) are the same with a set of functions in place
 * of one: a walk returns the outermost node of any of them and then skips its subtree, whose
 * numbers follow it.
 *
 * A node that is no code (the thread's name) has no function, unless stacks without any code end
 * there: those are the function "[empty]", without what is above it.
 */
#include "compare/costs.h"

#include "base/mem.h"

#include <stdlib.h>

static struct cost node_self(const struct profile *p, node_id i, bool before)
{
	const struct node *n = &p->nodes[i];

	return before ? (struct cost){ p->before->of[i].self, p->before->of[i].self_samples }
		      : (struct cost){ n->self, profile_samples(p, i).self };
}

static struct cost node_total(const struct profile *p, node_id i, bool before)
{
	const struct node *n = &p->nodes[i];

	return before ? (struct cost){ p->before->of[i].total, p->before->of[i].total_samples }
		      : (struct cost){ n->total, profile_samples(p, i).total };
}

/* The functions on the path to a node. */
struct cost_path {
	function_id *at;  /* by depth, plus 1; 0: no code */
	uint32_t *active; /* by function, how often it is there */
	uint32_t depth;
};

/* Goes on to a node of that depth, whose function is not known yet. */
static void cost_path_step(struct cost_path *path, uint32_t depth)
{
	for (; path->depth >= depth; path->depth--) {
		if (path->at[path->depth])
			path->active[path->at[path->depth] - 1]--;
		path->at[path->depth] = 0;
		if (!path->depth)
			break;
	}
	path->depth = depth;
}

static void add_node(
	struct costs *c, struct function_cost *of, struct cost_path *path, node_id i, bool before)
{
	const struct profile *p = c->functions.p;
	bool is_code = stack_path_is_code(p, i);
	struct cost self;
	function_id f;

	if (!is_code && !stack_path_includes(p, i))
		return;
	f = functions_of_frame(&c->functions, stack_path_frame(p, i));
	self = node_self(p, i, before);
	costs_add_all(&of[f].self, self);
	if (!is_code) {
		/* The end of a stack without code: only its own weight. */
		costs_add_all(&of[f].total, self);
		return;
	}
	path->at[path->depth] = f + 1;
	if (!path->active[f]++)
		costs_add_all(&of[f].total, node_total(p, i, before));
}

static struct function_cost *cost_functions(struct costs *c, bool before)
{
	const struct profile *p = c->functions.p;
	size_t most = (size_t)frames_count(p->frames) + 1; /* functions */
	struct function_cost *of = xcalloc(most, sizeof(*of));
	struct cost_path path = {
		.at = xcalloc((size_t)p->max_depth + 1, sizeof(*path.at)),
		.active = xcalloc(most, sizeof(*path.active)),
	};
	uint32_t i;

	for (i = 0; i < p->n_nodes; i++) {
		cost_path_step(&path, p->nodes[i].depth);
		add_node(c, of, &path, i, before);
	}
	for (i = 0; i < c->functions.n; i++)
		of[i].function = i;
	free(path.at);
	free(path.active);
	return of;
}

void costs_init(struct costs *c, const struct profile *p)
{
	functions_init(&c->functions, p);
	c->of = cost_functions(c, false);
	c->before = p->before ? cost_functions(c, true) : NULL;
}

void costs_release(struct costs *c)
{
	functions_release(&c->functions);
	free(c->of);
	free(c->before);
}

/* Several functions together */

bool costs_walk_next(struct costs_walk *w, node_id *node)
{
	const struct profile *p = w->c->functions.p;
	node_id i;

	for (; w->next < p->n_nodes; w->next++) {
		i = w->next;
		if (!stack_path_includes(p, i) ||
			!w->marked[functions_of_frame(&w->c->functions, stack_path_frame(p, i))])
			continue;
		if (w->by == BY_TOTAL && i < w->counted)
			continue;
		if (stack_path_is_code(p, i))
			w->counted = i + p->nodes[i].subtree;
		w->next++;
		*node = i;
		return true;
	}
	return false;
}

struct cost costs_of_node(const struct costs_walk *w, node_id node, bool before)
{
	const struct profile *p = w->c->functions.p;

	if (w->by == BY_TOTAL && stack_path_is_code(p, node))
		return node_total(p, node, before);
	return node_self(p, node, before);
}

struct cost costs_sum(struct costs *c, const bool *marked, enum cost_order by, bool before)
{
	struct costs_walk w = { .c = c, .marked = marked, .by = by };
	struct cost sum = { 0 };
	node_id node;

	while (costs_walk_next(&w, &node))
		costs_add_all(&sum, costs_of_node(&w, node, before));
	return sum;
}

/* Ranking */

/* qsort() passes no context to its comparison, so a row holds what is compared. */
struct ranked {
	struct cost first, second;
	struct span name, module;
	function_id function;
};

int costs_compare(const struct cost *a, const struct cost *b)
{
	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return 0;
}

static int compare_ranked(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;
	int order = costs_compare(&a->first, &b->first);

	if (!order)
		order = span_cmp(a->name, b->name);
	if (!order)
		order = costs_compare(&a->second, &b->second);
	if (!order)
		order = span_cmp(a->module, b->module);
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

struct function_cost *costs_ranked_among(
	const struct costs *c, enum cost_order by, const bool *among, uint32_t *n)
{
	struct ranked *rows = xcalloc((size_t)c->functions.n + 1, sizeof(*rows));
	struct function_cost *ranked;
	uint32_t i;

	*n = 0;
	for (i = 0; i < c->functions.n; i++) {
		const struct function_cost *f = &c->of[i];
		const struct cost *first = by == BY_SELF ? &f->self : &f->total;

		if (!costs_is_zero(*first) && (!among || among[i]))
			rows[(*n)++] = (struct ranked){ *first, by == BY_SELF ? f->total : f->self,
				functions_name(&c->functions, i),
				strtab_get(
					c->functions.p->strings, c->functions.function[i].module),
				i };
	}
	qsort(rows, *n, sizeof(*rows), compare_ranked);
	ranked = xcalloc((size_t)*n + 1, sizeof(*ranked));
	for (i = 0; i < *n; i++)
		ranked[i] = c->of[rows[i].function];
	free(rows);
	return ranked;
}

struct function_cost *costs_ranked(const struct costs *c, enum cost_order by, uint32_t *n)
{
	return costs_ranked_among(c, by, NULL, n);
}
