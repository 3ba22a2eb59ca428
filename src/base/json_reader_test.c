#include "base/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "base/buf.h"
#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* What is reported of each value: depth, "a" in an array, key, kind, text. */
static bool note(void *ctx, const struct json_reader *j, const struct json_value *v)
{
	static const char *const keys[] = { "", "a", "b", "long" };
	static const char kinds[] = { '{', '[', '}', '"', '#', '?' };
	struct buf *b = ctx;
	const char *key = "?";
	size_t i;

	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (json_reader_key_is(j, 0, keys[i]))
			key = keys[i];
	buf_printf(b, "%u%s%s%c%.*s ", json_reader_depth(j), json_reader_in_array(j) ? "@" : ".",
		key, kinds[v->kind], SPAN_ARG(v->text));
	return v->kind != JSON_STRING || !span_eq(v->text, SPAN("stop"));
}

/* block_bytes 0: all in one block. */
static int read_text(struct span text, size_t block_bytes, struct buf *b, struct err *e)
{
	struct json_reader *j = json_reader_new(note, b);
	int rc = OK;

	while (text.n && !rc) {
		size_t n = block_bytes && block_bytes < text.n ? block_bytes : text.n;

		rc = json_reader_feed(j, (struct span){ text.p, n }, e);
		text = span_skip(text, n);
	}
	if (!rc)
		rc = json_reader_finish(j, e);
	json_reader_free(j);
	return rc;
}

static void check(const char *text, const char *want)
{
	struct buf b = { 0 };
	struct err e;
	size_t size;

	for (size = 1; size < 9; size++) {
		b.n = 0;
		assert_int_equal(read_text(span_of(text), size, &b, &e), OK);
		assert_string_equal(buf_str(&b), want);
	}
	buf_release(&b);
}

static void every_value_comes_with_its_key(void **state)
{
	(void)state;
	check("{\"a\":[1,\"x\",{\"b\":-2.5}],\"b\":null}",
		"0.{ 1.a[ 2@a#1 2@a\"x 2@a{ 3.b#-2.5 2@a} 1.a} 1.b? 0.} ");
}

static void strings_need_not_be_utf8(void **state)
{
	(void)state;
	check("[\"\xff\xfe\"]", "0.[ 1@\"\xff\xfe 0.} ");
}

static void depth_has_a_limit(void **state)
{
	size_t n = 100000;
	char *text = xmalloc(n);
	struct buf b = { 0 };
	struct err e;

	(void)state;
	memset(text, '[', n);
	assert_int_equal(read_text((struct span){ text, n }, 0, &b, &e), ERR_LIMIT);
	assert_non_null(strstr(e.msg, "deeper than 20000 levels"));
	buf_release(&b);
	free(text);
}

static void damage_is_reported_with_its_place(void **state)
{
	struct buf b = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(read_text(SPAN("{\"a\":tru}"), 0, &b, &e), ERR_FORMAT);
	assert_non_null(strstr(e.msg, "JSON after "));
	assert_int_equal(read_text(SPAN("{\"a\":[1,2"), 0, &b, &e), ERR_FORMAT);
	assert_null(strchr(e.msg, '\n'));
	buf_release(&b);
}

static void numbers_are_whole_and_bounded(void **state)
{
	static const struct {
		const char *text;
		int64_t want;
		bool good;
	} cases[] = {
		{ "0", 0, true },
		{ "-12", -12, true },
		{ "12.9", 12, true },
		{ "9223372036854775807", INT64_MAX, true },
		{ "9223372036854775808", 0, false },
		{ "1e3", 0, false },
		{ "-", 0, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct json_value v = { JSON_NUMBER, span_of(cases[i].text) };
		int64_t n = 0;

		assert_int_equal(json_reader_to_int(&v, &n), cases[i].good);
		assert_int_equal(n, cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_comes_with_its_key),
		cmocka_unit_test(strings_need_not_be_utf8),
		cmocka_unit_test(depth_has_a_limit),
		cmocka_unit_test(damage_is_reported_with_its_place),
		cmocka_unit_test(numbers_are_whole_and_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
