/*
 * How it works. The JSON is parsed in one go by yajl's callbacks. A stack of what each open
 * container is to us (map, sources, names, sections, ...) decides what a value means; containers
 * that mean nothing are IN_OTHER, and so is all inside. Strings that are kept (mappings, sources,
 * names, sourceRoot) are copied into an arena; mappings are decoded when questions are asked
 * (sourcemap_mappings.c).
 *
 *	{ "sections": [ { "offset": {...}, "map": { "sources": [...], "mappings": "..." } } ] }
 *	IN_MAP        IN_SECTIONS  IN_SECTION  IN_OFFSET, IN_MAP   IN_SOURCES
 *
 * A map without sections is section 0; sections of an index map follow in the order of the text,
 * with the number of the one around them.
 *
 * yajl is used directly, not by base/json_reader.h: that hands out values of a file with the keys
 * around them, and compares these as strings. Here a list may have millions of elements, and what
 * a container means is decided once, where it begins; the text is in memory, and its errors say at
 * which byte.
 *
 * Bounds: DEPTH_MAX levels, LIST_MAX elements of a list, SECTIONS_MAX sections.
 */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/mem.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

enum {
	DEPTH_MAX = 64,             /* an index map needs 5, and 3 for each map around it */
	LIST_MAX = 4 * 1024 * 1024, /* sources or names of a map */
	SECTIONS_MAX = 64 * 1024,
};

/* The meaning of a container, and of a key of a map. */
enum map_context {
	IN_OTHER,
	IN_MAP,
	IN_SOURCES,
	IN_NAMES,
	IN_SECTIONS,
	IN_SECTION,
	IN_OFFSET,
	IN_CONTENTS
};
enum map_key {
	KEY_OTHER,
	KEY_VERSION,
	KEY_ROOT,
	KEY_SOURCES,
	KEY_NAMES,
	KEY_MAPPINGS,
	KEY_CONTENTS,
	KEY_SECTIONS,
	KEY_OFFSET,
	KEY_MAP,
	KEY_LINE,
	KEY_COLUMN,
};

static const char *const key_name[] = {
	[KEY_VERSION] = "version",
	[KEY_ROOT] = "sourceRoot",
	[KEY_SOURCES] = "sources",
	[KEY_NAMES] = "names",
	[KEY_MAPPINGS] = "mappings",
	[KEY_CONTENTS] = "sourcesContent",
	[KEY_SECTIONS] = "sections",
	[KEY_OFFSET] = "offset",
	[KEY_MAP] = "map",
	[KEY_LINE] = "line",
	[KEY_COLUMN] = "column",
};

struct map_reader {
	struct sourcemap *m;
	enum map_context place[DEPTH_MAX];
	size_t section[DEPTH_MAX]; /* of each container; 0 is the map itself */
	unsigned depth;
	enum map_key key;
	const char *problem; /* why a callback ended it */

	/* Reading texts: nothing else is kept. */
	sourcemap_content_fn content; /* NULL: not now */
	void *ctx;
	size_t n_contents; /* of the current list */
};

static int stop(struct map_reader *r, const char *problem)
{
	r->problem = problem;
	return 0;
}

static enum map_context where(const struct map_reader *r)
{
	return r->depth ? r->place[r->depth - 1] : IN_OTHER;
}

static size_t current_number(const struct map_reader *r)
{
	return r->depth ? r->section[r->depth - 1] : 0;
}

static struct sourcemap_section *current(struct map_reader *r)
{
	return &r->m->sections[current_number(r)];
}

static int add_section(struct map_reader *r)
{
	struct sourcemap *m = r->m;

	if (m->n >= SECTIONS_MAX)
		return stop(r, "too many sections");
	ARRAY_GROW(m->sections, m->n, m->cap);
	m->sections[m->n++] = (struct sourcemap_section){ .within = current_number(r) };
	return 1;
}

static struct span copy(struct map_reader *r, struct span s)
{
	return (struct span){ arena_string(&r->m->strings, s.p, s.n), s.n };
}

/* An element of any type counts, since mappings use its index. */
static int add_to_list(struct map_reader *r, struct span string)
{
	struct sourcemap_section *s = current(r);
	struct sourcemap_strings *l = where(r) == IN_SOURCES ? &s->sources : &s->names;

	if (l->n >= LIST_MAX)
		return stop(r, "too many sources or names");
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = string.n ? copy(r, string) : (struct span){ "", 0 };
	return 1;
}

static bool in_list(const struct map_reader *r)
{
	return where(r) == IN_SOURCES || where(r) == IN_NAMES;
}

static int enter(struct map_reader *r, enum map_context place)
{
	if (r->depth == DEPTH_MAX)
		return stop(r, "nested too deep");
	r->place[r->depth] = place;
	r->section[r->depth] = place == IN_SECTION ? r->m->n - 1 : current_number(r);
	r->depth++;
	return 1;
}

static int read_content(struct map_reader *r, struct span text)
{
	if (text.p)
		r->content(r->ctx, current_number(r), r->n_contents, text);
	r->n_contents++;
	return 1;
}

static int read_other(void *ctx)
{
	struct map_reader *r = ctx;

	if (where(r) == IN_CONTENTS)
		return read_content(r, (struct span){ 0 });
	return in_list(r) ? add_to_list(r, (struct span){ 0 }) : 1;
}

static int read_boolean(void *ctx, int value)
{
	(void)value;
	return read_other(ctx);
}

static int read_number(void *ctx, const char *p, size_t n)
{
	struct map_reader *r = ctx;
	struct span s = { p, n };
	uint64_t v;

	if (where(r) == IN_OFFSET && (r->key == KEY_LINE || r->key == KEY_COLUMN)) {
		if (!span_scan_u64(&s, &v) || s.n || v > INT32_MAX)
			return stop(r, "offset of a section out of range");
		*(r->key == KEY_LINE ? &current(r)->line : &current(r)->column) = (uint32_t)v;
	}
	if (where(r) == IN_MAP && r->key == KEY_VERSION && !span_eq(s, SPAN("3")))
		return stop(r, "not version 3");
	return read_other(ctx);
}

static int read_string(void *ctx, const unsigned char *p, size_t n)
{
	struct map_reader *r = ctx;
	struct span s = { (const char *)p, n };

	if (where(r) == IN_CONTENTS)
		return read_content(r, s);
	if (r->content)
		return 1;
	if (in_list(r))
		return add_to_list(r, s);
	if (where(r) == IN_MAP && r->key == KEY_MAPPINGS)
		current(r)->mappings = copy(r, s);
	if (where(r) == IN_MAP && r->key == KEY_ROOT)
		current(r)->root = copy(r, s);
	return 1;
}

static int read_key(void *ctx, const unsigned char *p, size_t n)
{
	struct span name = { (const char *)p, n };
	struct map_reader *r = ctx;
	size_t i;

	r->key = KEY_OTHER;
	for (i = KEY_VERSION; i < ARRAY_LEN(key_name); i++)
		if (span_eq(name, span_of(key_name[i])))
			r->key = (enum map_key)i;
	return 1;
}

static int start_object(void *ctx)
{
	struct map_reader *r = ctx;

	if (!r->depth)
		return enter(r, IN_MAP);
	if (where(r) == IN_SECTIONS)
		return add_section(r) && enter(r, IN_SECTION);
	if (where(r) == IN_SECTION && r->key == KEY_OFFSET)
		return enter(r, IN_OFFSET);
	if (where(r) == IN_SECTION && r->key == KEY_MAP)
		return enter(r, IN_MAP);
	return read_other(r) && enter(r, IN_OTHER);
}

static int start_array(void *ctx)
{
	struct map_reader *r = ctx;

	if (where(r) == IN_MAP && r->key == KEY_CONTENTS && r->content) {
		r->n_contents = 0;
		return enter(r, IN_CONTENTS);
	}
	if (where(r) == IN_MAP && r->key == KEY_SOURCES) {
		current(r)->sources.n = 0;
		return enter(r, IN_SOURCES);
	}
	if (where(r) == IN_MAP && r->key == KEY_NAMES) {
		current(r)->names.n = 0;
		return enter(r, IN_NAMES);
	}
	if (where(r) == IN_MAP && r->key == KEY_SECTIONS)
		return enter(r, IN_SECTIONS);
	return read_other(r) && enter(r, IN_OTHER);
}

static int end_container(void *ctx)
{
	struct map_reader *r = ctx;

	r->depth--;
	return 1;
}

static const yajl_callbacks callbacks = {
	.yajl_null = read_other,
	.yajl_boolean = read_boolean,
	.yajl_number = read_number,
	.yajl_string = read_string,
	.yajl_map_key = read_key,
	.yajl_start_map = start_object,
	.yajl_end_map = end_container,
	.yajl_start_array = start_array,
	.yajl_end_array = end_container,
};

/* ")]}'" before the text keeps browsers from running it as a script. */
static struct span without_guard(struct span json)
{
	struct span line;

	if (span_starts(json, SPAN(")]}")))
		span_next_line(&json, &line);
	return json;
}

static int feed(struct map_reader *r, struct span json, struct err *e)
{
	yajl_handle h = yajl_alloc(&callbacks, NULL, r);
	yajl_status status;
	int rc = OK;

	yajl_config(h, yajl_dont_validate_strings, 1);
	status = yajl_parse(h, (const unsigned char *)json.p, json.n);
	if (status == yajl_status_ok)
		status = yajl_complete_parse(h);
	if (status != yajl_status_ok)
		rc = err_set(e, ERR_FORMAT, "byte %zu: %s", yajl_get_bytes_consumed(h),
			r->problem ? r->problem : "not JSON");
	yajl_free(h);
	return rc;
}

/* The map of a section may have sections, as bundlers join the maps of their parts. Their offsets
 * count from the start of that section, which is before them in the array. */
static int place_sections(struct sourcemap *m, struct err *e)
{
	size_t i;

	for (i = 1; i < m->n; i++) {
		struct sourcemap_section *s = &m->sections[i];
		const struct sourcemap_section *around = &m->sections[s->within];

		if (!s->line)
			s->column += around->column;
		s->line += around->line;
		if (s->line > INT32_MAX || s->column > INT32_MAX)
			return err_set(e, ERR_FORMAT, "offset of section %zu out of range", i);
	}
	return OK;
}

/* Sections must be in the order of their offsets. */
static int check_order(const struct sourcemap *m, struct err *e)
{
	size_t i;

	for (i = 1; i < m->n; i++) {
		const struct sourcemap_section *a = &m->sections[i - 1], *b = &m->sections[i];

		if (b->line < a->line || (b->line == a->line && b->column < a->column))
			return err_set(
				e, ERR_FORMAT, "section %zu begins before the previous one", i);
	}
	return OK;
}

int sourcemap_parse(struct sourcemap *m, struct span json, struct err *e)
{
	struct map_reader r = { .m = m };

	*m = (struct sourcemap){ 0 };
	add_section(&r);
	if (feed(&r, without_guard(json), e) || place_sections(m, e) || check_order(m, e)) {
		sourcemap_release(m);
		return e->code;
	}
	return OK;
}

void sourcemap_read_contents(struct span json, sourcemap_content_fn fn, void *ctx)
{
	struct sourcemap sections = { 0 };
	struct map_reader r = { .m = &sections, .content = fn, .ctx = ctx };
	struct err ignored;

	add_section(&r);
	(void)feed(&r, without_guard(json), &ignored);
	sourcemap_release(&sections);
}

void sourcemap_release(struct sourcemap *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		free(m->sections[i].sources.at);
		free(m->sections[i].names.at);
	}
	free(m->sections);
	arena_release(&m->strings);
	*m = (struct sourcemap){ 0 };
}
