#include "base/arena.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
	_Alignas(8) struct arena_chunk *previous;
};

static void arena_add_chunk(struct arena *a, size_t need)
{
	size_t size = need > CHUNK_BYTES ? need : CHUNK_BYTES;
	struct arena_chunk *c;

	/* More than there can be: the sum below must not wrap, and xmalloc() refuses what is
	 * left. */
	if (size > SIZE_MAX / 2)
		size = SIZE_MAX / 2;
	size += sizeof(*c);
	c = xmalloc(size);

	c->previous = a->chunk;
	a->chunk = c;
	a->next = (char *)(c + 1);
	a->left_bytes = size - sizeof(*c);
	a->total_bytes += size;
}

void *arena_alloc(struct arena *a, size_t size_bytes)
{
	size_t pad = -(uintptr_t)a->next & 7;

	if (!a->chunk || a->left_bytes < pad || a->left_bytes - pad < size_bytes) {
		arena_add_chunk(a, size_bytes);
		pad = 0; /* the head of a chunk is aligned */
	}
	a->next += pad + size_bytes;
	a->left_bytes -= pad + size_bytes;
	return a->next - size_bytes;
}

char *arena_string(struct arena *a, const char *p, size_t size_bytes)
{
	char *copy;

	if (a->left_bytes <= size_bytes)
		arena_add_chunk(a, size_bytes < SIZE_MAX ? size_bytes + 1 : size_bytes);
	copy = a->next;
	if (size_bytes)
		memcpy(copy, p, size_bytes);
	copy[size_bytes] = '\0';
	a->next += size_bytes + 1;
	a->left_bytes -= size_bytes + 1;
	return copy;
}

void arena_release(struct arena *a)
{
	struct arena_chunk *c = a->chunk;

	while (c) {
		struct arena_chunk *previous = c->previous;
		free(c);
		c = previous;
	}
	*a = (struct arena)ARENA_INIT;
}

/* Below the chunk that a allocates from: what is left of that of from is lost. */
void arena_take(struct arena *a, struct arena *from)
{
	struct arena_chunk *oldest = from->chunk;

	if (!a->chunk) {
		*a = *from;
	} else if (oldest) {
		while (oldest->previous)
			oldest = oldest->previous;
		oldest->previous = a->chunk->previous;
		a->chunk->previous = from->chunk;
		a->total_bytes += from->total_bytes;
	}
	*from = (struct arena)ARENA_INIT;
}
