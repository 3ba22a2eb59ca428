#include "output/picture/mixes.h"

#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

static const struct {
	const char *name;
	struct color color;
} tiers[CODE_TIERS] = {
	[V8_NO_TIER] = { "", { 0xcf, 0xcf, 0xcb } },
	[V8_INTERPRETED] = { "interpreted", { 0xe0, 0x80, 0x6a } },
	[V8_BASELINE] = { "baseline", { 0xe8, 0xc2, 0x4a } },
	[V8_MAGLEV] = { "Maglev", { 0xc7, 0xdb, 0x80 } },
	[V8_TURBOFAN] = { "TurboFan", { 0x62, 0xb5, 0x8f } },
	[CODE_QUICK] = { "quick", { 0xe8, 0xc2, 0x4a } },
	[CODE_OPTIMIZED] = { "optimized", { 0x62, 0xb5, 0x8f } },
	[CODE_PREBUILT] = { "prebuilt", { 0x85, 0x97, 0xfc } },
};

/* The weight of one tier of a name. */
struct tier_share {
	struct span name;
	uint32_t tier;
	uint64_t weight;
};

/* By name, then by tier. */
static int compare_parts(const void *pa, const void *pb)
{
	const struct tier_share *a = pa, *b = pb;
	int c = span_cmp(a->name, b->name);

	return c ? c : (a->tier > b->tier) - (a->tier < b->tier);
}

static int compare_weight(const void *pa, const void *pb)
{
	const struct tier_share *a = pa, *b = pb;

	if (a->weight != b->weight)
		return a->weight < b->weight ? 1 : -1;
	return (a->tier > b->tier) - (a->tier < b->tier);
}

/* Each tier of each name once. */
static struct tier_share *collect_parts(
	const struct tiers *t, struct display_names *names, uint32_t *n)
{
	struct tier_share *parts = xcalloc(t->n, sizeof(*parts));
	uint32_t i;

	for (i = 0; i < t->n; i++)
		parts[i] = (struct tier_share){
			display_names_get(names, display_names_number(names, t->use[i].frame)),
			t->use[i].tier, t->use[i].weight
		};
	qsort(parts, t->n, sizeof(*parts), compare_parts);
	for (i = 1, *n = 1; i < t->n; i++) {
		if (compare_parts(&parts[i], &parts[*n - 1]))
			parts[(*n)++] = parts[i];
		else
			parts[*n - 1].weight += parts[i].weight;
	}
	return parts;
}

static void mix_parts(struct mix *m, struct tier_share *parts, uint32_t n)
{
	double all = 0, red = 0, green = 0, blue = 0;
	uint32_t i;

	qsort(parts, n, sizeof(*parts), compare_weight);
	for (i = 0; i < n; i++)
		all += (double)parts[i].weight;
	for (i = 0; i < n; i++) {
		double share = (double)parts[i].weight / all;
		struct color c = tiers[parts[i].tier].color;

		red += share * c.r;
		green += share * c.g;
		blue += share * c.b;
		buf_printf(&m->text, "%s%s", i ? ", " : "", tiers[parts[i].tier].name);
		if (n > 1)
			buf_printf(&m->text, " %.3g%%", 100 * share);
	}
	m->name = parts[0].name;
	m->tier = parts[0].tier;
	m->color =
		(struct color){ (uint8_t)(red + .5), (uint8_t)(green + .5), (uint8_t)(blue + .5) };
}

void mixes_init(struct mixes *m, const struct tiers *t, struct display_names *names)
{
	struct tier_share *parts;
	uint32_t n, i, end;

	*m = (struct mixes){ .names = names };
	ARRAY_GROW(m->mix, m->n, m->cap);
	m->mix[m->n++] = (struct mix){ .color = tiers[V8_NO_TIER].color };
	if (!t || !t->n)
		return;
	parts = collect_parts(t, names, &n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n && span_eq(parts[end].name, parts[i].name);)
			end++;
		ARRAY_GROW(m->mix, m->n, m->cap);
		m->mix[m->n] = (struct mix){ 0 };
		mix_parts(&m->mix[m->n++], parts + i, end - i);
	}
	free(parts);
}

void mixes_release(struct mixes *m)
{
	uint32_t i;

	for (i = 0; i < m->n; i++)
		buf_release(&m->mix[i].text);
	free(m->mix);
}

uint32_t mixes_of(const struct mixes *m, uint32_t name)
{
	struct span text = m->n > 1 ? display_names_get(m->names, name) : SPAN("");
	uint32_t low = bisect(i, 1, m->n, span_cmp(m->mix[i].name, text) >= 0);

	return low < m->n && span_eq(m->mix[low].name, text) ? low : 0;
}

struct color mixes_tier_color(unsigned tier)
{
	return tiers[tier].color;
}
