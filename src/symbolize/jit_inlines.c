#include "symbolize/jit_inlines.h"

#include "base/mem.h"
#include "model/names/runtime_name.h"

/* A chain is no deeper than this, as names come from strangers; the rest stays one name. */
enum { PIECES_MAX = 64, SITE_FRAMES_MAX = 256 };

static bool is_chain(const struct recording *r, frame_id id)
{
	return id && frames_get(r->frames, id)->kind == FRAME_JIT &&
	       runtime_name_is_chain(frames_name(r->frames, id));
}

static bool has_chain(const struct recording *r, const frame_id *frames, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (is_chain(r, frames[i]))
			return true;
	return false;
}

/* Makes the frames of a chain; returns how many. */
static uint32_t split(struct recording *r, frame_id id, frame_id *pieces)
{
	struct frame f = *frames_get(r->frames, id);
	struct span rest = frames_name(r->frames, id);
	uint32_t n = 0;

	while (rest.n && n < PIECES_MAX) {
		struct span piece = n < PIECES_MAX - 1 ? runtime_name_next_piece(&rest) : rest;

		f.name = strtab_add(r->strings, piece);
		pieces[n++] = frames_add(r->frames, &f);
		f.flags |= FRAME_INLINED;
		f.at_address = f.at_function = 0;
		f.function_bytes = 0;
		f.build = 0;
	}
	return n;
}

static void split_site(struct recording *r, site_id site, const frame_id *frames, uint32_t n)
{
	frame_id all[SITE_FRAMES_MAX];
	uint32_t i, total = 0;

	for (i = 0; i < n; i++) {
		if (total + PIECES_MAX + n - i > SITE_FRAMES_MAX)
			return;
		if (is_chain(r, frames[i]))
			total += split(r, frames[i], all + total);
		else
			all[total++] = frames[i];
	}
	sites_set_frames(r->sites, site, all, total);
}

static bool has_generated_code(const struct frames *frames)
{
	frame_id i;

	for (i = 1; i < frames_count(frames); i++)
		if (frames_get(frames, i)->kind == FRAME_JIT)
			return true;
	return false;
}

void jit_inlines_split(struct recording *r)
{
	uint32_t i, n;

	if (!has_generated_code(r->frames))
		return;
	for (i = 1; i < sites_count(r->sites); i++) {
		const frame_id *frames = sites_frames(r->sites, i, &n);

		if (has_chain(r, frames, n))
			split_site(r, i, frames, n);
	}
}
