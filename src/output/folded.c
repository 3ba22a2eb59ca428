/*
 * folded.c - one line for each stack: frame;frame;frame N
 *
 * In a difference, lines have two counts, before and after, as difffolded.pl writes them; if shares
 * are compared, those before are scaled to the total after.
 *
 * Lines are sorted by their bytes without the count, as by stackcollapse-perf.pl. In the tree, each
 * child is two items to sort: its own line, with the frame's name as key, and the lines of its
 * children, with the name and ";" as key. "a" with both and a sibling "a.b" make the order
 * a, a.b, a;...
 *
 * Stacks may be deeper than the C stack allows, so the items to do are kept in a list.
 */
#include "output/output_formats.h"

#include "base/mem.h"
#include "model/display_names.h"

#include <stdlib.h>

struct folded_item {
	struct span name;
	node_id node;
	bool above; /* the lines of its children, not its own */
};

struct folded {
	const struct profile *p;
	struct display_names names;
	struct folded_item *todo; /* the next one is at the end */
	size_t n, cap;
	struct buf line; /* "a;b;" of the frame being written */
	size_t *prefix;  /* by depth: length in line of the callers' names, with their ";" */
	struct sink *to;
};

/* In reverse, since the list is popped from its end. */
static int item_cmp(const void *a, const void *b)
{
	const struct folded_item *x = a, *y = b;

	return span_cmp_ended(y->name, y->above ? ';' : -1, x->name, x->above ? ';' : -1);
}

static void todo_add(struct folded *f, struct span name, node_id node, bool above)
{
	ARRAY_GROW(f->todo, f->n, f->cap);
	f->todo[f->n++] = (struct folded_item){ name, node, above };
}

static bool has_line(const struct profile *p, node_id node)
{
	return p->nodes[node].self || (p->before && p->before->of[node].self);
}

static void todo_add_children(struct folded *f, node_id parent)
{
	const struct node *nodes = f->p->nodes;
	node_id end = parent + nodes[parent].subtree, c;
	size_t first = f->n;

	for (c = parent + 1; c < end; c += nodes[c].subtree) {
		struct span name = display_names_get(
			&f->names, display_names_number(&f->names, nodes[c].frame));

		if (has_line(f->p, c))
			todo_add(f, name, c, false);
		if (nodes[c].subtree > 1)
			todo_add(f, name, c, true);
	}
	/* Stacks without a frame. */
	if (parent == 0 && has_line(f->p, 0))
		todo_add(f, SPAN("[empty]"), 0, false);
	if (f->n - first > 1)
		qsort(f->todo + first, f->n - first, sizeof(*f->todo), item_cmp);
}

static void put_before(struct folded *f, node_id node)
{
	const struct comparison *before = f->p->before;
	unsigned __int128 weight = before->of[node].self;

	if (!before->absolute && before->of[0].total)
		weight = weight * f->p->nodes[0].total / before->of[0].total;
	sink_put_u64(f->to, (uint64_t)weight);
	sink_putc(f->to, ' ');
}

static void folded_write_item(struct folded *f, struct folded_item it)
{
	const struct node *node = &f->p->nodes[it.node];
	uint32_t below = node->depth ? node->depth - 1 : 0;

	f->line.n = f->prefix[below];
	buf_put_span(&f->line, it.name);
	if (it.above) {
		buf_putc(&f->line, ';');
		f->prefix[below + 1] = f->line.n;
		todo_add_children(f, it.node);
	} else {
		sink_put_span(f->to, buf_span(&f->line));
		sink_putc(f->to, ' ');
		if (f->p->before)
			put_before(f, it.node);
		sink_put_u64(f->to, node->self);
		sink_putc(f->to, '\n');
	}
}

static int folded_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct folded f = { .p = p, .to = to };

	(void)o;
	(void)e;
	display_names_init(&f.names, p);
	f.prefix = xcalloc((size_t)p->max_depth + 2, sizeof(*f.prefix));
	if (p->n_nodes)
		todo_add_children(&f, 0);
	while (f.n && !sink_failed(to))
		folded_write_item(&f, f.todo[--f.n]);
	free(f.prefix);
	free(f.todo);
	buf_release(&f.line);
	display_names_release(&f.names);
	return OK;
}

static const char *const suffixes[] = { ".folded", ".collapsed", ".txt", NULL };

const struct output_format folded_format = {
	.name = "folded",
	.suffixes = suffixes,
	.about = "one line for each stack, for flamegraph.pl, speedscope and diff",
	.needs = OUTPUT_BY_NAME | OUTPUT_DIFFERENCE | OUTPUT_WEIGHTS,
	.write = folded_write,
};
