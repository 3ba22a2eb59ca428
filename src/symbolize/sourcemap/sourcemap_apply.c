/*
 * How it works. Every distinct frame of V8 that has a script and a line becomes a query. These are
 * sorted by script, then place, so that each script's map is found and read once, and answered in
 * one pass (sourcemap_resolve()). Frames with an answer are added anew with the name and place of
 * the source; to[] says which frame became which, and sites_change_frames() replaces them in all
 * sites.
 *
 * A map that is missing, ambiguous or damaged leaves its frames as they were, and is counted.
 */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/buf.h"
#include "base/mem.h"
#include "model/names/v8_name.h"
#include "model/recording.h"
#include "symbolize/sourcemap/sourcemap_files.h"

#include <stdlib.h>

/* A frame of V8 and its script. */
struct mapped {
	struct sourcemap_query q;
	frame_id frame;
	str_id script;
};

struct frame_mapper {
	struct recording *r;
	struct sourcemap_files *files;
	frame_id *to; /* by frame_id: what it becomes */
	uint32_t n_frames;
	struct mapped *at; /* by script, then place */
	size_t n, cap;
};

/* Scripts that Node.js and Deno have in their executables have no maps. */
static bool has_script(struct span url)
{
	return url.n && !span_starts(url, SPAN("node:")) && !span_starts(url, SPAN("ext:"));
}

static void add_frame(struct frame_mapper *m, frame_id id)
{
	const struct frame *f = frames_get(m->r->frames, id);
	struct v8_name v8;

	m->to[id] = id;
	if (f->kind != FRAME_JIT || !v8_name_parse(frames_name(m->r->frames, id), &v8))
		return;
	if (!has_script(v8.url) || !v8.line)
		return;
	ARRAY_GROW(m->at, m->n, m->cap);
	m->at[m->n++] = (struct mapped){
		.frame = id,
		.script = strtab_add(m->r->strings, v8.url),
		.q = { .line = v8.line, .column = v8.column, .function = v8.function },
	};
}

static void find_frames(struct frame_mapper *m)
{
	const struct sites *sites = m->r->sites;
	uint32_t i, k, n;

	for (i = 1; i < sites_count(sites); i++) {
		const frame_id *frames = sites_frames(sites, i, &n);

		for (k = 0; k < n; k++)
			if (frames[k] && frames[k] < m->n_frames && !m->to[frames[k]])
				add_frame(m, frames[k]);
	}
}

static int by_script_and_place(const void *pa, const void *pb)
{
	const struct mapped *a = pa, *b = pb;

	if (a->script != b->script)
		return a->script < b->script ? -1 : 1;
	return sourcemap_query_compare(&a->q, &b->q);
}

/* "JS:*" from the old name, then the new function and place. */
static frame_id renamed(
	struct frame_mapper *m, frame_id old, const struct sourcemap_query *q, struct span base)
{
	struct frame f = *frames_get(m->r->frames, old);
	struct span name = frames_name(m->r->frames, old);
	struct buf text = { 0 }, root = { 0 }, url = { 0 };
	struct v8_name v8;

	v8_name_parse(name, &v8);
	if (q->root.n)
		sourcemap_files_resolve_url(base, q->root, &root);
	else
		buf_put_span(&root, base);
	if (q->root.n && root.n && root.p[root.n - 1] != '/')
		buf_putc(&root, '/');
	sourcemap_files_resolve_url(buf_span(&root), q->source, &url);
	sourcemap_files_url_to_path(&url);
	buf_put_span(&text, span_range(name.p, v8.rest.p));
	buf_put_span(&text, q->name.n ? q->name : v8.function);
	buf_printf(&text, " %s:%u", buf_str(&url), q->source_line);
	if (q->source_column)
		buf_printf(&text, ":%u", q->source_column);
	f.name = strtab_add(m->r->strings, buf_span(&text));
	f.file = strtab_add(m->r->strings, buf_span(&url));
	f.line = q->source_line;
	f.column = q->source_column;
	/* It was a line of the generated code. */
	f.at_line = 0;
	f.at_file = 0;
	buf_release(&text);
	buf_release(&root);
	buf_release(&url);
	return frames_add(m->r->frames, &f);
}

static void map_frames(struct frame_mapper *m, struct mapped *at, size_t n, struct span json,
	struct span base, uint64_t *bad)
{
	struct sourcemap_query *q = xcalloc(n, sizeof(*q));
	struct sourcemap map;
	struct err e;
	size_t i;

	for (i = 0; i < n; i++)
		q[i] = at[i].q;
	if (sourcemap_parse(&map, json, &e)) {
		*bad += 1;
	} else {
		/* Answers before the damage are good. */
		if (sourcemap_resolve(&map, q, n, &e))
			*bad += 1;
		for (i = 0; i < n; i++)
			if (q[i].found)
				m->to[at[i].frame] = renamed(m, at[i].frame, &q[i], base);
		sourcemap_release(&map);
	}
	free(q);
}

/* All frames of a script. */
static void map_script(struct frame_mapper *m, struct mapped *at, size_t n)
{
	struct diag *d = &m->r->diag;
	struct buf json = { 0 }, base = { 0 };
	uint64_t bad = 0;
	struct err e = { 0 };

	switch (sourcemap_files_read(
		m->files, strtab_get(m->r->strings, at->script), &json, &base, &e)) {
	case SOURCEMAP_FOUND:
		map_frames(m, at, n, buf_span(&json), buf_span(&base), &bad);
		break;
	case SOURCEMAP_NONE:
		diag_count(d, DIAG_NO_SOURCE_MAP, 0);
		break;
	case SOURCEMAP_SEVERAL:
		diag_count(d, DIAG_SEVERAL_SOURCE_MAPS, 0);
		break;
	case SOURCEMAP_BAD:
		bad = 1;
		break;
	}
	if (bad)
		diag_count(d, DIAG_BAD_SOURCE_MAP, 0);
	buf_release(&json);
	buf_release(&base);
}

static void map_scripts(struct frame_mapper *m)
{
	size_t i, from = 0;

	if (m->n)
		qsort(m->at, m->n, sizeof(*m->at), by_script_and_place);
	for (i = 1; i <= m->n; i++) {
		if (i < m->n && m->at[i].script == m->at[from].script)
			continue;
		map_script(m, m->at + from, i - from);
		from = i;
	}
}

void sourcemap_apply(struct recording *r, const char *const *dirs)
{
	struct frame_mapper m = { .r = r, .n_frames = frames_count(r->frames) };

	m.to = xcalloc(m.n_frames, sizeof(*m.to));
	m.files = sourcemap_files_new(dirs);
	find_frames(&m);
	map_scripts(&m);
	sites_change_frames(r->sites, m.to, m.n_frames);
	sourcemap_files_free(m.files);
	free(m.at);
	free(m.to);
}
