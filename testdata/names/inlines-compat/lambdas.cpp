// lambdas.cpp: inlined functions without a linkage name, for the case that does as perf does.
#include <ctime>

static volatile unsigned sink;

template <typename F>
static inline unsigned times(unsigned n, F f)
{
	unsigned v = 1;

	for (unsigned i = 0; i < n; i++)
		v = f(v, i);
	return v;
}

__attribute__((noinline)) static unsigned inner(unsigned n)
{
	return times(n, [](unsigned v, unsigned i) {
		return times(20, [i](unsigned w, unsigned k) { return w * 1664525 + i + k + sink; }) + v;
	});
}

__attribute__((noinline)) static unsigned outer(unsigned n)
{
	return times(n, [](unsigned v, unsigned) { return v + inner(40); });
}

int main()
{
	struct timespec t;

	do {
		sink = outer(10);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_nsec < 500000000 && !t.tv_sec);
	return 0;
}
