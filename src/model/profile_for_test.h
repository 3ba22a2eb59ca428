/*
 * profile_for_test.h - small profiles for tests
 *
 * Stacks are added one by one, as strings or as frames; finishing puts the nodes in the order that
 * model/profile.h promises. Siblings with the same shown name are one node.
 *
 * Owns: everything of the profile, its strings and frames too. Only for tests.
 */
#ifndef PERFOLD_MODEL_PROFILE_FOR_TEST_H
#define PERFOLD_MODEL_PROFILE_FOR_TEST_H

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "model/display_names.h"

#include <stdlib.h>

struct test_node {
	uint32_t parent, depth, frame;
	uint64_t self, samples;
};

struct test_profile {
	struct profile p;
	struct test_node *made; /* [0] is the root */
	size_t n_made, cap_made, cap_rows;
	struct index by_edge;
};

static inline void test_profile_init(struct test_profile *t)
{
	*t = (struct test_profile){ 0 };
	t->p.strings = strtab_new();
	t->p.frames = frames_new(t->p.strings);
	t->p.unit = strtab_add_str(t->p.strings, "samples");
	ARRAY_GROW(t->made, 0, t->cap_made);
	t->made[t->n_made++] = (struct test_node){ 0 };
}

static inline void test_profile_release(struct test_profile *t)
{
	frames_free(t->p.frames);
	strtab_free(t->p.strings);
	index_release(&t->by_edge);
	free(t->p.nodes);
	free(t->p.samples);
	free(t->p.rows);
	free(t->p.threads);
	free(t->p.cells);
	free(t->p.keys);
	free(t->made);
}

static inline frame_id test_frame(struct test_profile *t, struct span name, uint8_t kind)
{
	struct frame f = { .name = strtab_add(t->p.strings, name), .kind = kind };

	return frames_add(t->p.frames, &f);
}

static inline uint32_t test_profile_child(struct test_profile *t, uint32_t parent, frame_id frame)
{
	uint64_t hash = hash_pair(parent, frame);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_edge, hash, c, i)
		if (t->made[i].parent == parent && t->made[i].frame == frame)
			return i;
	ARRAY_GROW(t->made, t->n_made, t->cap_made);
	t->made[t->n_made] = (struct test_node){
		.parent = parent, .depth = t->made[parent].depth + 1, .frame = frame
	};
	index_add(&t->by_edge, hash, (uint32_t)t->n_made);
	return (uint32_t)t->n_made++;
}

/* Add a stack, outermost frame first; returns its node, as test_profile_row() wants it. */
static inline uint32_t test_profile_add_frames(
	struct test_profile *t, const frame_id *frames, size_t n, uint64_t weight)
{
	uint32_t at = 0;
	size_t i;

	for (i = 0; i < n; i++)
		at = test_profile_child(t, at, frames[i]);
	t->made[at].self += weight;
	t->made[at].samples++;
	return at;
}

/* The same with names, "a;b;c"; an empty string is a stack without frames. */
static inline uint32_t test_profile_add(struct test_profile *t, struct span stack, uint64_t weight)
{
	uint32_t at = 0;

	while (stack.n) {
		const char *end = memchr(stack.p, ';', stack.n);
		struct span name = span_range(stack.p, end ? end : stack.p + stack.n);

		at = test_profile_child(t, at, test_frame(t, name, FRAME_USER));
		stack = span_skip(stack, name.n + 1);
	}
	t->made[at].self += weight;
	t->made[at].samples++;
	return at;
}

/* Rows come by thread, from 0, and by time within one. */
static inline void test_profile_thread_row(
	struct test_profile *t, uint32_t thread, uint32_t stack, uint64_t time_ns, uint64_t weight)
{
	ARRAY_GROW(t->p.rows, t->p.n_rows, t->cap_rows);
	t->p.rows[t->p.n_rows++] = (struct timeline_row){
		.time_ns = time_ns, .weight = weight, .thread = thread, .stack = stack, .cpu = -1
	};
}

static inline void test_profile_row(
	struct test_profile *t, uint32_t stack, uint64_t time_ns, uint64_t weight)
{
	test_profile_thread_row(t, 0, stack, time_ns, weight);
}

struct test_order {
	struct span name;
	uint32_t parent, node;
};

static inline int test_order_cmp(const void *a, const void *b)
{
	const struct test_order *x = a, *y = b;
	size_t i;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	for (i = 0;; i++) {
		int cx = i < x->name.n ? (unsigned char)x->name.p[i] : ';';
		int cy = i < y->name.n ? (unsigned char)y->name.p[i] : ';';

		if (cx != cy || i >= x->name.n || i >= y->name.n)
			return cx - cy;
	}
}

/* Edges sorted by parent, then by the order of names. */
static inline struct test_order *test_profile_order(
	struct test_profile *t, struct display_names *names)
{
	struct test_order *order = xcalloc(t->n_made, sizeof(*order));
	uint32_t i;

	for (i = 1; i < t->n_made; i++)
		order[i - 1] = (struct test_order){
			display_names_get(names, display_names_number(names, t->made[i].frame)),
			t->made[i].parent, i
		};
	qsort(order, t->n_made - 1, sizeof(*order), test_order_cmp);
	return order;
}

/* Preorder numbers by made number. */
static inline uint32_t *test_profile_number(struct test_profile *t, const struct test_order *order)
{
	uint32_t *number = xcalloc(t->n_made, sizeof(*number));
	size_t *first = xcalloc(t->n_made + 1, sizeof(*first));
	uint32_t *todo = xcalloc(t->n_made, sizeof(*todo));
	size_t n_edges = t->n_made - 1, n = 1, i;
	uint32_t next = 0;

	for (i = n_edges; i-- > 0;)
		first[order[i].parent] = i + 1;
	while (n) {
		uint32_t at = todo[--n];
		size_t end;

		number[at] = next++;
		if (!first[at])
			continue;
		for (end = first[at] - 1; end < n_edges && order[end].parent == at; end++)
			;
		while (end-- >= first[at])
			todo[n++] = order[end].node;
	}
	free(first);
	free(todo);
	return number;
}

static inline void test_profile_fill(struct test_profile *t, const uint32_t *number)
{
	struct profile *p = &t->p;
	uint32_t i;

	p->n_nodes = (uint32_t)t->n_made;
	p->nodes = xcalloc(p->n_nodes, sizeof(*p->nodes));
	p->samples = xcalloc(p->n_nodes, sizeof(*p->samples));
	for (i = 0; i < p->n_nodes; i++) {
		const struct test_node *m = &t->made[i];

		p->nodes[number[i]] = (struct node){ .frame = m->frame,
			.parent = number[m->parent],
			.subtree = 1,
			.depth = m->depth,
			.self = m->self,
			.total = m->self };
		p->samples[number[i]] = (struct node_samples){ m->samples, m->samples };
		if (m->depth > p->max_depth)
			p->max_depth = m->depth;
	}
	for (i = p->n_nodes - 1; i > 0; i--) {
		node_id up = p->nodes[i].parent;

		p->nodes[up].subtree += p->nodes[i].subtree;
		p->nodes[up].total += p->nodes[i].total;
		p->samples[up].total += p->samples[i].total;
	}
	p->n_samples = p->samples[0].total;
}

/* A key that the cells may have; after test_profile_finish(). */
static inline uint32_t test_profile_key(struct test_profile *t, const struct profile_key *key)
{
	t->p.keys = xreallocarray(t->p.keys, (size_t)t->p.n_keys + 1, sizeof(*t->p.keys));
	t->p.keys[t->p.n_keys] = *key;
	return t->p.n_keys++;
}

static inline void test_profile_cell(
	struct test_profile *t, node_id stack, uint32_t key, uint64_t samples, uint64_t weight)
{
	t->p.cells = xreallocarray(t->p.cells, t->p.n_cells + 1, sizeof(*t->p.cells));
	t->p.cells[t->p.n_cells++] = (struct profile_cell){ stack, key, samples, weight };
}

/* The threads that rows name: all of process 10, called thread. */
static inline void test_profile_threads(struct test_profile *t)
{
	struct profile *p = &t->p;
	size_t i;

	if (!p->n_rows)
		return;
	p->n_threads = p->rows[p->n_rows - 1].thread + 1;
	p->threads = xcalloc(p->n_threads, sizeof(*p->threads));
	for (i = 0; i < p->n_rows; i++) {
		struct profile_thread *thread = &p->threads[p->rows[i].thread];

		if (!thread->n_rows++) {
			thread->first_row = i;
			thread->pid = 10;
			thread->tid = 10 + (int32_t)p->rows[i].thread;
			thread->name = strtab_add_str(p->strings, "thread");
		}
		thread->samples++;
		thread->weight += p->rows[i].weight;
	}
}

static inline const struct profile *test_profile_finish(struct test_profile *t)
{
	struct display_names names;
	struct test_order *order;
	uint32_t *number;
	size_t i;

	display_names_init(&names, &t->p);
	order = test_profile_order(t, &names);
	number = test_profile_number(t, order);
	test_profile_fill(t, number);
	for (i = 0; i < t->p.n_rows; i++)
		t->p.rows[i].stack = number[t->p.rows[i].stack];
	test_profile_threads(t);
	free(number);
	free(order);
	display_names_release(&names);
	return &t->p;
}

/* Add folded lines, "a;b 12\n"; of_samples: their counts are numbers of samples. */
static inline void test_profile_add_folded(
	struct test_profile *t, struct span text, bool of_samples)
{
	struct span line;

	while (span_next_line(&text, &line)) {
		uint64_t weight = 0;
		size_t n = line.n;

		while (n && line.p[n - 1] != ' ')
			n--;
		if (n) {
			struct span count = span_skip(line, n);
			uint32_t node;

			span_scan_u64(&count, &weight);
			node = test_profile_add(t, (struct span){ line.p, n - 1 }, weight);
			if (of_samples)
				t->made[node].samples += weight - 1;
		}
	}
}

/* A profile of such lines, whose counts are weights. */
static inline const struct profile *test_profile_from_folded(
	struct test_profile *t, struct span text)
{
	test_profile_init(t);
	test_profile_add_folded(t, text, false);
	return test_profile_finish(t);
}

#endif
