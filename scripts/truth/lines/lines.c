#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static volatile unsigned sink;
static double spent[3];
__attribute__((noinline)) static void work(unsigned n)
{
	unsigned i, x = sink;
	double a = cpu(), b, c, d;
	for (i = 0; i < 5 * n; i++)             /* planted 0 */
		x = x * 1664525u + 1013904223u; /* planted 0 */
	sink = x;
	b = cpu();
	for (i = 0; i < 3 * n; i++)     /* planted 1 */
		x = x * 22695477u + 1u; /* planted 1 */
	sink = x;
	c = cpu();
	for (i = 0; i < 2 * n; i++)  /* planted 2 */
		x = x * 48271u + 7u; /* planted 2 */
	sink = x;
	d = cpu();
	spent[0] += b - a;
	spent[1] += c - b;
	spent[2] += d - c;
}
int main(int argc, char **argv)
{
	double s = argc > 1 ? atof(argv[1]) : 20;
	while (cpu() < s)
		work(2000000);
	for (int i = 0; i < 3; i++)
		printf("%d %.6f\n", i, spent[i]);
	printf("all %.6f\n", cpu());
}
