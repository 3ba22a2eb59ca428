/*
 * One lock and two conditions: start, for which idle threads wait, and done, for which pool_run()
 * waits. A round is a call of pool_run(); a worker takes part in it once, which worker.round
 * records. The round may be begun by the worker's own thread or, where that has not woken up in
 * time, by the calling thread:
 *
 *	pool_run	round 7: worker 0 runs fn(0) ... no work is left: runs fn(3) for thread 3
 *	thread 1	         fn(1) ...
 *	thread 2	         fn(2) ...
 *	thread 3	         (still asleep)                    wakes, nothing to do
 *
 * So a run never waits for a thread to wake up, and a thread that could not be created costs only
 * time. In return fn must cope with finding no work left, and no worker may wait for another to
 * begin.
 *
 * Threads are created by the first run that does not rest, and sleep between runs.
 */
#include "base/pool.h"

#include "base/mem.h"
#include "base/thread.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

struct pool_worker {
	struct pool *pool;
	pthread_t thread;
	bool has_thread; /* not worker 0; false, too, if it could not be created */
	unsigned number;
	uint64_t round; /* the latest that was begun for it */
	int result;
	struct err err;
};

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t start, done;
	unsigned n, running;
	uint64_t round; /* counts calls of pool_run() */
	bool stop, rests, has_threads;
	pool_fn fn;
	void *ctx;
	struct pool_worker *worker;
};

/* Called under the lock, which is released meanwhile. */
static void run_worker(struct pool_worker *w)
{
	struct pool *p = w->pool;

	w->round = p->round;
	pthread_mutex_unlock(&p->lock);
	w->result = p->fn(p->ctx, w->number, &w->err);
	pthread_mutex_lock(&p->lock);
	if (!--p->running)
		pthread_cond_signal(&p->done);
}

static void *worker_main(void *arg)
{
	struct pool_worker *w = arg;
	struct pool *p = w->pool;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (w->round == p->round)
			pthread_cond_wait(&p->start, &p->lock);
		else
			run_worker(w);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

unsigned pool_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 1)
		return 1;
	return (unsigned)CPU_COUNT(&set);
}

struct pool *pool_new(unsigned workers)
{
	struct pool *p = xcalloc(1, sizeof(*p));
	unsigned i;

	p->n = workers ? workers : pool_cpus();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->start, NULL);
	pthread_cond_init(&p->done, NULL);
	p->worker = xcalloc(p->n, sizeof(*p->worker));
	for (i = 0; i < p->n; i++) {
		struct pool_worker *w = &p->worker[i];

		w->pool = p;
		w->number = i;
	}
	return p;
}

void pool_free(struct pool *p)
{
	unsigned i;

	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->start);
	pthread_mutex_unlock(&p->lock);
	for (i = 1; i < p->n; i++)
		if (p->worker[i].has_thread)
			pthread_join(p->worker[i].thread, NULL);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->start);
	pthread_cond_destroy(&p->done);
	free(p->worker);
	free(p);
}

unsigned pool_workers(const struct pool *p)
{
	return p ? p->n : 1;
}

/* Called under the lock. */
static void start_threads(struct pool *p)
{
	unsigned i;

	for (i = 1; i < p->n && !p->has_threads; i++) {
		struct pool_worker *w = &p->worker[i];

		w->has_thread = thread_start(&w->thread, worker_main, w);
	}
	p->has_threads = true;
	pthread_cond_broadcast(&p->start);
}

void pool_rest(struct pool *p)
{
	pthread_mutex_lock(&p->lock);
	p->rests = true;
	pthread_mutex_unlock(&p->lock);
}

void pool_wake(struct pool *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	if (p->rests && p->running)
		start_threads(p);
	p->rests = false;
	pthread_mutex_unlock(&p->lock);
}

int pool_run(struct pool *p, pool_fn fn, void *ctx, struct err *e)
{
	unsigned i;

	if (!p)
		return fn(ctx, 0, e);
	pthread_mutex_lock(&p->lock);
	p->fn = fn;
	p->ctx = ctx;
	p->running = p->n;
	p->round++;
	if (!p->rests)
		start_threads(p);
	/* fn(0) returns when no work is left. A thread that has not begun by then is not waited
	 * for: its call, which is short, is made here. */
	for (i = 0; i < p->n; i++)
		if (p->worker[i].round != p->round)
			run_worker(&p->worker[i]);
	while (p->running)
		pthread_cond_wait(&p->done, &p->lock);
	pthread_mutex_unlock(&p->lock);

	for (i = 0; i < p->n; i++) {
		if (p->worker[i].result < 0) {
			*e = p->worker[i].err;
			return e->code;
		}
	}
	return OK;
}

struct task_list {
	const struct pool_task *task;
	uint32_t n;
	void *ctx;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a task is over */
	uint32_t begun, over;   /* POOL_TASK() of each */
};

/* The first that may begin; n: none may now. */
static uint32_t next_task(const struct task_list *all)
{
	uint32_t i;

	for (i = 0; i < all->n; i++)
		if (!(all->begun & POOL_TASK(i)) && !(all->task[i].after & ~all->over))
			break;
	return i;
}

/* Called under the lock, which is released meanwhile. */
static void run_task(struct task_list *all, uint32_t i)
{
	all->begun |= POOL_TASK(i);
	pthread_mutex_unlock(&all->lock);
	all->task[i].run(all->ctx);
	pthread_mutex_lock(&all->lock);
	all->over |= POOL_TASK(i);
	pthread_cond_broadcast(&all->changed);
}

/* Where no task may begin, another worker runs one, so that there is something to wait for. */
static int run_tasks(void *ctx, unsigned worker, struct err *e)
{
	struct task_list *all = ctx;
	uint32_t i;

	(void)worker;
	(void)e;
	pthread_mutex_lock(&all->lock);
	while (all->begun != UINT32_MAX >> (POOL_TASKS_MAX - all->n)) {
		i = next_task(all);
		if (i < all->n)
			run_task(all, i);
		else
			pthread_cond_wait(&all->changed, &all->lock);
	}
	pthread_mutex_unlock(&all->lock);
	return OK;
}

void pool_run_tasks(struct pool *p, const struct pool_task *task, uint32_t n, void *ctx)
{
	struct task_list all = { .task = task, .n = n, .ctx = ctx };
	struct err e;

	if (!n)
		return;
	pthread_mutex_init(&all.lock, NULL);
	pthread_cond_init(&all.changed, NULL);
	pool_run(p, run_tasks, &all, &e); /* cannot fail */
	pthread_mutex_destroy(&all.lock);
	pthread_cond_destroy(&all.changed);
}
