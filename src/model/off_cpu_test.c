#include "model/off_cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void a_thread_is_off_cpu_until_it_returns(void **state)
{
	const struct off_cpu_interval *s;
	struct off_cpu a = { 0 };
	size_t n;

	(void)state;
	off_cpu_add_return(&a, 7, 30); /* in any order */
	off_cpu_add_departure(&a, 7, 40);
	off_cpu_add_departure(&a, 7, 10);
	off_cpu_add_departure(&a, 9, 20);
	off_cpu_add_return(&a, 7, 5);
	off_cpu_finish(&a);
	s = off_cpu_of_thread(&a, 7, &n);
	assert_int_equal(n, 2);
	assert_int_equal(s[0].from_ns, 10);
	assert_int_equal(s[0].until_ns, 30);
	assert_int_equal(s[1].from_ns, 40);
	assert_true(s[1].until_ns == UINT64_MAX);
	assert_non_null(off_cpu_of_thread(&a, 9, &n));
	assert_int_equal(n, 1);
	assert_null(off_cpu_of_thread(&a, 8, &n));
	assert_int_equal(n, 0);
	off_cpu_release(&a);
}

static void a_missing_return_is_before_the_next_departure(void **state)
{
	const struct off_cpu_interval *s;
	struct off_cpu a = { 0 };
	size_t n;

	(void)state;
	off_cpu_add_departure(&a, 7, 10);
	off_cpu_add_departure(&a, 7, 50);
	off_cpu_add_return(&a, 7, 60);
	off_cpu_finish(&a);
	s = off_cpu_of_thread(&a, 7, &n);
	assert_int_equal(n, 2);
	assert_int_equal(s[0].until_ns, 50);
	assert_int_equal(s[1].until_ns, 60);
	off_cpu_release(&a);
}

static void the_idle_task_has_no_intervals(void **state)
{
	struct off_cpu a = { 0 };
	size_t n;

	(void)state;
	off_cpu_finish(&a);
	assert_null(off_cpu_of_thread(&a, INT32_MAX, &n));
	off_cpu_add_departure(&a, 0, 10);
	off_cpu_add_departure(&a, -1, 10);
	off_cpu_add_departure(&a, 1, UINT64_MAX);
	off_cpu_finish(&a);
	assert_int_equal(a.n, 0);
	off_cpu_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_off_cpu_until_it_returns),
		cmocka_unit_test(a_missing_return_is_before_the_next_departure),
		cmocka_unit_test(the_idle_task_has_no_intervals),
	};

	return cmocka_run_group_tests_name("away", tests, NULL, NULL);
}
