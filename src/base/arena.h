/*
 * arena.h - many small allocations with one lifetime
 *
 * Memory comes in chunks and is freed all at once. Nothing moves: pointers are valid until
 * arena_release().
 *
 * Owns: its chunks. Threads: one at a time.
 */
#ifndef PERFOLD_BASE_ARENA_H
#define PERFOLD_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk;
	char *next;
	size_t left_bytes;
	size_t total_bytes; /* held, for accounts of memory */
};

#define ARENA_INIT                                                                                 \
	{                                                                                          \
		0                                                                                  \
	}

/* Uninitialised, aligned to 8 bytes. */
void *arena_alloc(struct arena *a, size_t size_bytes);
/* A copy, not aligned; a NUL byte follows, so that it can be used as a C string. */
char *arena_string(struct arena *a, const char *p, size_t size_bytes);
void arena_release(struct arena *a);
/* All that is in from is in a from now on; from is empty. */
void arena_take(struct arena *a, struct arena *from);

#endif
