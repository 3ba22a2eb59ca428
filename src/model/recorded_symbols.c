#include "model/recorded_symbols.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

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

void recorded_symbols_release(struct recorded_symbols *r)
{
	free(r->symbols);
	free(r->files);
	index_release(&r->by_path);
	*r = (struct recorded_symbols){ 0 };
}
