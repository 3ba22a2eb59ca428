#include "base/amount.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void amounts_have_three_digits_and_a_unit(void **state)
{
	static const struct {
		uint64_t value;
		const char *unit, *text;
	} cases[] = {
		{ 0, "nanoseconds", "0 ns" },
		{ 999, "nanoseconds", "999 ns" },
		{ 1000, "nanoseconds", "1.00 \u00b5s" },
		{ 146000000, "nanoseconds", "146 ms" },
		{ 9994999, "nanoseconds", "9.99 ms" },
		{ 9995000, "nanoseconds", "10.0 ms" },
		{ 99950000, "nanoseconds", "100 ms" },
		{ 999499999, "nanoseconds", "999 ms" },
		{ 999500000, "nanoseconds", "1.00 s" },
		{ 1920084676, "nanoseconds", "1.92 s" },
		{ 99949999999, "nanoseconds", "99.9 s" },
		{ 99950000000, "nanoseconds", "1 min 40 s" },
		{ 3599499999999, "nanoseconds", "59 min 59 s" },
		{ 3599500000000, "nanoseconds", "1 h 0 min" },
		{ 25871356000000, "nanoseconds", "7 h 11 min" },
		{ 360000000000000, "nanoseconds", "4 d 4 h" },
		{ UINT64_MAX, "nanoseconds", "213504 d 0 h" },
		{ 999999, "cycles", "999,999 cycles" },
		{ 12345678, "cycles", "12.3 M cycles" },
		{ 815631256, "cycles", "816 M cycles" },
		{ 999600000, "cycles", "1.00 G cycles" },
		{ 1, "page-faults", "1 page-faults" },
	};
	struct buf b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		b.n = 0;
		amount_put(&b, cases[i].value, cases[i].unit);
		assert_string_equal(buf_str(&b), cases[i].text);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(amounts_have_three_digits_and_a_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
