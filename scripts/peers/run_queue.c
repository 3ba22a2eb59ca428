/*
 * Threads that wait for a CPU. On each of two CPUs a thread of a lower priority runs all the time,
 * so that nearly every switch is between threads of this program, and four workers compute and
 * sleep in turn: while several are awake, all but one wait. With real-time priorities other
 * programs do not interfere; 0.6 s is less than the kernel lets these have at a time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { CPUS = 2, WORKERS = 4, WORKER_PRIORITY = 2, FILLER_PRIORITY = 1 };

static uint64_t end_ns;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) void compute(uint64_t until_ns)
{
	while (now_ns() < until_ns)
		;
}

static void *fill(void *unused)
{
	pthread_setname_np(pthread_self(), "filler");
	compute(end_ns);
	return unused;
}

static void *work(void *number)
{
	long i = (long)number;
	struct timespec pause = { 0, 1000000 + i * 200000 };

	pthread_setname_np(pthread_self(), "worker");
	while (now_ns() < end_ns) {
		compute(now_ns() + 500000 + (uint64_t)i * 100000);
		nanosleep(&pause, NULL);
	}
	return NULL;
}

static pthread_t start(void *(*run)(void *), long number, int cpu, int priority)
{
	struct sched_param p = { .sched_priority = priority };
	pthread_attr_t a;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&a);
	pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&a, SCHED_FIFO);
	pthread_attr_setschedparam(&a, &p);
	pthread_attr_setaffinity_np(&a, sizeof(set), &set);
	if (pthread_create(&thread, &a, run, (void *)number))
		exit(1);
	return thread;
}

int main(int argc, char **argv)
{
	pthread_t thread[CPUS * (WORKERS + 1)];
	long i, n = 0;

	end_ns = now_ns() + (argc > 1 ? strtoull(argv[1], NULL, 10) : 600) * 1000000;
	for (i = 0; i < CPUS * WORKERS; i++)
		thread[n++] = start(work, i, (int)(i % CPUS), WORKER_PRIORITY);
	for (i = 0; i < CPUS; i++)
		thread[n++] = start(fill, i, (int)i, FILLER_PRIORITY);
	while (n)
		pthread_join(thread[--n], NULL);
	return 0;
}
