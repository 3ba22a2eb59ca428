/*
 * firefox.c - a profile for the Firefox Profiler, https://profiler.firefox.com
 *
 *	{ "meta": { "preprocessedProfileVersion": 53, "interval": ms, "categories": [ ... ], ... },
 *	  "libs": [ { "name", "path", "breakpadId", "codeId", ... }, ... ],
 *	  "threads": [ { "name", "pid", "tid", "samples": { "length", "stack", "time", ... },
 *	    "stackTable": { "length", "prefix", "frame" },
 *	    "frameTable": { "length", "address", "line", "func", "nativeSymbol", ... },
 *	    "funcTable": { ... }, "nativeSymbols": { ... }, "resourceTable": { ... },
 *	    "stringArray": [string, ...], "markers": { ... } }, ... ] }
 *
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
 * This is what the profiler keeps itself: the format that Firefox sends (gecko-profile-format.md)
 * has no addresses beside names. Of version 53, as newer readers upgrade it, and in the next tables
 * are shared by threads. A sample has no weight here: samples are counted. Tables are columns, and
 * belong to a thread, so they are numbered anew for each (struct numbering); a stack refers to one
 * before it. Where the thread waited, there is one sample of the category Idle, which the profiler
 * leaves out of its sums.
 */
#include "output/output_formats.h"

#include "base/json_writer.h"
#include "base/mem.h"
#include "output/firefox_tables.h"
#include "output/slices/slices.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	const char *name, *color;
} categories[] = {
	[CATEGORY_IDLE] = { "Idle", "transparent" },
	[CATEGORY_OTHER] = { "Other", "grey" },
	[CATEGORY_USER] = { "User", "blue" },
	[CATEGORY_KERNEL] = { "Kernel", "orange" },
	[CATEGORY_JIT] = { "JavaScript", "yellow" },
};

/* A number in the tables of one thread, valid if stamp is that thread's. */
struct local_number {
	uint32_t stamp, number;
};

/* What a thread uses of a table, in order of first use. */
struct numbering {
	struct local_number *of; /* by number in the whole table */
	uint32_t cap_of;
	uint32_t *used;
	uint32_t n, cap;
};

struct firefox {
	const struct profile *p;
	const struct output_opts *o;
	struct firefox_tables tables;
	str_id *process_name; /* by thread */
	struct json_writer *j;

	/* of the thread being written */
	uint32_t stamp;
	struct local_number *stack_of; /* by node */
	node_id *stacks;               /* in the order of the tree, so that a prefix comes first */
	uint32_t n_stacks, cap_stacks;
	struct numbering frames, functions, symbols, libs, texts;
	bool waited;
};

/* A thread's tables */

static uint32_t local(const struct firefox *f, struct numbering *n, uint32_t whole)
{
	struct local_number *number;

	if (whole >= n->cap_of) {
		uint32_t old = n->cap_of;

		ARRAY_RESERVE(n->of, (size_t)whole + 1, n->cap_of);
		memset(n->of + old, 0, (n->cap_of - old) * sizeof(*n->of));
	}
	number = &n->of[whole];
	if (number->stamp != f->stamp) {
		*number = (struct local_number){ f->stamp, n->n };
		ARRAY_GROW(n->used, n->n, n->cap);
		n->used[n->n++] = whole;
	}
	return number->number;
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
	f->n_stacks = 0;
	f->frames.n = f->functions.n = f->symbols.n = f->libs.n = f->texts.n = 0;
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

static void begin_table(struct firefox *f, const char *name, uint32_t length)
{
	json_writer_key(f->j, name);
	json_writer_object(f->j);
	json_writer_key(f->j, "length");
	json_writer_int(f->j, length);
}

#define NO_VALUE INT64_MIN /* null */

typedef int64_t column_value(struct firefox *f, uint32_t row);

static void write_column(struct firefox *f, const char *name, uint32_t rows, column_value *value)
{
	uint32_t i;

	json_writer_key(f->j, name);
	json_writer_array(f->j);
	for (i = 0; i < rows; i++) {
		int64_t v = value(f, i);

		if (v == NO_VALUE)
			json_writer_null(f->j);
		else
			json_writer_int(f->j, v);
	}
	json_writer_array_end(f->j);
}

static int64_t nothing(struct firefox *f, uint32_t row)
{
	(void)f;
	(void)row;
	return NO_VALUE;
}

static int64_t zero(struct firefox *f, uint32_t row)
{
	(void)f;
	(void)row;
	return 0;
}

static int64_t unless_zero(uint64_t v)
{
	return v ? (int64_t)v : NO_VALUE;
}

/* Stacks; that of waiting comes after the others. */

static int64_t stack_prefix(struct firefox *f, uint32_t row)
{
	node_id node = row < f->n_stacks ? f->stacks[row] : 0, parent;

	if (!node)
		return NO_VALUE;
	parent = f->p->nodes[node].parent;
	/* A root frame is in a stack only if that has no code, so it is no prefix. */
	if (!stack_path_is_code(f->p, node) || !stack_path_is_code(f->p, parent))
		return NO_VALUE;
	return f->stack_of[parent].number;
}

static int64_t stack_frame(struct firefox *f, uint32_t row)
{
	return local(f, &f->frames,
		row < f->n_stacks ? f->tables.place_of[f->stacks[row]] : f->tables.idle);
}

static void write_stacks(struct firefox *f)
{
	uint32_t n = f->n_stacks + f->waited;

	begin_table(f, "stackTable", n);
	write_column(f, "prefix", n, stack_prefix);
	write_column(f, "frame", n, stack_frame);
	json_writer_object_end(f->j);
}

/* Frames */

static const struct firefox_place *place_at(const struct firefox *f, uint32_t row)
{
	return &f->tables.places[f->frames.used[row]];
}

static int64_t frame_address(struct firefox *f, uint32_t row)
{
	return place_at(f, row)->has_address ? (int64_t)place_at(f, row)->address : -1;
}

static int64_t frame_depth(struct firefox *f, uint32_t row)
{
	return place_at(f, row)->depth;
}

static int64_t frame_category(struct firefox *f, uint32_t row)
{
	return place_at(f, row)->category;
}

static int64_t frame_function(struct firefox *f, uint32_t row)
{
	return local(f, &f->functions, place_at(f, row)->function);
}

static int64_t frame_symbol(struct firefox *f, uint32_t row)
{
	uint32_t symbol = place_at(f, row)->symbol;

	return symbol == FIREFOX_NONE ? NO_VALUE : local(f, &f->symbols, symbol);
}

static int64_t frame_line(struct firefox *f, uint32_t row)
{
	return unless_zero(place_at(f, row)->line);
}

static void write_frames(struct firefox *f)
{
	static const struct {
		const char *name;
		column_value *value;
	} columns[] = {
		{ "address", frame_address },
		{ "inlineDepth", frame_depth },
		{ "category", frame_category },
		{ "subcategory", zero },
		{ "func", frame_function },
		{ "nativeSymbol", frame_symbol },
		{ "innerWindowID", zero },
		{ "implementation", nothing },
		{ "line", frame_line },
		{ "column", nothing },
	};
	size_t i;

	begin_table(f, "frameTable", f->frames.n);
	for (i = 0; i < ARRAY_LEN(columns); i++)
		write_column(f, columns[i].name, f->frames.n, columns[i].value);
	json_writer_object_end(f->j);
}

/* Functions, and the libraries that they are in */

static const struct firefox_function *function_at(const struct firefox *f, uint32_t row)
{
	return &f->tables.functions[f->functions.used[row]];
}

static int64_t function_name(struct firefox *f, uint32_t row)
{
	return local(f, &f->texts, function_at(f, row)->name);
}

static int64_t function_resource(struct firefox *f, uint32_t row)
{
	uint32_t lib = function_at(f, row)->lib;

	return lib == FIREFOX_NONE ? -1 : (int64_t)local(f, &f->libs, lib);
}

static int64_t function_file(struct firefox *f, uint32_t row)
{
	str_id file = function_at(f, row)->file;

	return file ? local(f, &f->texts, file) : NO_VALUE;
}

static int64_t function_line(struct firefox *f, uint32_t row)
{
	return unless_zero(function_at(f, row)->line);
}

static int64_t function_column(struct firefox *f, uint32_t row)
{
	return unless_zero(function_at(f, row)->column);
}

static void write_js(struct firefox *f, const char *name, bool all_false)
{
	uint32_t i;

	json_writer_key(f->j, name);
	json_writer_array(f->j);
	for (i = 0; i < f->functions.n; i++)
		json_writer_bool(f->j, !all_false && function_at(f, i)->js);
	json_writer_array_end(f->j);
}

static void write_functions(struct firefox *f)
{
	uint32_t n = f->functions.n;

	begin_table(f, "funcTable", n);
	write_column(f, "name", n, function_name);
	write_js(f, "isJS", false);
	write_js(f, "relevantForJS", true);
	write_column(f, "resource", n, function_resource);
	write_column(f, "fileName", n, function_file);
	write_column(f, "lineNumber", n, function_line);
	write_column(f, "columnNumber", n, function_column);
	json_writer_object_end(f->j);
}

static const struct firefox_symbol *symbol_at(const struct firefox *f, uint32_t row)
{
	return &f->tables.symbols[f->symbols.used[row]];
}

static int64_t symbol_address(struct firefox *f, uint32_t row)
{
	return (int64_t)symbol_at(f, row)->address;
}

static int64_t symbol_size(struct firefox *f, uint32_t row)
{
	return unless_zero(symbol_at(f, row)->size_bytes);
}

static int64_t symbol_lib(struct firefox *f, uint32_t row)
{
	return symbol_at(f, row)->lib;
}

static int64_t symbol_name(struct firefox *f, uint32_t row)
{
	return local(f, &f->texts, symbol_at(f, row)->name);
}

static void write_symbols(struct firefox *f)
{
	uint32_t n = f->symbols.n;

	begin_table(f, "nativeSymbols", n);
	write_column(f, "address", n, symbol_address);
	write_column(f, "functionSize", n, symbol_size);
	write_column(f, "libIndex", n, symbol_lib);
	write_column(f, "name", n, symbol_name);
	json_writer_object_end(f->j);
}

static struct span lib_name(const struct firefox *f, uint32_t lib)
{
	return span_basename(strtab_get(f->p->strings, f->tables.libs[lib].module));
}

static int64_t resource_lib(struct firefox *f, uint32_t row)
{
	return f->libs.used[row];
}

static int64_t resource_name(struct firefox *f, uint32_t row)
{
	return local(f, &f->texts, strtab_add(f->tables.texts, lib_name(f, f->libs.used[row])));
}

static int64_t resource_type(struct firefox *f, uint32_t row)
{
	(void)f;
	(void)row;
	return 1; /* a library */
}

static void write_resources(struct firefox *f)
{
	uint32_t n = f->libs.n, i;

	begin_table(f, "resourceTable", n);
	write_column(f, "lib", n, resource_lib);
	write_column(f, "name", n, resource_name);
	write_column(f, "host", n, nothing);
	write_column(f, "type", n, resource_type);
	json_writer_object_end(f->j);
	json_writer_key(f->j, "stringArray");
	json_writer_array(f->j);
	for (i = 0; i < f->texts.n; i++)
		json_writer_string(f->j, strtab_get(f->tables.texts, f->texts.used[i]));
	json_writer_array_end(f->j);
}

/* Threads */

static uint32_t count_samples(struct slices *slices)
{
	struct slice slice;
	uint32_t n = 0;

	for (slices_rewind(slices); slices_next(slices, &slice);)
		n++;
	return n;
}

static void write_samples(struct firefox *f, struct slices *slices, const struct sink *to)
{
	struct slice slice;

	begin_table(f, "samples", count_samples(slices));
	json_writer_key(f->j, "weightType");
	json_writer_str(f->j, "samples");
	json_writer_key(f->j, "weight");
	json_writer_null(f->j);
	json_writer_key(f->j, "stack");
	json_writer_array(f->j);
	for (slices_rewind(slices); slices_next(slices, &slice) && !sink_failed(to);)
		json_writer_int(f->j, slice.idle ? f->n_stacks : f->stack_of[slice.stack].number);
	json_writer_array_end(f->j);
	json_writer_key(f->j, "time");
	json_writer_array(f->j);
	for (slices_rewind(slices); slices_next(slices, &slice) && !sink_failed(to);)
		json_writer_decimal(f->j, slice.from_ns, 6);
	json_writer_array_end(f->j);
	json_writer_object_end(f->j);
}

static void write_empty(struct firefox *f, const char *key)
{
	json_writer_key(f->j, key);
	json_writer_array(f->j);
	json_writer_array_end(f->j);
}

static void write_markers(struct firefox *f)
{
	static const char *const columns[] = { "category", "data", "endTime", "name", "phase",
		"startTime" };
	size_t i;

	begin_table(f, "markers", 0);
	for (i = 0; i < ARRAY_LEN(columns); i++)
		write_empty(f, columns[i]);
	json_writer_object_end(f->j);
}

static void write_number_text(struct firefox *f, const char *key, int32_t number)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", number);
	json_writer_key(f->j, key);
	json_writer_str(f->j, text);
}

static void write_thread_facts(struct firefox *f, const struct slices *slices)
{
	const struct profile_thread *t = slices->thread;

	json_writer_key(f->j, "name");
	json_writer_string(f->j, t ? strtab_get(f->p->strings, t->name) : SPAN("all"));
	json_writer_key(f->j, "isMainThread");
	json_writer_bool(f->j, t && t->pid == t->tid);
	json_writer_key(f->j, "processType");
	json_writer_str(f->j, "default");
	json_writer_key(f->j, "processName");
	json_writer_string(f->j,
		t ? strtab_get(f->p->strings, f->process_name[t - f->p->threads]) : SPAN("all"));
	write_number_text(f, "pid", t ? t->pid : 0);
	write_number_text(f, "tid", t ? t->tid : 0);
	json_writer_key(f->j, "processStartupTime");
	json_writer_int(f->j, 0);
	json_writer_key(f->j, "processShutdownTime");
	json_writer_null(f->j);
	json_writer_key(f->j, "registerTime");
	json_writer_decimal(f->j, slices->start_ns, 6);
	json_writer_key(f->j, "unregisterTime");
	json_writer_null(f->j);
	write_empty(f, "pausedRanges");
	json_writer_key(f->j, "showMarkersInTimeline");
	json_writer_bool(f->j, false);
	write_markers(f);
}

static void write_thread(struct firefox *f, struct slices *slices, const struct sink *to)
{
	find_stacks(f, slices);
	json_writer_object(f->j);
	write_thread_facts(f, slices);
	write_samples(f, slices, to);
	write_stacks(f); /* each table numbers what it refers to, and the next one has that */
	write_frames(f);
	write_functions(f);
	write_symbols(f);
	write_resources(f);
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

static void write_flag(struct firefox *f, const char *key, bool value)
{
	json_writer_key(f->j, key);
	json_writer_bool(f->j, value);
}

static void write_meta(struct firefox *f)
{
	json_writer_key(f->j, "meta");
	json_writer_object(f->j);
	write_number(f, "version", 24); /* of the other format, which readers ask for too */
	write_number(f, "preprocessedProfileVersion", 53);
	json_writer_key(f->j, "interval");
	json_writer_decimal(f->j, f->p->period_ns ? f->p->period_ns : 1000000, 6);
	write_number(f, "startTime", 0);
	write_number(f, "processType", 0);
	json_writer_key(f->j, "product");
	json_writer_str(f->j, "Linux perf");
	write_number(f, "stackwalk", 1);
	write_flag(f, "debug", false);
	write_flag(f, "symbolicated", true);
	write_flag(f, "usesOnlyOneStackType", !f->tables.has_js);
	write_flag(f, "doesNotUseFrameImplementation", true);
	write_flag(f, "sourceCodeIsNotOnSearchfox", true);
	write_categories(f);
	write_empty(f, "pausedRanges");
	write_empty(f, "markerSchema");
	begin_table(f, "extensions", 0);
	write_empty(f, "baseURL");
	write_empty(f, "id");
	write_empty(f, "name");
	json_writer_object_end(f->j);
	json_writer_object_end(f->j);
}

/* A build-id as symbol servers know it: 16 bytes, of which the first three numbers are turned
 * round, and an age of 0. */
static void put_breakpad_id(struct buf *b, const struct build_id *id)
{
	static const uint8_t order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	size_t i;

	for (i = 0; i < sizeof(order); i++)
		buf_printf(b, "%02X", order[i] < id->n ? id->byte[order[i]] : 0);
	buf_putc(b, '0');
}

static void write_text(struct firefox *f, const char *key, struct span text)
{
	json_writer_key(f->j, key);
	json_writer_string(f->j, text);
}

static void write_lib(struct firefox *f, uint32_t i)
{
	const struct firefox_lib *lib = &f->tables.libs[i];
	struct span path = strtab_get(f->p->strings, lib->module), name = lib_name(f, i);
	const struct build_id none = { 0 }, *id = lib->of ? &lib->of->build_id : &none;
	struct buf breakpad = { 0 };
	char hex[41];

	put_breakpad_id(&breakpad, id);
	json_writer_object(f->j);
	write_text(f, "name", name);
	write_text(f, "path", path);
	write_text(f, "debugName", name);
	write_text(f, "debugPath", path);
	write_text(f, "breakpadId", buf_span(&breakpad));
	json_writer_key(f->j, "codeId");
	if (id->n)
		json_writer_str(f->j, build_id_hex(id, hex));
	else
		json_writer_null(f->j);
	json_writer_key(f->j, "arch");
	json_writer_null(f->j);
	json_writer_object_end(f->j);
	buf_release(&breakpad);
}

static void write_document(struct firefox *f, struct sink *to)
{
	struct slices slices;
	uint32_t i;

	json_writer_object(f->j);
	write_meta(f);
	json_writer_key(f->j, "libs");
	json_writer_array(f->j);
	for (i = 0; i < f->tables.n_libs; i++)
		write_lib(f, i);
	json_writer_array_end(f->j);
	json_writer_key(f->j, "threads");
	json_writer_array(f->j);
	for (i = 0; i < slices_tracks(f->p) && !sink_failed(to); i++)
		if (slices_start(&slices, f->p, f->o, i))
			write_thread(f, &slices, to);
	json_writer_array_end(f->j);
	write_empty(f, "pages");
	write_empty(f, "profilerOverhead");
	write_empty(f, "counters");
	json_writer_object_end(f->j);
	sink_putc(to, '\n');
}

static void numbering_release(struct numbering *n)
{
	free(n->of);
	free(n->used);
}

static void firefox_release(struct firefox *f)
{
	firefox_tables_release(&f->tables);
	free(f->process_name);
	numbering_release(&f->frames);
	numbering_release(&f->functions);
	numbering_release(&f->symbols);
	numbering_release(&f->libs);
	numbering_release(&f->texts);
	json_writer_free(f->j);
	free(f->stack_of);
	free(f->stacks);
}

static int firefox_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct firefox f = { .p = p, .o = o };

	if (!p->n_rows && p->n_nodes && p->nodes[0].total)
		return err_set(e, ERR_UNSUPPORTED,
			"a profile for Firefox needs single samples, and the input has only sums");
	f.j = json_writer_new(to);
	firefox_tables_init(&f.tables, p, o);
	f.process_name = profile_process_names(p);
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
	.needs = OUTPUT_TIMELINE | OUTPUT_SAMPLES | OUTPUT_LINES | OUTPUT_ADDRESSES,
	.write = firefox_write,
};
