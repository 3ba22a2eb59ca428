/*
 * Values of options: what is taken, what is refused.
 */
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

static void a_size_is_bytes_or_has_a_suffix(void **state)
{
	(void)state;
	expect_limit("1", 1);
	expect_limit("1000000", 1000000);
	expect_limit("64K", 64 << 10);
	expect_limit("500M", 500 << 20);
	expect_limit("3G", (uint64_t)3 << 30);
	expect_limit("8589934591G", (uint64_t)8589934591 << 30);
}

static void what_is_no_size_is_refused(void **state)
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

static void losses_are_counted_or_drawn(void **state)
{
	struct options o = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(value_lost(&o, "frame", &e), OK);
	assert_true(o.run.collapse.lost_frame);
	assert_int_equal(value_lost(&o, "count", &e), OK);
	assert_false(o.run.collapse.lost_frame);
	assert_int_equal(value_lost(&o, "none", &e), ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_size_is_bytes_or_has_a_suffix),
		cmocka_unit_test(what_is_no_size_is_refused),
		cmocka_unit_test(losses_are_counted_or_drawn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
