/*
 * match.h - does a rule match a frame: asked once for each, then remembered
 *
 * Owns: its memory of answers. Threads: each worker has its own.
 */
#ifndef PERFOLD_FILTER_MATCH_H
#define PERFOLD_FILTER_MATCH_H

#include "filter/rule.h"
#include "model/rewrite.h"

/* Matches that were given up: which rule, on which frame or text. Several workers may give up on
 * the same one, so only distinct ones count. */
struct limit {
	uint32_t rule, id;
};

struct limit_list {
	struct limit *at;
	uint32_t n, cap;
};

void limit_list_add(struct limit_list *l, struct limit limit);
/* Distinct ones. */
size_t limit_list_count(const struct limit_list *l);
void limit_list_release(struct limit_list *l);

/* What a worker matches with. */
struct bench {
	struct frames *frames;    /* borrowed */
	struct strtab *strings;   /* borrowed: those of frames */
	const struct rule *rules; /* borrowed */
	struct matcher *matcher;
	struct buf scratch;
	struct limit_list limits;
};

void bench_init(struct bench *b, struct frames *frames, const struct rule *rules);
void bench_release(struct bench *b);
/* Call after each match: notes if it was given up. */
void bench_note_limit(struct bench *b, const struct rule *r, uint32_t id);

/* Without memory, for a frame that is in no table yet. */
bool rule_matches(const struct rule *r, struct bench *b, const struct frame *f);

/* The answers for one rule, by frame or, where its field is of the root, by text. */
struct match_memo {
	const struct rule *rule;
	struct bench *bench;
	uint8_t *answer;
	size_t n;
};

void match_memo_release(struct match_memo *m);
bool memo_matches_frame(struct match_memo *m, frame_id id);
bool memo_matches_root(struct match_memo *m, const struct root *root);
/* The number of the first frame of the stack that matches; s->n: none. */
uint32_t memo_find_first(struct match_memo *m, const struct stack *s);

#endif
