#include "collapse/tree.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"

#include <math.h>
#include <stdlib.h>

void tree_init(struct tree *t)
{
	*t = (struct tree){ 0 };
	ARRAY_GROW(t->nodes, t->n, t->cap);
	t->nodes[t->n++] = (struct tree_node){ 0 };
}

void tree_release(struct tree *t)
{
	free(t->nodes);
	index_release(&t->by_child);
	*t = (struct tree){ 0 };
}

static uint32_t tree_add(struct tree *t, uint32_t parent, frame_id frame)
{
	ARRAY_GROW(t->nodes, t->n, t->cap);
	t->nodes[t->n] = (struct tree_node){ .parent = parent, .frame = frame };
	return t->n++;
}

/* A table of all children would cost two cache misses for each node of a tree of millions; most of
 * its nodes are the only child of the node before them. */
uint32_t tree_child(struct tree *t, uint32_t parent, frame_id frame)
{
	uint32_t first = t->nodes[parent].child, i;
	struct index_cursor c;
	uint64_t hash;

	if (!first) {
		i = tree_add(t, parent, frame);
		t->nodes[parent].child = i;
		return i;
	}
	if (t->nodes[first].frame == frame)
		return first;
	hash = hash_pair(parent, frame);
	if (t->nodes[parent].more)
		index_for_each (&t->by_child, hash, c, i)
			if (t->nodes[i].parent == parent && t->nodes[i].frame == frame)
				return i;
	i = tree_add(t, parent, frame);
	t->nodes[parent].more = true;
	index_add(&t->by_child, hash, i);
	return i;
}

void tree_count(struct tree *t, uint32_t node, uint64_t weight, uint64_t samples)
{
	t->nodes[node].self = add_saturated(t->nodes[node].self, weight);
	t->nodes[node].samples = add_saturated(t->nodes[node].samples, samples);
}

void tree_merge(struct tree *t, const struct tree *from, const frame_id *alike, uint32_t *map)
{
	uint32_t *place = map ? map : xreallocarray(NULL, from->n, sizeof(*place));
	uint32_t i;

	place[0] = 0;
	for (i = 0; i < from->n; i++) {
		const struct tree_node *n = &from->nodes[i];

		if (i)
			place[i] =
				tree_child(t, place[n->parent], alike ? alike[n->frame] : n->frame);
		tree_count(t, place[i], n->self, n->samples);
	}
	if (!map)
		free(place);
}

uint64_t tree_least(const struct tree *t, double min_percent)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		sum = add_saturated(sum, t->nodes[i].self);
	return (uint64_t)ceil((double)sum * min_percent / 100.0);
}
