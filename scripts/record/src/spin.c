/* A small program for the variants of an ELF file. usage: spin MILLISECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static unsigned step(unsigned x)
{
	return x * 1664525u + 1013904223u;
}

NOINLINE unsigned hash_block(const unsigned char *p, unsigned n)
{
	unsigned h = 1;

	for (unsigned i = 0; i < n; i++)
		h = (h ^ p[i]) * 16777619u;
	return h;
}

NOINLINE static int compare(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

NOINLINE unsigned fill_and_sort(unsigned *v, unsigned n, unsigned seed)
{
	for (unsigned i = 0; i < n; i++)
		v[i] = seed = step(seed);
	qsort(v, n, sizeof(*v), compare);
	return v[n / 2];
}

NOINLINE unsigned level3(unsigned seed)
{
	unsigned v[256];
	unsigned r = fill_and_sort(v, 256, seed);

	return r ^ hash_block((const unsigned char *)v, sizeof(v));
}

NOINLINE unsigned level2(unsigned seed)
{
	unsigned r = 0;

	for (unsigned i = 0; i < 8; i++)
		r ^= level3(seed + i);
	return r;
}

NOINLINE unsigned level1(unsigned seed)
{
	return level2(seed) + level2(seed + 1);
}

int main(int argc, char **argv)
{
	double end_ms = now_ms() + (argc > 1 ? atof(argv[1]) : 100);
	unsigned seed = 1;

	while (now_ms() < end_ms)
		seed += level1(seed);
	printf("%u\n", seed);
	return 0;
}
