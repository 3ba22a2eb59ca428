// busy SECONDS: spends its time in known shares, and prints these. For compilers of C++, and for QEMU.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#define FUNCTION __attribute__((noinline)) static unsigned

FUNCTION heavy(unsigned n)
{
	unsigned s = 0;

	for (unsigned i = 1; i < n; i++)
		s += i % (7 + s % 3) * i;
	return s;
}

FUNCTION middle(unsigned n)
{
	std::map<std::string, unsigned> words;

	for (unsigned i = 0; i < n; i++)
		words[std::to_string(i % 997)] += i;
	return (unsigned)words.size();
}

FUNCTION light(unsigned n)
{
	std::vector<unsigned> v;

	for (unsigned i = 0; i < n; i++)
		v.push_back(i * 7919 % 10007);
	std::sort(v.begin(), v.end());
	return v[n / 2];
}

static double now()
{
	return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
	struct {
		const char *name;
		unsigned (*function)(unsigned), n;
		double seconds;
	} parts[] = { { "heavy", heavy, 200000, 0 }, { "middle", middle, 2000, 0 }, { "light", light, 10000, 0 } };
	double stop = now() + atof(argv[argc - 1]), all = 0;
	volatile unsigned sink = 0;

	while (now() < stop)
		for (auto &part : parts) {
			double from = now();
			sink = sink + part.function(part.n);
			part.seconds += now() - from;
			all += now() - from;
		}
	for (auto &part : parts)
		printf("%s %.3f\n", part.name, 100 * part.seconds / all);
	return 0;
}
