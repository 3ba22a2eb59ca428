/*
 * diff_picture.c - a difference as a tree whose weights are the widths of frames
 *
 *	difference      main 4>6          picture, by after    main 6
 *	                |- a 3>6                               `- a 6
 *	                `- b 1>0                               lane "gone: was there before"
 *	                                                       `- main
 *	                                                          `- b 1
 *
 * A node with weight on the side that gives the widths is placed under its parent's node
 * (place[]). A node with weight on the other side only is placed in the lane, below copies of its
 * callers (lane_place[]). copy_sides() then gives each node of the picture the weights of both
 * sides. The class of change is the frame's category, so a frame is added for each class that it
 * occurs with.
 */
#include "collapse/collapse.h"

#include "base/mem.h"
#include "collapse/finish.h"
#include "compare/change.h"

#include <stdlib.h>

/* Sorts after all other names: a lane is the last of its siblings. */
#define LANE_GONE "\u25b8 gone: was there before"
#define LANE_NEW  "\u25b8 new: was not there before"

struct picture_tree {
	const struct profile *p; /* the difference */
	bool by_before;
	double scale; /* from weights before to widths */
	struct tree tree;
	uint32_t lane;        /* node of the tree; 0: not made yet */
	uint32_t *place;      /* by node of p: node of the tree outside of the lane, 0: none */
	uint32_t *lane_place; /* by node of p: node in the lane, 0: none */
	node_id *shown;       /* by node of the tree: node of p; of the lane itself 0 */
	size_t cap_shown;
	str_id categories[CHANGE_CLASSES];
};

static uint64_t scaled(const struct picture_tree *k, uint64_t before)
{
	return (uint64_t)((double)before * k->scale + 0.5);
}

/* The node's weight on the side that gives the widths, or on the other one. */
static uint64_t total_of(const struct picture_tree *k, node_id i, bool before)
{
	return before ? k->p->before->of[i].total : k->p->nodes[i].total;
}

static uint64_t self_of(const struct picture_tree *k, node_id i, bool before)
{
	return before ? scaled(k, k->p->before->of[i].self) : k->p->nodes[i].self;
}

static uint32_t add_node(struct picture_tree *k, uint32_t parent, node_id i, enum change_class of)
{
	struct frame f = *frames_get(k->p->frames, k->p->nodes[i].frame);
	uint32_t node;

	f.category = k->categories[of];
	node = tree_child(&k->tree, parent, frames_add(k->p->frames, &f));
	if (node >= k->cap_shown) {
		size_t old = k->cap_shown;

		ARRAY_RESERVE(k->shown, (size_t)node + 1, k->cap_shown);
		memset(k->shown + old, 0, (k->cap_shown - old) * sizeof(*k->shown));
	}
	k->shown[node] = i;
	return node;
}

static enum change_class class_of(const struct picture_tree *k, node_id i)
{
	struct change c = change_of_node_total(k->p, i);

	return change_class_of(k->p, &c);
}

static uint32_t lane_of(struct picture_tree *k)
{
	struct frame f = { .kind = FRAME_LABEL };
	uint32_t node;

	if (k->lane)
		return k->lane;
	f.name = strtab_add_str(k->p->strings, k->by_before ? LANE_NEW : LANE_GONE);
	f.category = k->categories[CHANGE_CALLER];
	node = tree_child(&k->tree, 0, frames_add(k->p->frames, &f));
	if (node >= k->cap_shown) {
		ARRAY_RESERVE(k->shown, (size_t)node + 1, k->cap_shown);
		k->shown[node] = 0;
	}
	return k->lane = node;
}

/* The callers of a node, from the root on, as nodes of the lane. */
static uint32_t callers_in_lane(struct picture_tree *k, node_id of)
{
	node_id at, *path = xcalloc((size_t)k->p->nodes[of].depth + 1, sizeof(*path));
	uint32_t n = 0, node;

	for (at = of; at && !k->lane_place[at]; at = k->p->nodes[at].parent)
		path[n++] = at;
	node = at ? k->lane_place[at] : lane_of(k);
	while (n--)
		node = k->lane_place[path[n]] = add_node(k, node, path[n], CHANGE_CALLER);
	free(path);
	return node;
}

static void place_node(struct picture_tree *k, node_id i)
{
	node_id parent = k->p->nodes[i].parent;
	uint32_t node;

	if (total_of(k, i, k->by_before)) {
		node = i ? add_node(k, k->place[parent], i, class_of(k, i)) : 0;
		k->place[i] = node;
		tree_add(&k->tree, node, self_of(k, i, k->by_before), 0);
	} else if (i && total_of(k, i, !k->by_before)) {
		node = add_node(k, callers_in_lane(k, parent), i, class_of(k, i));
		k->lane_place[i] = node;
		tree_add(&k->tree, node, self_of(k, i, !k->by_before), 0);
	}
}

/* Copies the weights of both sides to the nodes of the picture. */
static void copy_sides(const struct picture_tree *k, struct profile *made, const node_id *place)
{
	struct comparison *to = made->before;
	uint32_t i;

	to->of = xcalloc(made->n_nodes, sizeof(*to->of));
	to->after = xcalloc(made->n_nodes, sizeof(*to->after));
	for (i = 0; i < k->tree.n; i++) {
		const struct node *n = &k->p->nodes[k->shown[i]];
		struct node_samples samples = profile_samples(k->p, k->shown[i]);

		if (i && i == k->lane)
			continue;
		to->of[place[i]] = k->p->before->of[k->shown[i]];
		to->after[place[i]] =
			(struct node_after){ n->self, samples.self, n->total, samples.total };
	}
}

static struct profile *finish(struct picture_tree *k)
{
	struct profile *made = xmemdup(k->p, sizeof(*made));
	node_id *place = xcalloc(k->tree.n, sizeof(*place));

	made->nodes = NULL;
	made->samples = NULL;
	made->n_nodes = made->max_depth = 0;
	made->before = xmemdup(k->p->before, sizeof(*made->before));
	made->before->whole = k->p;
	finish_tree(&k->tree, made, 0, place);
	made->n_samples = k->p->n_samples;
	copy_sides(k, made, place);
	free(place);
	return made;
}

struct profile *diff_picture(const struct diff *d, bool by_before)
{
	const struct profile *p = d->profile;
	uint64_t before = p->before->of[0].total, after = p->nodes[0].total;
	struct picture_tree k = { .p = p, .by_before = by_before, .scale = 1 };
	struct profile *made;
	node_id i;
	int c;

	/* Shares are compared: a share before is as wide as the same share after. */
	if (!p->before->absolute && before && after)
		k.scale = (double)after / (double)before;
	for (c = 0; c < CHANGE_CLASSES; c++)
		k.categories[c] = strtab_add_str(p->strings, change_class_name(c));
	k.place = xcalloc(p->n_nodes, sizeof(*k.place));
	k.lane_place = xcalloc(p->n_nodes, sizeof(*k.lane_place));
	ARRAY_GROW(k.shown, 0, k.cap_shown);
	memset(k.shown, 0, k.cap_shown * sizeof(*k.shown));
	tree_init(&k.tree);
	for (i = 0; i < p->n_nodes; i++)
		place_node(&k, i);
	made = finish(&k);
	tree_release(&k.tree);
	free(k.place);
	free(k.lane_place);
	free(k.shown);
	return made;
}
