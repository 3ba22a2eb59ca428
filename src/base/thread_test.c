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
	thread_run(touch, (void *)&calls);
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

/* The calling thread, which stands in for threads that are late, has such a stack too. */
static void workers_have_it_too(void **state)
{
	_Atomic unsigned calls = 0;

	(void)state;
	thread_run(run_pool, (void *)&calls);
	assert_int_equal(calls, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work_has_its_stack_whatever_the_limit_is),
		cmocka_unit_test(workers_have_it_too),
	};

	return cmocka_run_group_tests(tests, limit_stack, NULL);
}
