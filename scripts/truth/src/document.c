/*
 * The case of the kernel's document on latency
 * (tools/perf/Documentation/cpu-and-latency-overheads.txt): one thread computes in alone() for nine
 * tenths of the time, then 128 threads together in together() for the rest. The document has 128
 * CPUs, of which alone() takes 6.6 % of the CPU time, and 90 % of what passes on the clock. On
 * fewer CPUs the share of CPU time is another, that of the clock is the same.
 *
 * The program says how long each of the two took: by the clock, and in CPU time of their threads.
 * Run it where all CPUs are its own: a moment in which it waits for others has passed, too.
 */
#include <pthread.h>

#include "phase.h"

enum { THREADS = 128, ALONE_MS = 1800, TOGETHER_MS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t ready;
static uint64_t cpu_ns, begun_ns = UINT64_MAX, ended_ns;
static uint64_t rounds_per_ms, cpus;

static uint64_t own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

INLINE void compute(uint64_t rounds)
{
	for (volatile uint64_t k = 0; k < rounds; k++)
		;
}

NOINLINE void alone(void)
{
	compute(ALONE_MS * rounds_per_ms);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void together(void)
{
	compute(TOGETHER_MS * cpus * rounds_per_ms / THREADS);
	__asm__ volatile("" : : : "memory");
}

static void note(uint64_t from_ns, uint64_t to_ns, uint64_t took_ns)
{
	pthread_mutex_lock(&lock);
	begun_ns = from_ns < begun_ns ? from_ns : begun_ns;
	ended_ns = to_ns > ended_ns ? to_ns : ended_ns;
	cpu_ns += took_ns;
	pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
	uint64_t from_ns, took_ns;

	pthread_barrier_wait(&ready);
	from_ns = phase_now_ns();
	took_ns = own_cpu_ns();
	together();
	took_ns = own_cpu_ns() - took_ns;
	note(from_ns, phase_now_ns(), took_ns);
	return unused;
}

int main(void)
{
	pthread_t thread[THREADS];
	uint64_t clock_ns, alone_ns;
	int i;

	rounds_per_ms = phase_rounds_per_ms();
	cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	pthread_barrier_init(&ready, NULL, THREADS);
	clock_ns = phase_now_ns();
	alone_ns = own_cpu_ns();
	alone();
	alone_ns = own_cpu_ns() - alone_ns;
	clock_ns = phase_now_ns() - clock_ns;
	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("alone clock %lu cpu %lu\n", clock_ns, alone_ns);
	printf("together clock %lu cpu %lu\n", ended_ns - begun_ns, cpu_ns);
	return 0;
}
