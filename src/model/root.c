#include "model/root.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/stable.h"

#include <pthread.h>
#include <stdlib.h>

struct roots {
	pthread_mutex_t lock;
	struct stable keys;
	struct index by_content;
};

struct roots *roots_new(void)
{
	struct roots *t = xcalloc(1, sizeof(*t));
	struct root *none;

	pthread_mutex_init(&t->lock, NULL);
	none = stable_push(&t->keys, sizeof(*none));
	none->pid = none->tid = none->cpu = -1;
	return t;
}

void roots_free(struct roots *t)
{
	if (!t)
		return;
	pthread_mutex_destroy(&t->lock);
	stable_release(&t->keys);
	index_release(&t->by_content);
	free(t);
}

static uint64_t root_hash(const struct root *r)
{
	uint64_t h = hash_pair((uint64_t)r->comm << 32 | r->process,
		(uint64_t)r->event << 32 | r->cgroup);

	return hash_pair(h ^ (uint32_t)r->cpu, (uint64_t)(uint32_t)r->pid << 32 | (uint32_t)r->tid);
}

static bool root_equal(const struct root *a, const struct root *b)
{
	return a->comm == b->comm && a->process == b->process && a->event == b->event &&
	       a->cgroup == b->cgroup && a->pid == b->pid && a->tid == b->tid && a->cpu == b->cpu;
}

static root_id roots_add_locked(struct roots *t, const struct root *r)
{
	uint64_t hash = root_hash(r);
	struct index_cursor c;
	struct root *copy;
	uint32_t i;

	index_for_each(&t->by_content, hash, c, i)
		if (root_equal(roots_get(t, i), r))
			return i;
	copy = stable_push(&t->keys, sizeof(*copy));
	*copy = *r;
	index_add(&t->by_content, hash, t->keys.n - 1);
	return t->keys.n - 1;
}

root_id roots_add(struct roots *t, const struct root *r)
{
	root_id id;

	pthread_mutex_lock(&t->lock);
	id = roots_add_locked(t, r);
	pthread_mutex_unlock(&t->lock);
	return id;
}

const struct root *roots_get(const struct roots *t, root_id id)
{
	return stable_at(&t->keys, id, sizeof(struct root));
}

uint32_t roots_count(const struct roots *t)
{
	return t->keys.n;
}
