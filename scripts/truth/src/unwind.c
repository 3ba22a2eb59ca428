/*
 * Stacks that were copied, of code that keeps no frame pointer: every sample has its whole chain.
 * Frames of fixed and of variable size (alloca), aligned anew, deep; calls that do not return at
 * the end of a function; a signal handler with a trampoline that has no CFI; assembly without CFI,
 * with a frame pointer and without; functions so small that samples are in prologues and epilogues.
 */
#include <alloca.h>
#include <signal.h>
#include <stdlib.h>

#include "phase.h"

#define COMPLETE "\tcomplete"

static volatile unsigned rounds;
static void *back[5];

NOINLINE static void spin(void)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
}

/* ---- frames ------------------------------------------------------------------------------- */

NOINLINE static unsigned fixed_inner(unsigned n)
{
	volatile unsigned room[50];

	room[n] = n;
	spin();
	return room[n];
}

NOINLINE static unsigned fixed_outer(unsigned n)
{
	volatile unsigned room[9];

	room[n % 9] = n;
	return fixed_inner(n) + room[n % 9];
}

NOINLINE static unsigned variable(unsigned n)
{
	volatile char *room = alloca(n);

	room[n - 1] = 1;
	spin();
	return (unsigned)room[n - 1];
}

NOINLINE static unsigned aligned_anew(unsigned n)
{
	volatile unsigned room[64] __attribute__((aligned(128)));
	volatile char *more = alloca(n);

	room[n % 64] = n;
	more[0] = 1;
	spin();
	return room[n % 64] + (unsigned)more[0];
}

NOINLINE static unsigned deep(unsigned n)
{
	volatile unsigned room[12];

	room[n] = n;
	if (n)
		return deep(n - 1) + room[n];
	spin();
	return room[n];
}

NOINLINE static unsigned tiny_leaf(unsigned x)
{
	return x * 3 + 1;
}

NOINLINE static unsigned tiny(unsigned x)
{
	return tiny_leaf(x) ^ x;
}

NOINLINE static unsigned many_tiny(unsigned x)
{
	for (unsigned i = 0; i < rounds / 4; i++)
		x = tiny(x);
	return x;
}

/* ---- calls that do not return ------------------------------------------------------------- */

__attribute__((noreturn)) NOINLINE static void never_returns(void)
{
	spin();
	__builtin_longjmp(back, 1);
}

__attribute__((noreturn)) NOINLINE static void ends_with_a_call(void)
{
	never_returns();
}

NOINLINE static void call_it(void)
{
	if (!__builtin_setjmp(back))
		ends_with_a_call();
}

/* ---- assembly without CFI ----------------------------------------------------------------- */

__asm__(".text\n"
	".type with_frame_pointer, @function\n"
	"with_frame_pointer:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call *%rdi\n"
	"	pop %rbp\n"
	"	ret\n"
	".size with_frame_pointer, . - with_frame_pointer\n"
	".type frameless, @function\n"
	"frameless:\n"
	"	dec %edi\n"
	"	jne frameless\n"
	"	ret\n"
	".size frameless, . - frameless\n"
	".type trampoline, @function\n"
	".byte 0x90\n"
	"trampoline:\n"
	"	mov $15, %rax\n"
	"	syscall\n"
	".size trampoline, . - trampoline\n");

void with_frame_pointer(void (*callee)(void));
void frameless(unsigned n);
void trampoline(void);

NOINLINE static void call_frameless(void)
{
	frameless(rounds);
	__asm__ volatile("");
}

/* ---- a signal ----------------------------------------------------------------------------- */

NOINLINE static void on_signal(int number)
{
	(void)number;
	spin();
	__asm__ volatile("");
}

static void set_handler(void)
{
	/* struct sigaction as the kernel has it */
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = { on_signal, 0x04000000 /* SA_RESTORER */, trampoline, 0 };

	syscall(SYS_rt_sigaction, SIGUSR1, &action, NULL, 8);
}

NOINLINE static void interrupted(void)
{
	long result = SYS_tkill;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(syscall(SYS_gettid)), "S"((long)SIGUSR1)
			 : "rcx", "r11", "memory");
}

int main(void)
{
	unsigned sum = 0;

	phase_set_name(OUTSIDE);
	rounds = 50 * phase_rounds_per_ms();
	set_handler();
	for (int i = 0; i < 3; i++) {
		PHASE("fixed", "main;fixed_outer;fixed_inner;spin" COMPLETE, sum += fixed_outer(3));
		PHASE("variable", "main;variable;spin" COMPLETE, sum += variable(1000));
		PHASE("aligned", "main;aligned_anew;spin" COMPLETE, sum += aligned_anew(100));
		PHASE("deep",
			"main;deep;deep;deep;deep;deep;deep;deep;deep;deep;deep;spin" COMPLETE,
			sum += deep(9));
		phase_announce("tiny", "main;many_tiny;tiny");
		PHASE("tiny", "main;many_tiny;tiny;tiny_leaf", sum += many_tiny(7));
		PHASE("noreturn", "main;call_it;ends_with_a_call;never_returns;spin" COMPLETE,
			call_it());
		PHASE("asm-fp", "main;with_frame_pointer;spin" COMPLETE, with_frame_pointer(spin));
		PHASE("asm-leaf", "main;call_frameless;frameless" COMPLETE, call_frameless());
		PHASE("signal", "main;interrupted;trampoline;on_signal;spin" COMPLETE,
			interrupted());
	}
	return sum == 1;
}
