#include "model/thread_times.h"

#include "base/buf.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void add(struct thread_times *t, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	thread_times_add(t, tid, (struct time_range){ from_ns, to_ns });
}

/* "1-2 5-9" */
static void check(const struct thread_times *t, int32_t tid, const char *expected)
{
	const struct time_set *s = thread_times_of(t, tid);
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < s->n; i++)
		buf_printf(&b, "%s%" PRIu64 "-%" PRIu64, i ? " " : "", s->range[i].from_ns,
			s->range[i].to_ns);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void ranges_that_touch_or_overlap_are_one(void **state)
{
	struct thread_times t = { 0 };

	(void)state;
	add(&t, 1, 50, 60);
	add(&t, 1, 10, 20);
	add(&t, 1, 20, 25);
	add(&t, 1, 12, 14);
	add(&t, 1, 55, 70);
	add(&t, 2, 5, 6);
	add(&t, 3, 7, 7);
	thread_times_settle(&t);
	check(&t, 1, "10-25 50-70");
	check(&t, 2, "5-6");
	check(&t, 3, "");
	thread_times_release(&t);
}

static void a_range_has_its_beginning_and_not_its_end(void **state)
{
	struct thread_times t = { 0 };

	(void)state;
	add(&t, 1, 10, 20);
	add(&t, 1, 30, 40);
	thread_times_settle(&t);
	assert_false(thread_times_has(&t, 1, 9));
	assert_true(thread_times_has(&t, 1, 10));
	assert_true(thread_times_has(&t, 1, 19));
	assert_false(thread_times_has(&t, 1, 20));
	assert_true(thread_times_has(&t, 1, 39));
	assert_false(thread_times_has(&t, 1, 40));
	assert_false(thread_times_has(&t, 2, 15));
	thread_times_release(&t);
}

static void a_time_overlaps_by_what_is_inside(void **state)
{
	struct thread_times t = { 0 };
	const struct time_set *s;

	(void)state;
	add(&t, 1, 10, 20);
	add(&t, 1, 30, 40);
	thread_times_settle(&t);
	s = thread_times_of(&t, 1);
	assert_int_equal(time_set_overlap_ns(s, (struct time_range){ 0, 100 }), 20);
	assert_int_equal(time_set_overlap_ns(s, (struct time_range){ 15, 35 }), 10);
	assert_int_equal(time_set_overlap_ns(s, (struct time_range){ 20, 30 }), 0);
	assert_int_equal(time_set_overlap_ns(s, (struct time_range){ 12, 13 }), 1);
	thread_times_release(&t);
}

static void what_is_subtracted_leaves_the_rest(void **state)
{
	struct thread_times t = { 0 }, by = { 0 };

	(void)state;
	add(&t, 1, 10, 50);
	add(&t, 1, 60, 70);
	add(&t, 2, 10, 20);
	add(&by, 1, 0, 12);
	add(&by, 1, 20, 30);
	add(&by, 1, 45, 65);
	add(&by, 3, 1, 2);
	thread_times_settle(&t);
	thread_times_settle(&by);
	thread_times_subtract(&t, &by);
	check(&t, 1, "12-20 30-45 65-70");
	check(&t, 2, "10-20");
	check(&t, 3, "");
	thread_times_release(&t);
	thread_times_release(&by);
}

static void of_all_times_threads_lose_what_is_subtracted(void **state)
{
	struct thread_times t = { 0 }, by = { 0 };

	(void)state;
	thread_times_add_all(&t);
	add(&by, 1, 20, 30);
	thread_times_settle(&t);
	thread_times_settle(&by);
	thread_times_subtract(&t, &by);
	check(&t, 1, "0-20 30-18446744073709551615");
	assert_true(thread_times_has(&t, 2, 25));
	assert_false(thread_times_has(&t, 1, 25));
	thread_times_release(&t);
	thread_times_release(&by);
}

/* Inside and outside together are everything, whatever the spans are. */
static void a_moment_is_inside_or_outside(void **state)
{
	struct thread_times inside = { 0 }, outside = { 0 };
	uint32_t seed = 1, i;
	int32_t tid;
	uint64_t ns;

	(void)state;
	for (i = 0; i < 300; i++) {
		seed = seed * 1103515245 + 12345;
		ns = seed >> 8 & 1023;
		add(&inside, (int32_t)(seed >> 20 & 7), ns, ns + (seed >> 24 & 15));
	}
	thread_times_settle(&inside);
	thread_times_add_all(&outside);
	thread_times_settle(&outside);
	thread_times_subtract(&outside, &inside);
	for (tid = 0; tid < 9; tid++)
		for (ns = 0; ns < 1050; ns++)
			assert_int_not_equal(thread_times_has(&inside, tid, ns),
				thread_times_has(&outside, tid, ns));
	thread_times_release(&inside);
	thread_times_release(&outside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_that_touch_or_overlap_are_one),
		cmocka_unit_test(a_range_has_its_beginning_and_not_its_end),
		cmocka_unit_test(a_time_overlaps_by_what_is_inside),
		cmocka_unit_test(what_is_subtracted_leaves_the_rest),
		cmocka_unit_test(of_all_times_threads_lose_what_is_subtracted),
		cmocka_unit_test(a_moment_is_inside_or_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
