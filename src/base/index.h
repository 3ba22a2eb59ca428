/*
 * index.h - from a hash to the number of an element in the caller's array
 *
 * Open addressing over slots of 8 bytes {32 bits of the hash, number}; the elements stay in the
 * caller's dense array, the caller compares them:
 *
 *	struct index_cursor c;
 *	uint32_t i;
 *	index_for_each(&ix, hash, c, i)
 *		if (equal(&array[i], key))
 *			return i;
 *	index_add(&ix, hash, n);
 *
 * Owns: its slots. Threads: one writer, or any number of readers. A zeroed struct is empty.
 */
#ifndef PERFOLD_BASE_INDEX_H
#define PERFOLD_BASE_INDEX_H

#include "base/prefetch.h"

#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index_slot {
	uint32_t tag, number; /* number INDEX_NONE: free */
};

struct index {
	struct index_slot *slot;
	uint32_t mask, n;
};

struct index_cursor {
	uint32_t at, tag;
};

/* Put a number in. The hash must be the one it is looked up with. */
void index_add(struct index *ix, uint64_t hash, uint32_t number);
void index_reserve(struct index *ix, uint32_t n);
void index_release(struct index *ix);

static inline uint32_t index_tag(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* The place depends on the tag alone, so that growing needs no hash from the caller. */
static inline uint32_t index_place(uint32_t tag, uint32_t mask)
{
	return (tag * 0x9e3779b1u >> 7 ^ tag) & mask;
}

static inline uint32_t index_next(const struct index *ix, struct index_cursor *c)
{
	for (;;) {
		const struct index_slot *s = &ix->slot[c->at];

		c->at = (c->at + 1) & ix->mask;
		if (s->number == INDEX_NONE || s->tag == c->tag)
			return s->number;
	}
}

static inline uint32_t index_first(const struct index *ix, uint64_t hash, struct index_cursor *c)
{
	if (!ix->slot)
		return INDEX_NONE;
	c->tag = index_tag(hash);
	c->at = index_place(c->tag, ix->mask);
	return index_next(ix, c);
}

/* Prefetches the slot of a later look-up. */
static inline void index_prefetch(const struct index *ix, uint64_t hash)
{
	if (ix->slot)
		prefetch(&ix->slot[index_place(index_tag(hash), ix->mask)]);
}

#define index_for_each(ix, hash, cursor, i)                                                        \
	for ((i) = index_first((ix), (hash), &(cursor)); (i) != INDEX_NONE;                        \
		(i) = index_next((ix), &(cursor)))

#endif
