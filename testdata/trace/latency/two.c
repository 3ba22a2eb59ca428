/* One thread runs for 0.4 s, then two for 0.3 s: of the CPU time alone() has less, of the time that
 * passes more. */
#include <pthread.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void alone(void)
{
	double end = now() + 0.4;

	while (now() < end)
		;
}

__attribute__((noinline)) static void *shared(void *unused)
{
	double end = now() + 0.3;

	while (now() < end)
		;
	return unused;
}

int main(void)
{
	pthread_t other;

	alone();
	pthread_create(&other, NULL, shared, NULL);
	shared(NULL);
	pthread_join(other, NULL);
	return 0;
}
