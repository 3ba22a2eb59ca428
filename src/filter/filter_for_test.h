/*
 * filter_for_test.h - filters for tests: stacks as words, outermost first
 *
 * Only for *_test.c. Names are separated by blanks; "%" in a name is a blank.
 */
#ifndef PERFOLD_FILTER_FILTER_FOR_TEST_H
#define PERFOLD_FILTER_FILTER_FOR_TEST_H

#include "filter/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct filter *filter;
	struct rewriter rewriter;
	struct root root;
	uint64_t samples, weight;
};

static inline void bed_setup(struct bed *b)
{
	*b = (struct bed){ .samples = 1, .weight = 1 };
	b->strings = strtab_new();
	b->frames = frames_new(b->strings);
	b->filter = filter_new(b->frames, NULL);
	b->root = (struct root){
		.comm = strtab_add_str(b->strings, "node"),
		.process = strtab_add_str(b->strings, "server"),
		.event = strtab_add_str(b->strings, "cycles:u"),
	};
}

static inline void bed_teardown(struct bed *b)
{
	filter_free(b->filter);
	frames_free(b->frames);
	strtab_free(b->strings);
}

static inline void bed_rule(struct bed *b, const char *rule)
{
	struct err e = { 0 };

	if (filter_add_rule(b->filter, rule, &e))
		fail_msg("%s", e.msg);
	b->rewriter = filter_rewriter(b->filter);
}

static inline frame_id bed_frame_span(struct bed *b, struct span name)
{
	struct frame f = { .kind = FRAME_USER, .name = strtab_add(b->strings, name) };

	return frames_add(b->frames, &f);
}

static inline frame_id bed_frame(struct bed *b, const char *name)
{
	return bed_frame_span(b, span_of(name));
}

static inline void bed_weigh(struct bed *b, uint64_t samples, uint64_t weight)
{
	b->samples = samples;
	b->weight = weight;
}

/* One stack through a worker of its own. */
static inline void bed_apply(struct bed *b, struct stack *s)
{
	void *worker = b->rewriter.worker_new(b->rewriter.ctx);

	b->rewriter.apply(worker, s);
	b->rewriter.worker_merge(b->rewriter.ctx, worker);
}

static inline uint32_t bed_split(struct bed *b, const char *names, frame_id *ids, uint32_t max)
{
	uint32_t n = 0;

	while (*names) {
		size_t k = strcspn(names, " ");

		assert_true(n < max);
		ids[n++] = bed_frame_span(b, (struct span){ names, k });
		names += k + (names[k] == ' ');
	}
	return n;
}

/* expected NULL: the stack is left out. */
static inline void bed_expect(struct bed *b, const char *names, const char *expected)
{
	struct buf text = { 0 };
	frame_id ids[64];
	struct stack s = { .frames = ids, .root = &b->root };
	uint32_t i;

	s.samples = b->samples;
	s.weight = b->weight;
	s.n = bed_split(b, names, ids, 64);
	bed_apply(b, &s);
	assert_int_equal(s.dropped, expected == NULL);
	for (i = 0; i < s.n; i++) {
		buf_puts(&text, i ? " " : "");
		buf_put_span(&text, frames_name(b->frames, s.frames[i]));
	}
	if (expected)
		assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
}

static inline void expect_names(const char *rule, const char *names, const char *expected)
{
	struct bed b;

	bed_setup(&b);
	bed_rule(&b, rule);
	bed_expect(&b, names, expected);
	bed_teardown(&b);
}

#endif
