#include "base/stable.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void *stable_push(struct stable *t, size_t size_bytes)
{
	uint32_t k = t->n + (1u << STABLE_FIRST_BITS);
	unsigned b = 31 - (unsigned)__builtin_clz(k) - STABLE_FIRST_BITS;
	void *element;

	if (!t->block[b])
		t->block[b] = xreallocarray(NULL, (size_t)1 << (b + STABLE_FIRST_BITS), size_bytes);
	/* Counts may be read at any time, by threads that only want an upper bound. */
	__atomic_store_n(&t->n, t->n + 1, __ATOMIC_RELAXED);
	element = stable_at(t, t->n - 1, size_bytes);
	memset(element, 0, size_bytes);
	return element;
}

void stable_release(struct stable *t)
{
	size_t b;

	for (b = 0; b < ARRAY_LEN(t->block); b++)
		free(t->block[b]);
	*t = (struct stable){ 0 };
}
