/*
 * pprof.c - the profile of pprof, a gzipped protocol buffer
 *
 * https://github.com/google/pprof/blob/main/proto/profile.proto; model/pprof_fields.h has the field
 * numbers of that file. Fields may come in any order, so samples are written first, one by one, and
 * the tables that they refer to by number last.
 *
 * A sample is one stack of one thread on one CPU, with labels: comm, pid, tid, cpu, host, and event
 * where its type does not say it (pprof_types.h). Stacks refer to locations (pprof_tables.h).
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/varint.h"
#include "output/pprof_tables.h"
#include "output/pprof_types.h"

#include <stdlib.h>

struct pprof_writer {
	const struct profile *p;
	const struct output_opts *o;
	struct pprof_tables tables;
	struct pprof_types types;
	struct pprof_message m;
	struct buf values;
	str_id labels; /* of the only recording, for sums that are not counted by labels */
};

/* Samples */

static void put_label(struct pprof_writer *f, const char *key, unsigned field, uint64_t value)
{
	struct buf *part = &f->m.part;

	part->n = 0;
	protobuf_writer_put_number(part, LABEL_KEY, pprof_message_text(&f->m, span_of(key)));
	protobuf_writer_put_number(part, field, value);
	protobuf_writer_put_bytes(&f->m.body, SAMPLE_LABEL, buf_span(part));
}

static void put_text_label(struct pprof_writer *f, const char *key, str_id value)
{
	if (value)
		put_label(f, key, LABEL_TEXT,
			pprof_message_text(&f->m, strtab_get(f->p->strings, value)));
}

/* Merged with other profiles, the type alone would not tell events apart. */
static void put_event_label(struct pprof_writer *f, uint32_t event)
{
	const struct pprof_value *v = &f->types.value[event];

	if (f->types.n > 1 || v->renamed)
		put_text_label(f, "event", v->event);
}

/* Those of the user, of which "host" may be one. */
static void put_own_labels(struct pprof_writer *f, const struct recording *r)
{
	size_t i;

	for (i = 0; i < r->labels.n; i++)
		put_label(f, r->labels.at[i].key, LABEL_TEXT,
			pprof_message_text(&f->m, span_of(r->labels.at[i].value)));
}

static void put_recording_labels(struct pprof_writer *f, const struct recording *r)
{
	if (!label_list_find(&r->labels, SPAN("host")))
		put_text_label(f, "host", r->facts.host);
	put_own_labels(f, r);
}

static void put_labels(struct pprof_writer *f, const struct timeline_row *row, uint32_t event)
{
	const struct profile_thread *t = &f->p->threads[row->thread];

	put_text_label(f, "comm", t->name);
	if (t->pid >= 0)
		put_label(f, "pid", LABEL_NUMBER, (uint64_t)t->pid);
	if (t->tid >= 0)
		put_label(f, "tid", LABEL_NUMBER, (uint64_t)t->tid);
	if (row->cpu >= 0)
		put_label(f, "cpu", LABEL_NUMBER, (uint64_t)row->cpu);
	put_event_label(f, event);
	if (t->recording < f->o->n_recordings)
		put_recording_labels(f, f->o->recordings[t->recording]);
}

/* Locations and values; labels may follow. */
static void begin_sample(
	struct pprof_writer *f, node_id stack, uint32_t event, uint64_t samples, uint64_t weight)
{
	node_id at = stack;
	uint32_t i;

	f->values.n = 0;
	do {
		varint_put(&f->values, f->tables.location_of[at]);
		while (pprof_tables_is_inlined(&f->tables, at))
			at = f->p->nodes[at].parent;
		at = f->p->nodes[at].parent;
	} while (stack_path_is_code(f->p, at));
	protobuf_writer_put_bytes(&f->m.body, SAMPLE_LOCATIONS, buf_span(&f->values));
	f->values.n = 0;
	for (i = 0; i < f->types.n; i++) {
		if (f->types.weighed)
			varint_put(&f->values, i == event ? samples : 0);
		varint_put(&f->values, i == event ? weight : 0);
	}
	protobuf_writer_put_bytes(&f->m.body, SAMPLE_VALUES, buf_span(&f->values));
}

/* Rows of a thread with the same stack, event and CPU: one sample of the file. */
struct row_group {
	const struct timeline_row *row; /* the first */
	uint64_t samples, weight;
};

struct row_groups {
	struct row_group *group;
	uint32_t n, cap;
	struct index by_content;
};

static struct row_group *group_of(struct row_groups *g, const struct timeline_row *row)
{
	uint64_t hash = hash_pair(hash_pair(row->stack, row->event), (uint32_t)row->cpu);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&g->by_content, hash, cursor, i) {
		const struct timeline_row *known = g->group[i].row;

		if (known->stack == row->stack && known->event == row->event &&
			known->cpu == row->cpu)
			return &g->group[i];
	}
	ARRAY_GROW(g->group, g->n, g->cap);
	g->group[g->n] = (struct row_group){ .row = row };
	index_add(&g->by_content, hash, g->n);
	return &g->group[g->n++];
}

static void write_thread(struct pprof_writer *f, const struct profile_thread *t)
{
	struct row_groups groups = { 0 };
	size_t i;

	for (i = 0; i < t->n_rows; i++) {
		const struct timeline_row *row = &f->p->rows[t->first_row + i];
		struct row_group *g = group_of(&groups, row);

		g->samples++;
		g->weight += row->weight;
	}
	for (i = 0; i < groups.n && !sink_failed(f->m.to); i++) {
		const struct row_group *g = &groups.group[i];

		uint32_t event =
			pprof_types_number(&f->types, pprof_types_event(f->p, f->o, g->row));

		begin_sample(f, g->row->stack, event, g->samples, g->weight);
		put_labels(f, g->row, event);
		pprof_message_put(&f->m, PROFILE_SAMPLE);
	}
	free(groups.group);
	index_release(&groups.by_content);
}

/* The thread of sums is not known, but the root frame of a stack may be its name. */
static void put_root_label(struct pprof_writer *f, node_id stack)
{
	const struct node *nodes = f->p->nodes;
	const struct frame *root;

	while (nodes[stack].depth > 1)
		stack = nodes[stack].parent;
	root = frames_get(f->p->frames, nodes[stack].frame);
	if (root->kind == FRAME_ROOT)
		put_text_label(f, "comm", root->name);
}

/* What the user said of the samples of a stack: a group of its cells. */
struct label_group {
	str_id labels; /* without those that are known of recordings */
	uint64_t samples, weight;
};

struct label_groups {
	struct label_group *group;
	uint32_t n, cap;
	str_id *of_key; /* by key of the profile */
};

static str_id user_labels(const struct pprof_writer *f, const struct profile_key *key)
{
	static const char *const known[] = { "recording", "host", "time_us", "duration_us" };
	struct label_list l = { 0 };
	str_id packed;
	size_t i;

	label_list_unpack(&l, strtab_get(f->p->strings, key->labels));
	for (i = 0; i < ARRAY_LEN(known); i++)
		label_list_remove(&l, span_of(known[i]));
	packed = label_list_pack(&l, f->p->strings);
	label_list_release(&l);
	return packed;
}

static int compare_groups(const void *pa, const void *pb, void *strings)
{
	const struct label_group *a = pa, *b = pb;

	if (a->labels == b->labels)
		return 0;
	return span_cmp(strtab_get(strings, a->labels), strtab_get(strings, b->labels));
}

/* Groups of the same labels are neighbours. */
static void join_groups(struct label_groups *g)
{
	uint32_t i, last = 0;

	for (i = 1; i < g->n; i++) {
		if (g->group[i].labels != g->group[last].labels) {
			g->group[++last] = g->group[i];
			continue;
		}
		g->group[last].samples += g->group[i].samples;
		g->group[last].weight += g->group[i].weight;
	}
	g->n = last + 1;
}

/* The cells from number i on that are of a node, which go to groups; returns the number after. */
static size_t group_cells(const struct profile *p, node_id n, size_t i, struct label_groups *g)
{
	g->n = 0;
	for (; i < p->n_cells && p->cells[i].stack == n; i++) {
		const struct profile_cell *c = &p->cells[i];

		ARRAY_GROW(g->group, g->n, g->cap);
		g->group[g->n++] = (struct label_group){ g->of_key[c->key], c->samples, c->weight };
	}
	if (g->n > 1) {
		qsort_r(g->group, g->n, sizeof(*g->group), compare_groups, p->strings);
		join_groups(g);
	}
	return i;
}

static void put_packed_labels(struct pprof_writer *f, str_id packed)
{
	struct label_list l = { 0 };
	size_t i;

	label_list_unpack(&l, strtab_get(f->p->strings, packed));
	for (i = 0; i < l.n; i++)
		put_label(f, l.at[i].key, LABEL_TEXT,
			pprof_message_text(&f->m, span_of(l.at[i].value)));
	label_list_release(&l);
}

static void write_sum(
	struct pprof_writer *f, node_id n, str_id labels, uint64_t samples, uint64_t weight)
{
	begin_sample(f, n, 0, samples, weight);
	put_root_label(f, n);
	put_event_label(f, 0);
	put_packed_labels(f, labels);
	pprof_message_put(&f->m, PROFILE_SAMPLE);
}

/* Each node, by labels where it has cells; samples that were lost have none. */
static void write_sums(struct pprof_writer *f)
{
	const struct profile *p = f->p;
	struct label_groups g = { .of_key = xcalloc((size_t)p->n_keys + 1, sizeof(*g.of_key)) };
	size_t at = 0;
	node_id n;
	uint32_t i;

	for (i = 0; i < p->n_keys; i++)
		g.of_key[i] = user_labels(f, &p->keys[i]);
	for (n = 0; n < p->n_nodes; n++) {
		uint64_t samples = profile_samples(p, n).self, weight = p->nodes[n].self;

		at = group_cells(p, n, at, &g);
		for (i = 0; i < g.n; i++) {
			write_sum(f, n, g.group[i].labels, g.group[i].samples, g.group[i].weight);
			samples -= g.group[i].samples < samples ? g.group[i].samples : samples;
			weight -= g.group[i].weight < weight ? g.group[i].weight : weight;
		}
		if (weight)
			write_sum(f, n, f->labels, samples, weight);
	}
	free(g.group);
	free(g.of_key);
}

static void write_samples(struct pprof_writer *f)
{
	const struct profile *p = f->p;
	uint32_t i;

	for (i = 0; p->n_rows && i < p->n_threads; i++)
		write_thread(f, &p->threads[i]);
	if (!p->n_rows)
		write_sums(f);
}

/* The file */

/* Several inputs are merged as pprof merges files: the earliest time, the sum of durations, and
 * every comment once. */
static void put_times(struct pprof_writer *f)
{
	uint64_t time_ns = 0, duration_ns = 0;
	size_t i;

	for (i = 0; i < f->o->n_recordings; i++) {
		const struct recording_facts *facts = &f->o->recordings[i]->facts;

		if (facts->first_time_ns <= facts->last_time_ns)
			duration_ns += facts->last_time_ns - facts->first_time_ns;
		if (facts->wall_ns && (!time_ns || facts->wall_ns < time_ns))
			time_ns = facts->wall_ns;
	}
	protobuf_writer_put_number(&f->m.body, PROFILE_TIME_NS, time_ns);
	protobuf_writer_put_number(&f->m.body, PROFILE_DURATION_NS, duration_ns);
}

static void put_comments(struct pprof_writer *f)
{
	size_t i, k;

	for (i = 0; i < f->o->n_recordings; i++) {
		str_id command = f->o->recordings[i]->facts.cmdline;

		for (k = 0; k < i && f->o->recordings[k]->facts.cmdline != command;)
			k++;
		if (k == i && command)
			protobuf_writer_put_number(&f->m.body, PROFILE_COMMENT,
				pprof_message_text(&f->m, strtab_get(f->p->strings, command)));
	}
}

static void write_facts(struct pprof_writer *f)
{
	put_times(f);
	put_comments(f);
	pprof_types_put_comments(&f->types, &f->m);
	pprof_message_put_fields(&f->m);
}

static int pprof_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct pprof_writer f = { .p = p, .o = o };

	if (o->n_recordings == 1)
		f.labels = label_list_pack(&o->recordings[0]->labels, p->strings);
	(void)e;
	pprof_message_init(&f.m, to);
	pprof_types_init(&f.types, p, o);
	pprof_tables_init(&f.tables, p, o);
	pprof_types_write(&f.types, &f.m);
	write_samples(&f);
	write_facts(&f);
	pprof_tables_write(&f.tables, &f.m);
	pprof_message_put_texts(&f.m);
	pprof_tables_release(&f.tables);
	pprof_types_release(&f.types);
	pprof_message_release(&f.m);
	buf_release(&f.values);
	return OK;
}

static const char *const suffixes[] = { ".pb", ".pprof", NULL };

const struct output_format pprof_format = {
	.name = "pprof",
	.suffixes = suffixes,
	.about = "for pprof and other readers of its profiles",
	.needs = OUTPUT_TIMELINE | OUTPUT_LABELS | OUTPUT_LINES | OUTPUT_ADDRESSES,
	.packing = SINK_GZIP,
	.write = pprof_write,
};
