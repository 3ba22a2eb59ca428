/*
 * Copied stacks of 32-bit Arm, recorded without such a machine: a program that runs under qemu-user
 * and writes its own recording, as aarch64.c does. All that is known of its frames is .ARM.exidx,
 * which holds where a function calls; samples are at every instruction (qemu -singlestep), so in
 * prologues and epilogues too.
 * Frames of fixed and of variable size, aligned anew, large, deep; registers of the floating-point
 * unit saved; variable arguments, which lie above the registers; functions that return before they
 * make a frame; a signal handler; assembly of which nothing is known.
 *
 * Compiled as Arm and as Thumb code.
 */
#include <stdarg.h>
#include <stdint.h>

/* ---- the kernel --------------------------------------------------------------------------- */

enum {
	SYS_exit = 1,
	SYS_read = 3,
	SYS_write = 4,
	SYS_close = 6,
	SYS_getpid = 20,
	SYS_kill = 37,
	SYS_setitimer = 104,
	SYS_sigaction = 174,
	SYS_openat = 322
};

__attribute__((noinline)) static long call(long number, long a, long b, long c, long d)
{
	register long r7 __asm__("r7") = number;
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	register long r3 __asm__("r3") = d;

	__asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3) : "memory");
	return r0;
}

enum { STACK_BYTES = 2048 };

#include "emulated.h"

/* Routines that the tables name, for exceptions. */
void __aeabi_unwind_cpp_pr0(void)
{
}

void __aeabi_unwind_cpp_pr1(void)
{
}

void *memset(void *to, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = (char)value;
	return to;
}

/* ---- samples ------------------------------------------------------------------------------ */

enum { REGISTERS = 16, SP = 13, PC = 15 };

struct context {
	uint32_t before[8];
	uint32_t r[REGISTERS];
};

static void on_timer(int signal_number, void *info, struct context *c)
{
	size_t at = begin_sample(c->r[PC]);

	(void)signal_number;
	(void)info;
	if (!at)
		return;
	put_u64(0); /* of a call chain: the kernel's part is empty */
	put_u64(PERF_SAMPLE_REGS_ABI_32);
	for (unsigned i = 0; i < REGISTERS; i++)
		put_u64(c->r[i]);
	put_copy(c->r[SP]);
	end(at, 0);
}

/* ---- what is recorded --------------------------------------------------------------------- */

NOINLINE static unsigned saves_vfp(unsigned n)
{
	volatile unsigned room[3];

	room[n % 3] = n;
	spin();
	__asm__ volatile("" ::: "d8", "d9", "d11", "r4", "r8", "r9");
	return room[n % 3];
}

NOINLINE static unsigned large(unsigned n)
{
	volatile unsigned room[400];

	room[n] = n;
	spin();
	return room[n];
}

NOINLINE static unsigned variadic(unsigned n, ...)
{
	unsigned sum = 0;
	va_list list;

	va_start(list, n);
	while (n--)
		sum += va_arg(list, unsigned);
	va_end(list);
	return sum + tiny(sum);
}

NOINLINE static unsigned early(unsigned n)
{
	volatile unsigned room[2];

	if (n % 2)
		return n;
	room[0] = n;
	return variadic(3, n, room[0], n) + room[0];
}

/* Samples are at all instructions. */
NOINLINE static unsigned many_early(unsigned x)
{
	unsigned sum = 0;

	for (armed = 10 * SAMPLES_PER_PHASE; taken < armed; x++)
		sum += early(x);
	armed = 0;
	return sum;
}

#ifdef __thumb__
#define CODE ".thumb_func\n"
#else
#define CODE ""
#endif

/* In a section of its own, so that it does not appear to be of the function before it. */
__asm__(".syntax unified\n"
	".section .text.unknown, \"ax\", %progbits\n"
	".type frameless, %function\n" CODE "frameless:\n"
	"1:	ldr r2, [r1]\n"
	"	cmp r2, r0\n"
	"	blo 1b\n"
	"	bx lr\n"
	".size frameless, . - frameless\n"
	".type trampoline, %function\n" CODE "trampoline:\n"
	"	mov r7, #173\n"
	"	svc #0\n"
	".size trampoline, . - trampoline\n"
	".globl _start\n"
	".type _start, %function\n" CODE "_start:\n"
	"	mov r11, #0\n"
	"	mov lr, #0\n"
	"	mov r0, sp\n"
	"	bl main\n"
	".size _start, . - _start\n"
	".text\n");

void frameless(unsigned until, volatile unsigned *value);
void trampoline(void);

NOINLINE static void call_frameless(void)
{
	armed = SAMPLES_PER_PHASE;
	frameless(SAMPLES_PER_PHASE, &taken);
	armed = 0;
}

NOINLINE static void on_signal(int signal_number)
{
	(void)signal_number;
	spin();
	__asm__ volatile("");
}

static void handle(int signal_number, void (*handler)())
{
	struct {
		void (*handler)();
		uint32_t flags;
		void (*restorer)(void);
		uint32_t mask[2];
	} action = { handler, SA_SIGINFO_RESTORER, trampoline, { 0 } };

	call(SYS_sigaction, signal_number, (long)&action, 0, 8);
}

NOINLINE static void interrupted(void)
{
	handle(SIG_USR1, on_signal);
	call(SYS_kill, pid, SIG_USR1, 0, 0);
	__asm__ volatile("");
}

int main(long *stack)
{
	static const struct {
		long interval_s, interval_us, value_s, value_us;
	} timer = { 0, 1000, 0, 1000 };
	volatile unsigned n = 7;

	stack_end = (uintptr_t)stack;
	pid = call(SYS_getpid, 0, 0, 0, 0);
	put_comm("start");
	put_maps();
	handle(SIG_ALRM, on_timer);
	call(SYS_setitimer, 0, (long)&timer, 0, 0);
	phase("fixed", "_start;main;fixed;fixed_inner;spin\0", 1);
	fixed(n);
	phase("variable", "_start;main;variable;spin\0", 1);
	variable(n + 300);
	phase("aligned", "_start;main;aligned_anew;spin\0", 1);
	aligned_anew(n + 33);
	phase("deep", "_start;main;deep;deep;deep;deep;deep;deep;deep;deep;spin\0", 1);
	deep(n);
	phase("vfp", "_start;main;saves_vfp;spin\0", 1);
	saves_vfp(n);
	phase("large", "_start;main;large;spin\0", 1);
	large(n);
	phase("tiny",
		"_start;main;many_tiny\0_start;main;many_tiny;tiny\0"
		"_start;main;many_tiny;tiny;tiny_leaf\0",
		1);
	many_tiny(n);
	phase("early",
		"_start;main;many_early\0_start;main;many_early;early\0"
		"_start;main;many_early;early;variadic\0"
		"_start;main;many_early;early;variadic;tiny\0"
		"_start;main;many_early;early;variadic;tiny;tiny_leaf\0",
		1);
	many_early(n);
	phase("asm-leaf", "_start;main;call_frameless\0_start;main;call_frameless;frameless\0", 1);
	call_frameless();
	phase("signal", "_start;main;interrupted;call;trampoline;on_signal;spin\0", 1);
	interrupted();
	write_recording("armv7l", (1 << REGISTERS) - 1, 1);
	call(SYS_exit, 0, 0, 0, 0);
	return 0;
}
