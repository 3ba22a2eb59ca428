/*
 * hash.h - hashing of bytes and numbers
 *
 * hash_bytes() is XXH3 (64 bit). Recordings come from strangers: nothing may depend on hashes
 * being distinct, apart from the keyed hash of whole stacks in model/stacklog.h.
 */
#ifndef PERFOLD_BASE_HASH_H
#define PERFOLD_BASE_HASH_H

#include "base/span.h"

uint64_t hash_bytes(const void *p, size_t n);

static inline uint64_t hash_span(struct span s)
{
	return hash_bytes(s.p, s.n);
}

/* 64 x 64 -> 128 bit product, folded. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	unsigned __int128 m = (unsigned __int128)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

static inline uint64_t hash_u64(uint64_t v)
{
	return hash_fold(v ^ 0x9e3779b97f4a7c15u, 0xbf58476d1ce4e5b9u);
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	return hash_fold(hash_u64(a) ^ b, 0x94d049bb133111ebu);
}

#endif
