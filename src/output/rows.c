/*
 * rows.c - a table of samples, one JSON object on each line: man perfold-rows(5)
 *
 * A row is a cell of the profile: a stack with what its samples have in common (struct
 * profile_key). The text of both parts is made once, and a row is
 *
 *	head of the key, "samples":N,"weight":N, tail of the stack
 *
 * Nodes are merged where rows cannot tell them apart: under other root frames, in another build,
 * in another tier. find_paths() gives each node the number of its path, in the order of the tree;
 * rows are sorted by that, so that a stack is written beside itself, and a compressor finds it.
 *
 * Memory: 24 bytes for each path and for each row, and the names of frames.
 */
#include "output/output_formats.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/json_writer.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

/* A frame as rows show it. Strings are in the strtab of the writer. */
struct row_frame {
	str_id name, module, file;
	uint32_t line;
	char kind; /* 0: not yet known */
};

/* A stack, as its last frame and the stack below that; number 0 is the empty one. */
struct row_path {
	uint32_t below;
	uint32_t frame; /* of frames */
	uint64_t id;    /* stack_id */
};

struct rows {
	const struct profile *p;
	bool lines;
	struct sink *to;
	struct strtab *strings;

	struct row_frame *frames;
	uint32_t n_frames, cap_frames;
	struct index by_frame;
	uint32_t *number_of; /* by frame_id: in frames, plus 1; 0: not yet known */
	struct row_path *paths;
	uint32_t n_paths, cap_paths;
	struct index by_path;
	uint32_t *path_of; /* by node */

	struct label_list columns; /* the keys of all labels; values are empty */
	bool has_cpu, has_cgroup, has_state;
	struct buf *head; /* by key */
	struct buf tail;
	uint32_t *stack; /* the frames of the path being written */
	uint32_t n_stack, cap_stack;
};

/* ---- frames ---- */

/* One letter, a capital one if the function was inlined. */
static char kind_of(const struct profile *p, frame_id id)
{
	bool inlined = frames_get(p->frames, id)->flags & FRAME_INLINED;

	switch (profile_frame_kind(p, id)) {
	case FRAME_USER:
		return inlined ? 'U' : 'u';
	case FRAME_KERNEL:
		return inlined ? 'K' : 'k';
	case FRAME_JIT:
		return inlined ? 'J' : 'j';
	case FRAME_ROOT:
	case FRAME_LABEL:
		return 'l';
	case FRAME_UNKNOWN:
		break;
	}
	return '?';
}

/* Lines have columns: what --lines adds to names is taken back. */
static void drop_line(struct buf *name, struct span file, uint32_t line)
{
	struct buf added = { 0 };
	struct span base = span_basename(file);

	buf_putc(&added, ':');
	buf_put_span(&added, base);
	buf_printf(&added, ":%" PRIu32, line);
	if (span_ends(buf_span(name), buf_span(&added)))
		name->n -= added.n;
	buf_release(&added);
}

static struct row_frame make_frame(struct rows *r, frame_id id)
{
	const struct frame *f = frames_get(r->p->frames, id);
	struct span file = strtab_get(r->p->strings, f->at_file ? f->at_file : f->file);
	struct row_frame made = { .kind = kind_of(r->p, id) };
	struct buf name = { 0 };

	profile_put_full_name(r->p, id, &name);
	made.module = strtab_add(r->strings, strtab_get(r->p->strings, f->module));
	if (r->lines && f->at_line) {
		drop_line(&name, file, f->at_line);
		made.file = strtab_add(r->strings, file);
		made.line = f->at_line;
	}
	made.name = strtab_add(r->strings, buf_span(&name));
	buf_release(&name);
	return made;
}

static uint32_t add_frame(struct rows *r, const struct row_frame *f)
{
	uint64_t hash = hash_pair(hash_pair((uint64_t)f->name << 32 | f->module, f->file),
		(uint64_t)f->line << 8 | (unsigned char)f->kind);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&r->by_frame, hash, c, i) {
		const struct row_frame *k = &r->frames[i];

		if (k->name == f->name && k->module == f->module && k->file == f->file &&
			k->line == f->line && k->kind == f->kind)
			return i;
	}
	ARRAY_GROW(r->frames, r->n_frames, r->cap_frames);
	r->frames[r->n_frames] = *f;
	index_add(&r->by_frame, hash, r->n_frames);
	return r->n_frames++;
}

static uint32_t frame_number(struct rows *r, frame_id id)
{
	if (!r->number_of[id]) {
		struct row_frame f = make_frame(r, id);

		r->number_of[id] = 1 + add_frame(r, &f);
	}
	return r->number_of[id] - 1;
}

/* ---- paths ---- */

/* The hash of a stack, from that of the stack below: part of the schema, so it must never change.
 * It is not negative, as not all readers have unsigned numbers. */
static uint64_t hash_stack(const struct rows *r, uint64_t below, const struct row_frame *f)
{
	struct buf b = { 0 };
	uint64_t id;
	int i;

	for (i = 0; i < 64; i += 8)
		buf_putc(&b, (char)(below >> i));
	buf_put_span(&b, strtab_get(r->strings, f->name));
	buf_putc(&b, '\0');
	buf_put_span(&b, strtab_get(r->strings, f->module));
	id = hash_span(buf_span(&b)) & INT64_MAX;
	buf_release(&b);
	return id;
}

static uint32_t add_path(struct rows *r, uint32_t below, uint32_t frame)
{
	uint64_t hash = hash_pair(below, frame);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&r->by_path, hash, c, i)
		if (r->paths[i].below == below && r->paths[i].frame == frame)
			return i;
	ARRAY_GROW(r->paths, r->n_paths, r->cap_paths);
	r->paths[r->n_paths] = (struct row_path){ below, frame,
		hash_stack(r, r->paths[below].id, &r->frames[frame]) };
	index_add(&r->by_path, hash, r->n_paths);
	return r->n_paths++;
}

static void find_paths(struct rows *r)
{
	const struct profile *p = r->p;
	node_id i;

	r->number_of = xcalloc(frames_count(p->frames), sizeof(*r->number_of));
	r->path_of = xcalloc(p->n_nodes, sizeof(*r->path_of));
	ARRAY_GROW(r->paths, 0, r->cap_paths);
	r->paths[r->n_paths++] = (struct row_path){ 0 };
	for (i = 1; i < p->n_nodes; i++)
		if (frames_get(p->frames, p->nodes[i].frame)->kind != FRAME_ROOT)
			r->path_of[i] = add_path(r, r->path_of[p->nodes[i].parent],
				frame_number(r, p->nodes[i].frame));
}

/* ---- parts of rows ---- */

static void put_string(struct buf *b, const char *key, struct span value)
{
	buf_printf(b, "\"%s\":", key);
	if (value.n)
		json_writer_put_string(b, value);
	else
		buf_puts(b, "null");
	buf_putc(b, ',');
}

static void put_id(struct buf *b, const char *key, int32_t id)
{
	if (id < 0)
		buf_printf(b, "\"%s\":null,", key);
	else
		buf_printf(b, "\"%s\":%" PRId32 ",", key, id);
}

/* A label that is a number. */
static void put_number(struct buf *b, const struct label_list *l, const char *key)
{
	const char *value = label_list_find(l, span_of(key));

	buf_printf(b, "\"%s\":%s,", key, value ? value : "null");
}

static void put_label(struct buf *b, const struct label_list *l, const char *key)
{
	const char *value = label_list_find(l, span_of(key));

	put_string(b, key, value ? span_of(value) : SPAN(""));
}

static const char *const own_columns[] = { "recording", "host", "time_us", "duration_us" };

static bool is_own_column(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(own_columns); i++)
		if (strcmp(key, own_columns[i]) == 0)
			return true;
	return false;
}

/* Labels are columns, in which each row has something: no more than a table may have. */
static bool find_columns(struct rows *r)
{
	const struct profile *p = r->p;
	bool fits = true;
	uint32_t i;
	size_t k;

	for (i = 0; i < p->n_keys; i++) {
		const struct profile_key *key = &p->keys[i];
		struct label_list l = { 0 };

		r->has_cpu |= key->root.cpu >= 0;
		r->has_cgroup |= key->root.cgroup != 0;
		r->has_state |= key->root.state != 0;
		label_list_unpack(&l, strtab_get(p->strings, key->labels));
		for (k = 0; k < l.n; k++)
			if (!is_own_column(l.at[k].key))
				fits &= label_list_add(&r->columns, span_of(l.at[k].key), SPAN(""));
		label_list_release(&l);
	}
	return fits;
}

static void put_thread(const struct rows *r, const struct root *root, struct buf *b)
{
	const struct strtab *strings = r->p->strings;

	put_string(b, "process", strtab_get(strings, root->process));
	put_string(b, "comm", strtab_get(strings, root->comm));
	put_id(b, "pid", root->pid);
	put_id(b, "tid", root->tid);
	if (r->has_cpu)
		put_id(b, "cpu", root->cpu);
	if (r->has_cgroup)
		put_string(b, "cgroup", strtab_get(strings, root->cgroup));
	if (r->has_state)
		put_string(b, "state", strtab_get(strings, root->state));
}

static void make_head(const struct rows *r, const struct profile_key *key, struct buf *b)
{
	const struct strtab *strings = r->p->strings;
	struct label_list l = { 0 };
	size_t i;

	label_list_unpack(&l, strtab_get(strings, key->labels));
	buf_printf(b, "{\"perfold_rows\":%d,", SCHEMA_VERSION);
	put_label(b, &l, "recording");
	for (i = 0; i < r->columns.n; i++)
		put_label(b, &l, r->columns.at[i].key);
	put_number(b, &l, "time_us");
	put_number(b, &l, "duration_us");
	put_label(b, &l, "host");
	put_thread(r, &key->root, b);
	put_string(b, "event", strtab_get(strings, key->root.event));
	put_string(b, "unit", strtab_get(strings, key->unit));
	if (key->period)
		buf_printf(b, "\"period\":%" PRIu64 ",", key->period);
	else
		buf_puts(b, "\"period\":null,");
	label_list_release(&l);
}

static void find_stack(struct rows *r, uint32_t path)
{
	uint32_t at, i;

	r->n_stack = 0;
	for (at = path; at; at = r->paths[at].below) {
		ARRAY_GROW(r->stack, r->n_stack, r->cap_stack);
		r->stack[r->n_stack++] = r->paths[at].frame;
	}
	for (i = 0; i < r->n_stack / 2; i++) {
		uint32_t swap = r->stack[i];

		r->stack[i] = r->stack[r->n_stack - 1 - i];
		r->stack[r->n_stack - 1 - i] = swap;
	}
}

static void put_text(struct buf *b, struct span text)
{
	if (text.n)
		json_writer_put_string(b, text);
	else
		buf_puts(b, "null");
}

static void put_strings(struct rows *r, const char *key, size_t offset)
{
	uint32_t i;

	buf_printf(&r->tail, ",\"%s\":[", key);
	for (i = 0; i < r->n_stack; i++) {
		const char *frame = (const char *)&r->frames[r->stack[i]];

		if (i)
			buf_putc(&r->tail, ',');
		put_text(&r->tail, strtab_get(r->strings, *(const str_id *)(frame + offset)));
	}
	buf_putc(&r->tail, ']');
}

static void put_places(struct rows *r)
{
	uint32_t i;

	put_strings(r, "file", offsetof(struct row_frame, file));
	buf_puts(&r->tail, ",\"line\":[");
	for (i = 0; i < r->n_stack; i++) {
		uint32_t line = r->frames[r->stack[i]].line;

		buf_puts(&r->tail, i ? "," : "");
		if (line)
			buf_printf(&r->tail, "%" PRIu32, line);
		else
			buf_puts(&r->tail, "null");
	}
	buf_putc(&r->tail, ']');
}

static void make_tail(struct rows *r, uint32_t path)
{
	struct buf *b = &r->tail;
	uint32_t i;

	find_stack(r, path);
	b->n = 0;
	put_strings(r, "stack", offsetof(struct row_frame, name));
	put_strings(r, "module", offsetof(struct row_frame, module));
	buf_puts(b, ",\"kind\":\"");
	for (i = 0; i < r->n_stack; i++)
		buf_putc(b, r->frames[r->stack[i]].kind);
	buf_putc(b, '"');
	if (r->lines)
		put_places(r);
	buf_puts(b, ",\"leaf\":");
	put_text(b, r->n_stack ? strtab_get(r->strings, r->frames[r->paths[path].frame].name)
			       : SPAN(""));
	buf_printf(b, ",\"stack_id\":%" PRIu64 "}\n", r->paths[path].id);
}

/* ---- rows ---- */

static int compare_cells(const void *pa, const void *pb)
{
	const struct profile_cell *a = pa, *b = pb;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* The cells of paths in place of nodes. */
static struct profile_cell *find_cells(const struct rows *r, size_t *n)
{
	const struct profile *p = r->p;
	struct profile_cell *cells = xcalloc(p->n_cells + 1, sizeof(*cells));
	size_t i;

	for (i = 0; i < p->n_cells; i++) {
		cells[i] = p->cells[i];
		cells[i].stack = r->path_of[cells[i].stack];
	}
	if (p->n_cells)
		sort_in_place(cells, p->n_cells, sizeof(*cells), compare_cells);
	for (*n = i = 0; i < p->n_cells; i++) {
		struct profile_cell *last = *n ? &cells[*n - 1] : NULL;

		if (!last || compare_cells(last, &cells[i])) {
			cells[(*n)++] = cells[i];
			continue;
		}
		last->samples = saturated_add(last->samples, cells[i].samples);
		last->weight += cells[i].weight;
	}
	return cells;
}

static void write_row(struct rows *r, const struct profile_cell *cell)
{
	struct buf *head = &r->head[cell->key];
	char text[80];

	if (!head->n)
		make_head(r, &r->p->keys[cell->key], head);
	sink_put_span(r->to, buf_span(head));
	sink_put(r->to, text,
		(size_t)snprintf(text, sizeof(text), "\"samples\":%" PRIu64 ",\"weight\":%" PRIu64,
			cell->samples, cell->weight));
	sink_put_span(r->to, buf_span(&r->tail));
}

static void write_rows(struct rows *r)
{
	struct profile_cell *cells;
	size_t n, i;

	cells = find_cells(r, &n);
	r->head = xcalloc((size_t)r->p->n_keys + 1, sizeof(*r->head));
	for (i = 0; i < n && !sink_failed(r->to); i++) {
		if (!i || cells[i].stack != cells[i - 1].stack)
			make_tail(r, cells[i].stack);
		write_row(r, &cells[i]);
	}
	for (i = 0; i < r->p->n_keys; i++)
		buf_release(&r->head[i]);
	free(r->head);
	free(cells);
}

static void release(struct rows *r)
{
	strtab_free(r->strings);
	free(r->frames);
	index_release(&r->by_frame);
	free(r->number_of);
	free(r->paths);
	index_release(&r->by_path);
	free(r->path_of);
	label_list_release(&r->columns);
	buf_release(&r->tail);
	free(r->stack);
}

static int rows_write(
	const struct profile *p, const struct output_opts *o, struct sink *to, struct err *e)
{
	struct rows r = { .p = p, .lines = o->native_places, .to = to, .strings = strtab_new() };
	int rc = OK;

	find_paths(&r);
	if (find_columns(&r))
		write_rows(&r);
	else
		rc = err_set(e, ERR_UNSUPPORTED,
			"samples have more than %d different labels: rows have no more columns",
			LABELS_MAX);
	release(&r);
	return rc;
}

static const char *const suffixes[] = { ".rows.json", ".rows.ndjson", NULL };

const struct output_format rows_format = {
	.name = "rows",
	.suffixes = suffixes,
	.about = "a table for DuckDB, ClickHouse, Spark, Polars: see perfold-rows(5)",
	.needs = OUTPUT_CELLS,
	.write = rows_write,
};
