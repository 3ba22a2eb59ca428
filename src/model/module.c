#include "model/module.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/stable.h"

#include <pthread.h>
#include <stdlib.h>

struct modules {
	pthread_mutex_t lock;
	struct stable slots; /* of struct module */
	struct index by_content;
};

struct modules *modules_new(void)
{
	struct modules *t = xcalloc(1, sizeof(*t));

	pthread_mutex_init(&t->lock, NULL);
	stable_push(&t->slots, sizeof(struct module)); /* number 0: none */
	return t;
}

void modules_free(struct modules *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	stable_release(&t->slots);
	index_release(&t->by_content);
	free(t);
}

/* Field by field: padding between them must not count. */
static uint64_t module_hash(const struct module *m)
{
	uint64_t h = hash_pair((uint64_t)m->path << 32 | m->shown,
		(uint64_t)m->kind << 32 | (uint32_t)m->owner_pid);

	h = hash_pair(h, hash_bytes(m->build_id.byte, m->build_id.n));
	return hash_pair(hash_pair(h, m->start), m->end);
}

static bool module_equal(const struct module *a, const struct module *b)
{
	return a->kind == b->kind && a->path == b->path && a->shown == b->shown &&
	       a->owner_pid == b->owner_pid && a->start == b->start && a->end == b->end &&
	       a->build_id.n == b->build_id.n &&
	       memcmp(a->build_id.byte, b->build_id.byte, a->build_id.n) == 0;
}

static module_id modules_add_locked(struct modules *t, const struct module *m)
{
	uint64_t hash = module_hash(m);
	struct index_cursor c;
	struct module *slot;
	uint32_t i;

	index_for_each (&t->by_content, hash, c, i)
		if (module_equal(modules_get(t, i), m))
			return i;
	slot = stable_push(&t->slots, sizeof(*slot));
	*slot = *m;
	index_add(&t->by_content, hash, t->slots.n - 1);
	return t->slots.n - 1;
}

module_id modules_add(struct modules *t, const struct module *m)
{
	module_id id;

	pthread_mutex_lock(&t->lock);
	id = modules_add_locked(t, m);
	pthread_mutex_unlock(&t->lock);
	return id;
}

const struct module *modules_get(const struct modules *t, module_id id)
{
	return stable_at(&t->slots, id, sizeof(struct module));
}

uint32_t modules_count(const struct modules *t)
{
	return t->slots.n;
}

const char *build_id_text(const struct build_id *id, char text[41])
{
	static const char digit[] = "0123456789abcdef";
	unsigned i;

	for (i = 0; i < id->n; i++) {
		text[2 * i] = digit[id->byte[i] >> 4];
		text[2 * i + 1] = digit[id->byte[i] & 15];
	}
	text[2 * i] = '\0';
	return text;
}

bool build_id_same(const struct build_id *a, const struct build_id *b)
{
	const struct build_id *longer = a->n < b->n ? b : a, *shorter = a->n < b->n ? a : b;
	unsigned i;

	if (!shorter->n || memcmp(a->byte, b->byte, shorter->n) != 0)
		return false;
	for (i = shorter->n; i < longer->n; i++)
		if (longer->byte[i])
			return false;
	return true;
}
