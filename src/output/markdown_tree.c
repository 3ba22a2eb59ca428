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
	PATH_FIRST = 1, /* steps of a path; if it is longer, the middle is left out */
	PATH_LAST = 7,
	CHAIN_FIRST = 8, /* of a row of the tree: the same */
	CHAIN_LAST = 8,
};

#define TREE_LEAST_SHARE 0.01
#define PATH_LEAST_SHARE 0.01

/* Paths: the nodes of a function, the most expensive first. */

static void add_way(struct markdown_ways *w, const struct profile *p, node_id at)
{
	unsigned i;

	w->all++;
	if (w->n == MARKDOWN_WAYS && p->nodes[w->most[MARKDOWN_WAYS - 1]].self >= p->nodes[at].self)
		return;
	i = w->n < MARKDOWN_WAYS ? w->n++ : MARKDOWN_WAYS - 1;
	for (; i && p->nodes[w->most[i - 1]].self < p->nodes[at].self; i--)
		w->most[i] = w->most[i - 1];
	w->most[i] = at;
}

void markdown_page_prepare_ways(struct markdown_page *g)
{
	uint32_t hot = g->n_self < MARKDOWN_HOT_FUNCTIONS ? g->n_self : MARKDOWN_HOT_FUNCTIONS, k;
	node_id i;

	for (i = 1; i < g->p->n_nodes; i++) {
		function_id f;

		if (!g->p->nodes[i].self || !stack_path_includes(g->p, i))
			continue;
		f = functions_of_frame(&g->costs.functions, stack_path_frame(g->p, i));
		for (k = 0; k < hot; k++)
			if (g->by_self[k].function == f)
				add_way(&g->ways[k], g->p, i);
	}
}

/* Frames of one name that follow each other: a step of a path, "`visit` (40 times)". */
struct path_step {
	frame_id frame;
	uint32_t times;
};

struct path_steps {
	struct path_step *step;
	uint32_t n, cap;
};

static void add_step(struct markdown_page *g, struct path_steps *to, frame_id frame)
{
	struct buf name = { 0 }, last = { 0 };

	if (to->n) {
		profile_put_name(g->p, to->step[to->n - 1].frame, &last);
		profile_put_name(g->p, frame, &name);
	}
	if (to->n && span_eq(buf_span(&name), buf_span(&last))) {
		to->step[to->n - 1].times++;
	} else {
		ARRAY_GROW(to->step, to->n, to->cap);
		to->step[to->n++] = (struct path_step){ frame, 1 };
	}
	buf_release(&name);
	buf_release(&last);
}

/* Of a long path the middle is left out. put() adds a name that is short enough. */
static void put_steps(struct markdown_page *g, const struct path_steps *of, uint32_t first,
	uint32_t last, void (*put)(struct buf *, struct span), struct buf *to)
{
	struct buf name = { 0 }, text = { 0 };
	uint32_t i;

	for (i = 0; i < of->n; i++) {
		buf_puts(to, i ? " > " : "");
		if (i == first && i + last + 1 < of->n) {
			i = of->n - last;
			buf_puts(to, "... > ");
		}
		name.n = text.n = 0;
		profile_put_name(g->p, of->step[i].frame, &name);
		markdown_page_put_short(&text, buf_span(&name), MARKDOWN_NAME_IN_PATH);
		put(to, buf_span(&text));
		if (of->step[i].times > 1)
			buf_printf(to, " (%" PRIu32 " times)", of->step[i].times);
	}
	buf_release(&name);
	buf_release(&text);
}

void markdown_page_put_way(struct markdown_page *g, node_id to)
{
	struct stack_path path = { 0 };
	struct path_steps steps = { 0 };
	uint32_t i;

	stack_path_get(&path, g->p, to);
	for (i = 0; i < path.n; i++)
		add_step(g, &steps, path.frame[i]);
	put_steps(g, &steps, PATH_FIRST, PATH_LAST, markdown_text_put_code, g->b);
	free(steps.step);
	stack_path_release(&path);
}

static void put_paths_to(struct markdown_page *g, function_id f, const struct markdown_ways *w)
{
	unsigned i;

	for (i = 0; i < w->n; i++) {
		buf_puts(g->b, "- ");
		markdown_page_put_share(g, g->p->nodes[w->most[i]].self);
		buf_puts(g->b, " self by ");
		markdown_page_put_way(g, w->most[i]);
		buf_putc(g->b, '\n');
	}
	if (w->all > w->n) {
		buf_printf(g->b, "- and %" PRIu32 " more %s to ", w->all - w->n,
			counted(w->all - w->n, "path", "paths"));
		markdown_page_put_code(g, markdown_page_name(g, f));
		buf_putc(g->b, '\n');
	}
}

void markdown_page_put_paths(struct markdown_page *g)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < g->n_self && i < MARKDOWN_HOT_FUNCTIONS && i < g->rows; i++) {
		if (!markdown_page_has_name(g, g->by_self[i].function) ||
			markdown_page_share(g, g->by_self[i].self.weight) < PATH_LEAST_SHARE)
			continue;
		if (!any)
			buf_puts(g->b, "\n## Paths to the hottest functions\n\n");
		any = true;
		put_paths_to(g, g->by_self[i].function, &g->ways[i]);
	}
}

/* Tree */

/* A node whose whole time goes on in one callee, the node after it, shares its row with it. */
static bool goes_on(const struct markdown_page *g, node_id of)
{
	const struct node *n = g->p->nodes;

	return n[of].subtree > 1 && n[of + 1].total == n[of].total;
}

static bool begins_row(const struct markdown_page *g, node_id i)
{
	node_id parent = g->p->nodes[i].parent;

	return !parent || i != parent + 1 || !goes_on(g, parent);
}

/* The heaviest first; of equals the first in the profile, and so a caller before its callees. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct markdown_row *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->node > b->node) - (a->node < b->node);
}

static uint64_t least_of_branches(const struct markdown_page *g)
{
	uint64_t least = (uint64_t)ceil(TREE_LEAST_SHARE * (double)g->weight);

	return least ? least : 1;
}

void markdown_page_prepare_tree(struct markdown_page *g)
{
	uint64_t least = least_of_branches(g);
	size_t n = 0, cap = 0;
	node_id i;

	for (i = 1; i < g->p->n_nodes; i++) {
		if (g->p->nodes[i].total < least || !begins_row(g, i))
			continue;
		ARRAY_GROW(g->branch, n, cap);
		g->branch[n++] = (struct markdown_row){ g->p->nodes[i].total, i };
	}
	g->n_branches = (uint32_t)n;
	if (n)
		qsort(g->branch, n, sizeof(*g->branch), compare_rows);
}

/* The last of the rows that there is room for; callers of what is shown are shown. */
static struct markdown_row last_of_tree(const struct markdown_page *g)
{
	uint32_t most = 3 * g->rows < g->n_branches ? 3 * g->rows : g->n_branches;

	return most ? g->branch[most - 1] : (struct markdown_row){ least_of_branches(g), 0 };
}

static bool is_shown(const struct markdown_page *g, node_id i, const struct markdown_row *last)
{
	uint64_t weight = g->p->nodes[i].total;

	return weight > last->weight || (weight == last->weight && i <= last->node);
}

/* Returns the last node of the chain. */
static node_id put_chain(struct markdown_page *g, struct buf *text, node_id first)
{
	struct path_steps steps = { 0 };
	node_id end = first + 1, i;

	while (goes_on(g, end - 1))
		end++;
	for (i = first; i < end; i++)
		add_step(g, &steps, g->p->nodes[i].frame);
	put_steps(g, &steps, CHAIN_FIRST, CHAIN_LAST, buf_put_span, text);
	free(steps.step);
	return end - 1;
}

struct tree_branch {
	node_id node;
	uint32_t indent;
};

struct tree_branches {
	struct tree_branch *waiting; /* the next one is last */
	size_t n, cap;
};

/* The callees that are shown, the most expensive to come first; of equals, the first by name. */
static void add_callees(struct tree_branches *w, const struct markdown_page *g, node_id of,
	uint32_t indent, const struct markdown_row *last)
{
	const struct node *node = g->p->nodes;
	size_t first = w->n, at;
	node_id i;

	for (i = of + 1; i < of + node[of].subtree; i += node[i].subtree) {
		if (!is_shown(g, i, last))
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

static void put_rows_of_tree(
	struct markdown_page *g, const struct markdown_row *last, struct buf *rows)
{
	struct tree_branches w = { 0 };
	struct buf chain = { 0 };

	add_callees(&w, g, 0, 0, last);
	while (w.n) {
		struct tree_branch b = w.waiting[--w.n];

		chain.n = 0;
		buf_printf(rows, "%*s%.1f%% ", (int)b.indent, "",
			100 * markdown_page_share(g, g->p->nodes[b.node].total));
		add_callees(&w, g, put_chain(g, &chain, b.node), b.indent + 1, last);
		utf8_put_terminal(rows, buf_span(&chain));
		buf_putc(rows, '\n');
	}
	buf_release(&chain);
	free(w.waiting);
}

void markdown_page_put_tree(struct markdown_page *g)
{
	struct markdown_row last = last_of_tree(g);
	uint32_t most = 3 * g->rows < g->n_branches ? 3 * g->rows : g->n_branches;
	struct buf rows = { 0 };

	put_rows_of_tree(g, &last, &rows);
	buf_printf(g->b, "\n## Tree of callers and callees, total, from %.1f%%\n\n",
		100 * markdown_page_share(
			      g, g->n_branches > most ? last.weight : least_of_branches(g)));
	markdown_text_put_fence(g->b, buf_span(&rows));
	buf_put_span(g->b, buf_span(&rows));
	markdown_text_put_fence(g->b, buf_span(&rows));
	if (g->n_branches > most) {
		buf_printf(g->b, "\n- and %" PRIu32 " more %s from ", g->n_branches - most,
			counted(g->n_branches - most, "branch", "branches"));
		markdown_page_put_share(g, least_of_branches(g));
		buf_puts(g->b, " on\n");
	}
	buf_release(&rows);
}
