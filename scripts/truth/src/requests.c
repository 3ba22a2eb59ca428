/*
 * Requests over a pool of threads, 200 of 2000 slow. The main thread queues each request, one of
 * three workers takes it up, computes and ends it: request_queued(), request_begin() and
 * request_end() have its number as their argument, and are recorded by probes. Slow requests
 * compute in slow_request(), others in fast_request(); between requests a worker computes in
 * between_requests().
 *
 * The program says how many requests took more than 10 ms by its own clock, between the beginning
 * and the end. Inside of as many spans, nothing but slow_request() may be seen, outside it nothing
 * of it.
 */
#include <pthread.h>

#include "phase.h"

enum { REQUESTS = 2000, SLOW_EVERY = 10, WORKERS = 3, SLOW_NS = 10000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static uint64_t queued, taken, slow;
static unsigned rounds_per_ms;

NOINLINE void request_queued(uint64_t id)
{
	__asm__ volatile("" : : "r"(id) : "memory");
}

NOINLINE void request_begin(uint64_t id)
{
	__asm__ volatile("" : : "r"(id) : "memory");
}

NOINLINE void request_end(uint64_t id)
{
	__asm__ volatile("" : : "r"(id) : "memory");
}

INLINE void compute(unsigned rounds)
{
	for (volatile unsigned k = 0; k < rounds; k++)
		;
}

NOINLINE void slow_request(void)
{
	compute(16 * rounds_per_ms);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void fast_request(void)
{
	compute(rounds_per_ms / 5);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void between_requests(void)
{
	compute(rounds_per_ms / 5);
	__asm__ volatile("" : : : "memory");
}

static uint64_t take(void)
{
	uint64_t id;

	pthread_mutex_lock(&lock);
	while (taken == queued && queued < REQUESTS)
		pthread_cond_wait(&more, &lock);
	id = taken < queued ? ++taken : 0;
	pthread_mutex_unlock(&lock);
	return id;
}

static void *work(void *unused)
{
	uint64_t id, begun_ns;

	while ((id = take()) != 0) {
		between_requests();
		begun_ns = phase_now_ns();
		request_begin(id);
		if (id % SLOW_EVERY == 0)
			slow_request();
		else
			fast_request();
		request_end(id);
		if (phase_now_ns() - begun_ns > SLOW_NS)
			__atomic_fetch_add(&slow, 1, __ATOMIC_RELAXED);
	}
	return unused;
}

int main(void)
{
	pthread_t worker[WORKERS];
	uint64_t id;
	int i;

	rounds_per_ms = phase_rounds_per_ms();
	for (i = 0; i < WORKERS; i++)
		pthread_create(&worker[i], NULL, work, NULL);
	for (id = 1; id <= REQUESTS; id++) {
		request_queued(id);
		pthread_mutex_lock(&lock);
		queued = id;
		pthread_cond_broadcast(&more);
		pthread_mutex_unlock(&lock);
	}
	for (i = 0; i < WORKERS; i++)
		pthread_join(worker[i], NULL);
	printf("requests %d\nplanted %d\nslow %lu\n", REQUESTS, REQUESTS / SLOW_EVERY, slow);
	return 0;
}
