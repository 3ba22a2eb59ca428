#include "base/bisect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* By looking at each. */
static uint32_t first_not_below(const int *row, uint32_t low, uint32_t high, int key)
{
	while (low < high && row[low] < key)
		low++;
	return low;
}

static void every_place_in_every_row_is_found(void **state)
{
	static const int row[] = { 1, 3, 3, 3, 4, 7, 7, 9, 12 };
	uint32_t low, high;
	int key;

	(void)state;
	for (low = 0; low <= 9; low++)
		for (high = low; high <= 9; high++)
			for (key = 0; key < 14; key++)
				assert_int_equal(bisect(at, low, high, row[at] >= key),
					first_not_below(row, low, high, key));
}

static void bounds_are_evaluated_once(void **state)
{
	uint32_t asked = 0;

	(void)state;
	assert_int_equal(bisect(at, asked++, 100 + asked++, at >= 42), 42);
	assert_int_equal(asked, 2);
}

/* The middle is not half of a sum, which might not fit. */
static void the_largest_numbers_are_reached(void **state)
{
	(void)state;
	assert_true(bisect(at, 0, UINT32_MAX, at >= UINT32_MAX - 1) == UINT32_MAX - 1);
	assert_true(bisect(at, UINT64_MAX / 2, UINT64_MAX, at >= UINT64_MAX - 1) == UINT64_MAX - 1);
	assert_true(bisect(at, 0, UINT64_MAX, false) == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_place_in_every_row_is_found),
		cmocka_unit_test(bounds_are_evaluated_once),
		cmocka_unit_test(the_largest_numbers_are_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
