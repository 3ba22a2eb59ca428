/*
 * How it works: a perf map is read up to three times, always through perf_map_parser.h.
 *
 *	perf_map_load()       all lines, once: into ranges, which keep an offset but no name
 *	perf_map_date()       all lines again: layers, only where samples hit several functions
 *	perf_map_read_name()  one line, when its frame is first asked for
 *
 * A name is checked against the hash of the function that its range keeps: if a live process has
 * overwritten the file, a wrong name is not shown.
 *
 * With compat_perf all lines go into perf's red-black tree instead.
 */
#include "jit/codemap.h"
#include "jit/perf_map_parser.h"

#include "base/mem.h"
#include "model/names/v8_name.h"

#include <stdlib.h>

enum {
	BLOCK_BYTES = 256 * 1024,
	HOLES_MAX_BYTES = 512 << 20, /* more zeros than that end the reading */
	NAME_BYTES = 1024,           /* read at once for a name */
};

static struct perf_map_parser parser_of(const struct codemap *m, struct diag *diag)
{
	return (struct perf_map_parser){
		.diag = diag,
		.exec = m->has_exec ? &m->exec : NULL,
		.compat_perf = m->tree != NULL,
	};
}

/* A sparse file can be of any size and takes no room on disk. */
static bool is_hole(struct span block)
{
	return block.n && !block.p[0] && !memcmp(block.p, block.p + 1, block.n - 1);
}

static int parse_file(
	const struct perf_map_file *s, size_t block_bytes, struct perf_map_parser *r, struct err *e)
{
	char *room = xmalloc(block_bytes);
	struct span block = { room, 1 };
	uint64_t offset = 0, holes = 0;
	int rc = OK;

	while (!rc && block.n && offset < s->size_bytes) {
		rc = perf_map_file_read(s, room, block_bytes, offset, &block, e);
		holes += !rc && is_hole(block) ? block.n : 0;
		if (holes > HOLES_MAX_BYTES)
			break;
		if (!rc)
			perf_map_parser_feed(r, block);
		offset += block.n;
	}
	perf_map_parser_end(r);
	free(room);
	return rc;
}

static void stop_at_entry(void *ctx, const struct perf_map_entry *entry)
{
	struct perf_map_parser *p = ctx;

	(void)entry;
	p->stop = true;
}

bool perf_map_is(struct span head)
{
	struct diag ignored = { 0 };
	struct perf_map_parser p = { .visit = stop_at_entry, .diag = &ignored };

	p.ctx = &p;
	perf_map_parser_feed(&p, head);
	perf_map_parser_end(&p);
	return p.stop;
}

static uint32_t function_hash(struct span name)
{
	return (uint32_t)(v8_name_hash_function(name) >> (64 - PERF_MAP_FUNCTION_BITS));
}

/* ---- all lines ---------------------------------------------------------------------------- */

static void add_perf_line(struct codemap *m, const struct perf_map_entry *entry)
{
	struct perf_lines *l = &m->lines;

	perf_tree_insert(m->tree, entry->start, entry->end);
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = (struct perf_line){ .offset = entry->offset };
}

static void add_entry(void *ctx, const struct perf_map_entry *entry)
{
	struct codemap *m = ctx;
	struct perf_map_range r = {
		.start = entry->start, .end = entry->end, .offset = entry->offset
	};

	m->facts.entries += entry->is_code;
	m->facts.outside += !entry->is_code;
	if (m->tree) {
		add_perf_line(m, entry);
	} else if (entry->is_code) {
		r.function = function_hash(entry->name);
		perf_map_ranges_put(&m->code, &r);
	} else if (m->with_bytecode && v8_name_tier(entry->name) == V8_INTERPRETED) {
		r.function = function_hash(entry->name);
		r.end = r.start + 1;
		perf_map_ranges_put(&m->bytecode, &r);
	}
}

static int read_map(struct codemap *m, size_t block_bytes, struct diag *diag, struct err *e)
{
	struct perf_map_parser r = parser_of(m, diag);
	int rc;

	r.visit = add_entry;
	r.ctx = m;
	rc = parse_file(&m->source, block_bytes, &r, e);
	m->ambiguous = perf_map_ranges_any_ambiguous(&m->code);
	return rc;
}

int perf_map_load(struct codemap **out, struct file *file, struct frames *frames, struct diag *diag,
	const struct perf_map_opts *o, struct err *e)
{
	struct codemap *m = codemap_new(frames, o);
	int rc = perf_map_file_adopt(&m->source, file, e);

	if (!rc)
		rc = read_map(m, o->block_bytes ? o->block_bytes : BLOCK_BYTES, diag, e);
	if (rc) {
		codemap_free(m);
		m = NULL;
	}
	*out = m;
	return rc;
}

/* ---- what samples hit --------------------------------------------------------------------- */

static void add_layer(void *ctx, const struct perf_map_entry *entry)
{
	struct perf_map_layers *l = ctx;

	if (entry->is_code && perf_map_layers_overlap(l, entry->start, entry->end))
		perf_map_layers_add(
			l, entry->start, entry->end, entry->offset, function_hash(entry->name));
}

/* Damage was counted when the map was read first. */
int perf_map_date(struct codemap *m, const struct codemap_seen *seen, struct err *e)
{
	struct diag unused = { 0 };
	struct perf_map_parser r = parser_of(m, &unused);
	int rc;

	perf_map_layers_begin(&m->layers, seen->pieces.range, seen->pieces.n);
	r.visit = add_layer;
	r.ctx = &m->layers;
	rc = parse_file(&m->source, BLOCK_BYTES, &r, e);
	if (rc)
		perf_map_layers_release(&m->layers);
	else
		perf_map_layers_date(&m->layers, seen);
	return rc;
}

struct name_search {
	struct perf_map_parser *parser;
	struct buf *name;
	uint64_t offset;
	bool found;
};

static void match_name(void *ctx, const struct perf_map_entry *entry)
{
	struct name_search *w = ctx;

	if (!w->parser->stop && entry->offset == w->offset) {
		buf_put_span(w->name, entry->name);
		w->found = true;
	}
	w->parser->stop = true;
}

bool perf_map_read_name(
	const struct codemap *m, uint64_t offset, uint32_t function, bool any, struct buf *name)
{
	struct diag unused = { 0 };
	struct perf_map_parser r = parser_of(m, &unused);
	struct name_search w = { .parser = &r, .name = name, .offset = offset };
	uint64_t at = offset, until = offset + PERF_MAP_ENTRY_BYTES;
	char room[NAME_BYTES];
	struct span block = { room, 1 };
	struct err e;

	r.block = r.offset = offset;
	r.visit = match_name;
	r.ctx = &w;
	for (; !r.stop && block.n && at < until; at += block.n) {
		if (perf_map_file_read(&m->source, room, sizeof(room), at, &block, &e))
			break;
		perf_map_parser_feed(&r, block);
	}
	perf_map_parser_end(&r);
	return w.found && (any || function_hash(buf_span(name)) == function);
}
