/* twins.cpp: functions of equal code for types of equal size; the linker's --icf=all makes them
 * one. */
#include <chrono>
#include <cstdio>
#include <cstdlib>

template <class T> __attribute__((noinline)) void scale(T *v, unsigned n)
{
	for (unsigned round = 0; round < 50; round++)
		for (unsigned i = 0; i < n; i++)
			v[i] = static_cast<T>(static_cast<unsigned>(v[i]) * 31u + round);
}

struct Meters {
	unsigned n;
	explicit operator unsigned() const
	{
		return n;
	}
	explicit Meters(unsigned k = 0) : n(k)
	{
	}
};

template <class T> __attribute__((noinline)) unsigned walk(unsigned n)
{
	static T v[1024];
	scale(v, n);
	return static_cast<unsigned>(v[7]) + 1;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
	unsigned sum = 0;
	while (std::chrono::steady_clock::now() < end)
		sum += walk<int>(1024) + walk<unsigned>(1024) + walk<Meters>(1024);
	std::printf("%u\n", sum);
}
