/*
 * stable.h - an array that grows and never moves
 *
 * Each block is twice as large as the one before. A reader needs no lock for an element whose
 * number it was given; finding its block is one count of leading zeros.
 *
 * Owns: its blocks. Threads: one writer at a time (the caller's lock), any number of readers of
 * elements that were published to them. A zeroed struct is empty.
 */
#ifndef PERFOLD_BASE_STABLE_H
#define PERFOLD_BASE_STABLE_H

#include <stddef.h>
#include <stdint.h>

enum { STABLE_FIRST_BITS = 8 };

struct stable {
	void *block[32 - STABLE_FIRST_BITS];
	uint32_t n;
};

/* Address of element i, i < n. */
static inline void *stable_at(const struct stable *t, uint32_t i, size_t size_bytes)
{
	uint32_t k = i + (1u << STABLE_FIRST_BITS);
	unsigned b = 31 - (unsigned)__builtin_clz(k) - STABLE_FIRST_BITS;

	return (char *)t->block[b] + (size_t)(k - (1u << (b + STABLE_FIRST_BITS))) * size_bytes;
}

/* A new zeroed element; its number is n - 1 afterwards. */
void *stable_push(struct stable *t, size_t size_bytes);
void stable_release(struct stable *t);

#endif
