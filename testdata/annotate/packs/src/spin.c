#include <stdio.h>
#include <stdlib.h>
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void heavy(int n)
{
	for (int i = 0; i < n * 3; i++)
		sink += i;
}

static inline __attribute__((always_inline)) void light(int n)
{
	for (int i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) void work(int n)
{
	heavy(n);
	light(n);
	for (int i = 0; i < n; i++)
		sink ^= i;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;
	for (int i = 0; i < rounds; i++)
		work(100000);
	printf("%lu\n", sink);
	return 0;
}
