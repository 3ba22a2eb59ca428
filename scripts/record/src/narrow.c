/*
 * Stacks of a 32-bit program without frame pointers and libraries: recursion, and signal handlers
 * of both kinds, whose trampolines have no CFI.
 */
#include <stddef.h>

enum { SYS_EXIT = 1, SYS_KILL = 37, SYS_GETPID = 20, SYS_RT_SIGACTION = 174 };
enum { SIGUSR1 = 10, SIGUSR2 = 12, SA_SIGINFO = 4, SA_RESTORER = 0x04000000 };

struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask[2];
};

static volatile unsigned sink;

void sigreturn(void);
void rt_sigreturn(void);
__asm__(".skip 16, 0x90\n"
	"sigreturn: popl %eax\n movl $119,%eax\n int $0x80\n"
	"rt_sigreturn: movl $173,%eax\n int $0x80\n"
	".globl _start\n"
	".type _start,@function\n"
	"_start: .cfi_startproc\n .cfi_undefined %eip\n call run\n hlt\n .cfi_endproc\n"
	".size _start,.-_start\n");

static __attribute__((noinline)) long call(long number, long a, const void *b, long c, long d)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory");
	return result;
}

static __attribute__((noinline)) unsigned leaf(unsigned n)
{
	unsigned i, a = n;

	for (i = 0; i < 8000000; i++)
		a = a * 1103515245u + i;
	sink += a;
	return a;
}

static __attribute__((noinline)) unsigned deep(unsigned n, unsigned a, unsigned b, unsigned c)
{
	return n ? deep(n - 1, a ^ b, b + c, c * 3) + a * b + c : leaf(a) + b + c;
}

static void handler(int signal)
{
	sink += leaf((unsigned)signal);
}

static void handler_with_info(int signal)
{
	sink += leaf((unsigned)signal) + 1;
}

__attribute__((noinline)) void run(void)
{
	struct kernel_action plain = { handler, SA_RESTORER, sigreturn, { 0 } };
	struct kernel_action info = { handler_with_info, SA_RESTORER | SA_SIGINFO, rt_sigreturn,
		{ 0 } };
	long self = call(SYS_GETPID, 0, NULL, 0, 0);
	unsigned i;

	call(SYS_RT_SIGACTION, SIGUSR1, &plain, 0, 8);
	call(SYS_RT_SIGACTION, SIGUSR2, &info, 0, 8);
	for (i = 0; i < 3; i++) {
		sink += deep(5, i, 2, 3);
		call(SYS_KILL, self, (void *)SIGUSR1, 0, 0);
		call(SYS_KILL, self, (void *)SIGUSR2, 0, 0);
	}
	call(SYS_EXIT, 0, NULL, 0, 0);
}
