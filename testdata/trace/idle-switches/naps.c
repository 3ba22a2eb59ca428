/* Works for some 3 ms, sleeps for 2 ms, again and again. */
#include <time.h>

static volatile unsigned sum;

__attribute__((noinline)) void work(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sum += i;
}

__attribute__((noinline)) void nap(void)
{
	nanosleep(&(struct timespec){ 0, 2000000 }, 0);
}

int main(void)
{
	for (int i = 0; i < 60; i++) {
		work();
		nap();
	}
}
