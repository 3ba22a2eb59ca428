/*
 * firefox.c - a profile for the Firefox Profiler, https://profiler.firefox.com
 *
 *	{ "meta": { "version": 24, "interval": ms, "categories": [ ... ], ... }, "libs": [],
 *	  "threads": [ { "name", "pid", "tid",
 *	    "samples": { "schema", "data": [[stack, ms, 0], ...] },
 *	    "stackTable": { "schema", "data": [[prefix, frame], ...] }, "frameTable": { ... },
 *	    "stringTable": [string, ...], "markers": ... }, ... ] }
 *
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md
 * Version 24, which the Firefox Profiler itself makes from perf script text: newer readers upgrade
 * it, while today's format changes often. A sample has no weight here: samples are counted. Tables
 * belong to a thread; a stack refers to one before it. Where the thread waited, there is one sample
 * of the category Idle, which the profiler leaves out of its sums.
 *
 * Frames are "function (in module)", or, for generated code, "function (url:line:column)": that is
 * how the profiler distinguishes native code from JavaScript.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/mem.h"
#include "output/call_frames.h"
#include "model/functions.h"
#include "base/json_writer.h"
#include "output/slices/slices.h"

#include <stdlib.h>

enum firefox_category {
	CATEGORY_IDLE,
	CATEGORY_OTHER,
	CATEGORY_USER,
	CATEGORY_KERNEL,
	CATEGORY_JIT
};

static const struct {
	const char *name, *color;
} categories[] = {
	[CATEGORY_IDLE] = { "Idle", "transparent" },
	[CATEGORY_OTHER] = { "Other", "grey" },
	[CATEGORY_USER] = { "User", "blue" },
	[CATEGORY_KERNEL] = { "Kernel", "orange" },
	[CATEGORY_JIT] = { "JavaScript", "yellow" },
};

/* A frame as the profiler knows it. */
struct firefox_frame {
	str_id text; /* a string of strings */
	enum firefox_category category;
};

/* Numbers in the tables of one thread, valid if stamp is that thread's. */
struct local_number {
	uint32_t stamp, number;
};

struct firefox {
	const struct profile *p;
	const struct output_opts *o;
	struct call_frames calls;
	struct strtab *texts;
	struct firefox_frame *places;
	uint32_t n_places, cap_places;
	struct index by_place;
	uint32_t *place_of; /* by frame, plus 1 */
	struct buf scratch;
	struct json_writer *j;

	/* of the thread being written */
	uint32_t stamp;
	struct local_number *stack_of; /* by node */
	struct local_number *frame_of; /* by place */
	uint32_t cap_frame_of;
	node_id *stacks; /* in the order of the tree, so that a prefix comes first */
	uint32_t n_stacks, cap_stacks;
	uint32_t *frames; /* places */
	uint32_t n_frames, cap_frames;
	bool waited;
};

/* Frames */

static uint32_t add_place(struct firefox *f, struct span text, enum firefox_category category)
{
	struct firefox_frame place = { strtab_add(f->texts, text), category };
	uint64_t hash = hash_pair(place.text, category);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&f->by_place, hash, cursor, i)
		if (f->places[i].text == place.text && f->places[i].category == category)
			return i;
	ARRAY_GROW(f->places, f->n_places, f->cap_places);
	f->places[f->n_places] = place;
	index_add(&f->by_place, hash, f->n_places);
	return f->n_places++;
}

static enum firefox_category category_of(const struct profile *p, frame_id frame)
{
	switch (profile_frame_kind(p, frame)) {
	case FRAME_USER:
		return CATEGORY_USER;
	case FRAME_KERNEL:
		return CATEGORY_KERNEL;
	case FRAME_JIT:
		return CATEGORY_JIT;
	default:
		return CATEGORY_OTHER;
	}
}

static void put_place(struct firefox *f, frame_id id)
{
	const struct frame *frame = frames_get(f->p->frames, id);
	call_frame_id number =
		call_frames_of_frame(&f->calls, id); /* first: it may grow the table */
	const struct call_frame *call = &f->calls.call[number];
	struct span module = span_basename(strtab_get(f->p->strings, frame->module));

	f->scratch.n = 0;
	if (call->url) {
		buf_put_span(&f->scratch, strtab_get(f->p->strings, call->function));
		buf_puts(&f->scratch, f->scratch.n ? " (" : "(anonymous) (");
		buf_put_span(&f->scratch, strtab_get(f->p->strings, call->url));
		if (call->line)
			buf_printf(&f->scratch, ":%u:%u", call->line, call->column);
		buf_putc(&f->scratch, ')');
		return;
	}
	profile_put_name(f->p, id, &f->scratch);
	if (module.n && frame->name) {
		buf_puts(&f->scratch, " (in ");
		buf_put_span(&f->scratch, module);
		buf_putc(&f->scratch, ')');
	}
}

static uint32_t find_frame(struct firefox *f, frame_id id)
{
	if (!f->place_of[id]) {
		put_place(f, id);
		f->place_of[id] = add_place(f, buf_span(&f->scratch), category_of(f->p, id)) + 1;
	}
	return f->place_of[id] - 1;
}

/* A thread's tables */

static uint32_t local_frame(struct firefox *f, uint32_t place)
{
	struct local_number *local;

	if (place >= f->cap_frame_of) {
		uint32_t old = f->cap_frame_of;

		ARRAY_RESERVE(f->frame_of, place + 1, f->cap_frame_of);
		memset(f->frame_of + old, 0, (f->cap_frame_of - old) * sizeof(*f->frame_of));
	}
	local = &f->frame_of[place];
	if (local->stamp != f->stamp) {
		*local = (struct local_number){ f->stamp, f->n_frames };
		ARRAY_GROW(f->frames, f->n_frames, f->cap_frames);
		f->frames[f->n_frames++] = place;
	}
	return local->number;
}

static void mark_stack(struct firefox *f, node_id stack)
{
	node_id at = stack;

	do {
		if (f->stack_of[at].stamp == f->stamp)
			return;
		f->stack_of[at].stamp = f->stamp;
		ARRAY_GROW(f->stacks, f->n_stacks, f->cap_stacks);
		f->stacks[f->n_stacks++] = at;
		at = f->p->nodes[at].parent;
	} while (stack_path_is_code(f->p, at));
}

static int compare_nodes(const void *pa, const void *pb)
{
	node_id a = *(const node_id *)pa, b = *(const node_id *)pb;

	return (a > b) - (a < b);
}

static void find_stacks(struct firefox *f, struct slices *slices)
{
	struct slice slice;
	uint32_t i;

	f->stamp++;
	f->n_stacks = f->n_frames = 0;
	f->waited = false;
	for (slices_rewind(slices); slices_next(slices, &slice);) {
		f->waited |= slice.idle;
		if (!slice.idle)
			mark_stack(f, slice.stack);
	}
	if (f->n_stacks)
		qsort(f->stacks, f->n_stacks, sizeof(*f->stacks), compare_nodes);
	for (i = 0; i < f->n_stacks; i++)
		f->stack_of[f->stacks[i]].number = i;
}

static void write_schema(struct firefox *f, const char *const *columns)
{
	int i;

	json_writer_key(f->j, "schema");
	json_writer_object(f->j);
	for (i = 0; columns[i]; i++) {
		json_writer_key(f->j, columns[i]);
		json_writer_int(f->j, i);
	}
	json_writer_object_end(f->j);
	json_writer_key(f->j, "data");
	json_writer_array(f->j);
}

static void begin_table(struct firefox *f, const char *name, const char *const *columns)
{
	json_writer_key(f->j, name);
	json_writer_object(f->j);
	write_schema(f, columns);
}

static void end_table(struct firefox *f)
{
	json_writer_array_end(f->j);
	json_writer_object_end(f->j);
}

static void write_stack(struct firefox *f, node_id node)
{
	node_id parent = f->p->nodes[node].parent;

	json_writer_array(f->j);
	/* A root frame is in a stack only if that has no code, so it is no prefix. */
	if (stack_path_is_code(f->p, node) && stack_path_is_code(f->p, parent))
		json_writer_int(f->j, f->stack_of[parent].number);
	else
		json_writer_null(f->j);
	json_writer_int(f->j, local_frame(f, find_frame(f, stack_path_frame(f->p, node))));
	json_writer_array_end(f->j);
}

static void write_stacks(struct firefox *f)
{
	static const char *const columns[] = { "prefix", "frame", NULL };
	uint32_t i;

	begin_table(f, "stackTable", columns);
	for (i = 0; i < f->n_stacks; i++)
		write_stack(f, f->stacks[i]);
	if (f->waited) { /* after the others: number n_stacks */
		json_writer_array(f->j);
		json_writer_null(f->j);
		json_writer_int(f->j, local_frame(f, add_place(f, SPAN("(idle)"), CATEGORY_IDLE)));
		json_writer_array_end(f->j);
	}
	end_table(f);
}

static void write_frames(struct firefox *f)
{
	static const char *const columns[] = { "location", "relevantForJS", "innerWindowID",
		"implementation", "optimizations", "line", "column", "category", "subcategory",
		NULL };
	uint32_t i;
	int k;

	begin_table(f, "frameTable", columns);
	for (i = 0; i < f->n_frames; i++) {
		json_writer_array(f->j);
		json_writer_int(f->j, i);
		json_writer_bool(f->j, false);
		json_writer_int(f->j, 0);
		for (k = 0; k < 4; k++)
			json_writer_null(f->j);
		json_writer_int(f->j, f->places[f->frames[i]].category);
		json_writer_int(f->j, 0);
		json_writer_array_end(f->j);
	}
	end_table(f);
	json_writer_key(f->j, "stringTable");
	json_writer_array(f->j);
	for (i = 0; i < f->n_frames; i++)
		json_writer_string(f->j, strtab_get(f->texts, f->places[f->frames[i]].text));
	json_writer_array_end(f->j);
}

static void write_samples(struct firefox *f, struct slices *slices, const struct sink *to)
{
	static const char *const columns[] = { "stack", "time", "responsiveness", NULL };
	struct slice slice;

	begin_table(f, "samples", columns);
	for (slices_rewind(slices); slices_next(slices, &slice) && !sink_failed(to);) {
		json_writer_array(f->j);
		json_writer_int(f->j, slice.idle ? f->n_stacks : f->stack_of[slice.stack].number);
		json_writer_decimal(f->j, slice.from_ns, 6);
		json_writer_int(f->j, 0);
		json_writer_array_end(f->j);
	}
	end_table(f);
}

static void write_thread_facts(struct firefox *f, const struct slices *slices)
{
	static const char *const columns[] = { "name", "startTime", "endTime", "phase", "category",
		"data", NULL };
	const struct profile_thread *t = slices->thread;
	str_id *process = profile_process_names(f->p);

	json_writer_key(f->j, "name");
	json_writer_string(f->j, t ? strtab_get(f->p->strings, t->name) : SPAN("all"));
	json_writer_key(f->j, "processType");
	json_writer_str(f->j, "default");
	json_writer_key(f->j, "processName");
	json_writer_string(f->j,
		t ? strtab_get(f->p->strings, process[t - f->p->threads]) : SPAN("all"));
	free(process);
	json_writer_key(f->j, "pid");
	json_writer_int(f->j, t ? t->pid : 0);
	json_writer_key(f->j, "tid");
	json_writer_int(f->j, t ? t->tid : 0);
	json_writer_key(f->j, "registerTime");
	json_writer_decimal(f->j, slices->start_ns, 6);
	json_writer_key(f->j, "unregisterTime");
	json_writer_null(f->j);
	begin_table(f, "markers", columns);
	end_table(f);
}

static void write_thread(struct firefox *f, struct slices *slices, const struct sink *to)
{
	find_stacks(f, slices);
	json_writer_object(f->j);
	write_thread_facts(f, slices);
	write_samples(f, slices, to);
	write_stacks(f);
	write_frames(f);
	json_writer_object_end(f->j);
}

/* The file */

static void write_categories(struct firefox *f)
{
	size_t i;

	json_writer_key(f->j, "categories");
	json_writer_array(f->j);
	for (i = 0; i < ARRAY_LEN(categories); i++) {
		json_writer_object(f->j);
		json_writer_key(f->j, "name");
		json_writer_str(f->j, categories[i].name);
		json_writer_key(f->j, "color");
		json_writer_str(f->j, categories[i].color);
		json_writer_key(f->j, "subcategories");
		json_writer_array(f->j);
		json_writer_str(f->j, "Other");
		json_writer_array_end(f->j);
		json_writer_object_end(f->j);
	}
	json_writer_array_end(f->j);
}

static void write_number(struct firefox *f, const char *key, int64_t value)
{
	json_writer_key(f->j, key);
	json_writer_int(f->j, value);
}

static void write_meta(struct firefox *f)
{
	json_writer_key(f->j, "meta");
	json_writer_object(f->j);
	write_number(f, "version", 24);
	json_writer_key(f->j, "interval");
	json_writer_decimal(f->j, f->p->period_ns ? f->p->period_ns : 1000000, 6);
	write_number(f, "startTime", 0);
	write_number(f, "processType", 0);
	json_writer_key(f->j, "product");
	json_writer_str(f->j, "Linux perf");
	write_number(f, "stackwalk", 1);
	write_number(f, "debug", 0);
	write_number(f, "gcpoison", 0);
	write_number(f, "asyncstack", 1);
	write_categories(f);
	json_writer_key(f->j, "markerSchema");
	json_writer_array(f->j);
	json_writer_array_end(f->j);
	json_writer_object_end(f->j);
}

static void write_empty(struct firefox *f, const char *key)
{
	json_writer_key(f->j, key);
	json_writer_array(f->j);
	json_writer_array_end(f->j);
}

static void write_document(struct firefox *f, struct sink *to)
{
	struct slices slices;
	uint32_t i;

	json_writer_object(f->j);
	write_meta(f);
	write_empty(f, "libs");
	json_writer_key(f->j, "threads");
	json_writer_array(f->j);
	for (i = 0; i < slices_tracks(f->p) && !sink_failed(to); i++)
		if (slices_start(&slices, f->p, f->o, i))
			write_thread(f, &slices, to);
	json_writer_array_end(f->j);
	write_empty(f, "processes");
	write_empty(f, "pausedRanges");
	json_writer_object_end(f->j);
	sink_putc(to, '\n');
}

static void firefox_release(struct firefox *f)
{
	call_frames_release(&f->calls);
	strtab_free(f->texts);
	index_release(&f->by_place);
	buf_release(&f->scratch);
	json_writer_free(f->j);
	free(f->places);
	free(f->place_of);
	free(f->stack_of);
	free(f->frame_of);
	free(f->stacks);
	free(f->frames);
}

static int firefox_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct firefox f = { .p = p, .o = o };

	if (!p->n_rows && p->n_nodes && p->nodes[0].total)
		return err_set(e, ERR_UNSUPPORTED,
			"a profile for Firefox needs single samples, and the input has only sums");
	f.j = json_writer_new(to);
	f.texts = strtab_new();
	stack_path_frame(p, 0); /* adds a frame, so before they are counted */
	call_frames_init(&f.calls, p);
	f.place_of = xcalloc(frames_count(p->frames) + 1, sizeof(*f.place_of));
	f.stack_of = xcalloc((size_t)p->n_nodes + 1, sizeof(*f.stack_of));
	write_document(&f, to);
	firefox_release(&f);
	return OK;
}

static const char *const suffixes[] = { ".firefox.json", NULL };

const struct output_format firefox_format = {
	.name = "firefox",
	.suffixes = suffixes,
	.about = "all threads, for https://profiler.firefox.com",
	.needs = OUTPUT_TIMELINE | OUTPUT_SAMPLES,
	.write = firefox_write,
};
