#include <cstdio>
#include <cstdlib>
#include <ctime>
static double cpu()
{
	timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static volatile unsigned sink;
static double spent[3];
static inline __attribute__((always_inline)) unsigned lcg(unsigned x, unsigned n)
{
	for (unsigned i = 0; i < n; i++) /* planted 0 */
		x = x * 1664525u + 1013904223u; /* planted 0 */
	return x;
}
template <unsigned M>
static inline __attribute__((always_inline)) unsigned step(unsigned x, unsigned n)
{
	for (unsigned i = 0; i < n; i++) /* planted 1 */
		x = x * M + 1u; /* planted 1 */
	return x;
}
struct last {
	static inline __attribute__((always_inline)) unsigned run(unsigned x, unsigned n)
	{
		for (unsigned i = 0; i < n; i++) /* planted 2 */
			x = x * 48271u + 7u; /* planted 2 */
		return x;
	}
};
__attribute__((noinline)) static void work(unsigned n)
{
	double a = cpu();
	sink = lcg(sink, 5 * n);
	double b = cpu();
	sink = step<22695477u>(sink, 3 * n);
	double c = cpu();
	sink = last::run(sink, 2 * n);
	double d = cpu();
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
