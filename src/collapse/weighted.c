/* weighted.c - a profile of stacks of another profile, with weights of their own */
#include "collapse/collapse.h"

#include "base/mem.h"
#include "base/sort.h"
#include "collapse/finish.h"

#include <stdlib.h>

struct weighting {
	const struct profile *full;
	struct tree tree;
	uint32_t *node; /* of the tree, by node of full, for the current label; 0: none yet */
	node_id *path;
	uint32_t cap_path;
	frame_id separator;
};

static int compare_stacks(const void *pa, const void *pb)
{
	const struct weighted_stack *a = pa, *b = pb;

	if (a->label != b->label)
		return a->label < b->label ? -1 : 1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->beside > b->beside) - (a->beside < b->beside);
}

static void begin_label(struct weighting *w, frame_id label)
{
	memset(w->node, 0, w->full->n_nodes * sizeof(*w->node));
	w->node[0] = label ? tree_child(&w->tree, 0, label) : 0;
}

static uint32_t node_of(struct weighting *w, node_id stack)
{
	const struct node *nodes = w->full->nodes;
	uint32_t n = 0;

	for (; stack && !w->node[stack]; stack = nodes[stack].parent) {
		ARRAY_GROW(w->path, n, w->cap_path);
		w->path[n++] = stack;
	}
	while (n) {
		stack = w->path[--n];
		w->node[stack] =
			tree_child(&w->tree, w->node[nodes[stack].parent], nodes[stack].frame);
	}
	return w->node[stack];
}

static uint32_t put_beside(struct weighting *w, uint32_t node, node_id beside)
{
	const struct node *nodes = w->full->nodes;

	if (!beside || beside >= w->full->n_nodes)
		return node;
	if (!w->separator)
		w->separator = frames_add(w->full->frames,
			&(struct frame){ .name = strtab_add_str(w->full->strings, "--"),
				.kind = FRAME_LABEL });
	node = tree_child(&w->tree, node, w->separator);
	for (; beside; beside = nodes[beside].parent)
		node = tree_child(&w->tree, node, nodes[beside].frame);
	return node;
}

struct profile *collapse_weighted(
	const struct profile *full, struct weighted_stack *stacks, size_t n, str_id unit)
{
	struct weighting w = { .full = full, .node = xcalloc(full->n_nodes, sizeof(*w.node)) };
	struct profile *p = xcalloc(1, sizeof(*p));
	size_t i;

	p->frames = full->frames;
	p->strings = full->strings;
	p->annotate = full->annotate;
	p->addresses = full->addresses;
	p->unit = unit;
	tree_init(&w.tree);
	if (n)
		sort_in_place(stacks, n, sizeof(*stacks), compare_stacks);
	for (i = 0; i < n; i++) {
		const struct weighted_stack *s = &stacks[i];

		if (!i || s->label != s[-1].label)
			begin_label(&w, s->label);
		tree_add(&w.tree,
			put_beside(&w, node_of(&w, s->stack < full->n_nodes ? s->stack : 0),
				s->beside),
			s->weight, s->samples);
	}
	finish_tree(&w.tree, p, 0, NULL);
	tree_release(&w.tree);
	free(w.node);
	free(w.path);
	return p;
}
