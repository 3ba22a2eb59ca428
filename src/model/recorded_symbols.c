#include "model/recorded_symbols.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

enum { MAPPED_MAX = 1024 };

void recorded_symbols_add_file(struct recorded_symbols *r, str_id path)
{
	ARRAY_GROW(r->files, r->n_files, r->cap_files);
	r->files[r->n_files] = (struct recorded_file){ .path = path, .first = r->n_symbols };
	if (!recorded_symbols_find(r, path))
		index_add(&r->by_path, hash_u64(path), r->n_files);
	r->n_files++;
}

void recorded_symbols_set_shift(struct recorded_symbols *r, uint64_t shift)
{
	r->files[r->n_files - 1].shift = shift;
}

void recorded_symbols_set_mapped(struct recorded_symbols *r, uint64_t address)
{
	r->files[r->n_files - 1].by_mapping = true;
	recorded_symbols_set_shift(r, address);
}

void recorded_symbols_set_generated(struct recorded_symbols *r, str_id path)
{
	const struct recorded_file *f = recorded_symbols_find(r, path);
	struct recorded_file *changed = f ? &r->files[f - r->files] : NULL;

	if (!changed)
		return;
	changed->generated = true;
	changed->by_mapping = false;
	changed->shift = 0;
}

/* The parts of a mapping that was split, or the same mapping in many processes, say nothing new. */
static bool is_covered(const struct recorded_symbols *r, const struct recorded_mapped *m)
{
	uint32_t i;

	for (i = 0; i < r->n_mapped; i++)
		if (r->mapped[i].file == m->file &&
			r->mapped[i].offset < m->offset + m->size_bytes &&
			m->offset < r->mapped[i].offset + r->mapped[i].size_bytes)
			return true;
	return false;
}

void recorded_symbols_add_mapping(
	struct recorded_symbols *r, str_id path, uint64_t offset, uint64_t size_bytes)
{
	const struct recorded_file *f = recorded_symbols_find(r, path);
	struct recorded_mapped m = { .offset = offset, .size_bytes = size_bytes };

	if (!f || !f->by_mapping || r->n_mapped == MAPPED_MAX || offset > UINT64_MAX - size_bytes)
		return;
	m.file = (uint32_t)(f - r->files);
	if (is_covered(r, &m))
		return;
	ARRAY_GROW(r->mapped, r->n_mapped, r->cap_mapped);
	r->mapped[r->n_mapped++] = m;
}

void recorded_symbols_add(struct recorded_symbols *r, uint64_t start, uint64_t size, str_id name)
{
	ARRAY_GROW(r->symbols, r->n_symbols, r->cap_symbols);
	r->symbols[r->n_symbols++] = (struct recorded_symbol){ start, size, name };
	r->files[r->n_files - 1].n++;
}

const struct recorded_file *recorded_symbols_find(const struct recorded_symbols *r, str_id path)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&r->by_path, hash_u64(path), c, i)
		if (r->files[i].path == path)
			return &r->files[i];
	return NULL;
}

/* The symbols that a mapping holds, by their place in the file. */
static void each_mapped(const struct recorded_symbols *r, const struct recorded_file *f,
	const struct recorded_mapped *m, void (*add)(void *ctx, const struct recorded_symbol *s),
	void *ctx)
{
	uint32_t i;

	for (i = f->first; i < f->first + f->n; i++) {
		struct recorded_symbol s = r->symbols[i];

		if (s.start < f->shift || s.start - f->shift >= m->size_bytes)
			continue;
		s.start += m->offset - f->shift;
		if (s.size > m->offset + m->size_bytes - s.start)
			s.size = m->offset + m->size_bytes - s.start;
		add(ctx, &s);
	}
}

uint64_t recorded_symbols_each(const struct recorded_symbols *r, const struct recorded_file *f,
	void (*add)(void *ctx, const struct recorded_symbol *s), void *ctx)
{
	uint32_t i;

	if (!f->by_mapping) {
		for (i = f->first; i < f->first + f->n; i++)
			add(ctx, &r->symbols[i]);
		return f->shift;
	}
	for (i = 0; i < r->n_mapped; i++)
		if (&r->files[r->mapped[i].file] == f)
			each_mapped(r, f, &r->mapped[i], add, ctx);
	return 0;
}

void recorded_symbols_release(struct recorded_symbols *r)
{
	free(r->symbols);
	free(r->files);
	free(r->mapped);
	index_release(&r->by_path);
	*r = (struct recorded_symbols){ 0 };
}
