#include "base/pool.h"

#include "base/mem.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

enum { WORKERS = 3, TASKS = 1000, ROUNDS = 200 };

struct work {
	_Atomic uint32_t next;
	_Atomic uint32_t taken[TASKS];
	_Atomic uint32_t calls[WORKERS];
};

static int take_tasks(void *ctx, unsigned worker, struct err *e)
{
	struct work *w = ctx;
	uint32_t i;

	(void)e;
	atomic_fetch_add(&w->calls[worker], 1);
	while ((i = pool_next(&w->next)) < TASKS)
		atomic_fetch_add(&w->taken[i], 1);
	return OK;
}

static void every_task_is_done_once_in_every_round(void **state)
{
	static struct work w;
	struct pool *pool = pool_new(WORKERS);
	struct err e = { 0 };
	unsigned round, i;

	(void)state;
	assert_int_equal(pool_workers(pool), WORKERS);
	for (round = 1; round <= ROUNDS; round++) {
		atomic_store(&w.next, 0);
		assert_int_equal(pool_run(pool, take_tasks, &w, &e), OK);
		for (i = 0; i < WORKERS; i++)
			assert_int_equal(w.calls[i], round);
	}
	for (i = 0; i < TASKS; i++)
		assert_int_equal(w.taken[i], ROUNDS);
	pool_free(pool);
}

static void count_first(void *ctx)
{
	atomic_fetch_add((_Atomic uint32_t *)ctx, 1);
}

static void count_second(void *ctx)
{
	atomic_fetch_add((_Atomic uint32_t *)ctx + 1, 1);
}

static void each_of_different_tasks_is_run_once(void **state)
{
	static const struct pool_task tasks[] = { { .run = count_first }, { .run = count_second } };
	_Atomic uint32_t runs[2] = { 0 };
	struct pool *pool = pool_new(WORKERS);
	unsigned round;

	(void)state;
	for (round = 1; round <= ROUNDS; round++) {
		pool_run_tasks(round % 2 ? pool : NULL, tasks, 2, runs);
		assert_int_equal(runs[0], round);
		assert_int_equal(runs[1], round);
	}
	pool_free(pool);
}

struct order {
	_Atomic uint32_t next;
	uint32_t first, beside[2], last; /* when each was over */
};

static void task_first(void *ctx)
{
	struct order *o = ctx;

	sched_yield();
	o->first = ++o->next;
}

static void task_beside(void *ctx)
{
	struct order *o = ctx;

	o->beside[0] = ++o->next;
}

static void task_also_beside(void *ctx)
{
	struct order *o = ctx;

	o->beside[1] = ++o->next;
}

static void task_last(void *ctx)
{
	struct order *o = ctx;

	o->last = ++o->next;
}

static void a_task_begins_when_those_before_it_are_over(void **state)
{
	enum { FIRST, BESIDE, ALSO_BESIDE, LAST };
	static const struct pool_task tasks[] = {
		[FIRST] = { .run = task_first },
		[BESIDE] = { task_beside, POOL_TASK(FIRST) },
		[ALSO_BESIDE] = { task_also_beside, POOL_TASK(FIRST) },
		[LAST] = { task_last, POOL_TASK(BESIDE) | POOL_TASK(ALSO_BESIDE) },
	};
	struct pool *pool = pool_new(WORKERS);
	unsigned round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		struct order o = { .next = 0 };

		pool_run_tasks(round % 2 ? pool : NULL, tasks, ARRAY_LEN(tasks), &o);
		assert_int_equal(o.first, 1);
		assert_int_equal(o.beside[0] + o.beside[1], 2 + 3);
		assert_int_equal(o.last, 4);
	}
	pool_free(pool);
}

static void there_may_be_no_tasks_or_many(void **state)
{
	struct pool_task tasks[POOL_TASKS_MAX];
	_Atomic uint32_t runs[2] = { 0 };
	struct pool *pool = pool_new(WORKERS);
	uint32_t i;

	(void)state;
	for (i = 0; i < POOL_TASKS_MAX; i++)
		tasks[i] = (struct pool_task){ count_first, i ? POOL_TASK(i - 1) : 0 };
	pool_run_tasks(pool, tasks, 0, runs);
	assert_int_equal(runs[0], 0);
	pool_run_tasks(pool, tasks, POOL_TASKS_MAX, runs);
	assert_int_equal(runs[0], POOL_TASKS_MAX);
	pool_free(pool);
}

static int fail_above_0(void *ctx, unsigned worker, struct err *e)
{
	(void)ctx;
	if (worker)
		return err_set(e, ERR_FORMAT, "worker %u", worker);
	sched_yield();
	return OK;
}

static void the_failure_of_the_lowest_worker_is_reported(void **state)
{
	struct pool *pool = pool_new(WORKERS);
	struct err e = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < ROUNDS; i++) {
		e = (struct err){ 0 };
		assert_int_equal(pool_run(pool, fail_above_0, NULL, &e), ERR_FORMAT);
		assert_string_equal(e.msg, "worker 1");
	}
	pool_free(pool);
}

static int succeed(void *ctx, unsigned worker, struct err *e)
{
	(void)ctx;
	(void)worker;
	(void)e;
	return OK;
}

static void a_failed_round_does_not_spoil_the_next(void **state)
{
	struct pool *pool = pool_new(WORKERS);
	struct err e = { 0 };

	(void)state;
	assert_int_equal(pool_run(pool, fail_above_0, NULL, &e), ERR_FORMAT);
	assert_int_equal(pool_run(pool, succeed, NULL, &e), OK);
	pool_free(pool);
}

static int count_threads(void *ctx, unsigned worker, struct err *e)
{
	(void)e;
	(void)worker;
	*(unsigned *)ctx += 1;
	return OK;
}

static void a_pool_of_one_runs_in_the_calling_thread(void **state)
{
	struct pool *pool = pool_new(1);
	struct err e = { 0 };
	unsigned calls = 0;

	(void)state;
	assert_int_equal(pool_run(pool, count_threads, &calls, &e), OK);
	assert_int_equal(calls, 1);
	pool_free(pool);
	assert_int_equal(pool_workers(NULL), 1);
	assert_int_equal(pool_run(NULL, count_threads, &calls, &e), OK);
	assert_int_equal(calls, 2);
}

struct visits {
	struct pool *pool;
	pthread_t main;
	_Atomic unsigned calls, elsewhere;
	bool wakes;
};

/* Waits for another one once the pool has been woken. */
static int visit(void *ctx, unsigned worker, struct err *e)
{
	struct visits *v = ctx;

	(void)e;
	atomic_fetch_add(&v->calls, 1);
	if (!pthread_equal(pthread_self(), v->main))
		atomic_fetch_add(&v->elsewhere, 1);
	if (worker || !v->wakes)
		return OK;
	pool_wake(v->pool);
	while (!atomic_load(&v->elsewhere))
		sched_yield();
	return OK;
}

static void while_a_pool_rests_the_calling_thread_does_it_all(void **state)
{
	struct visits v = { .pool = pool_new(WORKERS), .main = pthread_self() };
	struct err e = { 0 };

	(void)state;
	pool_rest(v.pool);
	assert_int_equal(pool_run(v.pool, visit, &v, &e), OK);
	assert_int_equal(v.calls, WORKERS);
	assert_int_equal(v.elsewhere, 0);
	pool_free(v.pool);
}

static void a_worker_that_wakes_the_pool_is_joined_by_the_others(void **state)
{
	struct visits v = { .pool = pool_new(WORKERS), .main = pthread_self(), .wakes = true };
	struct err e = { 0 };

	(void)state;
	pool_wake(NULL);
	pool_rest(v.pool);
	assert_int_equal(pool_run(v.pool, visit, &v, &e), OK);
	assert_int_equal(v.calls, WORKERS);
	assert_true(v.elsewhere > 0);
	pool_free(v.pool);
}

static void a_pool_of_0_has_a_worker_for_each_cpu(void **state)
{
	struct pool *pool = pool_new(0);
	cpu_set_t set;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	assert_int_equal(pool_workers(pool), CPU_COUNT(&set));
	pool_free(pool);
	pool_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_task_is_done_once_in_every_round),
		cmocka_unit_test(each_of_different_tasks_is_run_once),
		cmocka_unit_test(a_task_begins_when_those_before_it_are_over),
		cmocka_unit_test(there_may_be_no_tasks_or_many),
		cmocka_unit_test(the_failure_of_the_lowest_worker_is_reported),
		cmocka_unit_test(a_failed_round_does_not_spoil_the_next),
		cmocka_unit_test(a_pool_of_one_runs_in_the_calling_thread),
		cmocka_unit_test(while_a_pool_rests_the_calling_thread_does_it_all),
		cmocka_unit_test(a_worker_that_wakes_the_pool_is_joined_by_the_others),
		cmocka_unit_test(a_pool_of_0_has_a_worker_for_each_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
