/*
 * collapse_tiers.c - the tiers of functions, from the frames of the recordings, before any rules: a
 * function that a rule renames has no tiers.
 */
#include "collapse/collapse.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "collapse/naming.h"
#include "model/site_use.h"

#include <stdlib.h>

static bool has_tiers(const struct frames *frames)
{
	frame_id i, n = frames_count(frames);

	for (i = 1; i < n; i++)
		if (frames_get(frames, i)->tier)
			return true;
	return false;
}

/* Adds to each frame the weight of all samples that have it. */
static void weigh_frames(const struct recording *r, uint64_t *weight)
{
	uint64_t whole, *of_site = site_use_weigh(r, &whole);
	site_id s, n = sites_count(r->sites);

	for (s = 0; s < n; s++) {
		uint32_t n_frames, i;
		const frame_id *frame = sites_frames(r->sites, s, &n_frames);

		for (i = 0; i < n_frames && of_site[s]; i++)
			weight[frame[i]] = saturated_add(weight[frame[i]], of_site[s]);
	}
	free(of_site);
}

void collapse_tiers(struct tiers *t, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *o)
{
	struct frames *frames = recordings[0]->frames;
	frame_id i, n_frames = frames_count(frames);
	struct naming naming;
	uint64_t *weight;
	unsigned r;

	*t = (struct tiers){ 0 };
	if (!has_tiers(frames))
		return;
	weight = xcalloc(n_frames, sizeof(*weight));
	for (r = 0; r < n; r++)
		weigh_frames(recordings[r], weight);
	naming_init(&naming, frames, n_frames, o);
	for (i = 1; i < n_frames; i++) {
		uint32_t tier = frames_get(frames, i)->tier;

		if (!tier || tier >= CODE_TIERS || !weight[i])
			continue;
		ARRAY_GROW(t->use, t->n, t->cap);
		t->use[t->n++] =
			(struct tier_use){ naming_tidy(&naming, i, false), tier, weight[i] };
	}
	naming_release(&naming);
	free(weight);
}
