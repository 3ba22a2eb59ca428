// tower.cpp: inlined functions, called from several lines, for the case that shows lines.
#include <ctime>

static volatile unsigned sink;

static inline unsigned mix(unsigned v)
{
	for (int i = 0; i < 50; i++)
		v = v * 1664525 + sink;
	return v;
}

static inline unsigned floor_of(unsigned v)
{
	unsigned w = mix(v);

	return w + mix(w);
}

__attribute__((noinline)) static unsigned tower(unsigned height)
{
	unsigned v = height ? tower(height - 1) : 1;

	v += floor_of(v);
	return v;
}

int main()
{
	struct timespec t;

	do {
		for (int i = 0; i < 1000; i++)
			sink = tower(3);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_nsec < 300000000 && !t.tv_sec);
	return 0;
}
