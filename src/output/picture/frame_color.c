/*
 * The colour of a frame, and what a picture begins with.
 *
 * That choice is made once for a profile, by how much of the picture frames are (not what they
 * weigh by themselves: all stacks of waits end in the scheduler), summed by category, by module, by
 * package. Where the second heaviest is too small to be seen, nearly everything would look alike,
 * and the next way is tried.
 */
#include "output/picture/frame_color.h"

#include "base/mem.h"
#include "base/saturated.h"
#include "model/names/package_name.h"

#include <stdlib.h>

int frame_color_init(struct frame_coloring *c, const struct profile *p,
	const struct picture_opts *o, struct err *e)
{
	*c = (struct frame_coloring){ .p = p, .by_hash = o->hash_colors };
	return palette_by_name(&c->palette, o->colors, e);
}

/* The second largest of a few weights must be this part of them all for a picture to be coloured by
 * them: else nearly everything would look alike. */
enum { GOOD_PART = 20 };

/* The weights of the two heaviest. */
struct two_heaviest {
	uint64_t all, first, second;
};

static void add_weight(struct two_heaviest *t, uint64_t weight)
{
	t->all = saturated_add(t->all, weight);
	if (weight > t->first) {
		t->second = t->first;
		t->first = weight;
	} else if (weight > t->second) {
		t->second = weight;
	}
}

/* all: with what counts for nothing, which may be most of it, but not nearly all. */
static bool tells_much(const struct two_heaviest *t, uint64_t all)
{
	return t->second && t->second >= t->all / GOOD_PART && t->all >= all / 4;
}

static uint64_t *area_by_frame(const struct profile *p)
{
	uint64_t *area = xcalloc((size_t)frames_count(p->frames) + 1, sizeof(*area));
	node_id i;

	for (i = 1; i < p->n_nodes; i++)
		area[p->nodes[i].frame] = saturated_add(area[p->nodes[i].frame], p->nodes[i].total);
	return area;
}

/* What a frame counts for: a category or a module; empty: nothing that a picture is about. */
static struct span category_key(
	const struct frame_coloring *c, struct display_names *names, frame_id id)
{
	struct span name = display_names_get(names, display_names_number(names, id));
	struct span category = category_of_frame(c->p, id, name);

	return span_eq(category, SPAN("root")) || span_eq(category, SPAN("label")) ||
			       span_eq(category, SPAN("unresolved"))
		       ? SPAN("")
		       : category;
}

struct span frame_color_package(const struct profile *p, frame_id id, struct span name)
{
	enum frame_kind kind = profile_frame_kind(p, id);

	if (category_kind_letter(p, id, name) == 'k')
		return SPAN("[kernel.kallsyms]");
	if (kind == FRAME_ROOT || kind == FRAME_LABEL || kind == FRAME_UNKNOWN)
		return SPAN("");
	return package_name_of(display_names_plain(name));
}

static struct span package_key(
	const struct frame_coloring *c, struct display_names *names, frame_id id)
{
	return frame_color_package(
		c->p, id, display_names_get(names, display_names_number(names, id)));
}

static struct span module_key(
	const struct frame_coloring *c, struct display_names *names, frame_id id)
{
	(void)names;
	return span_basename(strtab_get(c->p->strings, frames_get(c->p->frames, id)->module));
}

struct key_weight {
	struct span key;
	uint64_t weight;
};

static int compare_keys(const void *pa, const void *pb)
{
	const struct key_weight *a = pa, *b = pb;

	return span_cmp(a->key, b->key);
}

static bool two_have_a_good_part(
	const struct frame_coloring *c, const struct span *keys, const uint64_t *area)
{
	uint32_t frames = frames_count(c->p->frames), n = 0, i, k;
	struct key_weight *of = xcalloc((size_t)frames + 1, sizeof(*of));
	struct two_heaviest heaviest = { 0 };
	uint64_t all = 0;

	for (i = 1; i < frames; i++)
		if (area[i])
			of[n++] = (struct key_weight){ keys[i], area[i] };
	qsort(of, n, sizeof(*of), compare_keys);
	for (i = 0; i < n; i = k) {
		uint64_t sum = 0;

		for (k = i; k < n && span_eq(of[k].key, of[i].key); k++)
			sum = saturated_add(sum, of[k].weight);
		all = saturated_add(all, sum);
		if (of[i].key.n)
			add_weight(&heaviest, sum);
	}
	free(of);
	return tells_much(&heaviest, all);
}

/* Do most frames have a key, by what is seen of them or by what was spent in them? Most names of C
 * and JavaScript have no package: a picture of them would be grey. */
static bool most_have_one(const struct profile *p, const struct span *keys)
{
	uint64_t self = 0, self_with = 0, seen = 0, seen_with = 0;
	node_id i;

	for (i = 1; i < p->n_nodes; i++) {
		const struct node *n = &p->nodes[i];

		self = saturated_add(self, n->self);
		seen = saturated_add(seen, n->total);
		if (keys[n->frame].n) {
			self_with = saturated_add(self_with, n->self);
			seen_with = saturated_add(seen_with, n->total);
		}
	}
	return self_with >= self / 2 || seen_with >= seen / 2;
}

/* By colours, in the order in which they are tried. */
static const struct key_of_frame {
	enum frame_colors colors;
	struct span (*key)(
		const struct frame_coloring *c, struct display_names *names, frame_id id);
} keys_of_frames[] = { { COLORS_BY_CATEGORY, category_key }, { COLORS_BY_MODULE, module_key },
	{ COLORS_BY_PACKAGE, package_key } };

void frame_color_choose(
	struct frame_coloring *c, struct display_names *names, const struct picture_opts *o)
{
	uint32_t frames = frames_count(c->p->frames), i;
	struct span *keys = xcalloc((size_t)frames + 1, sizeof(*keys));
	bool is_chosen = c->p->before || o->colors || o->hash_colors;
	uint64_t *area = area_by_frame(c->p);
	size_t k;

	c->first = c->p->before ? COLORS_BY_CATEGORY : COLORS_BY_PALETTE;
	for (k = 0; k < ARRAY_LEN(keys_of_frames); k++) {
		const struct key_of_frame *of = &keys_of_frames[k];

		for (i = 1; i < frames; i++)
			if (area[i])
				keys[i] = of->key(c, names, i);
		if (of->colors == COLORS_BY_MODULE)
			module_colors_choose(&c->modules, keys, area, frames);
		else if (of->colors == COLORS_BY_PACKAGE)
			module_colors_choose(&c->packages, keys, area, frames);
		if (!is_chosen && two_have_a_good_part(c, keys, area) &&
			(of->colors != COLORS_BY_PACKAGE || most_have_one(c->p, keys))) {
			c->first = of->colors;
			is_chosen = true;
		}
	}
	free(keys);
	free(area);
}

const char *frame_color_mode(const struct frame_coloring *c)
{
	static const char *const names[] = { [COLORS_BY_PALETTE] = "palette",
		[COLORS_BY_CATEGORY] = "category",
		[COLORS_BY_MODULE] = "module",
		[COLORS_BY_PACKAGE] = "package" };

	return names[c->first];
}

struct color frame_color(const struct frame_coloring *c, frame_id id, struct span name, bool waker)
{
	struct color_subject subject = {
		.name = name,
		.kind = category_kind_letter(c->p, id, name),
		.waker = waker,
		.by_hash = c->by_hash,
	};

	/* In a difference the category of a frame is its class of change: collapse/diff_picture.c.
	 */
	if (c->p->before)
		return category_color(category_of_frame(c->p, id, name));
	return palette_color(c->palette, &subject);
}

struct color frame_color_first(
	const struct frame_coloring *c, frame_id id, struct span name, bool waker)
{
	if (!id && c->first != COLORS_BY_PALETTE)
		return category_color(SPAN(""));
	switch (c->first) {
	case COLORS_BY_CATEGORY:
		return category_color(category_of_frame(c->p, id, name));
	case COLORS_BY_MODULE:
		return module_colors_of(&c->modules,
			span_basename(
				strtab_get(c->p->strings, frames_get(c->p->frames, id)->module)));
	case COLORS_BY_PACKAGE:
		return module_colors_of(&c->packages, frame_color_package(c->p, id, name));
	default:
		return frame_color(c, id, name, waker);
	}
}
