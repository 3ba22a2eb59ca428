/*
 * Durations are kept in the order in which they ended; all figures come from one sort of their
 * numbers, by kind and then by length:
 *
 *	ranked		read read read | write write | futex ...
 *			shortest … longest
 *	kinds[k].first	^               ^              ^
 *
 * So the longest of a kind is the last of its stretch, and the p-th percentile the element of rank
 * ceil(count * p / 100) ("nearest rank": always a duration that occurred). Costs O(n log n) once
 * and 4 bytes a duration.
 */
#include "model/durations.h"

#include "base/mem.h"
#include "base/saturated.h"

#include <stdlib.h>

void durations_release(struct durations *d)
{
	free(d->item);
	free(d->kinds);
	free(d->threads);
	free(d->ranked);
	free(d->by_total);
	*d = (struct durations){ 0 };
}

uint32_t durations_kind(struct durations *d, str_id name)
{
	uint32_t i;

	/* A handful of kinds: a search in order is enough. */
	for (i = 0; i < d->n_kinds; i++)
		if (d->kinds[i].name == name)
			return i;
	ARRAY_GROW(d->kinds, d->n_kinds, d->cap_kinds);
	d->kinds[d->n_kinds] = (struct duration_kind){ .name = name };
	return d->n_kinds++;
}

void durations_add(struct durations *d, const struct duration *item)
{
	if (d->n >= UINT32_MAX)
		return;
	ARRAY_GROW(d->item, d->n, d->cap);
	d->item[d->n++] = *item;
}

/* Figures of the kinds */

static int compare_items(const void *pa, const void *pb, void *ctx)
{
	const struct duration *item = ctx;
	const struct duration *a = &item[*(const uint32_t *)pa], *b = &item[*(const uint32_t *)pb];

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->duration_ns != b->duration_ns)
		return a->duration_ns < b->duration_ns ? -1 : 1;
	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

struct kinds_order {
	const struct durations *d;
	const struct strtab *strings;
};

static int compare_kinds(const void *pa, const void *pb, void *ctx)
{
	const struct kinds_order *o = ctx;
	const struct duration_kind *a = &o->d->kinds[*(const uint32_t *)pa];
	const struct duration_kind *b = &o->d->kinds[*(const uint32_t *)pb];

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return span_cmp(strtab_get(o->strings, a->name), strtab_get(o->strings, b->name));
}

/* The smallest duration that this many percent do not exceed. */
static uint64_t percentile(const struct durations *d, const struct duration_kind *k, unsigned p)
{
	uint64_t rank = (k->count * p + 99) / 100;

	return k->count ? d->item[d->ranked[k->first + (rank ? rank - 1 : 0)]].duration_ns : 0;
}

static void count_kind(struct durations *d, const struct duration *item, size_t at)
{
	struct duration_kind *k = &d->kinds[item->kind];

	if (!k->count++)
		k->first = at;
	k->total_ns = saturated_add(k->total_ns, item->duration_ns);
	k->max_ns = item->duration_ns;
}

static void find_range(struct durations *d)
{
	size_t i;

	d->from_ns = d->n ? UINT64_MAX : 0;
	for (i = 0; i < d->n; i++) {
		const struct duration *item = &d->item[i];

		if (item->from_ns < d->from_ns)
			d->from_ns = item->from_ns;
		if (item->from_ns + item->duration_ns > d->to_ns)
			d->to_ns = item->from_ns + item->duration_ns;
	}
}

void durations_finish(struct durations *d, const struct strtab *strings)
{
	struct kinds_order order = { d, strings };
	size_t i;
	uint32_t k;

	d->ranked = xcalloc(d->n, sizeof(*d->ranked));
	d->by_total = xcalloc(d->n_kinds, sizeof(*d->by_total));
	for (i = 0; i < d->n; i++)
		d->ranked[i] = (uint32_t)i;
	if (d->n)
		qsort_r(d->ranked, d->n, sizeof(*d->ranked), compare_items, d->item);
	for (i = 0; i < d->n; i++)
		count_kind(d, &d->item[d->ranked[i]], i);
	for (k = 0; k < d->n_kinds; k++) {
		struct duration_kind *kind = &d->kinds[k];

		kind->p50_ns = percentile(d, kind, 50);
		kind->p95_ns = percentile(d, kind, 95);
		kind->p99_ns = percentile(d, kind, 99);
		d->by_total[k] = k;
	}
	if (d->n_kinds)
		qsort_r(d->by_total, d->n_kinds, sizeof(*d->by_total), compare_kinds, &order);
	find_range(d);
}
