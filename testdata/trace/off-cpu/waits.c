/* A parent that waits for its disk (a sleep stands for it) and works, and a child whose event loop
 * waits in epoll. No library: all that is on the stacks is here. */
#include <linux/eventpoll.h>
#include <linux/time_types.h>
#include <asm/unistd.h>

#define NOINLINE __attribute__((noinline))

static long call(long n, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long r;

	__asm__ volatile("syscall"
			 : "=a"(r)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return r;
}

NOINLINE long epoll_wait(int fd, struct epoll_event *event)
{
	return call(__NR_epoll_wait, fd, (long)event, 1, -1);
}

NOINLINE void read_config(long ms)
{
	struct __kernel_timespec t = { 0, ms * 1000000 };

	call(__NR_nanosleep, (long)&t, 0, 0, 0);
}

NOINLINE void work(unsigned long n)
{
	volatile unsigned long sum = 0;

	while (n--)
		sum += n;
}

NOINLINE void handle_request(void)
{
	read_config(3);
}

NOINLINE void run_loop(int fd)
{
	struct epoll_event event = { EPOLLIN, 0 };
	int loop = (int)call(__NR_epoll_create1, 0, 0, 0, 0), i;
	char byte;

	call(__NR_epoll_ctl, loop, EPOLL_CTL_ADD, fd, (long)&event);
	for (i = 0; i < 4; i++) {
		epoll_wait(loop, &event);
		call(__NR_read, fd, (long)&byte, 1, 0);
		handle_request();
	}
}

NOINLINE void send_requests(int fd)
{
	int i;

	for (i = 0; i < 4; i++) {
		read_config(5);
		work(4000000);
		call(__NR_write, fd, (long)"x", 1, 0);
	}
}

NOINLINE void wait_child(void)
{
	call(__NR_wait4, -1, 0, 0, 0);
}

NOINLINE int main(void)
{
	int fds[2];

	call(__NR_pipe, (long)fds, 0, 0, 0);
	if (call(__NR_fork, 0, 0, 0, 0) == 0) {
		run_loop(fds[0]);
		call(__NR_exit_group, 0, 0, 0, 0);
	}
	send_requests(fds[1]);
	wait_child();
	return 0;
}

/* The chain of frame pointers ends here. */
__asm__(".globl _start\n_start:\txor %ebp, %ebp\n\tcall main\n\tmov $231, %eax\n\txor %edi, %edi\n\tsyscall\n");
