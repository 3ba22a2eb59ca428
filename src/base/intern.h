/*
 * intern.h - every distinct struct once, as a number
 *
 * Number 0 is there from the start, zeroed, and means "none"; it is not found by content. Items
 * never move.
 *
 * Owns: the items. Threads: any thread may add (a lock inside) and read a number that it was given.
 */
#ifndef PERFOLD_BASE_INTERN_H
#define PERFOLD_BASE_INTERN_H

#include "base/index.h"
#include "base/stable.h"

#include <pthread.h>
#include <stdbool.h>

typedef bool (*intern_equal)(const void *a, const void *b);

struct intern {
	pthread_mutex_t lock;
	struct stable items;
	struct index by_content;
	size_t item_bytes;
	intern_equal equal;
};

void intern_init(struct intern *t, size_t item_bytes, intern_equal equal);
void intern_release(struct intern *t);
/* The number of the item that equals this one, a copy of it where there was none. */
uint32_t intern_add(struct intern *t, const void *item, uint64_t hash);

static inline void *intern_get(const struct intern *t, uint32_t number)
{
	return stable_at(&t->items, number, t->item_bytes);
}

/* One more than the highest number given so far. */
static inline uint32_t intern_count(const struct intern *t)
{
	return __atomic_load_n(&t->items.n, __ATOMIC_RELAXED);
}

#endif
