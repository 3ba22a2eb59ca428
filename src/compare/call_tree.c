/*
 * Stacks are added to a trie, whose nodes are then put in preorder. Frames of one function are one
 * node; root frames (the thread's name) are told apart by their number.
 */
#include "compare/call_tree.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

struct call {
	uint32_t parent, first, last, next; /* children in the order in which they came; 0: none */
	frame_id frame;
	uint64_t key;
	struct cost self, total;
};

struct call_tree {
	struct costs *c;
	const struct profile *p;
	struct call *call; /* [0] is the root */
	uint32_t n, cap;
	struct index by_edge;
};

static uint64_t key_of(struct call_tree *t, frame_id frame)
{
	if (frames_get(t->p->frames, frame)->kind == FRAME_ROOT)
		return (uint64_t)frame << 32 | UINT32_MAX;
	return functions_of_frame(&t->c->functions, frame);
}

static uint32_t child_of(struct call_tree *t, uint32_t parent, frame_id frame)
{
	uint64_t key = key_of(t, frame), hash;
	uint32_t i = t->call[parent].last;
	struct index_cursor c;

	/* Stacks come in order, and those of a deep recursion share nearly all of their callers. */
	if (i && t->call[i].key == key)
		return i;
	hash = hash_pair(parent, key);
	index_for_each (&t->by_edge, hash, c, i)
		if (t->call[i].parent == parent && t->call[i].key == key)
			return i;
	ARRAY_GROW(t->call, t->n, t->cap);
	t->call[t->n] = (struct call){ .parent = parent, .frame = frame, .key = key };
	if (t->call[parent].last)
		t->call[t->call[parent].last].next = t->n;
	else
		t->call[parent].first = t->n;
	t->call[parent].last = t->n;
	index_add(&t->by_edge, hash, t->n);
	return t->n++;
}

static void init(struct call_tree *t, struct costs *c)
{
	*t = (struct call_tree){ .c = c, .p = c->functions.p };
	ARRAY_GROW(t->call, t->n, t->cap);
	t->call[t->n++] = (struct call){ 0 };
}

static struct cost self_of(const struct call_tree *t, node_id i)
{
	return (struct cost){ t->p->nodes[i].self, profile_samples(t->p, i).self };
}

static void add_cost(struct cost *to, struct cost c)
{
	costs_add(to, c.weight, c.samples);
}

/* A child comes after its parent. */
static void add_totals(struct call_tree *t)
{
	uint32_t i;

	for (i = t->n; i-- > 0;) {
		add_cost(&t->call[i].total, t->call[i].self);
		if (i)
			add_cost(&t->call[t->call[i].parent].total, t->call[i].total);
	}
}

/* Preorder */

static uint32_t next_of(const struct call_tree *t, uint32_t i)
{
	if (t->call[i].first)
		return t->call[i].first;
	for (; i; i = t->call[i].parent)
		if (t->call[i].next)
			return t->call[i].next;
	return 0;
}

static void put_node(struct profile *out, node_id at, const struct call *call, node_id parent)
{
	out->nodes[at] = (struct node){ .frame = call->frame,
		.parent = parent,
		.subtree = 1,
		.depth = at ? out->nodes[parent].depth + 1 : 0,
		.self = call->self.weight,
		.total = call->total.weight };
	out->samples[at] = (struct node_samples){ call->self.samples, call->total.samples };
	if (out->nodes[at].depth > out->max_depth)
		out->max_depth = out->nodes[at].depth;
}

/* Releases the trie. */
static struct profile *profile_of(struct call_tree *t)
{
	struct profile *out = xcalloc(1, sizeof(*out));
	node_id *number = xcalloc(t->n, sizeof(*number)), at = 0;
	uint32_t i = 0;

	add_totals(t);
	*out = *t->p;
	out->nodes = xcalloc(t->n, sizeof(*out->nodes));
	out->samples = xcalloc(t->n, sizeof(*out->samples));
	out->n_nodes = t->n;
	out->max_depth = 0;
	out->rows = NULL;
	out->threads = NULL;
	out->before = NULL;
	out->n_rows = out->n_threads = 0;
	do {
		number[i] = at;
		put_node(out, at++, &t->call[i], number[t->call[i].parent]);
		i = next_of(t, i);
	} while (i);
	for (at = t->n - 1; at; at--)
		out->nodes[out->nodes[at].parent].subtree += out->nodes[at].subtree;
	out->n_samples = out->samples[0].total;
	free(number);
	free(t->call);
	index_release(&t->by_edge);
	return out;
}

/* Callers */

static void add_callers(struct call_tree *t, node_id node, struct cost cost)
{
	bool is_code = stack_path_is_code(t->p, node);
	uint32_t at = child_of(t, 0, stack_path_frame(t->p, node));

	for (node = is_code ? t->p->nodes[node].parent : 0; node; node = t->p->nodes[node].parent)
		at = child_of(t, at, t->p->nodes[node].frame);
	add_cost(&t->call[at].self, cost);
}

struct profile *call_tree_callers(struct costs *c, const bool *marked)
{
	struct costs_walk w = { .c = c, .marked = marked, .by = BY_TOTAL };
	struct call_tree t;
	node_id node;

	init(&t, c);
	while (costs_walk_next(&w, &node))
		add_callers(&t, node, costs_of_node(&w, node, false));
	return profile_of(&t);
}

/* Callees */

static void add_callees(struct call_tree *t, node_id node)
{
	const struct node *n = t->p->nodes;
	node_id end = stack_path_is_code(t->p, node) ? node + n[node].subtree : node + 1, i;
	uint32_t *at = xcalloc((size_t)(end - node), sizeof(*at));

	at[0] = child_of(t, 0, stack_path_frame(t->p, node));
	for (i = node; i < end; i++) {
		if (i > node)
			at[i - node] = child_of(t, at[n[i].parent - node], n[i].frame);
		add_cost(&t->call[at[i - node]].self, self_of(t, i));
	}
	free(at);
}

struct profile *call_tree_callees(struct costs *c, const bool *marked)
{
	struct costs_walk w = { .c = c, .marked = marked, .by = BY_TOTAL };
	struct call_tree t;
	node_id node;

	init(&t, c);
	while (costs_walk_next(&w, &node))
		add_callees(&t, node);
	return profile_of(&t);
}

/* All stacks */

struct profile *call_tree_reversed(struct costs *c)
{
	const struct profile *p = c->functions.p;
	struct call_tree t;
	node_id i;

	init(&t, c);
	for (i = 0; i < p->n_nodes; i++)
		if (p->nodes[i].self || profile_samples(p, i).self)
			add_callers(&t, i, self_of(&t, i));
	return profile_of(&t);
}
