/*
 * pprof_file.c - the tables of a pprof profile, and the frames of its locations
 *
 * Three walks over the top-level fields: the first collects strings and the messages of mappings,
 * locations and functions (by id, in by_id[] for each kind), the second the types, whose names are
 * strings, the third the comments that say more of these. Messages stay in the file's bytes and are
 * parsed when they are used:
 *
 *	sample -> location -> mapping: file name           (the frame's module)
 *	                  '-> line, line, ... -> function  (innermost first; the last is no inline)
 *
 * A location becomes sites when it is first used, and keeps them.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#include "input/profiles/pprof_file.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/names/module_name.h"
#include "model/pprof_fields.h"

#include <stdlib.h>

enum {
	LINES_MAX = 256,        /* functions inlined at one place */
	STRING_BYTES = 64 << 10 /* of a string that any number of functions may have for a name */
};

struct span pprof_file_string(const struct pprof_file *p, uint64_t number)
{
	struct span s = number < p->n_strings ? p->strings[number] : SPAN("");

	return (struct span){ s.p, s.n < STRING_BYTES ? s.n : STRING_BYTES };
}

/* The number in a field of a message, 0 if it has none. */
static uint64_t number_in(struct span message, uint32_t number)
{
	struct protobuf_reader m = { message, false };
	struct protobuf_field f;
	uint64_t value = 0;

	while (protobuf_reader_next(&m, &f))
		if (f.number == number && !f.is_bytes)
			value = f.value;
	return value;
}

static struct span string_in(const struct pprof_file *p, struct span message, uint32_t number)
{
	return pprof_file_string(p, number_in(message, number));
}

/* ---- tables ---- */

static struct pprof_type type_in(const struct pprof_file *p, struct span message)
{
	struct span name = string_in(p, message, VALUE_TYPE);

	return (struct pprof_type){ name, string_in(p, message, VALUE_UNIT), name };
}

static const struct pprof_item *find(const struct pprof_file *p, enum pprof_field kind, uint64_t id)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&p->by_id[kind], hash_u64(id), c, i)
		if (p->items[kind][i].id == id)
			return &p->items[kind][i];
	return NULL;
}

static void add_item(struct pprof_file *p, enum pprof_field kind, struct span message)
{
	struct pprof_item item = { .id = number_in(message, ITEM_ID), .message = message };

	if (!item.id || find(p, kind, item.id)) {
		p->damaged++;
		return;
	}
	ARRAY_GROW(p->items[kind], p->n_items[kind], p->cap_items[kind]);
	p->items[kind][p->n_items[kind]] = item;
	index_add(&p->by_id[kind], hash_u64(item.id), p->n_items[kind]++);
}

/* The first string of a profile is the only one that is empty. */
static void add_string(struct pprof_file *p, struct span text)
{
	p->several |= p->n_strings && !text.n;
	ARRAY_GROW(p->strings, p->n_strings, p->cap_strings);
	p->strings[p->n_strings++] = text;
}

static void add_type(struct pprof_file *p, struct span message)
{
	ARRAY_GROW(p->types, p->n_types, p->cap_types);
	p->types[p->n_types++] = type_in(p, message);
}

static void read_table(struct pprof_file *p, const struct protobuf_field *f)
{
	if (f->number == PPROF_STRING && f->is_bytes)
		add_string(p, f->bytes);
	else if (f->number >= PPROF_MAPPING && f->number <= PPROF_FUNCTION && f->is_bytes)
		add_item(p, f->number, f->bytes);
}

/* Fields that refer to strings, once these are known. */
static void read_type(struct pprof_file *p, const struct protobuf_field *f)
{
	if (f->number == PPROF_SAMPLE_TYPE && f->is_bytes)
		add_type(p, f->bytes);
	else if (f->number == PPROF_PERIOD_TYPE && f->is_bytes)
		p->period_type = type_in(p, f->bytes);
	else if (f->number == PPROF_DEFAULT_TYPE)
		p->default_type = pprof_file_string(p, f->value);
}

/* "event cpu: cpu-clock", as output/pprof_types.h has it. */
static bool says_event(struct span comment, struct span type, struct span *event)
{
	static const struct span begin = { "event ", 6 }, middle = { ": ", 2 };
	struct span rest = span_skip(comment, begin.n);

	if (!span_starts(comment, begin) || !type.n || !span_starts(rest, type))
		return false;
	rest = span_skip(rest, type.n);
	*event = span_skip(rest, middle.n);
	return span_starts(rest, middle) && event->n;
}

/* Of profiles that were merged, the first comment counts. */
static void read_comment(struct pprof_file *p, struct protobuf_field f)
{
	uint64_t number;
	uint32_t i;

	while (protobuf_reader_number(&f, &number)) {
		for (i = 0; i < p->n_types; i++) {
			struct pprof_type *t = &p->types[i];
			struct span event;

			if (span_eq(t->event, t->name) &&
				says_event(pprof_file_string(p, number), t->name, &event))
				t->event = event;
		}
	}
}

/* Types come first, and once: what follows a string and is a type begins another profile. */
struct span pprof_file_next(struct span *rest)
{
	struct protobuf_reader m = { *rest, false };
	struct span all = *rest, before = all;
	struct protobuf_field f;
	bool strings = false, first = true, types_first = false;

	for (; protobuf_reader_next(&m, &f); before = m.rest) {
		if (first)
			types_first = f.number == PPROF_SAMPLE_TYPE;
		first = false;
		strings |= f.number == PPROF_STRING;
		if (types_first && strings && f.number == PPROF_SAMPLE_TYPE) {
			*rest = before;
			return span_range(all.p, before.p);
		}
	}
	*rest = span_skip(all, all.n);
	return all;
}

void pprof_file_read(struct pprof_file *p, struct span bytes)
{
	struct protobuf_reader m = { bytes, false };
	struct protobuf_field f;

	*p = (struct pprof_file){ 0 };
	while (protobuf_reader_next(&m, &f))
		read_table(p, &f);
	p->damaged += m.damaged;
	m = (struct protobuf_reader){ bytes, false };
	while (protobuf_reader_next(&m, &f))
		read_type(p, &f);
	m = (struct protobuf_reader){ bytes, false };
	while (protobuf_reader_next(&m, &f))
		if (f.number == PPROF_COMMENT)
			read_comment(p, f);
}

void pprof_file_release(struct pprof_file *p)
{
	int kind;

	free(p->strings);
	free(p->types);
	free(p->sites);
	for (kind = PPROF_MAPPING; kind <= PPROF_FUNCTION; kind++) {
		free(p->items[kind]);
		index_release(&p->by_id[kind]);
	}
}

/* ---- modules ---- */

void pprof_file_add_modules(const struct pprof_file *p, struct recording *r)
{
	uint32_t i;

	for (i = 0; i < p->n_items[PPROF_MAPPING]; i++) {
		struct span mapping = p->items[PPROF_MAPPING][i].message;
		struct module m = { .kind = MODULE_TEXT };

		m.shown = strtab_add(r->strings, string_in(p, mapping, MAPPING_FILE));
		m.build_id = build_id_parse(string_in(p, mapping, MAPPING_BUILD_ID));
		modules_add(r->modules, &m);
	}
}

/* ---- locations ---- */

static struct span module_of(const struct pprof_file *p, const struct pprof_item *location)
{
	const struct pprof_item *mapping =
		find(p, PPROF_MAPPING, number_in(location->message, LOCATION_MAPPING));

	return mapping ? string_in(p, mapping->message, MAPPING_FILE) : SPAN("");
}

static void add_site(struct pprof_file *p, struct stacktext *s, const struct frame *f)
{
	ARRAY_GROW(p->sites, p->n_sites, p->cap_sites);
	p->sites[p->n_sites++] = text_frame_site(s->reader->recording, s->reader->module, f);
}

static void add_line(struct pprof_file *p, struct stacktext *s, struct span module,
	struct span line, bool inlined)
{
	struct recording *r = s->reader->recording;
	const struct pprof_item *function = find(p, PPROF_FUNCTION, number_in(line, LINE_FUNCTION));
	struct frame f = { .kind = module_name_kind(module) };
	uint64_t number = number_in(line, LINE_NUMBER), start = 0;
	struct span name = SPAN("");

	f.flags = inlined ? FRAME_INLINED : 0;
	if (function) {
		name = string_in(p, function->message, FUNCTION_NAME);
		if (!name.n)
			name = string_in(p, function->message, FUNCTION_SYSTEM_NAME);
		f.file = strtab_add(r->strings, string_in(p, function->message, FUNCTION_FILE));
		start = number_in(function->message, FUNCTION_START_LINE);
	}
	if (f.file && start <= UINT32_MAX)
		f.line = (uint32_t)start;
	/* perfold without lines, and others, write the line of the function again */
	if (f.file && number <= UINT32_MAX && number != start)
		f.at_line = (uint32_t)number;
	stacktext_name(r, &f, name, module);
	add_site(p, s, &f);
}

/* Lines are innermost first; the last one is the function that the others are inlined into. */
static void name_location(struct pprof_file *p, struct stacktext *s, struct pprof_item *location)
{
	struct protobuf_reader m = { location->message, false };
	struct span module = module_of(p, location), before = { 0 };
	struct frame unknown = { .kind = FRAME_UNKNOWN, .why = WHY_IN_TEXT };
	struct protobuf_field f;
	uint32_t n = 0;

	location->first_site = p->n_sites;
	while (n < LINES_MAX && protobuf_reader_next(&m, &f)) {
		if (f.number != LOCATION_LINE || !f.is_bytes)
			continue;
		if (n++)
			add_line(p, s, module, before, true);
		before = f.bytes;
	}
	if (n) {
		add_line(p, s, module, before, false);
	} else {
		unknown.module = strtab_add(s->reader->recording->strings, module);
		if (s->reader->opts.addresses)
			unknown.address = number_in(location->message, LOCATION_ADDRESS);
		add_site(p, s, &unknown);
	}
	location->n_sites = p->n_sites - location->first_site;
}

void pprof_file_push_location(struct pprof_file *p, struct stacktext *s, uint64_t id)
{
	struct pprof_item *location = (struct pprof_item *)find(p, PPROF_LOCATION, id);
	uint32_t i;

	if (!location) {
		diag_count(&s->diag, DIAG_BAD_RECORD, id);
		return;
	}
	if (!location->n_sites)
		name_location(p, s, location);
	for (i = 0; i < location->n_sites; i++)
		text_log_push(&s->log, p->sites[location->first_site + i]);
}
