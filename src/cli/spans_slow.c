#include "cli/spans_slow.h"

#include "base/bisect.h"
#include "base/mem.h"

#include <stdlib.h>

static bool has_numbers(const struct pipeline_result *result)
{
	size_t i;

	for (i = 0; i < result->n_recordings; i++)
		if (result->recordings[i]->n_numbered)
			return true;
	return false;
}

/* Until when a duration may contain the span that --during means: an iteration is listed without
 * its wait, after the whole of it. */
static uint64_t until_ns(const struct durations *all, const struct duration *d)
{
	bool whole = d > all->item && d[-1].from_ns == d->from_ns && d[-1].thread == d->thread &&
		     d[-1].duration_ns > d->duration_ns;

	return d->from_ns + (whole ? d[-1].duration_ns : d->duration_ns);
}

/* Of the same time or, of iterations, the longest in it; 0: none. */
static uint32_t number_of(const struct durations *all, const struct duration *d,
	const struct pipeline_result *result, bool loop)
{
	const struct duration_thread *t = &all->threads[d->thread];
	const struct recording *in = result->recordings[t->recording];
	size_t i = bisect(k, 0, in->n_numbered, in->numbered[k].from_ns >= d->from_ns);
	uint64_t until = loop ? until_ns(all, d) : d->from_ns + 1, longest_ns = 0;
	uint32_t number = 0;

	for (; i < in->n_numbered && in->numbered[i].from_ns < until; i++) {
		const struct numbered_span *s = &in->numbered[i];

		if (s->tid != t->tid || (!loop && s->duration_ns != d->duration_ns) ||
			s->duration_ns < longest_ns)
			continue;
		longest_ns = s->duration_ns;
		number = s->number;
	}
	return number;
}

/* Of an event loop, only iterations have numbers. */
static bool may_have_number(const struct spans_slow *s, const struct durations *all,
	const struct duration *d, const struct pipeline_result *result, bool loop)
{
	struct span name = strtab_get(result->strings, all->kinds[d->kind].name);

	return s->numbered &&
	       (!loop || span_eq(name, SPAN(LOOP_BUSY)) || span_eq(name, SPAN(LOOP_ITERATION)));
}

static int slowest_first(const void *pa, const void *pb, void *ctx)
{
	const struct duration *item = ctx;
	const struct duration *a = &item[*(const uint32_t *)pa], *b = &item[*(const uint32_t *)pb];

	if (a->duration_ns != b->duration_ns)
		return a->duration_ns > b->duration_ns ? -1 : 1;
	return (a->from_ns > b->from_ns) - (a->from_ns < b->from_ns);
}

void spans_slow_find(struct spans_slow *s, const struct durations *d,
	const struct pipeline_result *result, const struct spans_slow_opts *o)
{
	bool loop = o->view == SPAN_VIEW_LOOP;
	size_t i;

	*s = (struct spans_slow){ .item = xcalloc(d->n + 1, sizeof(*s->item)),
		.number = xcalloc(d->n + 1, sizeof(*s->number)),
		.numbered = has_numbers(result) };
	for (i = 0; i < d->n; i++)
		if (d->item[i].duration_ns >= o->least_ns && !d->kinds[d->item[i].kind].waits)
			s->item[s->n++] = (uint32_t)i;
	if (s->n)
		qsort_r(s->item, s->n, sizeof(*s->item), slowest_first, d->item);
	for (i = 0; i < s->n && i < o->shown; i++) {
		const struct duration *of = &d->item[s->item[i]];

		if (may_have_number(s, d, of, result, loop))
			s->number[s->item[i]] = number_of(d, of, result, loop);
	}
}

void spans_slow_release(struct spans_slow *s)
{
	free(s->item);
	free(s->number);
}
