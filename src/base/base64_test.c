#include "base/base64.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* RFC 4648, "Test Vectors". */
static void the_vectors_of_the_standard_come_out(void **state)
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

static void what_is_not_base_64_is_refused(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vectors_of_the_standard_come_out),
		cmocka_unit_test(all_digits_count_what_they_should),
		cmocka_unit_test(what_is_not_base_64_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
