#include "base/intern.h"

#include "base/lock.h"

#include <string.h>

void intern_init(struct intern *t, size_t item_bytes, intern_equal equal)
{
	*t = (struct intern){ .item_bytes = item_bytes, .equal = equal };
	lock_init(&t->lock);
	stable_push(&t->items, item_bytes);
}

void intern_release(struct intern *t)
{
	pthread_mutex_destroy(&t->lock);
	stable_release(&t->items);
	index_release(&t->by_content);
}

static uint32_t intern_add_locked(struct intern *t, const void *item, uint64_t hash)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_content, hash, c, i)
		if (t->equal(intern_get(t, i), item))
			return i;
	memcpy(stable_push(&t->items, t->item_bytes), item, t->item_bytes);
	index_add(&t->by_content, hash, t->items.n - 1);
	return t->items.n - 1;
}

uint32_t intern_add(struct intern *t, const void *item, uint64_t hash)
{
	uint32_t number;

	pthread_mutex_lock(&t->lock);
	number = intern_add_locked(t, item, hash);
	pthread_mutex_unlock(&t->lock);
	return number;
}
