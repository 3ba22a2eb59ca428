#include "filter/match.h"

#include "base/mem.h"

#include <stdlib.h>

enum answer { ANSWER_UNKNOWN, ANSWER_NO, ANSWER_YES };

void limit_list_add(struct limit_list *l, struct limit limit)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = limit;
}

static int compare_limits(const void *a, const void *b)
{
	const struct limit *x = a, *y = b;

	if (x->rule != y->rule)
		return x->rule < y->rule ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

size_t limit_list_count(const struct limit_list *l)
{
	struct limit *sorted;
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

void limit_list_release(struct limit_list *l)
{
	free(l->at);
}

void bench_init(struct bench *b, struct frames *frames, const struct rule *rules)
{
	*b = (struct bench){
		.frames = frames,
		.strings = frames_strings(frames),
		.rules = rules,
		.matcher = matcher_new(),
	};
}

void bench_release(struct bench *b)
{
	matcher_free(b->matcher);
	buf_release(&b->scratch);
	limit_list_release(&b->limits);
}

void bench_note_limit(struct bench *b, const struct rule *r, uint32_t id)
{
	if (matcher_was_limited(b->matcher))
		limit_list_add(&b->limits, (struct limit){ (uint32_t)(r - b->rules), id });
}

bool rule_matches(const struct rule *r, struct bench *b, const struct frame *f)
{
	if (!r->pattern)
		return true;
	return pattern_matches(
		r->pattern, b->matcher, field_of_frame(r->field, f, b->strings, &b->scratch));
}

void match_memo_release(struct match_memo *m)
{
	free(m->answer);
}

/* The place of the answer for a number; unknown numbers are answered ANSWER_UNKNOWN. */
static uint8_t *answer_at(struct match_memo *m, uint32_t id)
{
	if (id >= m->n) {
		size_t cap = m->n;

		ARRAY_RESERVE(m->answer, (size_t)id + 1, cap);
		memset(m->answer + m->n, ANSWER_UNKNOWN, cap - m->n);
		m->n = cap;
	}
	return &m->answer[id];
}

static bool remember(struct match_memo *m, uint32_t id, uint8_t *answer, bool matches)
{
	bench_note_limit(m->bench, m->rule, id);
	*answer = matches ? ANSWER_YES : ANSWER_NO;
	return matches;
}

bool memo_matches_frame(struct match_memo *m, frame_id id)
{
	uint8_t *a = answer_at(m, id);

	if (*a != ANSWER_UNKNOWN)
		return *a == ANSWER_YES;
	return remember(
		m, id, a, rule_matches(m->rule, m->bench, frames_get(m->bench->frames, id)));
}

bool memo_matches_root(struct match_memo *m, const struct root *root)
{
	str_id id = field_of_root(m->rule->field, root);
	uint8_t *a = answer_at(m, id);

	if (*a != ANSWER_UNKNOWN)
		return *a == ANSWER_YES;
	return remember(m, id, a,
		pattern_matches(
			m->rule->pattern, m->bench->matcher, strtab_get(m->bench->strings, id)));
}

uint32_t memo_find_first(struct match_memo *m, const struct stack *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++)
		if (memo_matches_frame(m, s->frames[i]))
			break;
	return i;
}
