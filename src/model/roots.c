#include "model/roots.h"

#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"

#include <stdlib.h>

struct roots {
	struct intern table; /* of struct root */
};

static uint64_t root_hash(const struct root *r)
{
	uint64_t h = hash_pair(
		(uint64_t)r->comm << 32 | r->process, (uint64_t)r->event << 32 | r->cgroup);
	unsigned i;

	for (i = 0; i < ROOT_FIELDS_MAX; i++)
		h = hash_pair(h, r->field[i]);
	h = hash_pair(h, (uint64_t)r->labels << 32 | r->state);
	return hash_pair(h ^ (uint32_t)r->cpu, (uint64_t)(uint32_t)r->pid << 32 | (uint32_t)r->tid);
}

bool roots_equal(const struct root *a, const struct root *b)
{
	return a->comm == b->comm && a->process == b->process && a->event == b->event &&
	       a->cgroup == b->cgroup && a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu &&
	       a->state == b->state && a->labels == b->labels &&
	       memcmp(a->field, b->field, sizeof(a->field)) == 0;
}

static bool element_equal(const void *a, const void *b)
{
	return roots_equal(a, b);
}

struct roots *roots_new(void)
{
	struct roots *t = xcalloc(1, sizeof(*t));
	struct root *none;

	intern_init(&t->table, sizeof(struct root), element_equal);
	none = intern_get(&t->table, 0);
	none->pid = none->tid = none->cpu = -1;
	return t;
}

void roots_free(struct roots *t)
{
	if (!t)
		return;
	intern_release(&t->table);
	free(t);
}

root_id roots_add(struct roots *t, const struct root *r)
{
	return intern_add(&t->table, r, root_hash(r));
}

const struct root *roots_get(const struct roots *t, root_id id)
{
	return intern_get(&t->table, id);
}
