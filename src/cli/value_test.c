/* Values of options: which are valid, and what they mean. */
#include "cli/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void expect_limit(const char *text, uint64_t bytes)
{
	struct options o = { 0 };
	struct err e;

	assert_int_equal(value_spill_limit(&o, text, &e), OK);
	assert_int_equal(o.run.spill_limit_bytes, bytes);
}

static void size_is_bytes_or_has_a_suffix(void **state)
{
	(void)state;
	expect_limit("1", 1);
	expect_limit("1000000", 1000000);
	expect_limit("64K", 64 << 10);
	expect_limit("500M", 500 << 20);
	expect_limit("3G", (uint64_t)3 << 30);
	expect_limit("8589934591G", (uint64_t)8589934591 << 30);
}

static void no_source_is_a_size_too(void **state)
{
	struct options o = { .source_bytes = 1 };
	struct err e;

	(void)state;
	assert_int_equal(value_source_limit(&o, "0", &e), OK);
	assert_int_equal(o.source_bytes, 0);
	assert_int_equal(value_source_limit(&o, "2M", &e), OK);
	assert_int_equal(o.source_bytes, 2 << 20);
	assert_int_equal(value_source_limit(&o, "", &e), ERR_USAGE);
}

static void wrong_size_is_refused(void **state)
{
	static const char *const texts[] = { "", "K", "0", "-1", "1T", "1KB", "1 K", "1.5G",
		"8589934592G", "99999999999999999999" };
	struct options o = { 0 };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(value_spill_limit(&o, texts[i], &e), ERR_USAGE);
	assert_int_equal(o.run.spill_limit_bytes, 0);
}

static void expect_choice(const char *words, const char *text, unsigned number)
{
	unsigned found;
	struct err e;

	assert_int_equal(value_choose(&found, words, span_of(text), &e), OK);
	assert_int_equal(found, number);
}

static void expect_no_choice(const char *words, const char *text, const char *message)
{
	unsigned found;
	struct err e;

	assert_int_equal(value_choose(&found, words, span_of(text), &e), ERR_USAGE);
	assert_string_equal(e.msg, message);
}

static void choice_is_the_number_of_its_word(void **state)
{
	(void)state;
	expect_choice("keep drop merge", "keep", 0);
	expect_choice("keep drop merge", "merge", 2);
	expect_choice("perf", "perf", 0);
}

static void wrong_choice_lists_the_words(void **state)
{
	(void)state;
	expect_no_choice("keep drop merge", "keep ", "\"keep \" is not one of keep, drop, merge");
	expect_no_choice("self total", "s", "\"s\" is neither self nor total");
	expect_no_choice("perf", "", "\"\" is not \"perf\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size_is_bytes_or_has_a_suffix),
		cmocka_unit_test(no_source_is_a_size_too),
		cmocka_unit_test(wrong_size_is_refused),
		cmocka_unit_test(choice_is_the_number_of_its_word),
		cmocka_unit_test(wrong_choice_lists_the_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
