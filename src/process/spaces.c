#include "process/spaces.h"

#include "base/mem.h"

#include <stdlib.h>

/* A recording with more generations of forks, each with mappings of its own, was made to be slow.
 */
enum { ANCESTORS_MAX = 200 };

void spaces_init(struct spaces *s)
{
	*s = (struct spaces){ 0 };
	spaces_add(s, 0, 0, CLOCK_START);
}

void spaces_release(struct spaces *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		overlay_release(&s->space[i].own);
	free(s->space);
	*s = (struct spaces){ 0 };
}

space_id spaces_add(struct spaces *s, int32_t pid, space_id parent, clock_id forked)
{
	if (parent && !s->space[parent].own.n) {
		forked = s->space[parent].forked;
		parent = s->space[parent].parent;
	}
	ARRAY_GROW(s->space, s->n, s->cap);
	s->space[s->n] = (struct space){ .pid = pid, .parent = parent, .forked = forked };
	return s->n++;
}

void spaces_map(struct spaces *s, space_id id, const struct mapping *m)
{
	overlay_add(&s->space[id].own, m);
	s->space[id].generated_code |= m->generated;
}

void spaces_freeze(struct spaces *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		overlay_freeze(&s->space[i].own);
}

/* What the space was forked with. It does not depend on when is asked. */
static void find_inherited(
	const struct spaces *s, const struct space *child, uint64_t address, struct space_hit *hit)
{
	unsigned generation;

	for (generation = 0; child->parent && generation < ANCESTORS_MAX; generation++) {
		struct overlay_hit h =
			overlay_find(&s->space[child->parent].own, address, child->forked);

		hit->ever_executable |= h.was_executable;
		if (!hit->now)
			hit->now = h.now;
		if (hit->now && hit->ever_executable)
			return;
		child = &s->space[child->parent];
	}
}

struct space_hit spaces_find(const struct spaces *s, space_id id, uint64_t address, clock_id clock)
{
	struct overlay_hit h = overlay_find(&s->space[id].own, address, clock);
	struct space_hit hit = { .now = h.now,
		.later = h.next,
		.later_only = h.always_same,
		.ever_executable = h.ever_executable,
		.from = h.now ? h.now->from : CLOCK_START,
		.until = h.next ? h.next->from : CLOCK_END };

	if (!hit.now || !hit.ever_executable)
		find_inherited(s, &s->space[id], address, &hit);
	return hit;
}

str_id spaces_executable(const struct spaces *s, space_id id)
{
	unsigned generation;

	for (generation = 0; id && generation < ANCESTORS_MAX; generation++) {
		if (s->space[id].executable)
			return s->space[id].executable;
		id = s->space[id].parent;
	}
	return 0;
}
