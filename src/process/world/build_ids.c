#include "process/world/build_ids.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void build_ids_release(struct build_ids *b)
{
	free(b->ids);
	free(b->paths);
	index_release(&b->by_content);
	index_release(&b->by_path);
	*b = (struct build_ids){ 0 };
}

uint32_t build_ids_add(struct build_ids *b, const struct build_id *id)
{
	uint64_t hash;
	struct index_cursor c;
	uint32_t i;

	if (!id->n || id->n > sizeof(id->byte))
		return 0;
	hash = hash_bytes(id->byte, id->n);
	index_for_each (&b->by_content, hash, c, i)
		if (b->ids[i].n == id->n && memcmp(b->ids[i].byte, id->byte, id->n) == 0)
			return i + 1;
	ARRAY_GROW(b->ids, b->n, b->cap);
	b->ids[b->n] = *id;
	index_add(&b->by_content, hash, b->n);
	return ++b->n;
}

struct build_id build_ids_get(const struct build_ids *b, uint32_t number)
{
	return number ? b->ids[number - 1] : (struct build_id){ 0 };
}

static struct build_id_of_path *find_path(const struct build_ids *b, str_id path, bool kernel)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&b->by_path, hash_pair(path, kernel), c, i)
		if (b->paths[i].path == path && b->paths[i].kernel == kernel)
			return &b->paths[i];
	return NULL;
}

void build_ids_set_path(struct build_ids *b, str_id path, bool kernel, const struct build_id *id)
{
	struct build_id_of_path *known = find_path(b, path, kernel);
	uint32_t number = build_ids_add(b, id);

	if (known) {
		known->number = number;
		return;
	}
	ARRAY_GROW(b->paths, b->n_paths, b->cap_paths);
	b->paths[b->n_paths] = (struct build_id_of_path){ path, kernel, number };
	index_add(&b->by_path, hash_pair(path, kernel), b->n_paths++);
}

uint32_t build_ids_of_path(const struct build_ids *b, str_id path, bool kernel)
{
	const struct build_id_of_path *known = find_path(b, path, kernel);

	return known ? known->number : 0;
}
