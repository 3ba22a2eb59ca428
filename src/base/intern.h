/*
 * intern.h - every distinct struct once, as a number
 *
 * Number 0 is there from the start, zeroed, and means "none"; it is not found by content. Items
 * never move.
 *
 * Most of what is added exists already, as workers come upon the same places; finding it needs no
 * lock. A slot of the table is one word, hash and number, written when the item is whole, and never
 * changed; a full table is replaced by one twice as large. A reader of the old one may miss what
 * came later: a search that finds nothing is repeated under the lock.
 *
 * Owns: the items. Threads: any thread may add (a lock inside where the item is new) and read a
 * number that it was given.
 */
#ifndef PERFOLD_BASE_INTERN_H
#define PERFOLD_BASE_INTERN_H

#include "base/stable.h"

#include <pthread.h>
#include <stdbool.h>

typedef bool (*intern_equal)(const void *a, const void *b);
/* Called for a new item, a copy: replaces what it points to by copies of the owner's. One thread at
 * a time. */
typedef void (*intern_own)(void *owner, void *item);

struct intern_table;

/* What is written for each new item is at the end, apart from what all searches read: one worker
 * that adds does not slow down those that find. */
struct intern {
	_Atomic(struct intern_table *) table;
	size_t item_bytes;
	intern_equal equal;
	intern_own own; /* NULL: items point to nothing */
	void *owner;
	struct stable items;
	pthread_mutex_t lock; /* held to add */
};

void intern_init(struct intern *t, size_t item_bytes, intern_equal equal);
/* Before anything is added. */
void intern_set_own(struct intern *t, intern_own own, void *owner);
void intern_release(struct intern *t);
/* The number of the item that equals this one, a copy of it where there was none. */
uint32_t intern_add(struct intern *t, const void *item, uint64_t hash);

static inline void *intern_get(const struct intern *t, uint32_t number)
{
	return stable_at(&t->items, number, t->item_bytes);
}

/* One more than the highest number given so far. While others add items the last of these are not
 * whole yet: read only those that were there before. */
static inline uint32_t intern_count(const struct intern *t)
{
	return __atomic_load_n(&t->items.n, __ATOMIC_RELAXED);
}

#endif
