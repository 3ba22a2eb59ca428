#include "process/cgroups.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdlib.h>

void cgroups_release(struct cgroups *c)
{
	free(c->group);
	index_release(&c->by_id);
	*c = (struct cgroups){ 0 };
}

void cgroups_add(struct cgroups *c, struct moment at, uint64_t id, str_id path)
{
	const struct cgroup *known = cgroups_find(c, id, at);
	uint64_t hash = hash_pair(id, 0);
	struct index_cursor cursor;
	uint32_t i, paths = 0;

	/* perf writes the same groups again in each part of a --switch-output run. */
	if (known && known->path == path && !moment_before(at, known->from))
		return;
	index_for_each (&c->by_id, hash, cursor, i)
		paths += c->group[i].id == id;
	if (paths >= CGROUP_PATHS_MAX)
		return;
	ARRAY_GROW(c->group, c->n, c->cap);
	c->group[c->n] = (struct cgroup){ .id = id, .from = at, .path = path };
	index_add(&c->by_id, hash, c->n);
	c->n++;
}

void cgroups_choose(
	struct cgroups *c, const struct name_pattern *pattern, const struct strtab *strings)
{
	uint32_t i;

	c->pattern = pattern;
	for (i = 0; i < c->n; i++)
		c->group[i].wanted = !pattern || name_pattern_matches(pattern,
							 strtab_get(strings, c->group[i].path));
}

/* Does a fit a moment better than b? Best is the last that began by then, else the first of all. */
static bool is_better(const struct cgroup *a, const struct cgroup *b, struct moment at)
{
	bool begun = !moment_before(at, a->from), other_begun = !moment_before(at, b->from);

	if (begun != other_begun)
		return begun;
	return begun ? moment_before(b->from, a->from) : moment_before(a->from, b->from);
}

const struct cgroup *cgroups_find(const struct cgroups *c, uint64_t id, struct moment at)
{
	const struct cgroup *best = NULL;
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&c->by_id, hash_pair(id, 0), cursor, i) {
		const struct cgroup *g = &c->group[i];

		if (g->id == id && (!best || is_better(g, best, at)))
			best = g;
	}
	return best;
}
