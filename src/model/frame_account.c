#include "model/frame_account.h"

#include "base/hash.h"
#include "base/mem.h"
#include "model/site_use.h"

#include <stdlib.h>

void frame_account_add(struct frame_account *a, const struct recording *r)
{
	uint64_t *samples = site_use_count(r);
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
			a->why[frames_get(r->frames, f[i])->why] += samples[id];
		a->frames += n * samples[id];
	}
	free(samples);
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
	uint32_t n, i;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		const frame_id *f = sites_frames(r->sites, id, &n);

		for (i = 0; i < n && samples[id]; i++) {
			const struct frame *frame = frames_get(r->frames, f[i]);
			struct frame_gap *gap;

			if (frame->why == WHY_HAS_NAME)
				continue;
			gap = gap_for(g, frame->module, frame->why);
			gap->frames += samples[id];
			gap->sites++;
		}
	}
	free(samples);
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
