#include "model/sample_choice.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void test_a_list_holds_its_numbers_and_ranges(void **state)
{
	struct number_list l;
	struct err e;

	(void)state;
	assert_int_equal(number_list_parse(&l, "0,2-5,-1", &e), OK);
	assert_int_equal(l.n, 3);
	assert_true(number_list_has(&l, 0));
	assert_false(number_list_has(&l, 1));
	assert_true(number_list_has(&l, 2));
	assert_true(number_list_has(&l, 5));
	assert_false(number_list_has(&l, 6));
	assert_true(number_list_has(&l, -1));
	number_list_release(&l);
	assert_true(number_list_has(&l, 6));
}

static void test_what_is_no_list_is_a_usage_error(void **state)
{
	static const char *const texts[] = { "", ",", "1,", "a", "1-", "5-2", "1 2", "1,,2",
		"99999999999999999999" };
	struct number_list l;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		assert_int_equal(number_list_parse(&l, texts[i], &e), ERR_USAGE);
		assert_int_equal(l.n, 0);
	}
}

static bool matches(const char *regex, const char *text)
{
	struct name_pattern *p;
	struct err e;
	bool found;

	assert_int_equal(name_pattern_new(&p, regex, &e), OK);
	found = name_pattern_matches(p, span_of(text));
	name_pattern_free(p);
	return found;
}

static void test_a_pattern_matches_anywhere_and_any_bytes(void **state)
{
	(void)state;
	assert_true(matches("od", "node"));
	assert_false(matches("^od", "node"));
	assert_true(matches("^gr.{2}e$", "gr\xc3\xb6\xc3\x9f"
					 "e"));
	assert_true(matches("node$", "\xff\xfenode"));
	assert_true(matches("^\xff", "\xff\xfe"));
	assert_true(matches("^$", ""));
}

static void test_a_pattern_that_explodes_is_no_match(void **state)
{
	(void)state;
	assert_false(matches("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
}

static void test_a_bad_pattern_tells_where(void **state)
{
	struct name_pattern *p;
	struct err e;

	(void)state;
	assert_int_equal(name_pattern_new(&p, "a(b", &e), ERR_USAGE);
	assert_null(p);
	assert_non_null(strstr(e.msg, "\"a(b\": at 3"));
}

static void check_range(const char *text, uint64_t from, uint64_t to)
{
	struct sample_choice c = { 0 };
	uint64_t from_ns, to_ns;
	struct err e;

	assert_int_equal(sample_choice_parse_time(&c, text, &e), OK);
	sample_choice_resolve_time(
		&c, UINT64_C(5000000000), UINT64_C(15000000000), &from_ns, &to_ns);
	assert_int_equal(from_ns, from);
	assert_int_equal(to_ns, to);
	sample_choice_release(&c);
}

static void test_times_count_from_the_first_sample_or_as_recorded(void **state)
{
	(void)state;
	check_range("1.5,2", UINT64_C(6500000000), UINT64_C(7000000000));
	check_range(",2", 0, UINT64_C(7000000000));
	check_range("1,", UINT64_C(6000000000), UINT64_MAX);
	check_range("10%,20.5%", UINT64_C(6000000000), UINT64_C(7050000000));
	check_range("@7.000000001,@1700000000.123456", UINT64_C(7000000001),
		UINT64_C(1700000000123456000));
	check_range("@6,50%", UINT64_C(6000000000), UINT64_C(10000000000));
	check_range("0,18446744073", UINT64_C(5000000000), UINT64_MAX);
	check_range("0.1234567899,", UINT64_C(5123456789), UINT64_MAX);
}

static void test_what_is_no_range_of_time_is_a_usage_error(void **state)
{
	static const char *const texts[] = { "", "5", "a,b", "1,2,3", "101%,", "@5%,", "1s,2",
		"99999999999999999999,", "-1,2", "5,1", "20%,10%", "@5.2,@5.1" };
	struct sample_choice c = { 0 };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++)
		assert_int_equal(sample_choice_parse_time(&c, texts[i], &e), ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_list_holds_its_numbers_and_ranges),
		cmocka_unit_test(test_what_is_no_list_is_a_usage_error),
		cmocka_unit_test(test_a_pattern_matches_anywhere_and_any_bytes),
		cmocka_unit_test(test_a_pattern_that_explodes_is_no_match),
		cmocka_unit_test(test_a_bad_pattern_tells_where),
		cmocka_unit_test(test_times_count_from_the_first_sample_or_as_recorded),
		cmocka_unit_test(test_what_is_no_range_of_time_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
