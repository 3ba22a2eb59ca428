#include "output/ticks.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

void ticks_release(struct ticks *t)
{
	index_release(&t->by_line);
	free(t->tick);
}

void ticks_add(struct ticks *t, uint32_t node, uint32_t line, uint64_t time_ns)
{
	uint64_t hash = hash_pair(node, line);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&t->by_line, hash, cursor, i)
		if (t->tick[i].node == node && t->tick[i].line == line) {
			t->tick[i].time_ns += time_ns;
			return;
		}
	ARRAY_GROW(t->tick, t->n, t->cap);
	t->tick[t->n] = (struct tick){ node, line, time_ns };
	index_add(&t->by_line, hash, t->n++);
}

static int compare_ticks(const void *pa, const void *pb)
{
	const struct tick *a = pa, *b = pb;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

void ticks_sort(struct ticks *t)
{
	if (t->n)
		qsort(t->tick, t->n, sizeof(*t->tick), compare_ticks);
	index_release(&t->by_line);
	t->by_line = (struct index){ 0 };
}

const struct tick *ticks_of(const struct ticks *t, uint32_t node, uint32_t *n)
{
	uint32_t low = bisect(i, 0, t->n, t->tick[i].node >= node), high = low;

	while (high < t->n && t->tick[high].node == node)
		high++;
	*n = high - low;
	return *n ? &t->tick[low] : NULL;
}
