/*
 * split_profile.c - profiles of a process, a thread, an event, a CPU, a cgroup or an interval
 *
 * Rows are sorted by part once. A part's profile is made from its rows:
 *
 *	find_nodes()   the nodes of its stacks and their callers, sorted: still a preorder
 *	place_nodes()  copies of them, with parents as numbers in the part (place_of[])
 *	place_rows()   its rows and threads, self weights from the rows
 *	sum_up()       totals, from the last node to the first
 *
 * place_of[] is as long as the whole tree and reset for each part, so that a part costs what its
 * own stacks cost. Frames and strings are shared with the whole.
 */
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "collapse/collapse.h"
#include "collapse/timeline_rows.h"

#include <stdlib.h>

/* A row of the profile and the part it belongs to. */
struct part_row {
	uint64_t part;
	size_t row;
};

struct split_profile {
	const struct profile *p;
	struct recording *const *recordings;
	struct split split;
	struct part_row *rows; /* by part, then as in the profile */
	size_t *first;         /* by part: in rows; one more at the end */
	uint32_t n;
	uint32_t *process_of; /* by thread: the first one of its process */
	str_id *process_name; /* by thread */
	uint32_t *place_of;   /* by node: its number in the current part, plus 1 */
};

static str_id event_of(const struct split_profile *s, const struct timeline_row *row)
{
	return s->recordings[s->p->threads[row->thread].recording]->events[row->event].name;
}

static uint64_t first_time(const struct profile *p)
{
	uint64_t first = UINT64_MAX;
	uint32_t i;

	for (i = 0; i < p->n_threads; i++)
		if (p->threads[i].n_rows && p->rows[p->threads[i].first_row].time_ns < first)
			first = p->rows[p->threads[i].first_row].time_ns;
	return first;
}

/* That of the recording, else of its samples. */
static str_id label_of(const struct split_profile *s, const struct timeline_row *row)
{
	const struct profile_thread *t = &s->p->threads[row->thread];
	const char *value =
		label_list_find(&s->recordings[t->recording]->labels, span_of(s->split.key));

	return value ? strtab_add_str(s->p->strings, value) : t->group;
}

static uint64_t part_of(
	const struct split_profile *s, const struct timeline_row *row, uint64_t first_ns)
{
	switch (s->split.by) {
	case SPLIT_PROCESS:
		return s->process_of[row->thread];
	case SPLIT_THREAD:
		return row->thread;
	case SPLIT_EVENT:
		return event_of(s, row);
	case SPLIT_CPU:
		return (uint64_t)((int64_t)row->cpu + 1);
	case SPLIT_CGROUP:
		return s->p->threads[row->thread].group;
	case SPLIT_LABEL:
		return label_of(s, row);
	case SPLIT_TIME:
		return (row->time_ns - first_ns) / s->split.width_ns;
	case SPLIT_NONE:
	case SPLIT_BINARY:
		break;
	}
	return 0;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By part, then as in the profile. Parts that are names compare as such: their numbers depend on
 * the workers. */
static int compare_rows(const void *pa, const void *pb, void *ctx)
{
	const struct part_row *a = pa, *b = pb;
	const struct split_profile *s = ctx;

	if (a->part == b->part)
		return compare_u64(a->row, b->row);
	if (s->split.by == SPLIT_EVENT || s->split.by == SPLIT_CGROUP || s->split.by == SPLIT_LABEL)
		return span_cmp(strtab_get(s->p->strings, (str_id)a->part),
			strtab_get(s->p->strings, (str_id)b->part));
	return compare_u64(a->part, b->part);
}

/* The first thread of the process of thread i, among those that are listed. */
static uint32_t find_process(const struct profile *p, struct index *processes, uint32_t i)
{
	const struct profile_thread *t = &p->threads[i];
	uint64_t hash = hash_pair((uint32_t)t->pid, t->recording);
	struct index_cursor c;
	uint32_t k;

	index_for_each (processes, hash, c, k)
		if (p->threads[k].pid == t->pid && p->threads[k].recording == t->recording)
			return k;
	index_add(processes, hash, i);
	return i;
}

/* The first thread of each process. Threads are ordered by weight, so it is the busiest. */
static void find_processes(struct split_profile *s)
{
	struct index processes = { 0 };
	uint32_t i;

	s->process_of = xcalloc((size_t)s->p->n_threads + 1, sizeof(*s->process_of));
	for (i = 0; i < s->p->n_threads; i++)
		s->process_of[i] = find_process(s->p, &processes, i);
	index_release(&processes);
}

struct split_profile *split_profile_new(
	const struct profile *p, const struct split *split, struct recording *const *recordings)
{
	struct split_profile *s = xcalloc(1, sizeof(*s));
	uint64_t first_ns = first_time(p);
	size_t i, cap = 0;

	*s = (struct split_profile){ .p = p, .recordings = recordings, .split = *split };
	find_processes(s);
	s->process_name = profile_process_names(p);
	s->rows = xcalloc(p->n_rows + 1, sizeof(*s->rows));
	for (i = 0; i < p->n_rows; i++)
		s->rows[i] = (struct part_row){ part_of(s, &p->rows[i], first_ns), i };
	qsort_r(s->rows, p->n_rows, sizeof(*s->rows), compare_rows, s);
	for (i = 0; i < p->n_rows; i++) {
		if (i && s->rows[i].part == s->rows[i - 1].part)
			continue;
		ARRAY_RESERVE(s->first, s->n + 2, cap);
		s->first[s->n++] = i;
	}
	if (s->n)
		s->first[s->n] = p->n_rows;
	s->place_of = xcalloc((size_t)p->n_nodes + 1, sizeof(*s->place_of));
	return s;
}

void split_profile_free(struct split_profile *s)
{
	if (!s)
		return;
	free(s->rows);
	free(s->first);
	free(s->process_of);
	free(s->process_name);
	free(s->place_of);
	free(s);
}

uint32_t split_profile_count(const struct split_profile *s)
{
	return s->n;
}

struct profile_part split_profile_name(const struct split_profile *s, uint32_t i)
{
	const struct timeline_row *row = &s->p->rows[s->rows[s->first[i]].row];
	const struct profile_thread *t = &s->p->threads[row->thread];
	struct profile_part part = {
		.by = s->split.by, .number = i, .n_parts = s->n, .pid = -1, .tid = -1, .cpu = -1
	};

	if (s->split.by == SPLIT_PROCESS || s->split.by == SPLIT_THREAD)
		part.pid = t->pid;
	if (s->split.by == SPLIT_PROCESS && t->pid >= 0)
		part.name = s->process_name[row->thread];
	if (s->split.by == SPLIT_THREAD) {
		part.name = t->name;
		part.tid = t->tid;
	}
	if (s->split.by == SPLIT_CGROUP)
		part.name = t->group;
	if (s->split.by == SPLIT_LABEL)
		part.name = label_of(s, row);
	if (s->split.by == SPLIT_CPU)
		part.cpu = row->cpu;
	part.event = s->split.by == SPLIT_EVENT ? event_of(s, row) : s->p->event;
	return part;
}

/* One part */

static int compare_nodes(const void *pa, const void *pb)
{
	return compare_u64(*(const node_id *)pa, *(const node_id *)pb);
}

/* The nodes of a part in the order of the tree, and their numbers in place_of. */
static node_id *find_nodes(struct split_profile *s, uint32_t part, uint32_t *n)
{
	node_id *used = NULL, at;
	uint32_t cap = 0;
	size_t i;

	*n = 0;
	for (i = s->first[part]; i < s->first[part + 1]; i++) {
		for (at = s->p->rows[s->rows[i].row].stack;; at = s->p->nodes[at].parent) {
			if (s->place_of[at])
				break;
			s->place_of[at] = 1;
			ARRAY_GROW(used, *n, cap);
			used[(*n)++] = at;
		}
	}
	if (*n)
		qsort(used, *n, sizeof(*used), compare_nodes);
	for (i = 0; i < *n; i++)
		s->place_of[used[i]] = (uint32_t)i + 1;
	return used;
}

static void place_nodes(const struct split_profile *s, struct profile *out, const node_id *used)
{
	uint32_t i;

	out->nodes = xcalloc(out->n_nodes, sizeof(*out->nodes));
	out->samples = xcalloc(out->n_nodes, sizeof(*out->samples));
	out->max_depth = 0;
	for (i = 0; i < out->n_nodes; i++) {
		const struct node *n = &s->p->nodes[used[i]];

		out->nodes[i] = (struct node){ .frame = n->frame,
			.parent = s->place_of[n->parent] - 1,
			.subtree = 1,
			.depth = n->depth };
		if (n->depth > out->max_depth)
			out->max_depth = n->depth;
	}
}

static void sum_up(struct profile *out)
{
	uint32_t i;

	for (i = out->n_nodes; i-- > 0;) {
		struct node *n = &out->nodes[i], *below = &out->nodes[n->parent];

		n->total = saturated_add(n->total, n->self);
		out->samples[i].total += out->samples[i].self;
		if (!i)
			break;
		below->subtree += n->subtree;
		below->total = saturated_add(below->total, n->total);
		out->samples[n->parent].total += out->samples[i].total;
	}
}

/* The part's thread for one of the whole; rows of one thread come together. */
static struct profile_thread *thread_for(struct profile *out, const struct profile_thread *whole)
{
	struct profile_thread *t;

	if (out->n_threads) {
		t = &out->threads[out->n_threads - 1];
		if (t->tid == whole->tid && t->pid == whole->pid &&
			t->recording == whole->recording)
			return t;
	}
	out->threads =
		xreallocarray(out->threads, (size_t)out->n_threads + 1, sizeof(*out->threads));
	t = &out->threads[out->n_threads++];
	*t = *whole;
	t->weight = t->samples = 0;
	return t;
}

static void place_rows(const struct split_profile *s, struct profile *out, uint32_t part)
{
	size_t from = s->first[part], i;

	out->n_rows = s->first[part + 1] - from;
	out->rows = xreallocarray(NULL, out->n_rows, sizeof(*out->rows));
	for (i = 0; i < out->n_rows; i++) {
		struct timeline_row row = s->p->rows[s->rows[from + i].row];
		struct profile_thread *t = thread_for(out, &s->p->threads[row.thread]);
		struct node *n = &out->nodes[s->place_of[row.stack] - 1];

		row.thread = out->n_threads - 1;
		row.stack = s->place_of[row.stack] - 1;
		t->weight = saturated_add(t->weight, row.weight);
		t->samples++;
		n->self = saturated_add(n->self, row.weight);
		out->samples[row.stack].self++;
		out->rows[i] = row;
	}
	timeline_rows_finish(out);
}

struct profile *split_profile_get(struct split_profile *s, uint32_t part)
{
	struct profile *out = xcalloc(1, sizeof(*out));
	node_id *used;
	uint32_t i;

	*out = *s->p;
	out->threads = NULL;
	out->n_threads = 0;
	out->cells = NULL;
	out->n_cells = 0;
	out->keys = NULL;
	out->n_keys = 0;
	out->event = split_profile_name(s, part).event;
	used = find_nodes(s, part, &out->n_nodes);
	place_nodes(s, out, used);
	place_rows(s, out, part);
	sum_up(out);
	out->n_samples = out->samples[0].total;
	for (i = 0; i < out->n_nodes; i++)
		s->place_of[used[i]] = 0;
	free(used);
	return out;
}
