#include "model/modules.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

struct modules {
	struct intern table;  /* of struct module */
	pthread_mutex_t lock; /* of segments */
	struct arena segments;
};

/* Field by field: padding between them must not count. */
static uint64_t module_hash(const struct module *m)
{
	uint64_t h = hash_pair((uint64_t)m->path << 32 | m->shown,
		(uint64_t)m->kind << 32 | (uint32_t)m->owner_pid);

	h = hash_pair(h, hash_bytes(m->build_id.byte, m->build_id.n));
	return hash_pair(hash_pair(h, m->start), m->end);
}

static bool module_equal(const void *pa, const void *pb)
{
	const struct module *a = pa, *b = pb;

	return a->kind == b->kind && a->path == b->path && a->shown == b->shown &&
	       a->owner_pid == b->owner_pid && a->start == b->start && a->end == b->end &&
	       a->build_id.n == b->build_id.n &&
	       memcmp(a->build_id.byte, b->build_id.byte, a->build_id.n) == 0;
}

struct modules *modules_new(void)
{
	struct modules *t = xcalloc(1, sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	intern_init(&t->table, sizeof(struct module), module_equal);
	return t;
}

void modules_free(struct modules *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	intern_release(&t->table);
	arena_release(&t->segments);
	free(t);
}

module_id modules_add(struct modules *t, const struct module *m)
{
	return intern_add(&t->table, m, module_hash(m));
}

const struct module *modules_get(const struct modules *t, module_id id)
{
	return intern_get(&t->table, id);
}

uint32_t modules_count(const struct modules *t)
{
	return intern_count(&t->table);
}

void modules_set_word_bytes(struct modules *t, module_id id, uint8_t word_bytes)
{
	struct module *m = intern_get(&t->table, id);

	m->word_bytes = word_bytes;
}

void modules_set_segments(struct modules *t, module_id id, uint64_t base,
	const struct module_segment *segments, uint32_t n)
{
	struct module *m = intern_get(&t->table, id);
	struct module_segment *copy;

	if (!n)
		return;
	pthread_mutex_lock(&t->lock);
	copy = arena_alloc(&t->segments, n * sizeof(*copy));
	pthread_mutex_unlock(&t->lock);
	memcpy(copy, segments, n * sizeof(*copy));
	m->segments = copy;
	m->n_segments = n;
	m->base = base;
}
