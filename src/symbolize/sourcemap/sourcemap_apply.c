/*
 * How it works. Every distinct frame of V8 that has a script and a line becomes a query, and if it
 * knows the place of what ran (of a jitdump), that is a second one. These are sorted by script,
 * then place, so that each script's map is found and read once, and answered in one pass
 * (sourcemap_resolve()). Frames with an answer are added anew with the name and place of the
 * source; to[] says which frame became which, and sites_change_frames() replaces them in all sites.
 * Lines are set last, as they may be in another script than the function.
 *
 * A map that is missing, ambiguous or damaged leaves its frames as they were, and is counted.
 */
#include "symbolize/sourcemap/sourcemap.h"

#include "base/buf.h"
#include "base/mem.h"
#include "files/files.h"
#include "model/names/v8_name.h"
#include "model/recording.h"
#include "symbolize/sourcemap/sourcemap_files.h"

#include <stdlib.h>

/* A frame of V8 and the script that its function or its line is in. */
struct mapped {
	struct sourcemap_query q;
	frame_id frame;
	str_id script;
	bool is_line;
	str_id source; /* the answer: in this file */
};

struct frame_mapper {
	struct recording *r;
	const struct files *note_in; /* gets the maps that are used; NULL: nobody wants them */
	struct sourcemap_files *files;
	frame_id *to; /* by frame_id: what it becomes */
	uint32_t n_frames;
	struct mapped *at; /* by script, then place */
	size_t n, cap;
};

static frame_id without_column(struct frame_mapper *m, frame_id id)
{
	struct frame f = *frames_get(m->r->frames, id);

	if (!f.at_column)
		return id;
	f.at_column = 0;
	return frames_add(m->r->frames, &f);
}

static void add_line(struct frame_mapper *m, frame_id id, const struct frame *f)
{
	str_id script = f->at_file ? f->at_file : f->file;

	if (!f->at_line || !script || v8_name_is_built_in(strtab_get(m->r->strings, script)))
		return;
	ARRAY_GROW(m->at, m->n, m->cap);
	m->at[m->n++] = (struct mapped){
		.frame = id,
		.script = script,
		.q = { .line = f->at_line, .column = f->at_column },
		.is_line = true,
	};
}

static void add_frame(struct frame_mapper *m, frame_id id)
{
	const struct frame *f = frames_get(m->r->frames, id);
	struct v8_name v8;

	m->to[id] = without_column(m, id);
	if (f->kind != FRAME_JIT || !v8_name_parse(frames_name(m->r->frames, id), &v8))
		return;
	if (!v8.url.n || v8_name_is_built_in(v8.url) || !v8.line)
		return;
	ARRAY_GROW(m->at, m->n, m->cap);
	m->at[m->n++] = (struct mapped){
		.frame = id,
		.script = strtab_add(m->r->strings, v8.url),
		.q = { .line = v8.line, .column = v8.column, .function = v8.function },
	};
	add_line(m, id, f);
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

/* The file that an answer means. */
static str_id source_of(
	const struct frame_mapper *m, const struct sourcemap_query *q, struct span base)
{
	struct buf root = { 0 }, url = { 0 };
	str_id source;

	if (q->root.n)
		sourcemap_files_resolve_url(base, q->root, &root);
	else
		buf_put_span(&root, base);
	if (q->root.n && root.n && root.p[root.n - 1] != '/')
		buf_putc(&root, '/');
	sourcemap_files_resolve_url(buf_span(&root), q->source, &url);
	sourcemap_files_url_to_path(&url);
	source = strtab_add(m->r->strings, buf_span(&url));
	buf_release(&root);
	buf_release(&url);
	return source;
}

/* "JS:*" from the old name, then the new function and place. */
static frame_id renamed(struct frame_mapper *m, const struct mapped *at)
{
	const struct sourcemap_query *q = &at->q;
	struct frame f = *frames_get(m->r->frames, at->frame);
	struct span name = frames_name(m->r->frames, at->frame);
	struct buf text = { 0 };
	struct v8_name v8;

	v8_name_parse(name, &v8);
	buf_put_span(&text, span_range(name.p, v8.rest.p));
	buf_put_span(&text, q->name.n ? q->name : v8.function);
	buf_printf(&text, " %s:%u", strtab_str(m->r->strings, at->source), q->source_line);
	if (q->source_column)
		buf_printf(&text, ":%u", q->source_column);
	f.name = strtab_add(m->r->strings, buf_span(&text));
	f.file = at->source;
	f.line = q->source_line;
	f.column = q->source_column;
	/* A line of the generated code means nothing in its source. */
	f.at_column = 0;
	if (!f.at_file)
		f.at_line = 0;
	buf_release(&text);
	return frames_add(m->r->frames, &f);
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* A source that has functions, by its number. */
struct wanted_text {
	size_t section, number;
	str_id file;
};

struct wanted_texts {
	struct recording *r;
	struct wanted_text *at;
	size_t n;
};

static int by_number(const void *pa, const void *pb)
{
	const struct wanted_text *a = pa, *b = pb;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

static void keep_text(void *ctx, size_t section, size_t number, struct span text)
{
	struct wanted_texts *w = ctx;
	const struct wanted_text key = { section, number, 0 };
	const struct wanted_text *found = bsearch(&key, w->at, w->n, sizeof(key), by_number);

	if (found)
		source_files_add_text(w->r->sources, found->file, text);
}

static void keep_texts(struct frame_mapper *m, const struct mapped *at, size_t n, struct span json)
{
	struct wanted_texts w = { .r = m->r, .at = xcalloc(n + 1, sizeof(*w.at)) };
	size_t i;

	for (i = 0; i < n; i++)
		if (at[i].q.found)
			w.at[w.n++] = (struct wanted_text){ at[i].q.section, at[i].q.number,
				at[i].source };
	if (w.n) {
		qsort(w.at, w.n, sizeof(*w.at), by_number);
		sourcemap_read_contents(json, keep_text, &w);
	}
	free(w.at);
}

/* ---- scripts -------------------------------------------------------------------------------- */

/* Names in q are those of the map, which is released soon. */
static void answer(struct frame_mapper *m, struct mapped *at, const struct sourcemap_query *q,
	struct span base)
{
	at->q = *q;
	if (!q->found)
		return;
	at->source = source_of(m, q, base);
	if (!at->is_line)
		m->to[at->frame] = renamed(m, at);
}

static void map_frames(struct frame_mapper *m, struct mapped *at, size_t n,
	const struct sourcemap_text *text, uint64_t *bad)
{
	struct span json = buf_span(&text->json);
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
			answer(m, &at[i], &q[i], buf_span(&text->base));
		if (m->r->sources)
			keep_texts(m, at, n, json);
		sourcemap_release(&map);
	}
	free(q);
}

static void note(
	const struct frame_mapper *m, struct span script, const struct sourcemap_text *text)
{
	files_note_source_map(m->note_in, &(struct files_source_map){ .script = script,
						  .base = buf_span(&text->base),
						  .path = text->path,
						  .identity = text->identity,
						  .json = buf_span(&text->json) });
}

/* All frames of a script. */
static void map_script(struct frame_mapper *m, struct mapped *at, size_t n)
{
	struct diag *d = &m->r->diag;
	struct span script = strtab_get(m->r->strings, at->script);
	struct sourcemap_text text;
	uint64_t bad = 0;
	struct err e = { 0 };

	switch (sourcemap_files_read(m->files, script, &text, &e)) {
	case SOURCEMAP_FOUND:
		map_frames(m, at, n, &text, &bad);
		if (m->note_in && !bad)
			note(m, script, &text);
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
	sourcemap_files_release_text(&text);
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

/* What ran is at these lines. */
static void set_lines(struct frame_mapper *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		const struct mapped *at = &m->at[i];
		struct frame f;

		if (!at->is_line || !at->source)
			continue;
		f = *frames_get(m->r->frames, m->to[at->frame]);
		f.at_line = at->q.source_line;
		f.at_file = at->source == f.file ? 0 : at->source;
		m->to[at->frame] = frames_add(m->r->frames, &f);
	}
}

void sourcemap_apply(struct recording *r, const char *const *dirs, const struct files *note_in)
{
	struct frame_mapper m = { .r = r, .note_in = note_in, .n_frames = frames_count(r->frames) };

	m.to = xcalloc(m.n_frames, sizeof(*m.to));
	m.files = sourcemap_files_new(dirs);
	find_frames(&m);
	map_scripts(&m);
	set_lines(&m);
	sites_change_frames(r->sites, m.to, m.n_frames);
	sourcemap_files_free(m.files);
	free(m.at);
	free(m.to);
}
