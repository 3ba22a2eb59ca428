/*
 * pool.h - a fixed number of worker threads
 *
 * pool_run() calls the same function once for every worker and waits for all calls; workers divide
 * the work among themselves, usually by pool_next() on a counter. Worker 0 is the calling thread,
 * so a pool of one has no threads; it also makes the call of a thread that is late. Therefore no
 * worker may wait for another one to begin.
 *
 * Threads are created by the first run that needs them. While the pool rests, the calling thread
 * makes all calls: work of a few milliseconds is over before a thread has woken up.
 *
 * Owns: its threads. Threads: pool_run() and pool_rest() from the thread that made the pool,
 * pool_wake() from any worker as well.
 */
#ifndef PERFOLD_BASE_POOL_H
#define PERFOLD_BASE_POOL_H

#include "base/err.h"

#include <stdatomic.h>
#include <stdint.h>

struct pool;
typedef int (*pool_fn)(void *ctx, unsigned worker, struct err *e);

/* How many CPUs this process may use. */
unsigned pool_cpus(void);
struct pool *pool_new(unsigned workers); /* 0: one for each of these */
void pool_free(struct pool *p);
/* 1 without a pool (NULL), as pool_run() has it. */
unsigned pool_workers(const struct pool *p);

void pool_rest(struct pool *p);
/* Ends the rest, if there is one; the other workers of a run begin now. p may be NULL. */
void pool_wake(struct pool *p);

/* Run fn(ctx, 0..workers-1). Returns OK, or the failure of the lowest worker that failed. Without a
 * pool (NULL) the calling thread is the only worker. */
int pool_run(struct pool *p, pool_fn fn, void *ctx, struct err *e);

/* A piece of work that runs beside others and does not fail. */
struct pool_task {
	void (*run)(void *ctx);
	uint32_t after; /* POOL_TASK() of each task that has to be over before; none waits for
			 * itself */
};

enum { POOL_TASKS_MAX = 32 };
#define POOL_TASK(i) (1u << (i))

/* Run each of n tasks once. A worker that is free takes the first of those that may begin. */
void pool_run_tasks(struct pool *p, const struct pool_task *task, uint32_t n, void *ctx);

/* The next of the numbers 0, 1, 2, ... that no other worker has. */
static inline uint32_t pool_next(_Atomic uint32_t *counter)
{
	return atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

#endif
