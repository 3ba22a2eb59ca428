/* Asks for the time again and again, which the vdso answers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static __attribute__((noinline)) uint64_t ask(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) uint64_t wait_until(uint64_t end_ns)
{
	uint64_t times = 0;

	while (ask() < end_ns)
		times++;
	return times;
}

int main(int argc, char **argv)
{
	uint64_t ms = argc > 1 ? (uint64_t)atoi(argv[1]) : 100;

	printf("%s\n", wait_until(ask() + ms * 1000000) ? "asked" : "once");
	return 0;
}
