#include "model/frame_account.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/site_use.h"

#include <stdlib.h>

/* By frame_id. Sites refer to frames here and there in their table, which is larger. */
static uint8_t *list_whys(const struct frames *frames)
{
	frame_id i, n = frames_count(frames);
	uint8_t *why = xcalloc((size_t)n + 1, sizeof(*why));

	for (i = 1; i < n; i++)
		why[i] = frames_get(frames, i)->why;
	return why;
}

void frame_account_add(struct frame_account *a, const struct recording *r)
{
	uint64_t *samples = site_use_count(r);
	uint8_t *why_of = list_whys(r->frames);
	uint32_t n, i;
	site_id id;
	int why;

	for (why = 0; why < WHY_COUNT; why++) {
		a->why[why] += r->summed_frames[why];
		a->frames += r->summed_frames[why];
	}
	for (id = 1; id < sites_count(r->sites); id++) {
		const frame_id *f = sites_frames(r->sites, id, &n);

		for (i = 0; i < n; i++)
			a->why[why_of[f[i]]] += samples[id];
		a->frames += n * samples[id];
	}
	free(samples);
	free(why_of);
}

struct gaps {
	struct frame_gap *gap;
	uint32_t n, cap;
	struct index by_content;
};

static struct frame_gap *gap_for(struct gaps *g, str_id module, enum frame_why why)
{
	uint64_t hash = hash_pair(module, why);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&g->by_content, hash, cursor, i)
		if (g->gap[i].module == module && g->gap[i].why == why)
			return &g->gap[i];
	ARRAY_GROW(g->gap, g->n, g->cap);
	g->gap[g->n] = (struct frame_gap){ .module = module, .why = why };
	index_add(&g->by_content, hash, g->n);
	return &g->gap[g->n++];
}

static void add_gaps(struct gaps *g, const struct recording *r)
{
	uint64_t *samples = site_use_count(r);
	uint8_t *why_of = list_whys(r->frames);
	uint32_t n, i;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		const frame_id *f = sites_frames(r->sites, id, &n);

		for (i = 0; i < n && samples[id]; i++) {
			struct frame_gap *gap;

			if (why_of[f[i]] == WHY_HAS_NAME)
				continue;
			gap = gap_for(g, frames_get(r->frames, f[i])->module, why_of[f[i]]);
			gap->frames += samples[id];
			gap->sites++;
		}
	}
	free(samples);
	free(why_of);
}

static int compare_gaps(const void *pa, const void *pb, void *strings)
{
	const struct frame_gap *a = pa, *b = pb;

	if (a->frames != b->frames)
		return a->frames < b->frames ? 1 : -1;
	if (a->why != b->why)
		return a->why < b->why ? -1 : 1;
	return span_cmp(strtab_get(strings, a->module), strtab_get(strings, b->module));
}

struct frame_gap *frame_account_gaps(
	struct recording *const *recordings, size_t n_recordings, uint32_t *n)
{
	struct gaps g = { 0 };
	size_t i;

	for (i = 0; i < n_recordings; i++)
		add_gaps(&g, recordings[i]);
	if (g.n)
		qsort_r(g.gap, g.n, sizeof(*g.gap), compare_gaps, recordings[0]->strings);
	index_release(&g.by_content);
	*n = g.n;
	return g.gap;
}
