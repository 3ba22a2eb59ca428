/*
 * output_for_test.h - a bed for tests of formats: a profile, what a format writes of it, JSON
 *
 * Only for tests. A missing member fails the test.
 */
#ifndef PERFOLD_OUTPUT_OUTPUT_FOR_TEST_H
#define PERFOLD_OUTPUT_OUTPUT_FOR_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "model/profile_for_test.h"
#include "output/output.h"

#include <yajl/yajl_tree.h>

#define MS 1000000ull

/* The output of a format for the profile, with a NUL after it; o may be NULL. */
static inline void write_output(const struct output_format *format, const struct profile *p,
	const struct output_opts *o, struct buf *text)
{
	static const struct output_opts nothing;
	struct sink *to = sink_to_buf(text);
	struct err e;

	assert_int_equal(format->write(p, o ? o : &nothing, to, &e), OK);
	assert_int_equal(sink_commit(to, &e), OK);
	buf_str(text);
}

/* Finishes t if that was not done, compares its output from a text on (NULL: all), releases t. */
static inline void assert_output_from(const struct output_format *format, struct test_profile *t,
	const char *first, const char *expected)
{
	struct buf text = { 0 };
	const char *at;

	if (!t->p.nodes)
		test_profile_finish(t);
	write_output(format, &t->p, NULL, &text);
	at = first ? strstr(buf_str(&text), first) : buf_str(&text);
	assert_non_null(at);
	assert_string_equal(at, expected);
	buf_release(&text);
	test_profile_release(t);
}

static inline yajl_val parse_json(struct buf *text)
{
	char why[200];
	yajl_val doc = yajl_tree_parse(buf_str(text), why, sizeof(why));

	if (!doc)
		fail_msg("%s", why);
	return doc;
}

static inline yajl_val write_json(
	const struct output_format *format, const struct profile *p, const struct output_opts *o)
{
	struct buf text = { 0 };
	yajl_val doc;

	write_output(format, p, o, &text);
	doc = parse_json(&text);
	buf_release(&text);
	return doc;
}

/* A profile and its output, for cmocka_unit_test_setup_teardown(). */
struct output_bed {
	struct test_profile t;
	struct buf text;
	yajl_val doc; /* NULL: not parsed */
};

static inline int output_bed_setup(void **state)
{
	struct output_bed *x = xcalloc(1, sizeof(*x));

	test_profile_init(&x->t);
	*state = x;
	return 0;
}

static inline int output_bed_teardown(void **state)
{
	struct output_bed *x = *state;

	yajl_tree_free(x->doc);
	buf_release(&x->text);
	test_profile_release(&x->t);
	free(x);
	return 0;
}

#define TEST_IN_BED(f) cmocka_unit_test_setup_teardown(f, output_bed_setup, output_bed_teardown)

static inline yajl_val member(yajl_val v, const char *key)
{
	const char *path[] = { key, NULL };

	v = yajl_tree_get(v, path, yajl_t_any);
	assert_non_null(v);
	return v;
}

static inline bool has_member(yajl_val v, const char *key)
{
	const char *path[] = { key, NULL };

	return yajl_tree_get(v, path, yajl_t_any);
}

static inline long long number(yajl_val v, const char *key)
{
	v = member(v, key);
	assert_true(YAJL_IS_INTEGER(v));
	return YAJL_GET_INTEGER(v);
}

static inline const char *text_of(yajl_val v, const char *key)
{
	v = member(v, key);
	assert_true(YAJL_IS_STRING(v));
	return YAJL_GET_STRING(v);
}

static inline size_t length(yajl_val array)
{
	assert_true(YAJL_IS_ARRAY(array));
	return YAJL_GET_ARRAY(array)->len;
}

static inline yajl_val element(yajl_val array, size_t i)
{
	assert_true(i < length(array));
	return YAJL_GET_ARRAY(array)->values[i];
}

static inline long long element_number(yajl_val array, size_t i)
{
	yajl_val v = element(array, i);

	assert_true(YAJL_IS_INTEGER(v));
	return YAJL_GET_INTEGER(v);
}

#endif
