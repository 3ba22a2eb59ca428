#include "jit/perf_map_layers.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>

static const struct codemap_range pieces[] = { { 0x1000, 0x1100 }, { 0x3000, 0x3010 } };

/* The line at an address and time, by its function, and when that holds: "2 from 1 until 7"; "-"
 * for none. */
static void expect(
	const struct perf_map_layers *l, uint64_t address, uint64_t time_ns, const char *expected)
{
	struct validity valid = VALIDITY_ALWAYS;
	const struct perf_map_layer *found = perf_map_layers_find(l, address, time_ns, &valid);
	char text[100] = "-";

	if (found)
		snprintf(text, sizeof(text), "%" PRIu32 " from %" PRIu64 " until %" PRId64,
			found->function, valid.from.time_ns, (int64_t)valid.until.time_ns);
	assert_string_equal(text, expected);
	if (found)
		assert_true(validity_holds(valid, (struct moment){ time_ns, 1 }));
}

/* Line 9 is after all that was seen. An address of it was seen from 5 to 34. */
static void lines_are_dated_by_the_samples_of_those_around_them(void **state)
{
	static const struct codemap_first_seen at[] = { { 1, 10 }, { 3, 50 }, { 4, 30 } };
	static const struct codemap_seen_address spot = { 0x10f8, 5, 34 };
	const struct codemap_seen seen = { .at = at, .n = 3, .spot = &spot, .n_spots = 1 };
	struct perf_map_layers l;

	(void)state;
	perf_map_layers_begin(&l, pieces, ARRAY_LEN(pieces));
	perf_map_layers_add(&l, 0x1000, 0x1100, 0, 1);
	perf_map_layers_add(&l, 0x1080, 0x10f0, 2, 2); /* between 1 and 3 */
	perf_map_layers_add(&l, 0x1080, 0x1090, 3, 3); /* before 4 was seen, at 30 */
	perf_map_layers_add(&l, 0x10f0, 0x1100, 9, 4);
	perf_map_layers_date(&l, &seen);
	expect(&l, 0x1000, 1, "1 from 0 until -1");
	expect(&l, 0x1080, 9, "1 from 0 until 10");
	expect(&l, 0x1080, 10, "2 from 10 until 30");
	expect(&l, 0x1080, 30, "3 from 30 until -1");
	expect(&l, 0x10a0, 30, "2 from 10 until -1");
	expect(&l, 0x10f0, 34, "1 from 0 until 35");
	expect(&l, 0x10f0, 35, "4 from 35 until -1");
	perf_map_layers_release(&l);
}

/* The spot speaks against line 2 before 30; but line 3, which is newer, came by 10. */
static void a_line_is_not_later_than_those_below_it(void **state)
{
	static const struct codemap_first_seen at[] = { { 1, 10 }, { 4, 40 } };
	static const struct codemap_seen_address spot = { 0x10f8, 5, 29 };
	const struct codemap_seen seen = { .at = at, .n = 2, .spot = &spot, .n_spots = 1 };
	struct perf_map_layers l;

	(void)state;
	perf_map_layers_begin(&l, pieces, ARRAY_LEN(pieces));
	perf_map_layers_add(&l, 0x1000, 0x1100, 0, 1);
	perf_map_layers_add(&l, 0x1080, 0x1100, 2, 2);
	perf_map_layers_add(&l, 0x1080, 0x1090, 3, 3);
	perf_map_layers_date(&l, &seen);
	expect(&l, 0x1080, 9, "1 from 0 until 10");
	expect(&l, 0x1080, 10, "3 from 10 until -1");
	expect(&l, 0x10f0, 10, "2 from 10 until -1");
	perf_map_layers_release(&l);
}

static void only_lines_over_the_pieces_are_kept(void **state)
{
	struct perf_map_layers l;

	(void)state;
	perf_map_layers_begin(&l, pieces, ARRAY_LEN(pieces));
	assert_false(perf_map_layers_overlap(&l, 0x2000, 0x2100));
	assert_false(perf_map_layers_overlap(&l, 0x3010, 0x3011));
	assert_true(perf_map_layers_overlap(&l, 0x1000, 0x4000));
	perf_map_layers_add(&l, 0x2000, 0x2100, 0, 8);
	perf_map_layers_add(&l, 0x1000, 0x4000, 1, 9);
	perf_map_layers_date(&l, &(struct codemap_seen){ 0 });
	assert_int_equal(l.n, 2);
	expect(&l, 0xfff, 1, "-");
	expect(&l, 0x10ff, 1, "9 from 0 until -1");
	expect(&l, 0x1100, 1, "-");
	expect(&l, 0x300f, 1, "9 from 0 until -1");
	expect(&l, 0x3010, 1, "-");
	perf_map_layers_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_dated_by_the_samples_of_those_around_them),
		cmocka_unit_test(a_line_is_not_later_than_those_below_it),
		cmocka_unit_test(only_lines_over_the_pieces_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
