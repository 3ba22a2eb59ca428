/*
 * Threads that wait for locks. Four threads take a mutex in turn, 50 times each, and hold it for
 * about 2 ms; between, each computes for a moment without it. They wait most of the time, and each
 * adds up by its own clock how long its calls of pthread_mutex_lock() took.
 *
 * The program says how many calls there were, and how long they took in all, and the same of those
 * longer than 1 ms.
 */
#include <pthread.h>

#include "phase.h"

enum { THREADS = 4, ROUNDS = 50, LONG_NS = 1000000 };

struct calls {
	uint64_t n, ns, n_long, long_ns;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned rounds_per_ms;

INLINE void compute(unsigned rounds)
{
	for (volatile unsigned k = 0; k < rounds; k++)
		;
}

NOINLINE void take_lock(struct calls *c)
{
	uint64_t from_ns = phase_now_ns(), ns;

	pthread_mutex_lock(&lock);
	ns = phase_now_ns() - from_ns;
	c->n++;
	c->ns += ns;
	c->n_long += ns > LONG_NS;
	c->long_ns += ns > LONG_NS ? ns : 0;
}

NOINLINE void hold_lock(void)
{
	compute(2 * rounds_per_ms);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void work_alone(void)
{
	compute(rounds_per_ms / 5);
	__asm__ volatile("" : : : "memory");
}

static void *work(void *calls)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		take_lock(calls);
		hold_lock();
		pthread_mutex_unlock(&lock);
		work_alone();
	}
	return NULL;
}

int main(void)
{
	struct calls calls[THREADS] = { 0 }, all = { 0 };
	pthread_t thread[THREADS];
	int i;

	rounds_per_ms = phase_rounds_per_ms();
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, &calls[i]);
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		all.n += calls[i].n;
		all.ns += calls[i].ns;
		all.n_long += calls[i].n_long;
		all.long_ns += calls[i].long_ns;
	}
	printf("calls %lu\nns %lu\nlong %lu\nlong-ns %lu\n", all.n, all.ns, all.n_long,
		all.long_ns);
	return 0;
}
