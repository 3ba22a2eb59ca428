#include "vec.h"

vec<unsigned, 32> a, b;
volatile unsigned sink;

__attribute__((noinline)) static unsigned mix(unsigned x)
{
	for (int i = 0; i < 40; i++)
		x = x & 1 ? x * 3 + 1 : x / 2 + i;
	return x;
}

__attribute__((noinline)) static unsigned step(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		sum += a.dot(b);
		a.scale(sum);
	}
	return sum + mix(n);
}

int main()
{
	for (unsigned i = 0; i < 2000000; i++) {
		sink = step(i & 15);
		sink += mix(i);
	}
	return 0;
}
