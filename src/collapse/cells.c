/*
 * cells.c - from the stacks of logs to cells of a profile
 *
 *	log's stack   node of the replay's tree, root_id, samples, weight
 *	  place[]     the node of the profile
 *	  key_of[]    root_id of the recording -> key: the root, with labels, unit and period
 *
 * Equal keys of several recordings are one: these have the same "recording" label. Keys are sorted
 * by what they say, since numbers of strings depend on the workers, and then cells by node and key.
 */
#include "collapse/cells.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void cells_init(struct cells *c, struct profile *p)
{
	*c = (struct cells){ .p = p };
}

/* ---- keys ---- */

static void set_number(struct label_list *l, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	label_list_set(l, span_of(key), span_of(text));
}

/* What is known of a recording, below what the user says of it. */
static void put_facts(struct label_list *l, const struct recording *r)
{
	const struct recording_facts *facts = &r->facts;

	if (facts->fingerprint)
		label_list_set(l, SPAN("recording"), strtab_get(r->strings, facts->fingerprint));
	if (facts->host)
		label_list_set(l, SPAN("host"), strtab_get(r->strings, facts->host));
	if (facts->wall_ns)
		set_number(l, "time_us", facts->wall_ns / 1000);
	if (facts->first_time_ns <= facts->last_time_ns)
		set_number(l, "duration_us", (facts->last_time_ns - facts->first_time_ns) / 1000);
}

static str_id find_labels(const struct recording *r, str_id own, uint64_t *period)
{
	struct label_list l = { 0 };
	const char *recorded;
	struct span number;
	str_id packed;

	put_facts(&l, r);
	label_list_unpack(&l, strtab_get(r->strings, own));
	label_list_set_all(&l, &r->labels);
	recorded = label_list_find(&l, SPAN("period"));
	if (recorded) {
		number = span_of(recorded);
		span_scan_u64(&number, period);
		label_list_remove(&l, SPAN("period"));
	}
	packed = label_list_pack(&l, r->strings);
	label_list_release(&l);
	return packed;
}

static const struct event *find_event(const struct recording *r, str_id name)
{
	uint32_t i;

	for (i = 0; i < r->n_events; i++)
		if (r->events[i].name == name && r->events[i].chosen)
			return &r->events[i];
	return NULL;
}

static struct profile_key make_key(
	const struct recording *r, const struct root *root, bool weight_by_samples)
{
	struct profile_key key = { .root = *root };
	const struct event *event = find_event(r, root->event);

	if (event)
		key.period = recording_event_period(event);
	key.labels = find_labels(r, root->labels, &key.period);
	key.root.labels = 0;
	if (weight_by_samples && key.period)
		key.period = 1;
	key.unit = event ? recording_event_unit(r, event, weight_by_samples)
			 : recording_unit(r, weight_by_samples);
	return key;
}

static bool same_key(const struct profile_key *a, const struct profile_key *b)
{
	return roots_equal(&a->root, &b->root) && a->labels == b->labels && a->unit == b->unit &&
	       a->period == b->period;
}

static uint64_t hash_key(const struct profile_key *k)
{
	uint64_t h = hash_pair((uint64_t)k->root.comm << 32 | k->root.process,
		(uint64_t)(uint32_t)k->root.pid << 32 | (uint32_t)k->root.tid);

	h = hash_pair(h, (uint64_t)k->root.event << 32 | k->root.state);
	h = hash_pair(h, (uint64_t)k->root.cgroup << 32 | (uint32_t)k->root.cpu);
	return hash_pair(h, (uint64_t)k->labels << 32 | k->unit);
}

static uint32_t add_key(struct cells *c, const struct profile_key *key)
{
	struct profile *p = c->p;
	uint64_t hash = hash_key(key);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_key, hash, cursor, i)
		if (same_key(&p->keys[i], key))
			return i;
	ARRAY_GROW(p->keys, p->n_keys, c->cap_keys);
	p->keys[p->n_keys] = *key;
	index_add(&c->by_key, hash, p->n_keys);
	return p->n_keys++;
}

/* ---- cells ---- */

/* By root_id, the number of its key plus 1; 0: not yet known. */
struct key_table {
	uint32_t *of;
	size_t n, cap;
};

static uint32_t key_of_root(struct cells *c, struct key_table *keys, const struct recording *r,
	root_id root, bool weight_by_samples)
{
	if (root >= keys->n) {
		size_t n = keys->n;

		ARRAY_RESERVE(keys->of, (size_t)root + 1, keys->cap);
		keys->n = keys->cap;
		memset(keys->of + n, 0, (keys->n - n) * sizeof(*keys->of));
	}
	if (!keys->of[root]) {
		struct profile_key key = make_key(r, roots_get(r->roots, root), weight_by_samples);

		keys->of[root] = 1 + add_key(c, &key);
	}
	return keys->of[root] - 1;
}

void cells_add(struct cells *c, const struct recording *r, const struct replay_cell *from, size_t n,
	const node_id *place, bool weight_by_samples)
{
	struct key_table keys = { 0 };
	struct profile *p = c->p;
	size_t i;

	ARRAY_RESERVE(p->cells, p->n_cells + n, c->cap_cells);
	for (i = 0; i < n; i++)
		p->cells[p->n_cells++] = (struct profile_cell){
			.stack = place[from[i].node],
			.key = key_of_root(c, &keys, r, from[i].root, weight_by_samples),
			.samples = from[i].samples,
			.weight = from[i].weight,
		};
	free(keys.of);
}

/* ---- sums of profiles ---- */

static str_id translate(const struct cells *c, const struct profile *from, str_id s)
{
	return s ? strtab_add(c->p->strings, strtab_get(from->strings, s)) : 0;
}

/* What says which recording it was would keep all of them apart. */
static str_id user_labels(const struct cells *c, const struct profile *from, str_id packed)
{
	static const char *const of_recordings[] = { "recording", "host", "time_us",
		"duration_us" };
	struct label_list l = { 0 };
	size_t i;

	label_list_unpack(&l, strtab_get(from->strings, packed));
	for (i = 0; i < ARRAY_LEN(of_recordings); i++)
		label_list_remove(&l, span_of(of_recordings[i]));
	packed = label_list_pack(&l, c->p->strings);
	label_list_release(&l);
	return packed;
}

static struct profile_key translate_key(
	const struct cells *c, const struct profile *from, const struct profile_key *k)
{
	struct profile_key key = *k;
	int i;

	key.root.comm = translate(c, from, k->root.comm);
	key.root.process = translate(c, from, k->root.process);
	key.root.event = translate(c, from, k->root.event);
	key.root.cgroup = translate(c, from, k->root.cgroup);
	key.root.state = translate(c, from, k->root.state);
	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		key.root.field[i] = translate(c, from, k->root.field[i]);
	key.labels = translate(c, from, k->labels);
	key.unit = translate(c, from, k->unit);
	return key;
}

static uint32_t *translate_keys(struct cells *c, const struct profile *from, bool of_labels)
{
	uint32_t *number = xcalloc((size_t)from->n_keys + 1, sizeof(*number)), i;

	for (i = 0; i < from->n_keys; i++) {
		const struct profile_key *k = &from->keys[i];
		struct profile_key key = { .root = { .pid = -1, .tid = -1, .cpu = -1 } };

		if (of_labels)
			key.labels = user_labels(c, from, k->labels);
		else
			key = translate_key(c, from, k);
		number[i] = add_key(c, &key);
	}
	return number;
}

static void add_cell(struct cells *c, const struct profile_cell *new)
{
	struct profile *p = c->p;
	uint64_t hash = hash_pair(new->stack, new->key);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_cell, hash, cursor, i) {
		struct profile_cell *known = &p->cells[i];

		if (known->stack != new->stack || known->key != new->key)
			continue;
		known->samples = saturated_add(known->samples, new->samples);
		known->weight = saturated_add(known->weight, new->weight);
		return;
	}
	ARRAY_GROW(p->cells, p->n_cells, c->cap_cells);
	p->cells[p->n_cells] = *new;
	index_add(&c->by_cell, hash, (uint32_t)p->n_cells++);
}

void cells_add_profile(
	struct cells *c, const struct profile *from, const uint32_t *node, bool of_labels)
{
	uint32_t *key = translate_keys(c, from, of_labels);
	size_t i;

	for (i = 0; i < from->n_cells; i++) {
		struct profile_cell cell = from->cells[i];

		cell.stack = node[cell.stack];
		cell.key = key[cell.key];
		add_cell(c, &cell);
	}
	free(key);
}

void cells_place(struct cells *c, const node_id *place)
{
	size_t i;

	for (i = 0; i < c->p->n_cells; i++)
		c->p->cells[i].stack = place[c->p->cells[i].stack];
}

/* ---- order ---- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_i32(int32_t a, int32_t b)
{
	return (a > b) - (a < b);
}

static int compare_text(const struct profile *p, str_id a, str_id b)
{
	return a == b ? 0 : span_cmp(strtab_get(p->strings, a), strtab_get(p->strings, b));
}

static int compare_keys(const void *pa, const void *pb, void *ctx)
{
	const struct profile *p = ctx;
	const struct profile_key *a = &p->keys[*(const uint32_t *)pa];
	const struct profile_key *b = &p->keys[*(const uint32_t *)pb];
	int c, i;

	if ((c = compare_text(p, a->labels, b->labels)) ||
		(c = compare_text(p, a->root.process, b->root.process)) ||
		(c = compare_i32(a->root.pid, b->root.pid)) ||
		(c = compare_i32(a->root.tid, b->root.tid)) ||
		(c = compare_text(p, a->root.comm, b->root.comm)) ||
		(c = compare_text(p, a->root.event, b->root.event)))
		return c;
	if ((c = compare_i32(a->root.cpu, b->root.cpu)) ||
		(c = compare_text(p, a->root.cgroup, b->root.cgroup)) ||
		(c = compare_text(p, a->root.state, b->root.state)))
		return c;
	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		if ((c = compare_text(p, a->root.field[i], b->root.field[i])))
			return c;
	c = compare_text(p, a->unit, b->unit);
	return c ? c : compare_u64(a->period, b->period);
}

/* Sorts keys, and renumbers those of cells. */
static void sort_keys(struct profile *p)
{
	uint32_t *order = xcalloc((size_t)p->n_keys + 1, sizeof(*order)), i;
	uint32_t *now = xcalloc((size_t)p->n_keys + 1, sizeof(*now));
	struct profile_key *sorted = xcalloc((size_t)p->n_keys + 1, sizeof(*sorted));
	size_t k;

	for (i = 0; i < p->n_keys; i++)
		order[i] = i;
	qsort_r(order, p->n_keys, sizeof(*order), compare_keys, p);
	for (i = 0; i < p->n_keys; i++) {
		sorted[i] = p->keys[order[i]];
		now[order[i]] = i;
	}
	for (k = 0; k < p->n_cells; k++)
		p->cells[k].key = now[p->cells[k].key];
	free(p->keys);
	p->keys = sorted;
	free(order);
	free(now);
}

static int compare_cells(const void *pa, const void *pb)
{
	const struct profile_cell *a = pa, *b = pb;
	int c = compare_u64(a->stack, b->stack);

	return c ? c : compare_u64(a->key, b->key);
}

static void sort_cells(struct profile *p)
{
	uint64_t room = INT64_MAX; /* as for the weights of nodes */
	size_t n = 0, i;

	if (p->n_cells)
		sort_in_place(p->cells, p->n_cells, sizeof(*p->cells), compare_cells);
	for (i = 0; i < p->n_cells; i++) {
		struct profile_cell *last = n ? &p->cells[n - 1] : NULL;

		if (!last || compare_cells(last, &p->cells[i])) {
			p->cells[n++] = p->cells[i];
			continue;
		}
		last->samples = saturated_add(last->samples, p->cells[i].samples);
		last->weight = saturated_add(last->weight, p->cells[i].weight);
	}
	p->n_cells = n;
	for (i = 0; i < n; i++)
		p->cells[i].weight = saturated_fit(p->cells[i].weight, &room);
}

void cells_release(struct cells *c)
{
	index_release(&c->by_key);
	index_release(&c->by_cell);
	c->by_key = c->by_cell = (struct index){ 0 };
}

void cells_finish(struct cells *c)
{
	sort_keys(c->p);
	sort_cells(c->p);
	cells_release(c);
}

void cells_copy(struct profile *to, const struct profile *from, const node_id *place)
{
	size_t i;

	if (!from->cells)
		return;
	to->keys = xmemdup(from->keys, ((size_t)from->n_keys + 1) * sizeof(*to->keys));
	to->n_keys = from->n_keys;
	to->cells = xcalloc(from->n_cells + 1, sizeof(*to->cells));
	memcpy(to->cells, from->cells, from->n_cells * sizeof(*to->cells));
	to->n_cells = from->n_cells;
	for (i = 0; i < to->n_cells; i++)
		to->cells[i].stack = place[to->cells[i].stack];
	sort_cells(to);
}
