/* Jobs that wait inside and outside; every fifth one waits 6 ms inside instead of 1 ms. */
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

#define NOINLINE __attribute__((noipa))

static inline __attribute__((always_inline)) void wait_ns(long ns)
{
	struct timespec t = { 0, ns };
	long result = SYS_nanosleep;

	__asm__ volatile("syscall" : "+a"(result) : "D"(&t), "S"(0L) : "rcx", "r11", "memory");
}

NOINLINE void job_begin(uint64_t id)
{
	__asm__ volatile("" : : "r"(id) : "memory");
}

NOINLINE void job_end(uint64_t id)
{
	__asm__ volatile("" : : "r"(id) : "memory");
}

NOINLINE void inside(long ns)
{
	wait_ns(ns);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void outside(void)
{
	wait_ns(500000);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void compute(void)
{
	for (volatile unsigned k = 0; k < 1000000; k++)
		;
}

int main(void)
{
	for (uint64_t id = 1; id <= 20; id++) {
		job_begin(id);
		inside(id % 5 ? 1000000 : 6000000);
		compute();
		job_end(id);
		outside();
	}
}
