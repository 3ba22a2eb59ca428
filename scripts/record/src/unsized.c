/*
 * unsized.c - code that only call frame information or nothing at all delimits
 *
 * Linked with -rdynamic and stripped, so that exported symbols are all there is:
 *
 *	spin_label      assembly without type and size, followed by 4 KB that are not its own
 *	beyond          more assembly, not exported, without CFI
 *	before_return   a label like that just before the code that the signal handler returns to
 *	one(), two()    C functions, not exported: .eh_frame has their ranges
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

__asm__(".text\n"
	".p2align 4\n"
	".globl spin_label\n"
	"spin_label: mov %rdi, %rcx\n"
	"1: dec %rcx\n"
	"jnz 1b\n"
	"ret\n"
	".skip 4096, 0xcc\n"
	".globl beyond\n"
	".hidden beyond\n"
	"beyond: mov %rdi, %rcx\n"
	"1: dec %rcx\n"
	"jnz 1b\n"
	"ret\n"
	".globl before_return\n"
	"before_return: ret\n"
	"nop\n"
	".globl return_here\n"
	".hidden return_here\n"
	"return_here: mov $15, %rax\n"
	"syscall\n");

void spin_label(long n);
void beyond(long n);
void return_here(void);

/* As the kernel has it. */
struct signal_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

enum { WITH_RESTORER = 0x04000000 };

__attribute__((noinline)) static long one(long n)
{
	volatile long sum = 0;

	while (n--)
		sum += n;
	return sum;
}

__attribute__((noinline)) static long two(long n)
{
	volatile long sum = 1;

	while (n--)
		sum ^= n;
	return sum;
}

static void handle(int number)
{
	(void)number;
	two(2000000);
}

int main(int argc, char **argv)
{
	struct signal_action a = { handle, WITH_RESTORER, return_here, 0 };
	int i = argc > 1 ? atoi(argv[1]) : 1;

	syscall(SYS_rt_sigaction, SIGUSR1, &a, NULL, 8);
	while (i--) {
		spin_label(4000000);
		beyond(8000000);
		one(3000000);
		two(1000000);
		raise(SIGUSR1);
	}
	return 0;
}
