/*
 * place_map.c - a pass over the frames that sites have
 *
 * Each makes up to three frames: its line, its instruction, and its function without either. Most
 * frames of a name are one function at several lines, so what a name is shortened to, and the frame
 * that it was shown as last, are kept by name (known_name), where the name says all. Frames that
 * get an address later take over the places of those they are made of. Costs: about one hash
 * look-up for each frame.
 */
#include "collapse/place_map.h"

#include "base/mem.h"
#include "model/site_code.h"

#include <stdlib.h>
#include <string.h>

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

/* What was found out about a name. */
struct known_name {
	str_id tidy;    /* 0: nothing yet */
	frame_id shown; /* of the frame with it that was looked up last: most are one function */
};

/* known: NULL, if frames of that name are shown in other ways, too. */
static bool tidy(
	struct naming *naming, struct known_name *known, frame_id id, bool java, struct frame *f)
{
	bool changed;

	if (known && known->tidy) {
		*f = *frames_get(naming->frames, id);
		changed = f->name != known->tidy;
		f->name = known->tidy;
		return changed;
	}
	changed = naming_tidy_copy(naming, id, java, f);
	if (known)
		known->tidy = f->name;
	return changed;
}

static frame_id shown_of(struct frames *frames, struct frame f, struct known_name *known)
{
	frame_id shown;

	frames_drop_address(&f);
	frames_drop_line(&f);
	if (known && known->shown && frames_is(frames, known->shown, &f))
		return known->shown;
	shown = frames_add(frames, &f);
	if (known)
		known->shown = shown;
	return shown;
}

static frame_id function_of(struct frames *frames, struct frame f, frame_id shown)
{
	if (!f.tier && !f.category)
		return shown;
	f.tier = 0;
	f.category = 0;
	return shown_of(frames, f, NULL);
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

static struct place_of look_up(
	struct naming *naming, struct known_name *known, frame_id id, bool java)
{
	struct frames *frames = naming->frames;
	struct frame f;
	bool changed = tidy(naming, known, id, java, &f);
	frame_id shown = shown_of(frames, f, known);

	return (struct place_of){
		.line = line_of(frames, f, changed ? 0 : id),
		.instruction = instruction_of(frames, f, changed ? 0 : id),
		.shown = shown,
		.function = function_of(frames, f, shown),
		.inlined = f.flags & FRAME_INLINED,
	};
}

struct place_of place_map_look_up(struct naming *naming, frame_id id, bool java)
{
	return look_up(naming, NULL, id, java);
}

/* ---- all frames ----------------------------------------------------------------------------- */

static void reserve(struct place_map *m, uint32_t n_frames)
{
	m->of = xreallocarray(m->of, n_frames, sizeof(*m->of));
	m->wanted = xreallocarray(m->wanted, n_frames, sizeof(*m->wanted));
	memset(m->of + m->n, 0, (n_frames - m->n) * sizeof(*m->of));
	memset(m->wanted + m->n, 0, (n_frames - m->n) * sizeof(*m->wanted));
	m->n = n_frames;
}

void place_map_want(struct place_map *m, struct recording *const *recordings, unsigned n)
{
	uint32_t n_sites, n_of_site, k;
	unsigned i;
	site_id s;

	reserve(m, frames_count(recordings[0]->frames));
	for (i = 0; i < n; i++) {
		n_sites = sites_count(recordings[i]->sites);
		for (s = 1; s < n_sites; s++) {
			const frame_id *frame = sites_frames(recordings[i]->sites, s, &n_of_site);

			for (k = 0; k < n_of_site; k++)
				m->wanted[frame[k]] = true;
		}
	}
}

void place_map_fill(struct place_map *m, struct frames *frames, const struct collapse_opts *opts)
{
	struct known_name *known = xcalloc(strtab_count(frames_strings(frames)), sizeof(*known));
	struct naming naming;
	frame_id i;

	naming_init(&naming, frames, m->n, opts);
	for (i = 1; i < m->n; i++) {
		const struct frame *f = frames_get(frames, i);

		if (m->wanted[i] && !m->of[i].shown)
			m->of[i] = look_up(
				&naming, naming_is_plain(f) ? &known[f->name] : NULL, i, false);
	}
	naming_release(&naming);
	free(known);
}

/* The line of a frame, which has no address, with that of another frame of the same function. */
static frame_id with_address(struct frames *frames, frame_id line, const struct frame *addressed)
{
	struct frame f = *frames_get(frames, line);
	const struct site_code code = site_code_of(addressed);

	site_code_put(&f, &code);
	f.flags |= addressed->flags & FRAME_INLINED;
	return frames_add(frames, &f);
}

void place_map_add_addressed(
	struct place_map *m, struct frames *frames, const struct addressed_frames *list)
{
	uint32_t i;

	reserve(m, frames_count(frames));
	for (i = 0; i < list->n; i++) {
		const struct addressed_frame *a = &list->frame[i];
		struct place_of *at = &m->of[a->to];

		if (at->shown)
			continue;
		*at = m->of[a->from];
		at->instruction = at->line == a->from ? a->to
						      : with_address(frames, at->line,
								frames_get(frames, a->to));
	}
}

void place_map_lighten(struct place_map *m, const struct heavy_frames *heavy)
{
	frame_id i;

	for (i = 0; i < m->n; i++)
		m->of[i].light = m->wanted[i] && !heavy_frames_has(heavy, i);
}

void place_map_release(struct place_map *m)
{
	free(m->of);
	free(m->wanted);
	*m = (struct place_map){ 0 };
}
