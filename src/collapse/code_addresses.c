/*
 * code_addresses.c - what functions weigh at most, and addresses for the frames of heavy ones
 *
 *	site ─► frames: main, f, g (inlined)     each gets the weight of the site
 *	frames ─► functions                      by the name that will be shown, and the module
 *	function ─► its sites                    the outermost frame gets the address
 *
 * A function that is twice in a stack counts twice, so none has a larger total in the profile than
 * here. Rules may change any name: then all functions count as heavy.
 */
#include "collapse/code_addresses.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "collapse/naming.h"
#include "model/site_use.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions ------------------------------------------------------------------------------ */

struct function_weight {
	str_id name, module;
	uint64_t weight;
};

/* The function of frames of a name that was looked up last. */
struct latest_function {
	str_id module;
	uint32_t number; /* plus 1 */
};

struct weighing {
	struct frames *frames;
	struct naming naming;
	struct function_weight *function;
	struct index by_name;
	uint32_t n, cap;
	struct latest_function *latest; /* by name, before it is shortened */
	uint32_t *function_of;          /* by frame_id: its number plus 1; 0: no site has it */
	uint32_t n_frames;
	uint64_t sum;
};

static uint32_t find_function(struct weighing *w, str_id name, str_id module)
{
	uint64_t hash = hash_pair(name, module);
	struct index_cursor cursor;
	uint32_t i;

	index_for_each (&w->by_name, hash, cursor, i)
		if (w->function[i].name == name && w->function[i].module == module)
			return i;
	ARRAY_GROW(w->function, w->n, w->cap);
	w->function[w->n] = (struct function_weight){ .name = name, .module = module };
	index_add(&w->by_name, hash, w->n);
	return w->n++;
}

static uint32_t name_function(struct weighing *w, frame_id id)
{
	const struct frame *frame = frames_get(w->frames, id);
	struct latest_function *latest = &w->latest[frame->name];
	struct frame f;
	uint32_t number;

	if (naming_is_plain(frame) && latest->number && latest->module == frame->module)
		return latest->number;
	naming_tidy_copy(&w->naming, id, true, &f); /* also the name that others have without it */
	number = find_function(w, f.name, f.module) + 1;
	if (naming_is_plain(frame))
		*latest = (struct latest_function){ frame->module, number };
	return number;
}

static uint32_t function_of(struct weighing *w, frame_id frame)
{
	if (!w->function_of[frame])
		w->function_of[frame] = name_function(w, frame);
	return w->function_of[frame] - 1;
}

static void weigh(struct weighing *w, const struct recording *r)
{
	uint64_t sum, *of_site = site_use_weigh(r, &sum);
	uint32_t n_sites = sites_count(r->sites), n, i;
	site_id id;

	for (id = 1; id < n_sites; id++) {
		const frame_id *frame = sites_frames(r->sites, id, &n);

		for (i = 0; i < n; i++) {
			uint32_t function = function_of(w, frame[i]); /* may move the list */
			uint64_t *weight = &w->function[function].weight;

			*weight = saturated_add(*weight, of_site[id]);
		}
	}
	w->sum = saturated_add(w->sum, sum);
	free(of_site);
}

static void weighing_init(struct weighing *w, const struct recording *any, uint32_t n_frames,
	const struct collapse_opts *o)
{
	*w = (struct weighing){
		.frames = any->frames,
		.latest = xcalloc(strtab_count(any->strings), sizeof(*w->latest)),
		.function_of = xcalloc(n_frames, sizeof(*w->function_of)),
		.n_frames = n_frames,
	};
	naming_init(&w->naming, any->frames, n_frames, o);
}

/* Frames that get addresses will be newer, and so are those that are made of others while names are
 * shortened, whose functions may be heavy. */
static struct heavy_frames list_heavy(const struct weighing *w, double min_percent)
{
	struct heavy_frames heavy = { .n = w->n_frames };
	frame_id i;

	heavy.is = xcalloc((size_t)heavy.n + 1, sizeof(*heavy.is));
	for (i = 0; i < heavy.n; i++) {
		uint32_t function = w->function_of[i];

		heavy.is[i] = function && (double)w->function[function - 1].weight * 100 >=
						  min_percent * (double)w->sum;
	}
	return heavy;
}

static void weighing_release(struct weighing *w)
{
	naming_release(&w->naming);
	index_release(&w->by_name);
	free(w->function);
	free(w->latest);
	free(w->function_of);
}

/* ---- addresses ------------------------------------------------------------------------------ */

static void add_address(
	struct recording *r, site_id id, frame_id first, struct addressed_frames *list)
{
	struct frame f = *frames_get(r->frames, first);
	frame_id with_address;

	site_code_put(&f, &r->code[id]);
	with_address = frames_add(r->frames, &f);
	sites_change_first(r->sites, id, with_address);
	ARRAY_GROW(list->frame, list->n, list->cap);
	list->frame[list->n++] = (struct addressed_frame){ first, with_address };
}

static void add_addresses(
	struct recording *r, const struct heavy_frames *heavy, struct addressed_frames *list)
{
	site_id id;
	uint32_t n;

	for (id = 0; id < r->n_code; id++) {
		const frame_id *frame =
			r->code[id].at_address ? sites_frames(r->sites, id, &n) : NULL;

		if (frame && n && heavy_frames_has(heavy, frame[0]))
			add_address(r, id, frame[0], list);
	}
}

struct heavy_frames code_addresses_weigh(struct recording *const *recordings, unsigned n,
	uint32_t n_frames, const struct collapse_opts *o)
{
	struct heavy_frames heavy = { 0 };
	struct weighing w;
	unsigned i;

	if (o->rewriter || o->weight_by_samples || !o->places_min_percent)
		return heavy;
	weighing_init(&w, recordings[0], n_frames, o);
	for (i = 0; i < n; i++)
		weigh(&w, recordings[i]);
	if (w.sum)
		heavy = list_heavy(&w, o->places_min_percent);
	weighing_release(&w);
	return heavy;
}

void code_addresses_add(struct recording *const *recordings, unsigned n,
	const struct heavy_frames *heavy, struct addressed_frames *list)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		struct recording *r = recordings[i];

		add_addresses(r, heavy, list);
		free(r->code);
		r->code = NULL;
		r->n_code = 0;
	}
}
