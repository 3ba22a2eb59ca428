/*
 * How rules are applied: consecutive rules on single frames are one stage, a rule on stacks is a
 * stage of its own.
 *
 *	drop /a/   rename s/b/c/   category /c/ x  |  fold-recursion  |  drop /d/
 *	----------- stage 0, on frames -----------    stage 1           stage 2, on frames
 *
 * A stage on frames has outcomes[frame]: the frame that comes of it (0: gone) and the set of rules
 * that matched. An outcome is made once, by running the rules of the stage on a copy of the frame;
 * after that a stack costs one look-up a frame. So regular expressions run once for each distinct
 * frame.
 *
 * Hits are counted by set, and added up for each rule at the end (filter_worker_report).
 *
 * Memory: 8 bytes for each frame and stage.
 */
#include "filter/filter_worker.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "filter/filter_action.h"

#include <stdlib.h>

/* The rules of a stage that matched a frame, and the number of such frames. Most frames share a few
 * sets, so counting costs two additions a frame, not one for each rule. */
struct hit_set {
	uint32_t first_rule, n_rules; /* in stage.hit_rules */
	struct filter_rule_hits count;
};

struct outcome {
	frame_id frame;   /* 0: gone */
	uint32_t hit_set; /* HIT_SET_UNKNOWN: not evaluated yet */
};

#define HIT_SET_UNKNOWN UINT32_MAX

struct stage {
	uint32_t first_rule, n_rules;

	/* For rules on single frames: by frame. */
	struct outcome *outcomes;
	size_t n_outcomes;
	struct hit_set *hit_sets;
	uint32_t n_hit_sets, cap_hit_sets;
	uint32_t *hit_rules; /* numbers within the stage */
	uint32_t n_hit_rules, cap_hit_rules;
	struct index hit_set_index;

	/* For a rule on stacks. */
	struct filter_memo memo;
	struct filter_rule_hits count;
};

struct filter_worker {
	const struct filter_rule *rules;
	uint32_t n_rules;
	struct filter_match bench;
	struct stage *stages;
	uint32_t n_stages, cap_stages;
};

static bool is_frame_rule(const struct filter_rule *r)
{
	return r->action->edit != NULL;
}

static void add_count(struct filter_rule_hits *c, uint64_t hits, uint64_t weight)
{
	if (__builtin_add_overflow(c->hits, hits, &c->hits))
		c->hits = UINT64_MAX;
	if (__builtin_add_overflow(c->weight, weight, &c->weight))
		c->weight = UINT64_MAX;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

struct filter_worker *filter_worker_new(
	const struct filter_rule *rules, uint32_t n_rules, struct frames *frames)
{
	struct filter_worker *w = xcalloc(1, sizeof(*w));
	struct stage *stage = NULL;
	uint32_t i;

	w->rules = rules;
	w->n_rules = n_rules;
	filter_match_init(&w->bench, frames, rules);
	for (i = 0; i < n_rules; i++) {
		if (stage && is_frame_rule(&rules[i]) && is_frame_rule(&rules[i - 1])) {
			stage->n_rules++;
			continue;
		}
		ARRAY_GROW(w->stages, w->n_stages, w->cap_stages);
		stage = &w->stages[w->n_stages++];
		*stage = (struct stage){ .first_rule = i, .n_rules = 1 };
		stage->memo = (struct filter_memo){ .rule = &rules[i], .bench = &w->bench };
	}
	return w;
}

static void stage_release(struct stage *st)
{
	free(st->outcomes);
	free(st->hit_sets);
	free(st->hit_rules);
	index_release(&st->hit_set_index);
	filter_match_memo_release(&st->memo);
}

void filter_worker_free(struct filter_worker *w)
{
	uint32_t i;

	if (!w)
		return;
	for (i = 0; i < w->n_stages; i++)
		stage_release(&w->stages[i]);
	free(w->stages);
	filter_match_release(&w->bench);
	free(w);
}

/* The number of the set of n rules that begins at hit_rules[n_hit_rules], past its end. */
static uint32_t intern_hit_set(struct stage *st, uint32_t n)
{
	const uint32_t *rules = st->hit_rules + st->n_hit_rules;
	uint64_t hash = hash_bytes(rules, n * sizeof(*rules));
	struct index_cursor c;
	uint32_t i;

	index_for_each (&st->hit_set_index, hash, c, i) {
		const struct hit_set *s = &st->hit_sets[i];

		if (s->n_rules == n &&
			!memcmp(st->hit_rules + s->first_rule, rules, n * sizeof(*rules)))
			return i;
	}
	ARRAY_GROW(st->hit_sets, st->n_hit_sets, st->cap_hit_sets);
	st->hit_sets[st->n_hit_sets] = (struct hit_set){ st->n_hit_rules, n, { 0 } };
	st->n_hit_rules += n;
	index_add(&st->hit_set_index, hash, st->n_hit_sets);
	return st->n_hit_sets++;
}

/* The result of all rules of the stage, one after the other. */
static struct outcome find_outcome(struct filter_worker *w, struct stage *st, frame_id id)
{
	struct frame frame = *frames_get(w->bench.frames, id);
	struct outcome out;
	uint32_t i, hits = 0;
	bool gone = false;

	ARRAY_RESERVE(st->hit_rules, st->n_hit_rules + st->n_rules, st->cap_hit_rules);
	for (i = 0; i < st->n_rules && !gone; i++) {
		const struct filter_rule *r = &w->rules[st->first_rule + i];
		struct filter_edit e = r->action->edit(r, &w->bench, &frame);

		filter_match_check_limit(&w->bench, r, id);
		if (e.matched)
			st->hit_rules[st->n_hit_rules + hits++] = i;
		gone = e.gone;
	}
	out.frame = gone ? 0 : frames_add(w->bench.frames, &frame);
	out.hit_set = intern_hit_set(st, hits);
	return out;
}

static struct outcome outcome_of(struct filter_worker *w, struct stage *st, frame_id id)
{
	if (id >= st->n_outcomes) {
		size_t cap = st->n_outcomes;

		ARRAY_RESERVE(st->outcomes, (size_t)id + 1, cap);
		memset(st->outcomes + st->n_outcomes, 0xff,
			(cap - st->n_outcomes) * sizeof(*st->outcomes));
		st->n_outcomes = cap;
	}
	if (st->outcomes[id].hit_set == HIT_SET_UNKNOWN)
		st->outcomes[id] = find_outcome(w, st, id);
	return st->outcomes[id];
}

static void edit_frames(struct filter_worker *w, struct stage *st, struct stack *s)
{
	uint32_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		struct outcome o = outcome_of(w, st, s->frames[i]);

		add_count(&st->hit_sets[o.hit_set].count, s->samples, s->weight);
		if (o.frame)
			s->frames[n++] = o.frame;
	}
	s->n = n;
}

static void change_stack(struct filter_worker *w, struct stage *st, struct stack *s)
{
	uint32_t hits = w->rules[st->first_rule].action->change(&st->memo, s);

	add_count(&st->count, times(s->samples, hits), times(s->weight, hits));
}

void filter_worker_apply(struct filter_worker *w, struct stack *s)
{
	uint32_t i;

	for (i = 0; i < w->n_stages && !s->dropped; i++) {
		struct stage *st = &w->stages[i];

		if (is_frame_rule(&w->rules[st->first_rule]))
			edit_frames(w, st, s);
		else
			change_stack(w, st, s);
	}
}

str_id filter_worker_root_name(struct filter_worker *w, enum root_part part, str_id name)
{
	struct strtab *strings = w->bench.strings;
	struct span renamed;
	uint32_t i;

	for (i = 0; i < w->n_rules; i++) {
		const struct filter_rule *r = &w->rules[i];

		if (filter_action_names_roots(r->action) &&
			filter_field_root_part(r->field) == part &&
			pattern_replace(r->pattern, w->bench.matcher, strtab_get(strings, name),
				&renamed) &&
			renamed.n)
			name = strtab_add(strings, renamed);
	}
	return name;
}

static void report_hit_sets(const struct stage *st, struct filter_rule *rules)
{
	uint32_t i, k;

	for (i = 0; i < st->n_hit_sets; i++) {
		const struct hit_set *h = &st->hit_sets[i];

		for (k = 0; k < h->n_rules; k++)
			add_count(&rules[st->hit_rules[h->first_rule + k]].count, h->count.hits,
				h->count.weight);
	}
}

void filter_worker_report(
	const struct filter_worker *w, struct filter_rule *rules, struct filter_limits *limits)
{
	uint32_t i;

	for (i = 0; i < w->n_stages; i++) {
		const struct stage *st = &w->stages[i];

		report_hit_sets(st, rules + st->first_rule);
		add_count(&rules[st->first_rule].count, st->count.hits, st->count.weight);
	}
	for (i = 0; i < w->bench.limits.n; i++)
		filter_match_limits_add(limits, w->bench.limits.at[i]);
}
