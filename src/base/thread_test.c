#include "base/pool.h"
#include "base/thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { SMALL_BYTES = 256 << 10, DEEP_BYTES = THREAD_STACK_BYTES / 4 * 3 };

/* Ends the program where the stack is smaller. */
static void touch_stack(void)
{
	volatile char deep[DEEP_BYTES];
	size_t i;

	for (i = sizeof(deep); i; i -= 1024)
		deep[i - 1] = 1;
	assert_int_equal(deep[sizeof(deep) - 1], 1);
}

static void *touch(void *ctx)
{
	touch_stack();
	*(_Atomic unsigned *)ctx += 1;
	return NULL;
}

static int touch_in_thread(void *ctx, unsigned worker, struct err *e)
{
	(void)e;
	if (worker) /* 0 is this thread */
		touch(ctx);
	return OK;
}

static int limit_stack(void **state)
{
	struct rlimit limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
	limit.rlim_cur = SMALL_BYTES;
	return setrlimit(RLIMIT_STACK, &limit);
}

static void work_has_its_stack_whatever_the_limit_is(void **state)
{
	_Atomic unsigned calls = 0;

	(void)state;
	thread_run_main(touch, (void *)&calls);
	assert_int_equal(calls, 1);
}

static void *run_pool(void *ctx)
{
	struct pool *pool = pool_new(3);
	struct err e = { 0 };

	pool_run(pool, touch_in_thread, ctx, &e);
	pool_free(pool);
	return NULL;
}

/* The calling thread works as well, and has such a stack too. */
static void workers_have_it_too(void **state)
{
	_Atomic unsigned calls = 0;

	(void)state;
	thread_run_main(run_pool, (void *)&calls);
	assert_int_equal(calls, 2);
}

static void *note_thread(void *ctx)
{
	*(pthread_t *)ctx = pthread_self();
	return NULL;
}

/* Not under an emulator of programs. */
static bool is_limit_kept(void **state)
{
	struct rlimit limit;

	assert_int_equal(limit_stack(state), 0);
	assert_int_equal(getrlimit(RLIMIT_STACK, &limit), 0);
	return limit.rlim_cur == SMALL_BYTES;
}

static void the_first_thread_works_where_its_stack_may_grow(void **state)
{
	pthread_t where;

	if (!is_limit_kept(state))
		skip();
	thread_run_main(note_thread, &where);
	assert_true(pthread_equal(where, pthread_self()));
}

/* As `ulimit -s` does it. */
static void another_thread_works_where_the_hard_limit_is_low(void **state)
{
	const struct rlimit limit = { SMALL_BYTES, SMALL_BYTES };
	_Atomic unsigned calls = 0;
	pthread_t where;

	(void)state;
	assert_int_equal(setrlimit(RLIMIT_STACK, &limit), 0);
	thread_run_main(note_thread, &where);
	assert_false(pthread_equal(where, pthread_self()));
	thread_run_main(touch, (void *)&calls);
	thread_run_main(run_pool, (void *)&calls);
	assert_int_equal(calls, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_has_its_stack_whatever_the_limit_is),
		cmocka_unit_test(workers_have_it_too),
		cmocka_unit_test(the_first_thread_works_where_its_stack_may_grow),
		cmocka_unit_test(another_thread_works_where_the_hard_limit_is_low), /* for good */
	};

	return cmocka_run_group_tests(tests, limit_stack, NULL);
}
