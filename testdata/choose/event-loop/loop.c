/* An event loop: it waits for a timer and calls back. Every tenth time the callback takes 25 ms instead of 1 ms. */
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noipa))

static void compute(long ns)
{
	struct timespec t;
	long end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = t.tv_sec * 1000000000 + t.tv_nsec + ns;
	do {
		for (volatile unsigned k = 0; k < 10000; k++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000000000 + t.tv_nsec < end);
}

NOINLINE void slow_callback(void)
{
	compute(25000000);
	__asm__ volatile("" : : : "memory");
}

NOINLINE void fast_callback(void)
{
	compute(1000000);
	__asm__ volatile("" : : : "memory");
}

int main(void)
{
	struct itimerspec each = { { 0, 3000000 }, { 0, 3000000 } };
	struct epoll_event event = { .events = EPOLLIN };
	int loop = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t fired;

	timerfd_settime(timer, 0, &each, NULL);
	epoll_ctl(loop, EPOLL_CTL_ADD, timer, &event);
	for (int i = 1; i <= 30; i++) {
		epoll_wait(loop, &event, 1, -1);
		if (read(timer, &fired, sizeof(fired)) < 0)
			return 1;
		if (i % 10)
			fast_callback();
		else
			slow_callback();
	}
}
