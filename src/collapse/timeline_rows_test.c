#include "collapse/timeline_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

static void release(struct profile *p)
{
	free(p->threads);
	free(p->rows);
}

static void a_thread_of_two_logs_is_one_with_the_latest_name(void **state)
{
	static const str_id early = 3, late = 4, cgroup = 5;
	struct timeline *a = timeline_new(), *b = timeline_new();
	struct profile p = { 0 };

	(void)state;
	timeline_thread(a, 7, 8, late, 200);
	timeline_thread(b, 7, 9, early, 100);
	timeline_thread(b, 7, 8, early, 100);
	timeline_thread_in(b, 7, 8, cgroup, early, 100);
	timeline_rows_add(&p, a, 0, NULL, false);
	timeline_rows_add(&p, b, 0, NULL, false);
	assert_int_equal(p.n_threads, 3);
	assert_int_equal(p.threads[0].name, late);
	timeline_rows_add(&p, b, 1, NULL, false); /* of another recording */
	assert_int_equal(p.n_threads, 6);
	release(&p);
	timeline_free(a);
	timeline_free(b);
}

/* Quadratic, it would take a minute. */
static void two_hundred_thousand_threads_are_cheap(void **state)
{
	enum { N = 200000 };
	struct timeline *t = timeline_new();
	struct profile p = { 0 };
	clock_t start = clock();
	int32_t i;

	(void)state;
	for (i = 0; i < N; i++)
		timeline_thread(t, i, i, 0, 0);
	timeline_rows_add(&p, t, 0, NULL, false);
	timeline_rows_add(&p, t, 0, NULL, false);
	assert_int_equal(p.n_threads, N);
	assert_int_equal(p.threads[N - 1].pid, N - 1);
	assert_true(clock() - start < 10 * CLOCKS_PER_SEC);
	release(&p);
	timeline_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_of_two_logs_is_one_with_the_latest_name),
		cmocka_unit_test(two_hundred_thousand_threads_are_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
