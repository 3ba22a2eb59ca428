#include "model/sample_choice.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

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

static void times_count_from_the_first_sample_or_as_recorded(void **state)
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

static void a_malformed_time_range_is_a_usage_error(void **state)
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
		cmocka_unit_test(times_count_from_the_first_sample_or_as_recorded),
		cmocka_unit_test(a_malformed_time_range_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
