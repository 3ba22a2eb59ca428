/*
 * siblings.c - a pass over nodes in preorder, which keeps most of them
 *
 *	main            main            siblings of one name are next to each other
 *	├ f a.c:3       ├ f             i
 *	│ └ g           │ ├ g           i + 1
 *	├ f a.c:5       │ └ h           i + 2 = i + subtree of i
 *	│ └ h           └ k
 *	└ k
 *
 * A node whose next sibling has another name moves down to the place after those that are kept. A
 * run of siblings with one name, which is contiguous together with all below it, is copied and
 * walked by group, as in tree_walk.c. It needs no more room than before, so the result is written
 * over the nodes. Costs one pass, and for each run of a copy of it.
 */
#include "collapse/siblings.h"

#include "base/mem.h"
#include "base/sort.h"
#include "collapse/ranks.h"

#include <stdlib.h>

/* A node of a run that is to be done. */
struct sibling_item {
	uint32_t rank, node;
};

/* A copy of nodes that are next to each other. */
struct sibling_run {
	struct node *nodes;
	struct node_samples *samples; /* NULL: not wanted */
	node_id first;                /* the number of nodes[0] in the profile */
	uint32_t cap, cap_samples;
	struct sibling_item *todo; /* a stack, the lowest rank of siblings on top */
	uint32_t *group;           /* nodes that become one */
	uint32_t n_todo, cap_todo, n_group, cap_group;
};

struct merging {
	struct profile *p;
	struct ranks ranks;
	node_id *moved; /* by former node */
	node_id n;      /* nodes of the result so far */
	struct sibling_run run;
};

static uint32_t rank_of(const struct merging *m, const struct node *n)
{
	return m->ranks.rank[n->frame];
}

/* ---- a run of siblings ---------------------------------------------------------------------- */

static void copy_run(struct merging *m, node_id first, node_id end)
{
	struct sibling_run *r = &m->run;

	r->first = first;
	ARRAY_RESERVE(r->nodes, end - first, r->cap);
	memcpy(r->nodes, m->p->nodes + first, (end - first) * sizeof(*r->nodes));
	if (!m->p->samples)
		return;
	ARRAY_RESERVE(r->samples, end - first, r->cap_samples);
	memcpy(r->samples, m->p->samples + first, (end - first) * sizeof(*r->samples));
}

/* Those from i on that end before end. */
static void push_siblings(struct merging *m, uint32_t i, uint32_t end)
{
	struct sibling_run *r = &m->run;

	for (; i < end; i += r->nodes[i].subtree) {
		ARRAY_GROW(r->todo, r->n_todo, r->cap_todo);
		r->todo[r->n_todo++] = (struct sibling_item){ rank_of(m, &r->nodes[i]), i };
	}
}

static void begin_node(struct merging *m, const struct node *first)
{
	m->p->nodes[m->n] = (struct node){ .frame = m->ranks.frame[first->frame],
		.parent = m->moved[first->parent],
		.depth = first->depth };
	if (m->p->samples)
		m->p->samples[m->n] = (struct node_samples){ 0 };
}

/* Of a thread's name and a function of that name at one place, the name of the thread. */
static void choose_frame(const struct merging *m, struct node *into, const struct node *other)
{
	frame_id frame = m->ranks.frame[other->frame];

	if (frame != into->frame && frames_get(m->p->frames, frame)->kind == FRAME_ROOT)
		into->frame = frame;
}

static void add_to_node(struct merging *m, uint32_t i)
{
	const struct sibling_run *r = &m->run;
	struct node *to = &m->p->nodes[m->n];

	choose_frame(m, to, &r->nodes[i]);
	to->self += r->nodes[i].self;
	to->total += r->nodes[i].total;
	if (m->p->samples) {
		m->p->samples[m->n].self += r->samples[i].self;
		m->p->samples[m->n].total += r->samples[i].total;
	}
	m->moved[r->first + i] = m->n;
}

/* The highest rank first. */
static int compare_items(const void *pa, const void *pb)
{
	const struct sibling_item *a = pa, *b = pb;

	return sort_compare_u64(b->rank, a->rank);
}

/* Pops the siblings of one name that are on top. */
static void pop_group(struct sibling_run *r)
{
	const struct sibling_item top = r->todo[r->n_todo - 1];
	uint32_t depth = r->nodes[top.node].depth;

	for (r->n_group = 0; r->n_todo; r->n_todo--) {
		const struct sibling_item *next = &r->todo[r->n_todo - 1];

		if (next->rank != top.rank || r->nodes[next->node].depth != depth)
			break;
		ARRAY_GROW(r->group, r->n_group, r->cap_group);
		r->group[r->n_group++] = next->node;
	}
}

static void merge_group(struct merging *m)
{
	struct sibling_run *r = &m->run;
	uint32_t below = r->n_todo, i;

	begin_node(m, &r->nodes[r->group[0]]);
	for (i = 0; i < r->n_group; i++) {
		uint32_t node = r->group[i];

		add_to_node(m, node);
		push_siblings(m, node + 1, node + r->nodes[node].subtree);
	}
	sort_in_place(r->todo + below, r->n_todo - below, sizeof(*r->todo), compare_items);
	m->n++;
}

/* The siblings from first to end have one name. */
static void merge_run(struct merging *m, node_id first, node_id end)
{
	copy_run(m, first, end);
	push_siblings(m, 0, end - first);
	while (m->run.n_todo) {
		pop_group(&m->run);
		merge_group(m);
	}
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The end of the run of siblings of one name that begins at i; the node's own number: it is the
 * only one of its name. */
static node_id run_end(const struct merging *m, node_id i)
{
	const struct node *nodes = m->p->nodes;
	uint32_t rank = rank_of(m, &nodes[i]);
	node_id next = i + nodes[i].subtree, end = i;

	while (next < m->p->n_nodes && nodes[next].depth == nodes[i].depth &&
		rank_of(m, &nodes[next]) == rank)
		end = next += nodes[next].subtree;
	return end;
}

static void keep_node(struct merging *m, node_id i)
{
	struct profile *p = m->p;
	struct node *to = &p->nodes[m->n];

	*to = p->nodes[i];
	to->frame = m->ranks.frame[to->frame];
	to->parent = m->moved[to->parent];
	if (p->samples)
		p->samples[m->n] = p->samples[i];
	m->moved[i] = m->n++;
}

static void count_subtrees(struct profile *p)
{
	node_id i;

	for (i = 0; i < p->n_nodes; i++)
		p->nodes[i].subtree = 1;
	for (i = p->n_nodes; --i > 0;)
		p->nodes[p->nodes[i].parent].subtree += p->nodes[i].subtree;
}

static void release(struct merging *m)
{
	ranks_release(&m->ranks);
	free(m->run.nodes);
	free(m->run.samples);
	free(m->run.todo);
	free(m->run.group);
}

node_id *siblings_merge(struct profile *p)
{
	struct merging m = { .p = p, .moved = xcalloc(p->n_nodes, sizeof(*m.moved)) };
	node_id i, end;

	ranks_of_nodes(&m.ranks, p);
	for (i = 0; i < p->n_nodes; i++) {
		end = run_end(&m, i);
		if (end == i) {
			keep_node(&m, i);
		} else {
			merge_run(&m, i, end);
			i = end - 1;
		}
	}
	p->n_nodes = m.n;
	count_subtrees(p);
	release(&m);
	return m.moved;
}
