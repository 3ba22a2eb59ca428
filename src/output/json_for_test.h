/*
 * json_for_test.h - what a format writes, and looking into JSON
 *
 * Only for tests; include it after cmocka.h. A missing member fails the test.
 */
#ifndef PERFOLD_OUTPUT_JSON_FOR_TEST_H
#define PERFOLD_OUTPUT_JSON_FOR_TEST_H

#include "output/output.h"
#include "model/profile_for_test.h"

#include <yajl/yajl_tree.h>

/* The output of a format for the profile, with a NUL after it. */
static inline void test_write(const struct output_format *format, const struct profile *p,
	const struct output_opts *o, struct buf *text)
{
	static const struct output_opts nothing;
	struct sink *to = sink_to_buf(text);
	struct err e;

	assert_int_equal(format->write(p, o ? o : &nothing, to, &e), OK);
	assert_int_equal(sink_commit(to, &e), OK);
	buf_str(text);
}

static inline yajl_val test_parse(struct buf *text)
{
	char why[200];
	yajl_val doc = yajl_tree_parse(buf_str(text), why, sizeof(why));

	if (!doc)
		fail_msg("%s", why);
	return doc;
}

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
