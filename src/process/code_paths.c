#include "process/code_paths.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void code_paths_add(struct code_paths *c, struct strtab *strings, struct span path)
{
	if (!c->wanted || code_paths_has(c, strings, path))
		return;
	ARRAY_GROW(c->path, c->n, c->cap);
	c->path[c->n] = strtab_add(strings, path);
	index_add(&c->by_path, hash_bytes(path.p, path.n), c->n++);
}

bool code_paths_has(const struct code_paths *c, const struct strtab *strings, struct span path)
{
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_path, hash_bytes(path.p, path.n), cursor, i)
		if (span_eq(strtab_get(strings, c->path[i]), path))
			return true;
	return false;
}

void code_paths_release(struct code_paths *c)
{
	free(c->path);
	index_release(&c->by_path);
	*c = (struct code_paths){ 0 };
}
