#include "model/source_files.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/lock.h"
#include "base/mem.h"

#include <stdlib.h>

struct source_files {
	pthread_mutex_t lock;
	struct index by_file;
	struct source_fact *fact;
	uint32_t n, cap;
	struct arena texts;
};

struct source_files *source_files_new(void)
{
	struct source_files *t = xcalloc(1, sizeof(*t));

	lock_init(&t->lock);
	return t;
}

void source_files_free(struct source_files *t)
{
	uint32_t i;

	if (!t)
		return;
	for (i = 0; i < t->n; i++)
		free(t->fact[i].md5);
	free(t->fact);
	index_release(&t->by_file);
	arena_release(&t->texts);
	pthread_mutex_destroy(&t->lock);
	free(t);
}

static struct source_fact *find(const struct source_files *t, str_id file)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_file, hash_u64(file), c, i)
		if (t->fact[i].file == file)
			return &t->fact[i];
	return NULL;
}

/* The fact about a file; *is_new: nothing was known before. */
static struct source_fact *fact_of(struct source_files *t, str_id file, bool *is_new)
{
	struct source_fact *f = find(t, file);

	*is_new = !f;
	if (f)
		return f;
	ARRAY_GROW(t->fact, t->n, t->cap);
	index_add(&t->by_file, hash_u64(file), t->n);
	f = &t->fact[t->n++];
	*f = (struct source_fact){ .file = file };
	return f;
}

/* In order, each once. Of too many those are kept that come first in order. */
static void add_md5(struct source_fact *f, const struct source_md5 *md5)
{
	uint32_t at = 0;
	int order = 1;

	while (at < f->n_md5 && (order = memcmp(&f->md5[at], md5, sizeof(*md5))) < 0)
		at++;
	if (at < f->n_md5 && !order)
		return;
	ARRAY_GROW(f->md5, f->n_md5, f->cap_md5);
	memmove(f->md5 + at + 1, f->md5 + at, (f->n_md5 - at) * sizeof(*md5));
	f->md5[at] = *md5;
	if (f->n_md5 < SOURCE_FILES_MD5_MAX)
		f->n_md5++;
}

static void merge(struct source_fact *f, const struct source_claim *c, bool is_new)
{
	if (is_new || c->module < f->module)
		f->module = c->module;
	if (c->built_s && (!f->built_s || c->built_s < f->built_s))
		f->built_s = c->built_s;
	f->is_local |= c->is_local;
	if (c->md5)
		add_md5(f, c->md5);
}

void source_files_add(struct source_files *t, const struct source_claim *c)
{
	struct source_fact *f;
	bool is_new;

	pthread_mutex_lock(&t->lock);
	f = fact_of(t, c->file, &is_new);
	merge(f, c, is_new);
	pthread_mutex_unlock(&t->lock);
}

bool source_files_add_text(struct source_files *t, str_id file, struct span text)
{
	bool fits, is_new;
	struct source_fact *f;

	pthread_mutex_lock(&t->lock);
	fits = text.n <= SOURCE_FILES_TEXTS_MAX_BYTES &&
	       t->texts.total_bytes <= SOURCE_FILES_TEXTS_MAX_BYTES - text.n;
	f = fits ? fact_of(t, file, &is_new) : NULL;
	if (f && !f->text.p)
		f->text = (struct span){ arena_string(&t->texts, text.p, text.n), text.n };
	pthread_mutex_unlock(&t->lock);
	return fits;
}

const struct source_fact *source_files_find(const struct source_files *t, str_id file)
{
	return find(t, file);
}
