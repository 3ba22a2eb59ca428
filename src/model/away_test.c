#include "model/away.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void a_thread_is_away_until_it_returns(void **state)
{
	const struct away_stretch *s;
	struct away a = { 0 };
	size_t n;

	(void)state;
	away_saw_in(&a, 7, 30); /* in any order */
	away_saw_out(&a, 7, 40);
	away_saw_out(&a, 7, 10);
	away_saw_out(&a, 9, 20);
	away_saw_in(&a, 7, 5);
	away_settle(&a);
	s = away_of(&a, 7, &n);
	assert_int_equal(n, 2);
	assert_int_equal(s[0].from_ns, 10);
	assert_int_equal(s[0].until_ns, 30);
	assert_int_equal(s[1].from_ns, 40);
	assert_true(s[1].until_ns == UINT64_MAX);
	assert_non_null(away_of(&a, 9, &n));
	assert_int_equal(n, 1);
	assert_null(away_of(&a, 8, &n));
	assert_int_equal(n, 0);
	away_release(&a);
}

static void a_return_that_nobody_saw_is_before_the_next_leave(void **state)
{
	const struct away_stretch *s;
	struct away a = { 0 };
	size_t n;

	(void)state;
	away_saw_out(&a, 7, 10);
	away_saw_out(&a, 7, 50);
	away_saw_in(&a, 7, 60);
	away_settle(&a);
	s = away_of(&a, 7, &n);
	assert_int_equal(n, 2);
	assert_int_equal(s[0].until_ns, 50);
	assert_int_equal(s[1].until_ns, 60);
	away_release(&a);
}

static void nothing_is_told_of_the_idle_task_and_of_no_switches(void **state)
{
	struct away a = { 0 };
	size_t n;

	(void)state;
	away_settle(&a);
	assert_null(away_of(&a, INT32_MAX, &n));
	away_saw_out(&a, 0, 10);
	away_saw_out(&a, -1, 10);
	away_saw_out(&a, 1, UINT64_MAX);
	away_settle(&a);
	assert_int_equal(a.n, 0);
	away_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_away_until_it_returns),
		cmocka_unit_test(a_return_that_nobody_saw_is_before_the_next_leave),
		cmocka_unit_test(nothing_is_told_of_the_idle_task_and_of_no_switches),
	};

	return cmocka_run_group_tests_name("away", tests, NULL, NULL);
}
