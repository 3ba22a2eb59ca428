/*
 * An address space is an overlay of the mappings it made itself, and a link to the space it was
 * forked from, with the clock of the fork. A look-up asks its own overlay, then the parent's as of
 * the fork, and so on up:
 *
 *	space 3 ──forked at 20──► space 2 ──forked at 10──► space 1
 *	own mappings              those up to 20            those up to 10
 *
 * So a fork costs nothing, whatever its parent had mapped, and a server that forks for every
 * request does not multiply its mappings. spaces_add() skips a parent that has mapped nothing of
 * its own yet, which keeps the chains short; ANCESTORS_MAX bounds those of recordings made
 * to be slow. A parent always has a lower number than its child, so there are no loops.
 */
#include "process/world/spaces.h"

#include "base/mem.h"

#include <stdlib.h>

/* More generations of forks, each with its own mappings, are in no recording of a real system. */
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

space_id spaces_add(struct spaces *s, int32_t pid, space_id parent, clock_id made)
{
	clock_id forked = made;

	if (parent && !s->space[parent].own.n) {
		forked = s->space[parent].forked;
		parent = s->space[parent].parent;
	}
	ARRAY_GROW(s->space, s->n, s->cap);
	s->space[s->n] =
		(struct space){ .pid = pid, .parent = parent, .forked = forked, .made = made };
	return s->n++;
}

void spaces_map(struct spaces *s, space_id id, const struct mapping *m)
{
	overlay_add(&s->space[id].own, m);
	s->space[id].jit_code |= m->generated;
}

void spaces_freeze(struct spaces *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		overlay_freeze(&s->space[i].own);
}

/* What the space has from its ancestors does not depend on the clock of the look-up. */
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

/* ---- executable memory -------------------------------------------------------------------- */

struct range_list {
	struct codemap_range *at;
	size_t n, cap;
};

static void add_ranges(struct range_list *l, const struct overlay *o)
{
	uint32_t i;

	for (i = 0; i < o->n; i++) {
		if (!o->mappings[i].executable)
			continue;
		ARRAY_GROW(l->at, l->n, l->cap);
		l->at[l->n++] = (struct codemap_range){ o->mappings[i].start, o->mappings[i].end };
	}
}

static int compare_ranges(const void *pa, const void *pb)
{
	const struct codemap_range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void merge_ranges(struct range_list *l)
{
	size_t n = 0, i;

	if (l->n)
		qsort(l->at, l->n, sizeof(*l->at), compare_ranges);
	for (i = 0; i < l->n; i++) {
		if (!n || l->at[i].start > l->at[n - 1].end)
			l->at[n++] = l->at[i];
		else if (l->at[i].end > l->at[n - 1].end)
			l->at[n - 1].end = l->at[i].end;
	}
	l->n = n;
}

void spaces_executable_ranges(const struct spaces *s, int32_t pid, struct codemap_ranges *ranges)
{
	bool *visited = xcalloc(s->n, sizeof(*visited)); /* forks have ancestors in common */
	struct range_list l = { 0 };
	space_id id;
	uint32_t i;

	for (i = 1; i < s->n; i++) {
		if (s->space[i].pid != pid)
			continue;
		for (id = i; id && !visited[id]; id = s->space[id].parent) {
			visited[id] = true;
			add_ranges(&l, &s->space[id].own);
		}
	}
	free(visited);
	merge_ranges(&l);
	*ranges = (struct codemap_ranges){ l.at, l.n };
}
