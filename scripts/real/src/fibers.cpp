/* fibers.cpp: boost::fibers that burn and yield, for SECONDS. */
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static volatile unsigned long sink;

__attribute__((noinline)) static void burn(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i * i;
}

static void work(std::chrono::steady_clock::time_point end)
{
	while (std::chrono::steady_clock::now() < end) {
		burn(200000);
		boost::this_fiber::yield();
	}
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
	std::vector<boost::fibers::fiber> fibers;
	for (int i = 0; i < 4; i++)
		fibers.emplace_back(work,
			std::chrono::time_point_cast<std::chrono::steady_clock::duration>(end));
	for (auto &f : fibers)
		f.join();
	std::printf("%lu\n", sink);
}
