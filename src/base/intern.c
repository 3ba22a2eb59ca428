#include "base/intern.h"

#include "base/index.h"
#include "base/lock.h"
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256 };

/* Open addressing. Readers may still hold an older table, so all are kept: together the older ones
 * are no larger than the newest. */
struct intern_table {
	struct intern_table *older;
	uint32_t mask, n;
	_Atomic uint64_t slot[]; /* the tag of index.h, and the number; 0: free */
};

/* Called under the lock, or before there are other threads. */
static struct intern_table *newest(const struct intern *t)
{
	return atomic_load_explicit(&t->table, memory_order_relaxed);
}

static void put(struct intern_table *table, uint64_t slot)
{
	uint32_t at = index_place((uint32_t)(slot >> 32), table->mask);

	while (atomic_load_explicit(&table->slot[at], memory_order_relaxed))
		at = (at + 1) & table->mask;
	atomic_store_explicit(&table->slot[at], slot, memory_order_release);
	table->n++;
}

static void grow(struct intern *t)
{
	struct intern_table *old = newest(t), *table;
	size_t slots = old ? 2 * ((size_t)old->mask + 1) : FIRST_SLOTS, i;

	table = xcalloc(1, sizeof(*table) + slots * sizeof(table->slot[0]));
	table->older = old;
	table->mask = (uint32_t)(slots - 1);
	for (i = 0; old && i <= old->mask; i++)
		if (old->slot[i])
			put(table, old->slot[i]);
	atomic_store_explicit(&t->table, table, memory_order_release);
}

void intern_init(struct intern *t, size_t item_bytes, intern_equal equal)
{
	*t = (struct intern){ .item_bytes = item_bytes, .equal = equal };
	lock_init(&t->lock);
	stable_push(&t->items, item_bytes);
	grow(t);
}

void intern_set_own(struct intern *t, intern_own own, void *owner)
{
	t->own = own;
	t->owner = owner;
}

void intern_release(struct intern *t)
{
	struct intern_table *table = newest(t), *older;

	for (; table; table = older) {
		older = table->older;
		free(table);
	}
	pthread_mutex_destroy(&t->lock);
	stable_release(&t->items);
}

/* 0: it is not there, or came only just now. */
static uint32_t find(const struct intern *t, const void *item, uint64_t hash)
{
	const struct intern_table *table = atomic_load_explicit(&t->table, memory_order_acquire);
	uint32_t tag = index_tag(hash), at = index_place(tag, table->mask);
	uint64_t slot;

	for (;; at = (at + 1) & table->mask) {
		slot = atomic_load_explicit(&table->slot[at], memory_order_acquire);
		if (!slot)
			return 0;
		if (slot >> 32 == tag && t->equal(intern_get(t, (uint32_t)slot), item))
			return (uint32_t)slot;
	}
}

static uint32_t add(struct intern *t, const void *item, uint64_t hash)
{
	uint32_t number = t->items.n;
	void *copy = stable_push(&t->items, t->item_bytes);

	memcpy(copy, item, t->item_bytes);
	if (t->own)
		t->own(t->owner, copy);
	if (newest(t)->n > newest(t)->mask / 4 * 3)
		grow(t);
	put(newest(t), (uint64_t)index_tag(hash) << 32 | number);
	return number;
}

uint32_t intern_add(struct intern *t, const void *item, uint64_t hash)
{
	uint32_t number = find(t, item, hash);

	if (number)
		return number;
	pthread_mutex_lock(&t->lock);
	number = find(t, item, hash); /* it may have come only just now */
	if (!number)
		number = add(t, item, hash);
	pthread_mutex_unlock(&t->lock);
	return number;
}
