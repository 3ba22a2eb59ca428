#include "base/radix_sort.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
	BYTES = 256, /* that a byte can be */
	FEW = 64,    /* up to this many are sorted by insertion */
};

static void insert_keys(struct radix_key *keys, size_t n)
{
	size_t i, k;

	for (i = 1; i < n; i++) {
		struct radix_key key = keys[i];

		for (k = i; k && keys[k - 1].key > key.key; k--)
			keys[k] = keys[k - 1];
		keys[k] = key;
	}
}

static void sort_by_byte(
	const struct radix_key *from, struct radix_key *to, size_t n, unsigned shift)
{
	size_t at[BYTES] = { 0 }, sum = 0, i;

	for (i = 0; i < n; i++)
		at[from[i].key >> shift & 0xff]++;
	for (i = 0; i < BYTES; i++) {
		size_t count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (i = 0; i < n; i++)
		to[at[from[i].key >> shift & 0xff]++] = from[i];
}

void radix_sort(struct radix_key *keys, size_t n)
{
	struct radix_key *room, *from = keys, *to, *other;
	uint64_t differ = 0;
	unsigned shift;
	size_t i;

	if (n <= FEW) {
		insert_keys(keys, n);
		return;
	}
	for (i = 1; i < n; i++)
		differ |= keys[i].key ^ keys[0].key;
	to = room = xreallocarray(NULL, n, sizeof(*room));
	for (shift = 0; shift < 64; shift += 8) {
		if (!(differ >> shift & 0xff))
			continue;
		sort_by_byte(from, to, n, shift);
		other = from;
		from = to;
		to = other;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
	free(room);
}

/* One cycle of the permutation: each place gets the element with its number, until the first is
 * reached again. */
static void rotate_cycle(struct radix_key *keys, size_t first, char *p, char *room, size_t size)
{
	size_t to = first, from;

	memcpy(room, p + first * size, size);
	for (; (from = keys[to].number) != first; to = from) {
		memcpy(p + to * size, p + from * size, size);
		keys[to].number = (uint32_t)to;
	}
	memcpy(p + to * size, room, size);
	keys[to].number = (uint32_t)to;
}

void radix_sort_arrange(struct radix_key *keys, size_t n, void *elements, size_t size_bytes)
{
	char *room = xmalloc(size_bytes);
	size_t i;

	for (i = 0; i < n; i++)
		if (keys[i].number != i)
			rotate_cycle(keys, i, elements, room, size_bytes);
	free(room);
}
