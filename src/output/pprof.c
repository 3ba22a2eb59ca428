/*
 * pprof.c - the profile of pprof, a gzipped protocol buffer
 *
 * https://github.com/google/pprof/blob/main/proto/profile.proto; the field numbers below are those
 * of that file. Fields may come in any order, so samples are written first, one by one, and the
 * tables that they refer to by number last.
 *
 * A sample is one stack of one thread on one CPU, with labels: comm, pid, tid, cpu, host, and event
 * where there are several. Each event has its own type of value; in a profile
 * weighed by period there is one more, which counts samples.
 *
 * A location is a frame together with the frames inlined into it, each a line: struct location
 * links an inlined frame to the one it is inlined into (is_inlined()), and stacks refer to the
 * innermost. It has no address, as names are known already.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/functions.h"
#include "model/pprof_fields.h"
#include "base/protobuf_writer.h"
#include "base/varint.h"

#include <stdlib.h>

/* Numbers in the file count from 1: 0 is none. */
struct location {
	function_id function;
	uint32_t within; /* the location that this is inlined into; 0: none */
	uint32_t mapping;
	uint32_t line; /* of what ran, or of the call; else where the function begins */
};

struct pprof_writer {
	const struct profile *p;
	const struct output_opts *o;
	struct sink *to;
	struct functions functions;
	struct location *locations;
	uint32_t n_locations, cap_locations;
	struct index by_location;
	uint32_t *location_of; /* by node */
	str_id *mappings;      /* modules */
	uint32_t n_mappings, cap_mappings;
	uint32_t *mapping_of; /* by str_id of the module */
	str_id *events;       /* the types of values, in order */
	uint32_t n_events, cap_events;
	bool weighed;         /* each has two values: samples, if they are known, and weight */
	struct strtab *texts; /* the string table: in order of first use, 0 is "" */
	struct buf scratch, message, part, values;
};

static void put_field(struct pprof_writer *f, unsigned field, const struct buf *message)
{
	f->scratch.n = 0;
	protobuf_writer_put_bytes(&f->scratch, field, buf_span(message));
	sink_put_span(f->to, buf_span(&f->scratch));
}

static uint32_t text(struct pprof_writer *f, struct span s)
{
	return strtab_add(f->texts, s);
}

/* Types of values */

static str_id event_of_row(const struct pprof_writer *f, const struct timeline_row *row)
{
	uint32_t recording = f->p->threads[row->thread].recording;

	if (recording >= f->o->n_recordings || row->event >= f->o->recordings[recording]->n_events)
		return f->p->event;
	return f->o->recordings[recording]->events[row->event].name;
}

/* The number of an event among the types, which are few. */
static uint32_t event_number(struct pprof_writer *f, str_id event)
{
	uint32_t i;

	for (i = 0; i < f->n_events; i++)
		if (f->events[i] == event)
			return i;
	ARRAY_GROW(f->events, f->n_events, f->cap_events);
	f->events[f->n_events++] = event;
	return i;
}

static void find_events(struct pprof_writer *f)
{
	size_t i;

	if (f->p->event || !f->p->n_rows)
		event_number(f, f->p->event);
	for (i = 0; i < f->p->n_rows; i++)
		event_number(f, event_of_row(f, &f->p->rows[i]));
}

static void put_value_type(
	struct pprof_writer *f, unsigned field, struct span type, struct span unit)
{
	f->message.n = 0;
	protobuf_writer_put_number(&f->message, VALUE_TYPE, text(f, type));
	protobuf_writer_put_number(&f->message, VALUE_UNIT, text(f, unit));
	put_field(f, field, &f->message);
}

/* pprof knows "nanoseconds" and "bytes" as units; anything else is a count. */
static struct span unit_of(const struct profile *p)
{
	struct span unit = strtab_get(p->strings, p->unit);

	return span_eq(unit, SPAN("nanoseconds")) || span_eq(unit, SPAN("bytes")) ? unit
										  : SPAN("count");
}

static struct span type_of(const struct pprof_writer *f, str_id event)
{
	return strtab_get(f->p->strings, event ? event : f->p->unit);
}

static void write_types(struct pprof_writer *f)
{
	struct span unit = unit_of(f->p);
	uint32_t i;

	for (i = 0; i < f->n_events; i++) {
		struct span type = type_of(f, f->events[i]);

		if (f->weighed) {
			f->part.n = 0;
			if (f->n_events > 1)
				buf_put_span(&f->part, type);
			buf_puts(&f->part, f->n_events > 1 ? " samples" : "samples");
			put_value_type(f, PROFILE_SAMPLE_TYPE, buf_span(&f->part), SPAN("count"));
		}
		put_value_type(f, PROFILE_SAMPLE_TYPE, type, unit);
	}
	f->message.n = 0;
	protobuf_writer_put_number(
		&f->message, PROFILE_DEFAULT_TYPE, text(f, type_of(f, f->events[0])));
	if (f->n_events == 1 && f->p->period) {
		protobuf_writer_put_number(&f->message, PROFILE_PERIOD, f->p->period);
		sink_put_span(f->to, buf_span(&f->message));
		put_value_type(f, PROFILE_PERIOD_TYPE, type_of(f, f->events[0]), unit);
	} else {
		sink_put_span(f->to, buf_span(&f->message));
	}
}

/* Locations and mappings */

static uint32_t mapping_number(struct pprof_writer *f, str_id module)
{
	if (!module)
		return 0;
	if (!f->mapping_of[module]) {
		ARRAY_GROW(f->mappings, f->n_mappings, f->cap_mappings);
		f->mappings[f->n_mappings++] = module;
		f->mapping_of[module] = f->n_mappings;
	}
	return f->mapping_of[module];
}

/* A line has no file of its own: it is in that of its function. */
static uint32_t line_of(const struct frame *frame)
{
	return frame->at_line && !frame->at_file ? frame->at_line : frame->line;
}

static uint32_t location_number(struct pprof_writer *f, frame_id frame, uint32_t within)
{
	struct location l = { functions_of_frame(&f->functions, frame), within,
		mapping_number(f, frames_get(f->p->frames, frame)->module),
		line_of(frames_get(f->p->frames, frame)) };
	uint64_t hash = hash_pair(hash_pair(l.function, within), hash_pair(l.mapping, l.line));
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&f->by_location, hash, cursor, i)
		if (f->locations[i].function == l.function && f->locations[i].within == within &&
			f->locations[i].mapping == l.mapping && f->locations[i].line == l.line)
			return i + 1;
	ARRAY_GROW(f->locations, f->n_locations, f->cap_locations);
	f->locations[f->n_locations] = l;
	index_add(&f->by_location, hash, f->n_locations);
	return ++f->n_locations;
}

static bool is_inlined(const struct pprof_writer *f, node_id node)
{
	const struct node *n = &f->p->nodes[node];

	return (frames_get(f->p->frames, n->frame)->flags & FRAME_INLINED) &&
	       stack_path_is_code(f->p, n->parent);
}

/* Makes the program the first mapping, as pprof expects: not a library or the kernel. */
static void find_program(struct pprof_writer *f)
{
	node_id i;

	for (i = 0; i < f->p->n_nodes; i++) {
		str_id module = frames_get(f->p->frames, f->p->nodes[i].frame)->module;
		struct span path = strtab_get(f->p->strings, module);

		if (span_starts(path, SPAN("/")) && span_find(path, SPAN(".so")) < 0) {
			mapping_number(f, module);
			return;
		}
	}
}

static void find_locations(struct pprof_writer *f)
{
	node_id i;

	f->mapping_of = xcalloc(strtab_count(f->p->strings), sizeof(*f->mapping_of));
	f->location_of = xcalloc(f->p->n_nodes, sizeof(*f->location_of));
	find_program(f);
	for (i = 0; i < f->p->n_nodes; i++) {
		const struct node *n = &f->p->nodes[i];

		if (stack_path_includes(f->p, i))
			f->location_of[i] = location_number(f, stack_path_frame(f->p, i),
				is_inlined(f, i) ? f->location_of[n->parent] : 0);
	}
}

/* The build-id of a module, if all inputs agree on it. */
static struct build_id build_id_of(const struct pprof_writer *f, str_id shown)
{
	struct build_id found = { 0 };
	module_id i;
	size_t k;

	for (k = 0; k < f->o->n_recordings; k++) {
		const struct modules *modules = f->o->recordings[k]->modules;

		for (i = 1; i < modules_count(modules); i++) {
			const struct module *m = modules_get(modules, i);

			if (m->shown != shown || !m->build_id.n)
				continue;
			if (found.n && !build_id_same(&found, &m->build_id))
				return (struct build_id){ 0 };
			found = m->build_id;
		}
	}
	return found;
}

static void write_mappings(struct pprof_writer *f)
{
	char hex[41];
	uint32_t i;
	unsigned has;

	for (i = 0; i < f->n_mappings; i++) {
		struct build_id id = build_id_of(f, f->mappings[i]);

		f->message.n = 0;
		protobuf_writer_put_number(&f->message, ITEM_ID, i + 1);
		protobuf_writer_put_number(&f->message, MAPPING_FILE,
			text(f, strtab_get(f->p->strings, f->mappings[i])));
		if (id.n)
			protobuf_writer_put_number(&f->message, MAPPING_BUILD_ID,
				text(f, span_of(build_id_hex(&id, hex))));
		/* All that can be found is in here: pprof need not look for files. */
		for (has = MAPPING_HAS_FUNCTIONS; has <= MAPPING_HAS_INLINED; has++)
			protobuf_writer_put_number(&f->message, has, 1);
		put_field(f, PROFILE_MAPPING, &f->message);
	}
}

static void write_locations(struct pprof_writer *f)
{
	uint32_t i, k;

	for (i = 0; i < f->n_locations; i++) {
		f->message.n = 0;
		protobuf_writer_put_number(&f->message, ITEM_ID, i + 1);
		protobuf_writer_put_number(&f->message, LOCATION_MAPPING, f->locations[i].mapping);
		for (k = i + 1; k; k = f->locations[k - 1].within) { /* the innermost first */
			function_id function = f->locations[k - 1].function;

			f->part.n = 0;
			protobuf_writer_put_number(&f->part, LINE_FUNCTION, (uint64_t)function + 1);
			protobuf_writer_put_number(&f->part, LINE_NUMBER, f->locations[k - 1].line);
			protobuf_writer_put_bytes(&f->message, LOCATION_LINE, buf_span(&f->part));
		}
		put_field(f, PROFILE_LOCATION, &f->message);
	}
}

static void write_functions(struct pprof_writer *f)
{
	function_id i;

	for (i = 0; i < f->functions.n; i++) {
		const struct function *function = &f->functions.function[i];

		f->message.n = 0;
		protobuf_writer_put_number(&f->message, ITEM_ID, (uint64_t)i + 1);
		/* No system name: pprof would treat an equal one as mangled, and shorten it. */
		protobuf_writer_put_number(
			&f->message, FUNCTION_NAME, text(f, functions_name(&f->functions, i)));
		protobuf_writer_put_number(&f->message, FUNCTION_FILE,
			text(f, strtab_get(f->p->strings, function->file)));
		protobuf_writer_put_number(&f->message, FUNCTION_START_LINE, function->line);
		put_field(f, PROFILE_FUNCTION, &f->message);
	}
}

/* Samples */

static void put_label(struct pprof_writer *f, const char *key, unsigned field, uint64_t value)
{
	f->part.n = 0;
	protobuf_writer_put_number(&f->part, LABEL_KEY, text(f, span_of(key)));
	protobuf_writer_put_number(&f->part, field, value);
	protobuf_writer_put_bytes(&f->message, SAMPLE_LABEL, buf_span(&f->part));
}

static void put_text_label(struct pprof_writer *f, const char *key, str_id value)
{
	if (value)
		put_label(f, key, LABEL_TEXT, text(f, strtab_get(f->p->strings, value)));
}

static void put_labels(struct pprof_writer *f, const struct timeline_row *row)
{
	const struct profile_thread *t = &f->p->threads[row->thread];

	put_text_label(f, "comm", t->name);
	if (t->pid >= 0)
		put_label(f, "pid", LABEL_NUMBER, (uint64_t)t->pid);
	if (t->tid >= 0)
		put_label(f, "tid", LABEL_NUMBER, (uint64_t)t->tid);
	if (row->cpu >= 0)
		put_label(f, "cpu", LABEL_NUMBER, (uint64_t)row->cpu);
	if (f->n_events > 1)
		put_text_label(f, "event", event_of_row(f, row));
	if (t->recording < f->o->n_recordings)
		put_text_label(f, "host", f->o->recordings[t->recording]->facts.host);
}

/* Locations and values; labels may follow. */
static void begin_sample(
	struct pprof_writer *f, node_id stack, uint32_t event, uint64_t samples, uint64_t weight)
{
	node_id at = stack;
	uint32_t i;

	f->message.n = f->values.n = 0;
	do {
		varint_put(&f->values, f->location_of[at]);
		while (is_inlined(f, at))
			at = f->p->nodes[at].parent;
		at = f->p->nodes[at].parent;
	} while (stack_path_is_code(f->p, at));
	protobuf_writer_put_bytes(&f->message, SAMPLE_LOCATIONS, buf_span(&f->values));
	f->values.n = 0;
	for (i = 0; i < f->n_events; i++) {
		if (f->weighed)
			varint_put(&f->values, i == event ? samples : 0);
		varint_put(&f->values, i == event ? weight : 0);
	}
	protobuf_writer_put_bytes(&f->message, SAMPLE_VALUES, buf_span(&f->values));
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
	for (i = 0; i < groups.n && !sink_failed(f->to); i++) {
		const struct row_group *g = &groups.group[i];

		begin_sample(f, g->row->stack, event_number(f, event_of_row(f, g->row)), g->samples,
			g->weight);
		put_labels(f, g->row);
		put_field(f, PROFILE_SAMPLE, &f->message);
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

static void write_samples(struct pprof_writer *f)
{
	const struct profile *p = f->p;
	node_id n;
	uint32_t i;

	for (i = 0; p->n_rows && i < p->n_threads; i++)
		write_thread(f, &p->threads[i]);
	for (n = 0; !p->n_rows && n < p->n_nodes; n++) {
		if (!p->nodes[n].self)
			continue;
		begin_sample(f, n, 0, profile_samples(p, n).self, p->nodes[n].self);
		put_root_label(f, n);
		put_field(f, PROFILE_SAMPLE, &f->message);
	}
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
	protobuf_writer_put_number(&f->message, PROFILE_TIME_NS, time_ns);
	protobuf_writer_put_number(&f->message, PROFILE_DURATION_NS, duration_ns);
}

static void put_comments(struct pprof_writer *f)
{
	size_t i, k;

	for (i = 0; i < f->o->n_recordings; i++) {
		str_id command = f->o->recordings[i]->facts.cmdline;

		for (k = 0; k < i && f->o->recordings[k]->facts.cmdline != command;)
			k++;
		if (k == i && command)
			protobuf_writer_put_number(&f->message, PROFILE_COMMENT,
				text(f, strtab_get(f->p->strings, command)));
	}
}

static void write_facts(struct pprof_writer *f)
{
	f->message.n = 0;
	put_times(f);
	put_comments(f);
	sink_put_span(f->to, buf_span(&f->message));
}

static void write_texts(struct pprof_writer *f)
{
	uint32_t i;

	for (i = 0; i < strtab_count(f->texts); i++) {
		f->message.n = 0;
		utf8_put_repaired(&f->message, strtab_get(f->texts, i));
		put_field(f, PROFILE_STRING, &f->message);
	}
}

static void pprof_release(struct pprof_writer *f)
{
	functions_release(&f->functions);
	index_release(&f->by_location);
	strtab_free(f->texts);
	free(f->locations);
	free(f->location_of);
	free(f->mappings);
	free(f->mapping_of);
	free(f->events);
	buf_release(&f->scratch);
	buf_release(&f->message);
	buf_release(&f->part);
	buf_release(&f->values);
}

static int pprof_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct pprof_writer f = { .p = p, .o = o, .to = to, .texts = strtab_new() };

	(void)e;
	f.weighed = p->sums != SUMS_OF_OTHERS &&
		    !span_eq(strtab_get(p->strings, p->unit), SPAN("samples"));
	functions_init(&f.functions, p);
	find_events(&f);
	find_locations(&f);
	write_types(&f);
	write_samples(&f);
	write_facts(&f);
	write_mappings(&f);
	write_locations(&f);
	write_functions(&f);
	write_texts(&f);
	pprof_release(&f);
	return OK;
}

static const char *const suffixes[] = { ".pb", ".pprof", NULL };

const struct output_format pprof_format = {
	.name = "pprof",
	.suffixes = suffixes,
	.about = "for pprof and other readers of its profiles",
	.needs = OUTPUT_TIMELINE | OUTPUT_LINES,
	.packing = SINK_GZIP,
	.write = pprof_write,
};
