#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void put(struct buf *b, struct span bytes)
{
	struct sink *to = sink_to_buf(b);

	base64_encode(to, bytes);
	assert_int_equal(sink_commit(to, NULL), OK);
}

/* RFC 4648, "Test Vectors". */
static void the_vectors_of_the_standard_are_hashed(void **state)
{
	static const char *const vectors[][2] = { { "", "" }, { "Zg==", "f" }, { "Zm8=", "fo" },
		{ "Zm9v", "foo" }, { "Zm9vYg==", "foob" }, { "Zm9vYmE=", "fooba" },
		{ "Zm9vYmFy", "foobar" }, { "Zm9vYg", "foob" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct buf b = { 0 };

		assert_true(base64_decode(span_of(vectors[i][0]), &b));
		assert_string_equal(buf_str(&b), vectors[i][1]);
		buf_release(&b);
	}
	/* The last one is the one before without its "=". */
	for (i = 0; i + 1 < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct buf b = { 0 };

		put(&b, span_of(vectors[i][1]));
		assert_string_equal(buf_str(&b), vectors[i][0]);
		buf_release(&b);
	}
}

static void all_digits_count_what_they_should(void **state)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	int i;

	(void)state;
	for (i = 0; i < 64; i++)
		assert_int_equal(base64_digit(digits[i]), i);
	assert_int_equal(base64_digit('-'), -1);
	assert_int_equal(base64_digit('\0'), -1);
}

static void malformed_base_64_is_refused(void **state)
{
	static const char *const bad[] = { "Z", "Zm9vY", "Zm 9", "Zm9v\n", "Z=g=" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct buf b = { 0 };

		assert_false(base64_decode(span_of(bad[i]), &b));
		buf_release(&b);
	}
}

/* More than are written at once, and some more. */
static void any_bytes_come_back(void **state)
{
	static char bytes[10007];
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(bytes); n++)
		bytes[n] = (char)(n * n >> 3);
	for (n = sizeof(bytes) - 3; n <= sizeof(bytes); n++) {
		struct buf text = { 0 }, back = { 0 };

		put(&text, (struct span){ bytes, n });
		assert_true(base64_decode(buf_span(&text), &back));
		assert_int_equal(back.n, n);
		assert_memory_equal(back.p, bytes, n);
		buf_release(&text);
		buf_release(&back);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vectors_of_the_standard_are_hashed),
		cmocka_unit_test(any_bytes_come_back),
		cmocka_unit_test(all_digits_count_what_they_should),
		cmocka_unit_test(malformed_base_64_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
