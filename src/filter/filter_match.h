/*
 * filter_match.h - whether a rule matches a frame: evaluated once for each, then remembered
 *
 * Owns: what it remembers. Threads: each worker has its own.
 */
#ifndef PERFOLD_FILTER_FILTER_MATCH_H
#define PERFOLD_FILTER_FILTER_MATCH_H

#include "filter/filter_rule.h"
#include "model/rewrite.h"

/* Matches that were given up: the rule, and the frame or string. Several workers may give up on the
 * same one, so only distinct ones count. */
struct filter_limit {
	uint32_t rule, id;
};

struct filter_limits {
	struct filter_limit *at;
	uint32_t n, cap;
};

void filter_match_limits_add(struct filter_limits *l, struct filter_limit limit);
/* Distinct ones. */
size_t filter_match_limits_count(const struct filter_limits *l);
void filter_match_limits_release(struct filter_limits *l);

/* What a worker matches with. */
struct filter_match {
	struct frames *frames;           /* borrowed */
	struct strtab *strings;          /* borrowed: those of frames */
	const struct filter_rule *rules; /* borrowed */
	struct pattern_matcher *matcher;
	struct buf scratch;
	struct filter_limits limits;
};

void filter_match_init(
	struct filter_match *b, struct frames *frames, const struct filter_rule *rules);
void filter_match_release(struct filter_match *b);
/* To call after each match: adds to limits if it was given up. */
void filter_match_check_limit(struct filter_match *b, const struct filter_rule *r, uint32_t id);

/* Evaluated each time: for a frame that is in no table yet. */
bool filter_match_rule(const struct filter_rule *r, struct filter_match *b, const struct frame *f);

/* The answers for one rule: by frame, or by string if its field belongs to the root. */
struct filter_memo {
	const struct filter_rule *rule;
	struct filter_match *bench;
	uint8_t *answer;
	size_t n;
};

void filter_match_memo_release(struct filter_memo *m);
bool filter_match_memo_frame(struct filter_memo *m, frame_id id);
bool filter_match_memo_root(struct filter_memo *m, const struct root *root);
/* The number of the first frame of the stack that matches; s->n: none. */
uint32_t filter_match_memo_first(struct filter_memo *m, const struct stack *s);

#endif
