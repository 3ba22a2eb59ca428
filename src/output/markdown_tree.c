/*
 * Paths to the hottest functions, and the tree, of its most expensive branches only.
 */
#include "output/markdown_page.h"

#include "base/counted.h"
#include "base/mem.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	PATH_FIRST = 1, /* frames of a path; if it is longer, the middle is left out */
	PATH_LAST = 7,
	HOT_FUNCTIONS = 5, /* that have their paths shown */
	PATHS = 2,         /* of each */
};

#define TREE_LEAST_SHARE 0.01
#define PATH_LEAST_SHARE 0.01

/* Paths: the nodes of a function, the most expensive first. */

struct ways {
	node_id most[PATHS];
	unsigned n;
	uint32_t all;
};

static void add_way(struct ways *w, const struct profile *p, node_id at)
{
	unsigned i;

	w->all++;
	if (w->n == PATHS && p->nodes[w->most[PATHS - 1]].self >= p->nodes[at].self)
		return;
	i = w->n < PATHS ? w->n++ : PATHS - 1;
	for (; i && p->nodes[w->most[i - 1]].self < p->nodes[at].self; i--)
		w->most[i] = w->most[i - 1];
	w->most[i] = at;
}

static struct ways find_ways(struct markdown_page *g, function_id to)
{
	struct ways w = { .n = 0 };
	node_id i;

	for (i = 1; i < g->p->n_nodes; i++)
		if (g->p->nodes[i].self && stack_path_includes(g->p, i) &&
			functions_of_frame(&g->costs.functions, stack_path_frame(g->p, i)) == to)
			add_way(&w, g->p, i);
	return w;
}

/* "`a` > `b` (3 times)": how often a name follows itself. */
static uint32_t put_step(struct markdown_page *g, const struct stack_path *path, uint32_t at)
{
	struct buf name = { 0 }, next = { 0 };
	uint32_t end = at + 1;

	profile_put_name(g->p, path->frame[at], &name);
	for (; end < path->n; end++) {
		next.n = 0;
		profile_put_name(g->p, path->frame[end], &next);
		if (!span_eq(buf_span(&name), buf_span(&next)))
			break;
	}
	next.n = 0;
	markdown_page_put_short(&next, buf_span(&name), MARKDOWN_NAME_IN_PATH);
	markdown_text_put_code(g->b, buf_span(&next));
	if (end > at + 1)
		buf_printf(g->b, " (%" PRIu32 " times)", end - at);
	buf_release(&name);
	buf_release(&next);
	return end;
}

static void put_way(struct markdown_page *g, node_id to)
{
	struct stack_path path = { 0 };
	uint32_t i = 0;

	stack_path_get(&path, g->p, to);
	while (i < path.n) {
		if (i)
			buf_puts(g->b, " > ");
		if (i == PATH_FIRST && path.n > PATH_FIRST + PATH_LAST + 1) {
			i = path.n - PATH_LAST;
			buf_puts(g->b, "... > ");
		}
		i = put_step(g, &path, i);
	}
	stack_path_release(&path);
}

static void put_paths_to(struct markdown_page *g, const struct function_cost *c)
{
	struct ways w = find_ways(g, c->function);
	unsigned i;

	for (i = 0; i < w.n; i++) {
		buf_puts(g->b, "- ");
		markdown_page_put_share(g, g->p->nodes[w.most[i]].self);
		buf_puts(g->b, " self by ");
		put_way(g, w.most[i]);
		buf_putc(g->b, '\n');
	}
	if (w.all > w.n) {
		buf_printf(g->b, "- and %" PRIu32 " more %s to ", w.all - w.n,
			counted(w.all - w.n, "path", "paths"));
		markdown_page_put_code(g, markdown_page_name(g, c->function));
		buf_putc(g->b, '\n');
	}
}

void markdown_page_put_paths(struct markdown_page *g)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < g->n_self && i < HOT_FUNCTIONS && i < g->rows; i++) {
		if (!markdown_page_has_name(g, g->by_self[i].function) ||
			markdown_page_share(g, g->by_self[i].self.weight) < PATH_LEAST_SHARE)
			continue;
		if (!any)
			buf_puts(g->b, "\n## Paths to the hottest functions\n\n");
		any = true;
		put_paths_to(g, &g->by_self[i]);
	}
}

/* Tree */

/* What a node must weigh to be shown, so that there are rows for all of them. */
static uint64_t least_of_tree(const struct markdown_page *g)
{
	uint64_t least = (uint64_t)ceil(TREE_LEAST_SHARE * (double)g->weight);
	uint32_t n, i;

	for (;; least += least / 4 + 1) {
		for (n = 0, i = 1; i < g->p->n_nodes; i++)
			n += g->p->nodes[i].total >= least;
		if (n <= 3 * g->rows)
			return least ? least : 1;
	}
}

/* A node whose whole time goes on in one callee, the node after it, shares its line with it. */
static bool goes_on(const struct markdown_page *g, node_id of)
{
	const struct node *n = g->p->nodes;

	return n[of].subtree > 1 && n[of + 1].total == n[of].total;
}

static node_id put_chain(struct markdown_page *g, struct buf *text, node_id at)
{
	struct buf name = { 0 }, last = { 0 };
	uint32_t times = 0;

	for (;; at++) {
		name.n = 0;
		profile_put_name(g->p, g->p->nodes[at].frame, &name);
		if (times && span_eq(buf_span(&name), buf_span(&last))) {
			times++;
		} else {
			if (times > 1)
				buf_printf(text, " (%" PRIu32 " times)", times);
			buf_puts(text, times ? " > " : "");
			markdown_page_put_short(text, buf_span(&name), MARKDOWN_NAME_IN_PATH);
			times = 1;
			last.n = 0;
			buf_put_span(&last, buf_span(&name));
		}
		if (!goes_on(g, at))
			break;
	}
	if (times > 1)
		buf_printf(text, " (%" PRIu32 " times)", times);
	buf_release(&name);
	buf_release(&last);
	return at;
}

struct tree_branch {
	node_id node;
	uint32_t indent;
};

struct tree_branches {
	struct tree_branch *waiting; /* the next one is last */
	size_t n, cap;
};

/* The callees that weigh enough, the most expensive to come first; of equals, the first by name. */
static void add_callees(struct tree_branches *w, const struct markdown_page *g, node_id of,
	uint32_t indent, uint64_t least)
{
	const struct node *node = g->p->nodes;
	size_t first = w->n, at;
	node_id i;

	for (i = of + 1; i < of + node[of].subtree; i += node[i].subtree) {
		if (node[i].total < least)
			continue;
		ARRAY_GROW(w->waiting, w->n, w->cap);
		for (at = w->n++; at > first; at--) {
			if (node[w->waiting[at - 1].node].total < node[i].total)
				break;
			w->waiting[at] = w->waiting[at - 1];
		}
		w->waiting[at] = (struct tree_branch){ i, indent };
	}
}

static void put_rows_of_tree(struct markdown_page *g, uint64_t least, struct buf *rows)
{
	struct tree_branches w = { 0 };
	struct buf chain = { 0 };

	add_callees(&w, g, 0, 0, least);
	while (w.n) {
		struct tree_branch b = w.waiting[--w.n];

		chain.n = 0;
		buf_printf(rows, "%*s%.1f%% ", (int)b.indent, "",
			100 * markdown_page_share(g, g->p->nodes[b.node].total));
		add_callees(&w, g, put_chain(g, &chain, b.node), b.indent + 1, least);
		utf8_put_terminal(rows, buf_span(&chain));
		buf_putc(rows, '\n');
	}
	buf_release(&chain);
	free(w.waiting);
}

void markdown_page_put_tree(struct markdown_page *g)
{
	uint64_t least = least_of_tree(g);
	struct buf rows = { 0 };

	put_rows_of_tree(g, least, &rows);
	buf_printf(g->b, "\n## Tree of callers and callees, total, from %.1f%%\n\n",
		100 * markdown_page_share(g, least));
	markdown_text_put_fence(g->b, buf_span(&rows));
	buf_put_span(g->b, buf_span(&rows));
	markdown_text_put_fence(g->b, buf_span(&rows));
	buf_release(&rows);
}
