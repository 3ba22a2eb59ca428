/*
 * How it works. A file that is asked for the first time is looked for by files/source_file.h, in
 * the places of each recording, until one has it. A text that came in a source map is what was
 * compiled, and needs no file. A script is named by its URL: of "file:///app/a%20b.mjs" the path
 * counts, and "node:fs" is nowhere.
 */
#include "pipeline/source_shelf.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/url.h"
#include "model/names/v8_name.h"
#include "pipeline/kept_files.h"

#include <stdlib.h>

struct shelved_source {
	str_id file;
	bool found, closed;
	struct source_text text;
	struct files_trail trail;
};

struct source_shelf {
	const struct pipeline_result *result;
	struct shelved_source **source; /* they do not move */
	uint32_t n, cap;
	struct index by_file;
	struct buf room; /* for the text that is read next */
};

struct source_shelf *source_shelf_new(const struct pipeline_result *r)
{
	struct source_shelf *s = xcalloc(1, sizeof(*s));

	s->result = r;
	return s;
}

void source_shelf_free(struct source_shelf *s)
{
	uint32_t i;

	if (!s)
		return;
	for (i = 0; i < s->n; i++) {
		source_file_release(&s->source[i]->text);
		files_trail_release(&s->source[i]->trail);
		free(s->source[i]);
	}
	free(s->source);
	index_release(&s->by_file);
	buf_release(&s->room);
	free(s);
}

/* ---- one recording -------------------------------------------------------------------------- */

static void show_paths(const struct kept_files *k, struct shelved_source *at, uint32_t first_step)
{
	char *shown = at->found ? kept_files_shown_path(k, at->text.path) : NULL;
	uint32_t i;

	if (shown) {
		free(at->text.path);
		at->text.path = shown;
	}
	for (i = first_step; i < at->trail.n; i++) {
		struct files_step *step = &at->trail.step[i];

		shown = kept_files_shown_path(k, step->path);
		if (!shown)
			continue;
		free(step->path);
		step->path = shown;
	}
}

static bool open_file(const struct kept_files *k, struct shelved_source *at, const char *path,
	const struct source_fact *fact, struct buf *room)
{
	struct source_request q = { .path = span_of(path), .room = room };
	const struct module *m = fact ? modules_get(k->recording->modules, fact->module) : NULL;

	if (fact) {
		q.md5 = fact->md5;
		q.n_md5 = fact->n_md5;
		q.built_s = fact->built_s;
		q.is_local = fact->is_local;
	}
	if (m && m->kind != MODULE_JIT) {
		q.build_id = m->build_id;
		q.pid = m->owner_pid;
	}
	return source_file_open(k->files, &q, &at->text, &at->trail);
}

static void look_in(const struct kept_files *k, struct shelved_source *at, const char *path,
	const struct source_fact *fact, struct buf *room)
{
	uint32_t n = at->trail.n;

	if (fact && fact->text.p)
		at->found = source_file_from_text(&at->text, path, fact->text, SOURCE_UNDOUBTED);
	if (!at->found)
		at->found = open_file(k, at, path, fact, room);
	show_paths(k, at, n);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static const struct source_fact *fact_in(const struct kept_files *k, str_id file)
{
	return k->files && k->recording->sources ? source_files_find(k->recording->sources, file)
						 : NULL;
}

static void find(struct source_shelf *s, struct shelved_source *at)
{
	const struct pipeline_result *r = s->result;
	struct buf path = { 0 };
	struct span name = strtab_get(r->strings, at->file);
	size_t i;
	int known;

	if (v8_name_is_built_in(name))
		return;
	url_put_path(&path, name);
	for (known = 1; known >= 0; known--)
		for (i = 0; i < r->n_recordings && !at->found; i++) {
			const struct source_fact *fact = fact_in(&r->kept[i], at->file);

			if (r->kept[i].files && !fact == !known)
				look_in(&r->kept[i], at, buf_str(&path), fact, &s->room);
		}
	buf_release(&path);
}

static const struct shelved_source *reopened(struct source_shelf *s, struct shelved_source *at)
{
	if (at->closed)
		find(s, at);
	at->closed = false;
	return at;
}

static const struct shelved_source *shelved(struct source_shelf *s, str_id file)
{
	struct shelved_source *at;
	struct index_cursor c;
	uint32_t i;

	index_for_each (&s->by_file, hash_u64(file), c, i)
		if (s->source[i]->file == file)
			return reopened(s, s->source[i]);
	at = xcalloc(1, sizeof(*at));
	at->file = file;
	if (file)
		find(s, at);
	ARRAY_GROW(s->source, s->n, s->cap);
	index_add(&s->by_file, hash_u64(file), s->n);
	s->source[s->n++] = at;
	return at;
}

const struct source_text *pipeline_source(const struct pipeline_result *r, str_id file)
{
	const struct shelved_source *at = r->shelf ? shelved(r->shelf, file) : NULL;

	return at && at->found ? &at->text : NULL;
}

const struct files_trail *pipeline_source_trail(const struct pipeline_result *r, str_id file)
{
	return r->shelf ? &shelved(r->shelf, file)->trail : NULL;
}

void pipeline_source_close(const struct pipeline_result *r, str_id file)
{
	struct index_cursor c;
	uint32_t i;

	if (!r->shelf)
		return;
	index_for_each (&r->shelf->by_file, hash_u64(file), c, i) {
		struct shelved_source *at = r->shelf->source[i];

		if (at->file != file || !at->found)
			continue;
		source_file_release_into(&at->text, &r->shelf->room);
		files_trail_release(&at->trail);
		at->found = false;
		at->closed = true;
	}
}
