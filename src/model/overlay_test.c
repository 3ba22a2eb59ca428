#include "model/overlay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

static struct mapping mapping(uint64_t start, uint64_t end, clock_id from, module_id module)
{
	return (struct mapping){ .start = start, .end = end, .from = from, .module = module };
}

static void add(struct overlay *o, uint64_t start, uint64_t end, clock_id from, module_id module)
{
	struct mapping m = mapping(start, end, from, module);

	overlay_add(o, &m);
}

static module_id module_at(const struct overlay *o, uint64_t address, clock_id clock)
{
	const struct mapping *m = overlay_find(o, address, clock).now;

	return m ? m->module : 0;
}

static void an_empty_overlay_has_nothing_anywhere(void **state)
{
	struct overlay o = { 0 };
	struct overlay_hit h;

	(void)state;
	overlay_freeze(&o);
	h = overlay_find(&o, 0, 5);
	assert_null(h.now);
	assert_null(h.next);
	assert_null(overlay_find(&o, UINT64_MAX, 5).now);
	overlay_release(&o);
}

static void a_mapping_without_bytes_is_ignored(void **state)
{
	struct overlay o = { 0 };

	(void)state;
	add(&o, 100, 100, 1, 1);
	add(&o, 100, 50, 1, 1);
	assert_int_equal(o.n, 0);
	overlay_freeze(&o);
	assert_int_equal(module_at(&o, 100, 9), 0);
	overlay_release(&o);
}

static void a_mapping_holds_from_its_clock_and_within_its_bounds(void **state)
{
	struct overlay o = { 0 };

	(void)state;
	add(&o, 100, 200, 3, 7);
	overlay_freeze(&o);
	assert_int_equal(module_at(&o, 150, 2), 0);
	assert_int_equal(module_at(&o, 150, 3), 7);
	assert_int_equal(module_at(&o, 99, 3), 0);
	assert_int_equal(module_at(&o, 100, 3), 7);
	assert_int_equal(module_at(&o, 199, 3), 7);
	assert_int_equal(module_at(&o, 200, 3), 0);
	assert_int_equal(overlay_find(&o, 150, 2).next->module, 7);
	assert_null(overlay_find(&o, 150, 3).next);
	overlay_release(&o);
}

static void a_new_mapping_cuts_what_it_overlaps_from_then_on(void **state)
{
	struct overlay o = { 0 };

	(void)state;
	add(&o, 100, 200, 1, 1);
	add(&o, 150, 160, 2, 2);
	overlay_freeze(&o);
	assert_int_equal(module_at(&o, 155, 1), 1);
	assert_int_equal(module_at(&o, 149, 2), 1);
	assert_int_equal(module_at(&o, 155, 2), 2);
	assert_int_equal(module_at(&o, 160, 2), 1);
	overlay_release(&o);
}

static void mappings_repeated_round_after_round_are_kept_once(void **state)
{
	struct overlay o = { 0 };
	clock_id round;

	(void)state;
	for (round = 1; round < 100; round++) {
		add(&o, 100, 200, round, 1);
		add(&o, 300, 400, round, 2);
		add(&o, 120, 180, round, 1);
	}
	overlay_freeze(&o);
	assert_int_equal(o.n, 2);
	assert_int_equal(overlay_find(&o, 150, 50).now->from, 1);
	overlay_release(&o);
}

static void a_mapping_repeated_after_another_covered_part_of_it_is_kept(void **state)
{
	struct overlay o = { 0 };

	(void)state;
	add(&o, 100, 200, 1, 1);
	add(&o, 190, 250, 2, 2);
	add(&o, 100, 200, 3, 1);
	overlay_freeze(&o);
	assert_int_equal(module_at(&o, 195, 2), 2);
	assert_int_equal(module_at(&o, 195, 3), 1);
	assert_int_equal(module_at(&o, 220, 3), 2);
	overlay_release(&o);
}

static void a_look_up_reports_whether_mappings_of_an_address_are_alike(void **state)
{
	struct overlay o = { 0 };
	struct mapping code = mapping(100, 200, 5, 1), data = mapping(100, 300, 7, 1);

	(void)state;
	code.executable = true;
	overlay_add(&o, &code);
	overlay_add(&o, &data);
	overlay_freeze(&o);
	assert_false(overlay_find(&o, 150, 4).was_executable);
	assert_true(overlay_find(&o, 150, 4).ever_executable);
	assert_true(overlay_find(&o, 150, 5).was_executable);
	assert_true(overlay_find(&o, 150, 9).was_executable);
	assert_false(overlay_find(&o, 250, 9).ever_executable);
	assert_false(overlay_find(&o, 150, 9).always_same);
	assert_true(overlay_find(&o, 250, 4).always_same);
	overlay_release(&o);
}

static void a_mapping_between_two_equal_ones_makes_the_address_mixed(void **state)
{
	struct overlay o = { 0 };

	(void)state;
	add(&o, 100, 200, 1, 1);
	add(&o, 100, 200, 2, 2);
	add(&o, 100, 200, 3, 1);
	overlay_freeze(&o);
	assert_int_equal(o.n, 3);
	assert_false(overlay_find(&o, 150, 0).always_same);
	overlay_release(&o);
}

/* Comparison with a plain model */

enum { ADDRESSES = 40, CLOCKS = 60 };

static void check_address(const struct overlay *o, const struct mapping *all, unsigned n,
	uint64_t address, clock_id clock)
{
	struct overlay_hit h = overlay_find(o, address, clock);
	module_id now = 0, next = 0;
	clock_id changes = CLOCK_END;
	bool was = false, ever = false;
	unsigned i;

	for (i = 0; i < n; i++) {
		if (address < all[i].start || address >= all[i].end)
			continue;
		ever |= all[i].executable;
		if (all[i].from <= clock) {
			now = all[i].module;
			was |= all[i].executable;
		} else if (changes == CLOCK_END && all[i].module != now) {
			changes = all[i].from;
			next = all[i].module;
		}
	}
	assert_int_equal(h.now ? h.now->module : 0, now);
	assert_int_equal(h.was_executable, was);
	assert_int_equal(h.ever_executable, ever);
	/* A mapping that repeats another may be reported, or not. */
	if (h.next && h.next->module != now)
		assert_int_equal(h.next->module, next);
	assert_true(h.next ? h.next->from <= changes : changes == CLOCK_END);
}

static void random_overlays_agree_with_a_replay(void **state)
{
	unsigned seed = 1, world, i;

	(void)state;
	for (world = 0; world < 200; world++) {
		struct mapping all[CLOCKS];
		struct overlay o = { 0 };
		unsigned n = 1 + (unsigned)rand_r(&seed) % CLOCKS, address;

		for (i = 0; i < n; i++) {
			uint64_t start = (unsigned)rand_r(&seed) % ADDRESSES;

			all[i] = mapping(start, start + (unsigned)rand_r(&seed) % 12, i + 1,
				1 + (unsigned)rand_r(&seed) % 4);
			all[i].executable = all[i].module > 2;
			overlay_add(&o, &all[i]);
		}
		overlay_freeze(&o);
		for (address = 0; address < ADDRESSES + 12; address++)
			for (i = 0; i <= n + 1; i++)
				check_address(&o, all, n, address, i);
		overlay_release(&o);
	}
}

/* Bulk */

/* ThreadSanitizer makes everything 5 to 15 times slower; what is quadratic takes minutes anyway. */
#ifdef PERFOLD_SANITIZED
enum { SECONDS_MAX = 20 };
#else
enum { SECONDS_MAX = 2 };
#endif

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void many_mappings_across_one_another_stay_fast(void **state)
{
	enum { N = 100000 };
	double start = seconds();
	struct overlay o = { 0 };
	uint32_t i, found = 0;

	(void)state;
	for (i = 0; i < N; i++)
		add(&o, i, 2 * N - i, i + 1, i + 1);
	overlay_freeze(&o);
	for (i = 0; i < N; i++)
		found += module_at(&o, i + 1, N) == i + 2;
	assert_int_equal(found, N - 1);
	assert_int_equal(module_at(&o, N - 1, N / 2), N / 2);
	overlay_release(&o);
	assert_true(seconds() - start < SECONDS_MAX);
}

static void many_generations_at_one_address_stay_fast(void **state)
{
	enum { N = 100000 };
	double start = seconds();
	struct overlay o = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < N; i++)
		add(&o, 4096, 8192, i + 1, i + 1);
	overlay_freeze(&o);
	for (i = 1; i < N; i++) {
		struct overlay_hit h = overlay_find(&o, 5000, i);

		assert_true(h.now->module == i && h.next->module == i + 1);
	}
	overlay_release(&o);
	assert_true(seconds() - start < SECONDS_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_overlay_has_nothing_anywhere),
		cmocka_unit_test(a_mapping_without_bytes_is_ignored),
		cmocka_unit_test(a_mapping_holds_from_its_clock_and_within_its_bounds),
		cmocka_unit_test(a_new_mapping_cuts_what_it_overlaps_from_then_on),
		cmocka_unit_test(mappings_repeated_round_after_round_are_kept_once),
		cmocka_unit_test(a_mapping_repeated_after_another_covered_part_of_it_is_kept),
		cmocka_unit_test(a_look_up_reports_whether_mappings_of_an_address_are_alike),
		cmocka_unit_test(a_mapping_between_two_equal_ones_makes_the_address_mixed),
		cmocka_unit_test(random_overlays_agree_with_a_replay),
		cmocka_unit_test(many_mappings_across_one_another_stay_fast),
		cmocka_unit_test(many_generations_at_one_address_stay_fast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
