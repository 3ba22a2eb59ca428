#include "base/index.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static void index_place_slot(struct index_slot *slots, uint32_t mask, struct index_slot s)
{
	uint32_t at = index_place(s.tag, mask);

	while (slots[at].number != INDEX_NONE)
		at = (at + 1) & mask;
	slots[at] = s;
}

static void index_resize(struct index *ix, uint32_t size)
{
	struct index_slot *slots = xreallocarray(NULL, size, sizeof(*slots));
	uint32_t i;

	memset(slots, 0xff, (size_t)size * sizeof(*slots));
	for (i = 0; ix->slot && i <= ix->mask; i++)
		if (ix->slot[i].number != INDEX_NONE)
			index_place_slot(slots, size - 1, ix->slot[i]);
	free(ix->slot);
	ix->slot = slots;
	ix->mask = size - 1;
}

void index_reserve(struct index *ix, uint32_t n)
{
	uint64_t size = ix->slot ? (uint64_t)ix->mask + 1 : 0;

	if (size && n <= size / 4 * 3)
		return;
	if (!size)
		size = 64;
	while (n > size / 4 * 3)
		size *= 2;
	index_resize(ix, (uint32_t)size);
}

void index_add(struct index *ix, uint64_t hash, uint32_t number)
{
	index_reserve(ix, ++ix->n);
	index_place_slot(ix->slot, ix->mask, (struct index_slot){ index_tag(hash), number });
}

void index_release(struct index *ix)
{
	free(ix->slot);
	*ix = (struct index){ 0 };
}
