/*
 * A segment tree. The bounds of all mappings cut the address space into leaves; leaf k is node
 * n_leaves + k of an implicit binary tree with the root 1, children 2i and 2i + 1. A mapping is in
 * the lists of the O(log n) nodes that make up its range, its cover:
 *
 *	node 1                     [            ]
 *	node 2, 3           [  m1  ]            [     ]
 *	node 4..7       [     ][  m2 ]       [ m2 ][    ]
 *	                a      b      c      d     e		bounds
 *
 *	m1 = [a, c) is in the list of node 2 only; m2 = [b, d) in those of two nodes
 *
 * All mappings of an address are in the lists on the path from its leaf to the root. Each list is
 * in order of time, so overlay_find() needs a binary search in each: O(log^2 n). What it must know
 * about all mappings before or after the clock is kept in each item as a prefix over the list
 * (executable, mixed).
 *
 * overlay_freeze() builds that in two passes (count, fill), after dropping mappings that repeat
 * what is on top of all of their range: perf synthesizes the same mappings again and again. While
 * they are added in order, another pair of numbers for each node says what is on top (struct tops).
 *
 * Source: Bentley, "Algorithms for Klee's rectangle problems" (1977), for the tree; the form
 * without pointers is folklore.
 */
#include "model/overlay.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <stdlib.h>

/* Fits into an item, and into 32 bits when counted in all of its nodes. */
enum { MAPPINGS_MAX = 1 << 26 };

static bool is_alike(const struct mapping *a, const struct mapping *b)
{
	return a->module == b->module && a->shift == b->shift && a->owner_pid == b->owner_pid &&
	       a->executable == b->executable && a->generated == b->generated;
}

static bool repeats(const struct mapping *m, const struct mapping *below)
{
	return is_alike(m, below) && m->start >= below->start && m->end <= below->end;
}

void overlay_add(struct overlay *o, const struct mapping *m)
{
	if (m->start >= m->end || o->n == MAPPINGS_MAX)
		return;
	if (o->n && repeats(m, &o->mappings[o->n - 1]))
		return;
	ARRAY_GROW(o->mappings, o->n, o->cap);
	o->mappings[o->n++] = *m;
}

void overlay_release(struct overlay *o)
{
	free(o->mappings);
	free(o->bounds);
	free(o->first);
	free(o->items);
	*o = (struct overlay){ 0 };
}

/* Leaves of the segment tree */

static int compare_addresses(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static void find_bounds(struct overlay *o)
{
	size_t n = 0, unique = 0, i;

	o->bounds = xreallocarray(NULL, o->n, 2 * sizeof(*o->bounds));
	for (i = 0; i < o->n; i++) {
		o->bounds[n++] = o->mappings[i].start;
		o->bounds[n++] = o->mappings[i].end;
	}
	qsort(o->bounds, n, sizeof(*o->bounds), compare_addresses);
	for (i = 0; i < n; i++)
		if (!unique || o->bounds[i] != o->bounds[unique - 1])
			o->bounds[unique++] = o->bounds[i];
	o->bounds = xreallocarray(o->bounds, unique, sizeof(*o->bounds));
	o->n_leaves = (uint32_t)unique - 1;
}

/* How many bounds are not above the address; leaf k begins at bound k. */
static uint32_t bounds_up_to(const struct overlay *o, uint64_t address)
{
	return bisect(i, 0, o->n_leaves + 1, o->bounds[i] > address);
}

/* Nodes of the segment tree */

/* An iterator over the nodes that make up a mapping's range; 0 at the end. */
struct overlay_cover {
	uint32_t left, right;
};

static struct overlay_cover cover_of(const struct overlay *o, const struct mapping *m)
{
	return (struct overlay_cover){ bounds_up_to(o, m->start) - 1 + o->n_leaves,
		bounds_up_to(o, m->end) - 1 + o->n_leaves };
}

static uint32_t cover_next(struct overlay_cover *c)
{
	while (c->left < c->right) {
		if (c->left & 1)
			return c->left++;
		if (c->right & 1)
			return --c->right;
		c->left /= 2;
		c->right /= 2;
	}
	return 0;
}

/* What is on top while mappings are added */

/* For each node, counted from 1, 0 for none: the last mapping that has it in its cover, and the
 * last that covers any part of what is below it. */
struct tops {
	uint32_t *at, *below;
};

static uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* The mapping added last among those that touch the range of m. */
static uint32_t tops_find(const struct tops *t, const struct overlay *o, const struct mapping *m)
{
	struct overlay_cover c = cover_of(o, m);
	uint32_t last = 0, node;

	while ((node = cover_next(&c))) {
		last = max_u32(last, t->below[node]);
		while (node /= 2)
			last = max_u32(last, t->at[node]);
	}
	return last;
}

static void tops_set(struct tops *t, const struct overlay *o, uint32_t number)
{
	struct overlay_cover c = cover_of(o, &o->mappings[number - 1]);
	uint32_t node;

	while ((node = cover_next(&c))) {
		t->at[node] = number;
		for (; node; node /= 2)
			t->below[node] = number;
	}
}

static void drop_repeats(struct overlay *o)
{
	struct tops t = { xcalloc(2 * (size_t)o->n_leaves, sizeof(uint32_t)),
		xcalloc(2 * (size_t)o->n_leaves, sizeof(uint32_t)) };
	uint32_t n = 0, i, top;

	for (i = 0; i < o->n; i++) {
		top = tops_find(&t, o, &o->mappings[i]);
		if (top && repeats(&o->mappings[i], &o->mappings[top - 1]))
			continue;
		o->mappings[n++] = o->mappings[i];
		tops_set(&t, o, n);
	}
	o->n = n;
	free(t.at);
	free(t.below);
}

/* Lists of the nodes */

/* Each list's place, by the counts of its items. */
static void place_lists(struct overlay *o)
{
	uint32_t n_nodes = 2 * o->n_leaves, i, node;

	o->first = xcalloc((size_t)n_nodes + 1, sizeof(*o->first));
	for (i = 0; i < o->n; i++) {
		struct overlay_cover c = cover_of(o, &o->mappings[i]);

		while ((node = cover_next(&c)))
			o->first[node + 1]++;
	}
	for (i = 1; i <= n_nodes; i++)
		o->first[i] += o->first[i - 1];
	o->items = xreallocarray(NULL, o->first[n_nodes], sizeof(*o->items));
}

/* The item that a mapping gets at the end of a list. */
static struct overlay_item next_item(
	const struct overlay *o, uint32_t number, const struct overlay_item *list, uint32_t length)
{
	const struct mapping *m = &o->mappings[number];
	struct overlay_item item = { .mapping = number, .executable = m->executable };

	if (length) {
		item.executable |= list[length - 1].executable;
		item.mixed = list[length - 1].mixed || !is_alike(m, &o->mappings[list[0].mapping]);
	}
	return item;
}

static void fill_lists(struct overlay *o)
{
	uint32_t *length = xcalloc(2 * (size_t)o->n_leaves, sizeof(*length));
	uint32_t i, node;

	for (i = 0; i < o->n; i++) {
		struct overlay_cover c = cover_of(o, &o->mappings[i]);

		while ((node = cover_next(&c))) {
			struct overlay_item *list = o->items + o->first[node];

			list[length[node]] = next_item(o, i, list, length[node]);
			length[node]++;
		}
	}
	free(length);
}

void overlay_freeze(struct overlay *o)
{
	if (!o->n)
		return;
	find_bounds(o);
	drop_repeats(o);
	o->mappings = xreallocarray(o->mappings, o->n, sizeof(*o->mappings));
	o->cap = o->n;
	place_lists(o);
	fill_lists(o);
}

/* Look-up */

/* How many items of a list have a mapping that exists at the clock. */
static uint32_t items_up_to(const struct overlay *o, uint32_t low, uint32_t high, clock_id clock)
{
	return bisect(i, low, high, o->mappings[o->items[i].mapping].from > clock);
}

/* Mappings are numbered in order of time and never move: pointers compare like clocks. */
static void find_in_list(const struct overlay *o, uint32_t node, clock_id clock,
	const struct mapping **any, struct overlay_hit *hit)
{
	uint32_t begin = o->first[node], end = o->first[node + 1], at;
	const struct mapping *m;

	if (begin == end)
		return;
	at = items_up_to(o, begin, end, clock);
	if (at > begin) {
		m = &o->mappings[o->items[at - 1].mapping];
		if (!hit->now || m > hit->now)
			hit->now = m;
		hit->was_executable |= o->items[at - 1].executable;
	}
	if (at < end) {
		m = &o->mappings[o->items[at].mapping];
		if (!hit->next || m < hit->next)
			hit->next = m;
	}
	m = &o->mappings[o->items[begin].mapping];
	if (!*any)
		*any = m;
	hit->always_same &= !o->items[end - 1].mixed && is_alike(m, *any);
	hit->ever_executable |= o->items[end - 1].executable;
}

struct overlay_hit overlay_find(const struct overlay *o, uint64_t address, clock_id clock)
{
	struct overlay_hit hit = { .always_same = true };
	const struct mapping *any = NULL;
	uint32_t node;

	if (!o->n || address < o->bounds[0] || address >= o->bounds[o->n_leaves])
		return hit;
	node = bounds_up_to(o, address) - 1 + o->n_leaves;
	for (; node; node /= 2)
		find_in_list(o, node, clock, &any, &hit);
	return hit;
}
