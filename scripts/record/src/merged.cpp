/*
 * merged.cpp - several symbols for one function, as if a linker had merged functions of equal code
 *
 * The attribute leaves what --icf=all leaves: two symbols at one address, and debug information about
 * the function that was kept.
 */
#include <cstdlib>

#define KEPT extern "C" __attribute__((noinline))

struct Tcp {
	static long write(long n);
};
struct UnixSocket {
	static long write(long n) __attribute__((alias("_ZN3Tcp5writeEl")));
};

__attribute__((noinline)) long Tcp::write(long n)
{
	volatile long sum = 0;

	while (n--)
		sum = sum + n;
	return sum;
}

/* A public name, and the library's own for the same function. */
KEPT long __shapes_release(long n)
{
	volatile long sum = 1;

	while (n--)
		sum = sum ^ n;
	return sum;
}
extern "C" long release(long n) __attribute__((alias("__shapes_release")));

/* Two functions in C. */
KEPT long width_of(long n)
{
	volatile long sum = 2;

	while (n--)
		sum = sum | n;
	return sum;
}
extern "C" long smallest_height(long n) __attribute__((alias("width_of")));

int main(int argc, char **argv)
{
	for (int i = argc > 1 ? std::atoi(argv[1]) : 1; i--;) {
		Tcp::write(3000000);
		release(3000000);
		width_of(3000000);
	}
}
