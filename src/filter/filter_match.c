#include "filter/filter_match.h"

#include "base/mem.h"

#include <stdlib.h>

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

void filter_match_limits_add(struct filter_limits *l, struct filter_limit limit)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = limit;
}

static int compare_limits(const void *a, const void *b)
{
	const struct filter_limit *x = a, *y = b;

	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

size_t filter_match_limits_count(const struct filter_limits *l)
{
	struct filter_limit *sorted;
	size_t i, n = 1;

	if (!l->n)
		return 0;
	sorted = xmemdup(l->at, l->n * sizeof(*l->at));
	qsort(sorted, l->n, sizeof(*sorted), compare_limits);
	for (i = 1; i < l->n; i++)
		n += compare_limits(&sorted[i - 1], &sorted[i]) != 0;
	free(sorted);
	return n;
}

void filter_match_limits_release(struct filter_limits *l)
{
	free(l->at);
}

void filter_match_init(
	struct filter_match *b, struct frames *frames, const struct filter_rule *rules)
{
	*b = (struct filter_match){
		.frames = frames,
		.strings = frames_strings(frames),
		.rules = rules,
		.matcher = pattern_matcher_new(),
	};
}

void filter_match_release(struct filter_match *b)
{
	pattern_matcher_free(b->matcher);
	buf_release(&b->scratch);
	filter_match_limits_release(&b->limits);
}

void filter_match_check_limit(struct filter_match *b, const struct filter_rule *r, uint32_t id)
{
	if (pattern_matcher_was_limited(b->matcher))
		filter_match_limits_add(
			&b->limits, (struct filter_limit){ (uint32_t)(r - b->rules), id });
}

bool filter_match_rule(const struct filter_rule *r, struct filter_match *b, const struct frame *f)
{
	if (!r->pattern)
		return true;
	return pattern_matches(r->pattern, b->matcher,
		filter_field_of_frame(r->field, f, b->strings, &b->scratch));
}

void filter_match_memo_release(struct filter_memo *m)
{
	free(m->answer);
}

/* The place of the answer for a number; unknown numbers are answered ANSWER_UNKNOWN. */
static uint8_t *answer_at(struct filter_memo *m, uint32_t id)
{
	if (id >= m->n) {
		size_t cap = m->n;

		ARRAY_RESERVE(m->answer, (size_t)id + 1, cap);
		memset(m->answer + m->n, ANSWER_UNKNOWN, cap - m->n);
		m->n = cap;
	}
	return &m->answer[id];
}

static bool remember(struct filter_memo *m, uint32_t id, uint8_t *answer, bool matches)
{
	filter_match_check_limit(m->bench, m->rule, id);
	*answer = matches ? ANSWER_YES : ANSWER_NO;
	return matches;
}

bool filter_match_memo_frame(struct filter_memo *m, frame_id id)
{
	uint8_t *a = answer_at(m, id);

	if (*a != ANSWER_UNKNOWN)
		return *a == ANSWER_YES;
	return remember(
		m, id, a, filter_match_rule(m->rule, m->bench, frames_get(m->bench->frames, id)));
}

bool filter_match_memo_root(struct filter_memo *m, const struct root *root)
{
	str_id id = filter_field_of_root(m->rule->field, root);
	uint8_t *a = answer_at(m, id);

	if (*a != ANSWER_UNKNOWN)
		return *a == ANSWER_YES;
	return remember(m, id, a,
		pattern_matches(
			m->rule->pattern, m->bench->matcher, strtab_get(m->bench->strings, id)));
}

uint32_t filter_match_memo_first(struct filter_memo *m, const struct stack *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (filter_match_memo_frame(m, s->frames[i]))
			break;
	return i;
}
