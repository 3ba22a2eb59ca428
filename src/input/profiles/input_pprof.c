/*
 * input_pprof.c - profiles of pprof: of Go programs, gperftools, async-profiler, parca, perfold
 * itself
 *
 * A protocol buffer, usually gzipped, and decompressed beforehand. A type of value ("cpu",
 * "inuse_space") is an event. If the user names none, the file's default type counts, else that of
 * its period, else the last; with --weight samples, "samples". The unit of weights is that of the
 * type, or the type itself if the unit is "count".
 *
 * Labels comm or thread, pid, tid and cpu are those of the sample; others with a text are kept as
 * they are. A location with several lines
 * holds inlined functions; one without lines has no name.
 *
 * A sample refers to locations, these to functions and mappings, and all of them to strings, by
 * numbers whose tables may come anywhere in the file. So the whole file is kept in memory and
 * parsed twice: first the tables (pprof_file.c), then the samples, each of which is counted once
 * for each of its values.
 *
 * Files that were joined (cat) are read one after the other, if each has its types first, as all
 * writers known to us do; else they are refused, as their tables cannot be told apart.
 *
 * Source: https://github.com/google/pprof/blob/main/proto/profile.proto
 */
#include "input/profiles/profiles.h"

#include "base/saturated.h"
#include "input/profiles/pprof_file.h"
#include "model/names/event_name.h"
#include "model/pprof_fields.h"

#include <stdlib.h>

#define FILE_MAX    ((size_t)2 << 30)
#define FIRST_BYTES ((size_t)1 << 20)

enum { STACK_MAX = 1 << 15 };

struct pprof_reader {
	struct pprof_file file;
	struct stacktext *out;
	uint64_t row_samples;     /* of the row, by all its values */
	bool too_deep;            /* frames of the row were left out */
	struct label_list labels; /* of the row, beside those that are of its thread */
};

/* ---- samples ---- */

static void set_id(struct span text, uint64_t number, int32_t *id)
{
	if (text.n && !stacktext_number(text, &number))
		return;
	if (number <= INT32_MAX)
		*id = (int32_t)number;
}

static void read_label(struct pprof_reader *p, struct span message, struct text_sample *sample)
{
	struct protobuf_reader m = { message, false };
	struct protobuf_field f;
	struct span key = { 0 }, text = { 0 };
	uint64_t number = 0;

	while (protobuf_reader_next(&m, &f)) {
		if (f.number == LABEL_KEY)
			key = pprof_file_string(&p->file, f.value);
		else if (f.number == LABEL_TEXT)
			text = pprof_file_string(&p->file, f.value);
		else if (f.number == LABEL_NUMBER)
			number = f.value;
	}
	if (text.n &&
		(span_eq(key, SPAN("comm")) || (span_eq(key, SPAN("thread")) && !sample->comm.n)))
		sample->comm = text;
	else if (span_eq(key, SPAN("pid")))
		set_id(text, number, &sample->pid);
	else if (span_eq(key, SPAN("tid")))
		set_id(text, number, &sample->tid);
	else if (span_eq(key, SPAN("cpu")))
		set_id(text, number, &sample->cpu);
	else if (text.n && label_list_may_have(key) && !label_list_add(&p->labels, key, text))
		diag_count(&p->out->diag, DIAG_LABELS_LIMIT, 0);
}

static void push_locations(struct pprof_reader *p, struct protobuf_field f)
{
	uint64_t id;

	while (protobuf_reader_number(&f, &id)) {
		if (p->out->log.n_entries >= STACK_MAX) {
			p->too_deep = true;
			return;
		}
		pprof_file_push_location(&p->file, p->out, id);
	}
}

/* perfold writes a stack without frames as a single frame with the name of its thread. */
static bool is_only_thread(const struct pprof_reader *p, const struct text_sample *sample)
{
	const struct recording *r = p->out->reader->recording;
	const struct text_log *s = &p->out->log;
	const struct site *site;

	if (s->n_entries != 1 || !sample->comm.n)
		return false;
	site = sites_get(r->sites, (site_id)s->entries[0]);
	return span_eq(frames_name(r->frames, site->named), sample->comm) &&
	       !frames_get(r->frames, site->named)->module;
}

/* Is the value a number of samples, of the values that follow it? "samples" is, and, if there are
 * several events, "cycles_samples" before "cycles"; "cycles samples" was
 * written, too. */
static bool counts_samples(const struct pprof_file *p, uint32_t number)
{
	static const struct span all = { "samples", 7 };
	const struct pprof_type *type = &p->types[number];
	struct span name = type->name, next;

	if (!span_eq(type->unit, SPAN("count")) || !span_ends(name, all))
		return false;
	if (name.n == all.n || name.p[name.n - all.n - 1] == ' ')
		return true;
	next = number + 1 < p->n_types ? p->types[number + 1].name : SPAN("");
	return name.p[name.n - all.n - 1] == '_' && name.n == next.n + 1 + all.n &&
	       span_starts(name, next);
}

/* The samples of a row are read once, though it has several values. */
static void count_read(struct pprof_reader *p, struct text_sample *sample, uint64_t samples)
{
	struct text_usage *u = &p->out->log.usage;

	if (!sample->counted) {
		p->out->stacks++;
		u->samples_read = saturated_add(u->samples_read, samples ? samples : 1);
	}
	sample->counted = true;
}

/* How many samples all values say; of several events, each has its own. */
static uint64_t samples_of(const struct pprof_reader *p, struct span message)
{
	struct protobuf_reader m = { message, false };
	struct protobuf_field f;
	uint64_t value, sum = 0;
	uint32_t type = 0;

	while (protobuf_reader_next(&m, &f))
		while (f.number == SAMPLE_VALUES && protobuf_reader_number(&f, &value))
			if (type < p->file.n_types && counts_samples(&p->file, type++) &&
				value <= INT64_MAX)
				sum = saturated_add(sum, value);
	return sum;
}

/* Each value has a type: it is a number of samples, or their weight. */
static void count_values(
	struct pprof_reader *p, struct text_sample *sample, struct protobuf_field f, uint32_t *type)
{
	uint64_t value;

	while (protobuf_reader_number(&f, &value)) {
		if (*type >= p->file.n_types) {
			diag_count(&p->out->diag, DIAG_BAD_RECORD, *type);
			return;
		}
		if (counts_samples(&p->file, *type))
			sample->samples = value;
		sample->event = p->file.types[(*type)++].event;
		sample->period = value;
		/* below zero: profiles that are differences have such values, stacks cannot */
		if (value > INT64_MAX)
			diag_count(&p->out->diag, DIAG_BAD_COUNT, *type);
		if (!value || value > INT64_MAX)
			continue;
		count_read(p, sample, p->row_samples);
		stacktext_count(p->out, sample);
	}
}

static void read_sample(struct pprof_reader *p, struct span message)
{
	struct text_sample sample = stacktext_empty_sample(p->out);
	struct protobuf_reader m = { message, false };
	struct protobuf_field f;
	uint32_t type = 0;

	stacktext_drop(p->out);
	p->too_deep = false;
	label_list_release(&p->labels);
	while (protobuf_reader_next(&m, &f)) {
		if (f.number == SAMPLE_LOCATIONS)
			push_locations(p, f);
		else if (f.number == SAMPLE_LABEL && f.is_bytes)
			read_label(p, f.bytes, &sample);
	}
	if (m.damaged) {
		diag_count(&p->out->diag, DIAG_BAD_SAMPLE, 0);
		return;
	}
	if (p->too_deep)
		diag_count(&p->out->diag, DIAG_STACK_TOO_DEEP, 0);
	if (is_only_thread(p, &sample))
		stacktext_drop(p->out);
	text_log_reverse(&p->out->log);
	if (p->out->reader->opts.root_fields >> ROOT_LABEL)
		sample.labels = label_list_pack(&p->labels, p->out->reader->recording->strings);
	sample.samples = samples_of(p, message);
	p->row_samples = sample.samples;
	m = (struct protobuf_reader){ message, false };
	while (protobuf_reader_next(&m, &f))
		if (f.number == SAMPLE_VALUES)
			count_values(p, &sample, f, &type);
}

/* ---- types of values ---- */

/* The event of the type with a name; empty: there is none. */
static struct span event_of_type(const struct pprof_file *p, struct span name)
{
	uint32_t i;

	for (i = 0; name.n && i < p->n_types; i++)
		if (span_eq(p->types[i].name, name))
			return p->types[i].event;
	return SPAN("");
}

static struct span default_event(const struct pprof_file *p, bool samples)
{
	struct span event = samples ? event_of_type(p, SPAN("samples")) : SPAN("");

	if (!event.n)
		event = event_of_type(p, p->default_type);
	if (!event.n)
		event = event_of_type(p, p->period_type.name);
	return event.n ? event : p->types[p->n_types - 1].event;
}

/* "count" says nothing: the event is what is counted. */
static struct span unit_of(const struct pprof_type *type)
{
	if (type->unit.n && !span_eq(type->unit, SPAN("count")))
		return type->unit;
	return span_eq(type->name, SPAN("samples")) ? type->name : type->event;
}

static int choose_type(
	struct pprof_reader *p, struct stacktext_reader *reader, bool samples, struct err *e)
{
	struct span unit = { 0 };
	struct span first = default_event(&p->file, samples);
	uint32_t i;

	reader->first_event = first;
	reader->sums = SUMS_OF_OTHERS;
	for (i = 0; i < p->file.n_types; i++)
		if (counts_samples(&p->file, i))
			reader->sums = SUMS_OF_SAMPLES;
	for (i = 0; i < p->file.n_types; i++) {
		const struct pprof_type *type = &p->file.types[i];

		if (!event_name_wanted(type->event, reader->opts.events, first))
			continue;
		if (unit.n && !span_eq(unit, unit_of(type)))
			return err_set(e, ERR_USAGE,
				"%.200s: its values count %.*s and %.*s, which do not add up: "
				"choose one with --event",
				reader->recording->path, (int)unit.n, unit.p, (int)unit_of(type).n,
				unit_of(type).p);
		unit = unit_of(type);
	}
	if (unit.n)
		reader->unit = unit;
	return OK;
}

/* ---- the format ---- */

static const struct stacktext_format format = { .title = "pprof profile", .counted = true };

/* When it began and how long it took; the times of its samples are not known. Of several profiles,
 * durations add up, as when pprof merges files. */
static void read_times(struct recording *r, struct span bytes)
{
	struct recording_facts *facts = &r->facts;
	struct protobuf_reader m = { bytes, false };
	struct protobuf_field f;

	while (protobuf_reader_next(&m, &f)) {
		if (f.is_bytes || !f.value || f.value > INT64_MAX)
			continue;
		if (f.number == PPROF_TIME && (!facts->wall_ns || f.value < facts->wall_ns))
			facts->wall_ns = f.value;
		if (f.number != PPROF_DURATION)
			continue;
		facts->first_time_ns = 0;
		facts->last_time_ns = saturated_add(facts->last_time_ns, f.value);
	}
}

static void read_samples(struct pprof_reader *p, struct span profile)
{
	struct protobuf_reader m = { profile, false };
	struct protobuf_field f;

	pprof_file_add_modules(&p->file, p->out->reader->recording);
	while (protobuf_reader_next(&m, &f))
		if (f.number == PPROF_SAMPLE && f.is_bytes)
			read_sample(p, f.bytes);
	diag_add(&p->out->diag, DIAG_BAD_RECORD, p->file.damaged, 0);
}

static bool same_types(const struct pprof_file *a, const struct pprof_file *b)
{
	uint32_t i;

	for (i = 0; i < a->n_types && i < b->n_types; i++)
		if (!span_eq(a->types[i].name, b->types[i].name) ||
			!span_eq(a->types[i].unit, b->types[i].unit))
			return false;
	return a->n_types == b->n_types;
}

/* `cat a.pb.gz b.pb.gz` unpacks to one profile after the other, each with tables of its own. */
static int read_others(struct pprof_reader *p, struct span rest, struct err *e)
{
	struct pprof_file first = p->file;
	int rc = OK;

	while (rest.n && !rc) {
		struct span profile = pprof_file_next(&rest);

		pprof_file_read(&p->file, profile);
		if (p->file.several || !same_types(&first, &p->file))
			rc = err_set(e, ERR_FORMAT,
				"%.200s: holds several profiles of pprof that do not fit "
				"together: give each as a file",
				p->out->reader->recording->path);
		else
			read_samples(p, profile);
		read_times(p->out->reader->recording, profile);
		pprof_file_release(&p->file);
	}
	p->file = first;
	return rc;
}

static int fill(struct pprof_reader *p, struct recording *r, struct span first, struct span rest,
	const struct read_opts *o, struct err *e)
{
	struct stacktext_reader reader;
	int rc;

	stacktext_open(&reader, &format, r, o);
	rc = choose_type(p, &reader, o->weight_by_samples, e);
	if (rc)
		return rc;
	rc = stacktext_begin(&reader, &p->out, e);
	if (!rc)
		read_samples(p, first);
	if (!rc)
		rc = read_others(p, rest, e);
	rc = stacktext_finish(&reader, rc, e);
	label_list_release(&p->labels);
	r->understood = p->file.n_types + p->out->stacks;
	stacktext_close(&reader);
	read_times(r, first);
	return rc;
}

/* All of the file is kept: the tables that samples refer to may come last. */
static int read_whole(struct text_reader *text, struct span *bytes, struct err *e)
{
	size_t want = FIRST_BYTES;

	do {
		if (text_peek(text, want, bytes, e))
			return e->code;
		if (want >= FILE_MAX && !text->ended)
			return err_set(
				e, ERR_LIMIT, "pprof profile: larger than %zu bytes", FILE_MAX);
		want *= 2;
	} while (!text->ended);
	return OK;
}

static int pprof_read(struct recording *r, const struct file *f, const struct input_head *head,
	const struct read_opts *o, struct pool *pool, struct err *e)
{
	struct pprof_reader p = { .out = NULL };
	struct text_reader text;
	struct span bytes, rest;
	int rc;

	(void)pool;
	text_open(&text, f, head, text_cut_lines, 0);
	rc = read_whole(&text, &bytes, e);
	if (!rc) {
		rest = bytes;
		bytes = pprof_file_next(&rest);
		pprof_file_read(&p.file, bytes);
		if (!p.file.n_types)
			rc = err_set(e, ERR_FORMAT, "not a pprof profile: it has no value types");
		else if (p.file.several)
			rc = err_set(e, ERR_FORMAT,
				"%.200s: holds several profiles of pprof, one after the other: "
				"give each as a file",
				r->path);
		else
			rc = fill(&p, r, bytes, rest, o, e);
		pprof_file_release(&p.file);
	}
	text_close(&text);
	return rc;
}

/* Is a field one of a profile's, and of the kind it has? */
static bool is_profile_field(const struct protobuf_field *f)
{
	bool message = (f->number >= PPROF_SAMPLE_TYPE && f->number <= PPROF_STRING) ||
		       f->number == PPROF_PERIOD_TYPE;

	return f->number <= 15 && (f->number == 13 || message == f->is_bytes);
}

static int pprof_bid(const struct input_head *head)
{
	struct protobuf_reader m = { head->bytes, false };
	struct protobuf_field f;
	uint32_t fields = 0;

	while (protobuf_reader_next(&m, &f)) {
		if (!is_profile_field(&f))
			return 0;
		fields++;
	}
	/* if the head is not the whole, it ends in the middle of a field */
	if (m.damaged && head->whole)
		return 0;
	return fields >= 3 ? 65 : 0;
}

const struct input_format input_pprof = {
	.name = "pprof",
	.about = "profile of pprof (.pb.gz): Go, gperftools, async-profiler, perfold",
	.bid = pprof_bid,
	.read = pprof_read,
};
