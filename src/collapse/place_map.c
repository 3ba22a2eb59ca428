#include "collapse/place_map.h"

#include "base/mem.h"

#include <stdlib.h>

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
	const struct collapse_opts *opts, const bool *heavy)
{
	struct frames *frames = recordings[0]->frames;
	uint32_t n_frames = frames_count(frames), i;
	bool *wanted = xcalloc(n_frames, sizeof(*wanted));
	struct naming naming;

	*m = (struct place_map){ .of = xcalloc(n_frames, sizeof(*m->of)), .n = n_frames };
	for (i = 0; i < n; i++)
		mark_frames(recordings[i]->sites, wanted);
	naming_init(&naming, frames, n_frames, opts);
	for (i = 0; i < n_frames; i++)
		if (wanted[i]) {
			m->of[i] = place_map_look_up(&naming, i, false);
			m->of[i].light = heavy && !heavy[i];
		}
	naming_release(&naming);
	free(wanted);
}

void place_map_release(struct place_map *m)
{
	free(m->of);
	*m = (struct place_map){ 0 };
}
