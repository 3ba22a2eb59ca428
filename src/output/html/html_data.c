/*
 * html_data.c - the data of a report: the profile's tree, its rows, facts
 *
 *	html_data_put_tree()   packed_tree of the whole profile, with colours (picture/packed.h)
 *	html_data_put_rows()   a block of rows in columns, as differences to the row before
 *	html_data_put_facts()  JSON: title, threads, events, losses, rules, changes
 *
 * The page adds weights up itself, from the rows that the reader chooses, so a report has all rows.
 * Events of all inputs get one number for each name (struct event_numbers), if their samples are
 * used.
 *
 * A row of a profile of waits begins at its time and lasts as long as it weighs (facts.durations);
 * of what is sampled too (--wall), the number of its event says which are off-CPU, and why.
 *
 * Strings from a recording pass through packed_put_text() and the JSON writer, which escapes "<":
 * a document cannot end its script element. start_ns is a string: it may exceed 2^53.
 */
#include "output/html/html_data.h"

#include "base/mem.h"
#include "model/frame_account.h"
#include "compare/change.h"
#include "base/json_writer.h"
#include "output/picture/picture.h"
#include "base/varint.h"

#include <stdlib.h>

/* Events: one number for each name, over all inputs */

struct event_numbers {
	str_id *name;
	uint32_t n, cap;
	uint32_t **number; /* by recording, then by its event */
	size_t n_recordings;
};

static uint32_t add_event(struct event_numbers *v, str_id name)
{
	uint32_t i;

	for (i = 0; i < v->n; i++)
		if (v->name[i] == name)
			return i;
	ARRAY_GROW(v->name, v->n, v->cap);
	v->name[v->n] = name;
	return v->n++;
}

/* Only events whose samples are used. */
static void find_events(struct event_numbers *v, const struct output_opts *o)
{
	size_t r;
	uint32_t i;

	*v = (struct event_numbers){ .n_recordings = o ? o->n_recordings : 0 };
	v->number = xcalloc(v->n_recordings + 1, sizeof(*v->number));
	for (r = 0; r < v->n_recordings; r++) {
		const struct recording *from = o->recordings[r];

		v->number[r] = xcalloc((size_t)from->n_events + 1, sizeof(*v->number[r]));
		for (i = 0; i < from->n_events; i++)
			if (from->events[i].chosen)
				v->number[r][i] = add_event(v, from->events[i].name) + 1;
	}
}

static void events_release(struct event_numbers *v)
{
	size_t r;

	for (r = 0; r < v->n_recordings; r++)
		free(v->number[r]);
	free(v->number);
	free(v->name);
}

/* The event of a row, plus 1; 0: not known. How it waited is added, times the events and 1. */
static uint32_t event_of(const struct event_numbers *v, const struct output_opts *o,
	const struct profile *p, const struct timeline_row *row)
{
	size_t r = p->threads[row->thread].recording;

	uint32_t wait = row->wait * (v->n + 1);

	if (r >= v->n_recordings || row->event >= o->recordings[r]->n_events)
		return wait;
	return wait + v->number[r][row->event];
}

/* Packed */

static void list_frames(const struct packed_tree *k, struct html_frames *frames)
{
	uint32_t i;

	frames->n = k->n_frames;
	frames->id = xcalloc(k->n_frames, sizeof(*frames->id));
	for (i = 1; i < k->n_frames; i++)
		frames->id[i] = k->frames[k->order[i]].id;
}

int html_data_make_tree(
	struct html_tree *t, const struct profile *p, const struct output_opts *o, struct err *e)
{
	int ret = frame_color_init(&t->colors, p, &o->picture, e);

	if (ret)
		return ret;
	display_names_init(&t->names, p);
	frame_color_choose(&t->colors, &t->names, &o->picture);
	packed_init(&t->packer, &t->names, &t->colors);
	t->packer.tiers = o->tiers;
	packed_add_profile(&t->packer);
	packed_close(&t->packer);
	list_frames(&t->packer, &t->frames);
	return OK;
}

void html_data_release_tree(struct html_tree *t)
{
	free(t->frames.id);
	packed_release(&t->packer);
	display_names_release(&t->names);
}

void html_data_put_tree(const struct html_tree *t, struct sink *to)
{
	struct buf bytes = { 0 };

	packed_put_all(&t->packer, &bytes);
	packed_put_base64(to, buf_span(&bytes));
	buf_release(&bytes);
}

static uint64_t start_ns_of(const struct profile *p)
{
	uint64_t start_ns = UINT64_MAX;
	uint32_t i;

	for (i = 0; i < p->n_threads; i++)
		if (p->threads[i].n_rows && p->rows[p->threads[i].first_row].time_ns < start_ns)
			start_ns = p->rows[p->threads[i].first_row].time_ns;
	return start_ns == UINT64_MAX ? 0 : start_ns;
}

/* The difference modulo 2^64, as a signed number in zigzag. */
static void put_change(struct buf *b, uint64_t *last, uint64_t now)
{
	uint64_t change = now - *last;

	varint_put(b, change << 1 ^ (change >> 63 ? UINT64_MAX : 0));
	*last = now;
}

enum row_column {
	COLUMN_THREAD,
	COLUMN_TIME,
	COLUMN_STACK,
	COLUMN_WEIGHT,
	COLUMN_EVENT,
	COLUMN_CPU,
	COLUMNS
};

void html_data_put_rows(
	const struct profile *p, const struct output_opts *o, size_t first_row, struct sink *to)
{
	uint64_t thread = 0, time_ns = start_ns_of(p), stack = 0, weight = 0;
	size_t n = p->n_rows - first_row, i;
	struct buf column[COLUMNS] = { 0 }, bytes = { 0 };
	struct event_numbers events;
	int c;

	n = n < HTML_DATA_BLOCK_ROWS ? n : HTML_DATA_BLOCK_ROWS;
	find_events(&events, o);
	for (i = first_row; i < first_row + n; i++) {
		const struct timeline_row *row = &p->rows[i];

		put_change(&column[COLUMN_THREAD], &thread, row->thread);
		put_change(&column[COLUMN_TIME], &time_ns, row->time_ns);
		put_change(&column[COLUMN_STACK], &stack, row->stack);
		put_change(&column[COLUMN_WEIGHT], &weight, row->weight);
		varint_put(&column[COLUMN_EVENT], event_of(&events, o, p, row));
		varint_put(&column[COLUMN_CPU], (uint32_t)(row->cpu + 1));
	}
	varint_put(&bytes, n);
	for (c = 0; c < COLUMNS; c++) {
		buf_put_span(&bytes, buf_span(&column[c]));
		buf_release(&column[c]);
	}
	packed_put_base64(to, buf_span(&bytes));
	buf_release(&bytes);
	events_release(&events);
}

/* A limit on functions: more than anybody reads. */
enum { CHANGES_MAX = 5000 };

/* Facts */

struct facts_writer {
	const struct profile *p;
	const struct output_opts *o;
	struct json_writer *j;
	struct buf scratch;
};

/* A string made safe to show: see packed_put_text(). */
static void put_any(struct facts_writer *f, struct span text)
{
	f->scratch.n = 0;
	packed_put_text(&f->scratch, text);
	json_writer_string(f->j, buf_span(&f->scratch));
}

static void put_span(struct facts_writer *f, const char *key, struct span text)
{
	if (!text.n)
		return;
	if (key)
		json_writer_key(f->j, key);
	put_any(f, text);
}

static void put_text(struct facts_writer *f, const char *key, str_id text)
{
	put_span(f, key, strtab_get(f->p->strings, text));
}

static void put_number(struct facts_writer *f, const char *key, uint64_t value)
{
	json_writer_key(f->j, key);
	json_writer_u64(f->j, value);
}

static void begin_list(struct facts_writer *f, const char *key)
{
	json_writer_key(f->j, key);
	json_writer_array(f->j);
}

static void put_threads(struct facts_writer *f)
{
	const struct profile *p = f->p;
	str_id *process_name = profile_process_names(p);
	uint32_t i;

	begin_list(f, "threads");
	for (i = 0; i < p->n_threads; i++) {
		const struct profile_thread *t = &p->threads[i];

		json_writer_object(f->j);
		json_writer_key(f->j, "pid");
		json_writer_int(f->j, t->pid);
		json_writer_key(f->j, "tid");
		json_writer_int(f->j, t->tid);
		put_text(f, "name", t->name);
		put_text(f, "process", process_name[i]);
		put_number(f, "weight", t->weight);
		put_number(f, "samples", t->samples);
		put_number(f, "input", t->recording);
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
	free(process_name);
}

static void put_events(struct facts_writer *f)
{
	struct event_numbers events;
	uint32_t i;

	find_events(&events, f->o);
	begin_list(f, "events");
	for (i = 0; i < events.n; i++) {
		json_writer_object(f->j);
		put_text(f, "name", events.name[i]);
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
	events_release(&events);
}

/* The names of how rows waited: see event_of(). The first is that of those that ran. */
static void put_waits(struct facts_writer *f)
{
	bool waits = false;
	size_t i;
	int s;

	for (i = 0; i < f->p->n_rows && !waits; i++)
		waits = f->p->rows[i].wait;
	if (!waits)
		return;
	begin_list(f, "waits");
	json_writer_str(f->j, "");
	for (s = 0; s < STATE_COUNT; s++)
		json_writer_str(f->j, switch_state_name((enum switch_state)s));
	json_writer_array_end(f->j);
}

static void put_recording(struct facts_writer *f)
{
	const struct recording_facts *facts = f->o->facts;

	json_writer_key(f->j, "recording");
	json_writer_object(f->j);
	if (facts) {
		put_text(f, "format", facts->format);
		put_text(f, "host", facts->host);
		put_text(f, "kernel", facts->os_release);
		put_text(f, "architecture", facts->arch);
		put_text(f, "processor", facts->cpu);
		put_text(f, "command", facts->cmdline);
		put_text(f, "perf", facts->perf_version);
		put_number(f, "processors", facts->n_cpus);
	}
	json_writer_object_end(f->j);
}

static void put_losses(struct facts_writer *f)
{
	const struct diag *d = f->o->diag;
	int k;

	begin_list(f, "losses");
	for (k = 0; d && k < DIAG_KINDS; k++) {
		const struct diag_info *info = diag_info(k);

		if (!d->count[k])
			continue;
		json_writer_object(f->j);
		put_number(f, "count", d->count[k]);
		json_writer_key(f->j, "text");
		json_writer_str(f->j, diag_message(d, k));
		if (info->hint)
			put_span(f, "hint", span_of(info->hint));
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
}

static void put_unresolved(struct facts_writer *f, const struct frame_account *a)
{
	uint32_t n, i;
	struct frame_gap *gaps = frame_account_gaps(f->o->recordings, f->o->n_recordings, &n);

	put_number(f, "frames", a->frames);
	put_number(f, "named", a->why[WHY_HAS_NAME]);
	begin_list(f, "unresolved");
	for (i = 0; i < n; i++) {
		json_writer_object(f->j);
		put_text(f, "module", gaps[i].module);
		json_writer_key(f->j, "reason");
		json_writer_str(f->j, frames_why_name(gaps[i].why));
		put_number(f, "frames", gaps[i].frames);
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
	free(gaps);
}

static void put_report(struct facts_writer *f)
{
	const struct report *r = f->o->report;
	uint32_t i;

	begin_list(f, "rules");
	for (i = 0; r && i < r->n_rules; i++) {
		json_writer_object(f->j);
		put_span(f, "place", span_of(r->rules[i].place));
		put_span(f, "rule", span_of(r->rules[i].text));
		put_number(f, "hits", r->rules[i].hits);
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
	begin_list(f, "advice");
	for (i = 0; r && i < r->n_advice; i++)
		put_span(f, NULL, span_of(r->advice[i]));
	json_writer_array_end(f->j);
}

static void put_share(struct facts_writer *f, double share)
{
	json_writer_u64(f->j, (uint64_t)(share * 1e6 + 0.5));
}

static void put_sides(struct facts_writer *f, const struct profile *p, const struct change *c)
{
	put_share(f, c->share_before);
	put_share(f, c->share_after);
	json_writer_u64(f->j, change_is_clear(p, c));
}

static void put_function(
	struct facts_writer *f, const struct change_functions *all, const struct function_change *c)
{
	const struct functions *functions = &all->costs.functions;

	json_writer_array(f->j);
	put_any(f, functions_name(functions, c->function));
	put_any(f, strtab_get(f->p->strings, functions->function[c->function].module));
	put_sides(f, f->p, &c->self);
	put_sides(f, f->p, &c->total);
	json_writer_array_end(f->j);
}

/* In a difference, the functions that have changed most; shares are in millionths. */
static void put_changes(struct facts_writer *f)
{
	const struct comparison *before = f->p->before;
	struct function_change *ranked;
	struct change_functions all;
	uint32_t n, i;

	if (!before)
		return;
	change_functions_init(&all, before->whole ? before->whole : f->p, true);
	ranked = change_functions_ranked(&all, BY_TOTAL, &n);
	json_writer_key(f->j, "confidence");
	json_writer_int(f->j, (int64_t)(100 * (1 - before->max_p_value) + 0.5));
	begin_list(f, "changes");
	for (i = 0; i < n && i < CHANGES_MAX; i++)
		put_function(f, &all, &ranked[i]);
	json_writer_array_end(f->j);
	free(ranked);
	change_functions_release(&all);
}

/* A time as a string: a script's numbers hold only 53 bits exactly. */
static void put_start(struct facts_writer *f)
{
	f->scratch.n = 0;
	buf_printf(&f->scratch, "%llu", (unsigned long long)start_ns_of(f->p));
	json_writer_key(f->j, "start_ns");
	json_writer_string(f->j, buf_span(&f->scratch));
}

/* Texts may have samples without times: these are all 0. */
static bool has_times(const struct profile *p)
{
	size_t i;

	for (i = 0; i < p->n_rows; i++)
		if (p->rows[i].time_ns)
			return true;
	return false;
}

/* The view that the page begins with. */
static const char *first_view(const struct picture_opts *o)
{
	if (o->reverse)
		return "reversed";
	return o->flamechart ? "time" : "flame";
}

/* What the page is, in parts and as a line: model/headline.h. */
static void put_headline(struct facts_writer *f, const struct picture_title *t)
{
	const struct headline *h = &t->headline;

	json_writer_key(f->j, "headline");
	json_writer_object(f->j);
	put_span(f, "title", buf_span(&h->title));
	put_span(f, "kind", buf_span(&h->kind));
	put_span(f, "weight", buf_span(&h->weight));
	if (h->during.n)
		put_span(f, "during", buf_span(&h->during));
	put_span(f, "recorded", buf_span(&h->recorded));
	put_span(f, "named", buf_span(&h->named));
	put_span(f, "line", buf_span(&t->subtitle));
	json_writer_object_end(f->j);
}

/* Folded stacks do not say how many samples a line is of: each unit of weight counts as one. */
static uint64_t count_samples(const struct profile *p)
{
	if (!p->n_nodes)
		return 0;
	return p->sums == SUMS_ASSUMED ? p->nodes[0].total : profile_samples(p, 0).total;
}

void html_data_put_facts(const struct profile *p, const struct output_opts *o,
	const struct picture_title *title, const struct frame_coloring *colors, struct sink *to)
{
	struct facts_writer f = { .p = p, .o = o, .j = json_writer_new(to) };

	json_writer_object(f.j);
	put_span(&f, "title", buf_span(&title->title));
	put_headline(&f, title);
	if (o->picture.subtitle)
		put_span(&f, "subtitle", span_of(o->picture.subtitle));
	if (o->picture.notes)
		put_span(&f, "notes", span_of(o->picture.notes));
	put_span(&f, "view", span_of(first_view(&o->picture)));
	put_span(&f, "colors", span_of(frame_color_mode(colors)));
	if (o->version)
		put_span(&f, "perfold", span_of(o->version));
	if (o->picture.count_name)
		put_span(&f, "unit", span_of(o->picture.count_name));
	else
		put_text(&f, "unit", p->unit);
	put_text(&f, "event", p->event);
	if (p->sums != SUMS_OF_OTHERS)
		put_number(&f, "samples", count_samples(p));
	put_number(&f, "period_ns", p->period_ns);
	/* A row lasts as many nanoseconds as it weighs. */
	json_writer_key(f.j, "durations");
	json_writer_bool(f.j, p->rows_have_duration);
	put_start(&f);
	if (has_times(p))
		put_number(&f, "timed", 1);
	put_number(&f, "rows", p->n_rows);
	put_recording(&f);
	put_threads(&f);
	put_events(&f);
	put_waits(&f);
	put_losses(&f);
	put_unresolved(&f, &title->headline.account);
	put_report(&f);
	put_changes(&f);
	json_writer_object_end(f.j);
	json_writer_free(f.j);
	buf_release(&f.scratch);
}
