#include "jit/perf_map_dates.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static const struct codemap_range part = { 0x100, 0x200 };

/* Bounds of 10, 20, 30, 40, 50, 60: the line at offset 55 came between 20 and 60. */
static const struct codemap_first_seen at[] = { { 10, 10 }, { 20, 20 }, { 25, 35 }, { 30, 30 },
	{ 40, 40 }, { 50, 50 }, { 60, 60 } };

static uint64_t find(uint64_t offset, const struct codemap_seen_address *spot, size_t n)
{
	const struct codemap_seen seen = { at, ARRAY_LEN(at), spot, n, { 0 } };
	struct perf_map_dates d;
	uint64_t time_ns;

	perf_map_dates_begin(&d, &seen);
	time_ns = perf_map_dates_find(&d, offset, &part);
	perf_map_dates_release(&d);
	return time_ns;
}

static void a_line_is_dated_by_the_lines_around_it(void **state)
{
	(void)state;
	assert_int_equal(find(5, NULL, 0), 0); /* nothing is known of the lines above */
	assert_int_equal(find(10, NULL, 0), 10);
	assert_int_equal(find(15, NULL, 0), 10);
	assert_int_equal(find(25, NULL, 0), 30); /* by the line below */
	assert_int_equal(find(55, NULL, 0), 50);
	assert_int_equal(find(60, NULL, 0), 60);
	assert_int_equal(find(70, NULL, 0), 60);
}

static void a_line_came_between_old_and_new_addresses(void **state)
{
	static const struct codemap_seen_address spots[] = {
		{ 0xff, 0, 100 }, /* next to it */
		{ 0x100, 5, 26 },
		{ 0x110, 15, 33 },
		{ 0x120, 45, 70 },
		{ 0x1ff, 38, 52 },
		{ 0x200, 0, 100 },
	};

	(void)state;
	assert_int_equal(find(55, spots, ARRAY_LEN(spots)), 34);
	assert_int_equal(find(55, spots, 2), 50);     /* all is old */
	assert_int_equal(find(55, &spots[3], 2), 20); /* all is new */
	assert_int_equal(find(15, spots, 3), 10);     /* by 20, when all of it was seen */
}

static void an_address_of_both_functions_does_no_harm(void **state)
{
	static const struct codemap_seen_address spots[] = {
		{ 0x100, 5, 26 },
		{ 0x110, 15, 33 },
		{ 0x118, 15, 70 }, /* of both */
		{ 0x120, 45, 70 },
		{ 0x130, 38, 52 },
	};

	(void)state;
	assert_int_equal(find(55, spots, ARRAY_LEN(spots)), 34);
}

static void an_address_seen_once_crosses_nothing(void **state)
{
	static const struct codemap_seen_address spots[] = {
		{ 0x100, 5, 26 },
		{ 0x110, 27, 27 },
		{ 0x120, 30, 70 },
	};

	(void)state;
	assert_int_equal(find(55, spots, ARRAY_LEN(spots)), 27);
}

/* More than are looked at. */
static void any_number_of_addresses_is_bounded(void **state)
{
	enum { N = 20000 };
	static struct codemap_seen_address spots[N];
	size_t i;

	(void)state;
	for (i = 0; i < N; i++)
		spots[i] = (struct codemap_seen_address){ 0x100 + i, 25, 55 };
	assert_int_equal(find(55, spots, N), 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_dated_by_the_lines_around_it),
		cmocka_unit_test(a_line_came_between_old_and_new_addresses),
		cmocka_unit_test(an_address_of_both_functions_does_no_harm),
		cmocka_unit_test(an_address_seen_once_crosses_nothing),
		cmocka_unit_test(any_number_of_addresses_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
