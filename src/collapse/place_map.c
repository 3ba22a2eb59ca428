#include "collapse/place_map.h"

#include "base/mem.h"

#include <stdlib.h>

enum { PART_FRAMES = 1024, FEW_FRAMES = 4 * PART_FRAMES };

/* A line is the same in every tier, and whether it was inlined or not. same: the frame that f is;
 * 0: none. */
static frame_id line_of(struct frames *frames, struct frame f, frame_id same)
{
	if (same && !f.at_address && !(f.flags & FRAME_INLINED) && !f.tier && !f.category)
		return same;
	frames_drop_address(&f);
	f.flags &= (uint8_t)~FRAME_INLINED;
	f.tier = 0;
	f.category = 0;
	return frames_add(frames, &f);
}

static frame_id shown_of(struct frames *frames, struct frame f)
{
	frames_drop_address(&f);
	frames_drop_line(&f);
	return frames_add(frames, &f);
}

static frame_id function_of(struct frames *frames, struct frame f, frame_id shown)
{
	if (!f.tier && !f.category)
		return shown;
	f.tier = 0;
	f.category = 0;
	return shown_of(frames, f);
}

/* An address is in one line, so its frame is nearly always the only one. */
static frame_id instruction_of(struct frames *frames, struct frame f, frame_id same)
{
	if (!f.at_address)
		return 0;
	if (same && !f.tier && !f.category)
		return same;
	f.tier = 0;
	f.category = 0;
	return frames_add(frames, &f);
}

struct place_of place_map_look_up(struct naming *naming, frame_id id, bool java)
{
	struct frames *frames = naming->frames;
	struct frame f;
	bool changed = naming_tidy_copy(naming, id, java, &f);
	frame_id shown = shown_of(frames, f);

	return (struct place_of){
		.line = line_of(frames, f, changed ? 0 : id),
		.instruction = instruction_of(frames, f, changed ? 0 : id),
		.shown = shown,
		.function = function_of(frames, f, shown),
		.inlined = f.flags & FRAME_INLINED,
	};
}

/* ---- all frames ----------------------------------------------------------------------------- */

struct map_making {
	struct place_map *to;
	struct frames *frames;
	const struct collapse_opts *opts;
	const bool *wanted, *heavy; /* by frame_id */
	_Atomic uint32_t next_part;
};

static int make_parts(void *ctx, unsigned worker, struct err *e)
{
	struct map_making *m = ctx;
	uint32_t n = m->to->n, n_parts = n / PART_FRAMES + 1, part, i;
	struct naming naming;

	(void)worker;
	(void)e;
	naming_init(&naming, m->frames, n, m->opts);
	while ((part = pool_next(&m->next_part)) < n_parts)
		for (i = part * PART_FRAMES; i < n && i / PART_FRAMES == part; i++)
			if (m->wanted[i]) {
				m->to->of[i] = place_map_look_up(&naming, i, false);
				m->to->of[i].light = m->heavy && !m->heavy[i];
			}
	naming_release(&naming);
	return OK;
}

static void mark_frames(const struct sites *sites, bool *wanted)
{
	uint32_t n_sites = sites_count(sites), n, i;
	site_id s;

	for (s = 1; s < n_sites; s++) {
		const frame_id *frame = sites_frames(sites, s, &n);

		for (i = 0; i < n; i++)
			wanted[frame[i]] = true;
	}
}

void place_map_make(struct place_map *m, struct recording *const *recordings, unsigned n,
	const struct collapse_opts *opts, const bool *heavy, struct pool *pool)
{
	struct frames *frames = recordings[0]->frames;
	uint32_t n_frames = frames_count(frames);
	bool *wanted = xcalloc(n_frames, sizeof(*wanted));
	struct map_making making = {
		.to = m, .frames = frames, .opts = opts, .wanted = wanted, .heavy = heavy
	};
	struct err e;
	unsigned i;

	*m = (struct place_map){ .of = xcalloc(n_frames, sizeof(*m->of)), .n = n_frames };
	for (i = 0; i < n; i++)
		mark_frames(recordings[i]->sites, wanted);
	pool_run(n_frames < FEW_FRAMES ? NULL : pool, make_parts, &making, &e); /* cannot fail */
	free(wanted);
}

void place_map_release(struct place_map *m)
{
	free(m->of);
	*m = (struct place_map){ 0 };
}
