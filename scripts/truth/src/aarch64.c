/*
 * Copied stacks of 64-bit Arm, recorded without such a machine: a program that runs under
 * qemu-user and writes its own recording. A timer's signal handler copies the registers and the
 * stack that it interrupted, as the kernel does for perf record --call-graph dwarf. Return
 * addresses are signed (pointer authentication): on the stack, and in a register in prologues
 * and epilogues, at every instruction of which samples are (qemu -singlestep).
 * No frame pointers; frames of fixed and of variable size, aligned anew, deep; a signal handler
 * with a trampoline that has no CFI; assembly without CFI, with a frame pointer and without.
 *
 * It brings its own start and system calls, so that its file is all that its stacks need.
 *
 * Compiled with FRAME_POINTERS, it records chains of frame pointers and the link register, as perf
 * record --call-graph fp does there. Functions that call none have no frame: their caller is in
 * that register only.
 */
#include <stdint.h>

/* ---- the kernel --------------------------------------------------------------------------- */

enum {
	SYS_openat = 56,
	SYS_close = 57,
	SYS_read = 63,
	SYS_write = 64,
	SYS_exit = 94,
	SYS_setitimer = 103,
	SYS_kill = 129,
	SYS_sigaction = 134,
	SYS_getpid = 172
};

static long call(long number, long a, long b, long c, long d)
{
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;

	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
	return x0;
}

enum { STACK_BYTES = 8192 };

#include "emulated.h"

/* ---- samples ------------------------------------------------------------------------------ */

struct context {
	uint64_t before[23];
	uint64_t x[31], sp, pc;
};

#ifdef FRAME_POINTERS
enum { IS_COPY = 0, FP = 29, LR = 30 };
static const uint64_t registers = 1ull << LR;

/* Return addresses are without their signature. */
static void put_stack(const struct context *c)
{
	const uint64_t *record = (const uint64_t *)c->x[FP];
	size_t n_at = n_data;
	uint64_t n = 2;

	put_u64(0);
	put_u64(PERF_CONTEXT_USER);
	put_u64(c->pc);
	for (; record; record = (const uint64_t *)record[0], n++)
		put_u64(record[1] & ((1ull << 48) - 1));
	memcpy(data + n_at, &n, sizeof(n));
	put_u64(PERF_SAMPLE_REGS_ABI_64);
	put_u64(c->x[LR]);
}
#else
enum { IS_COPY = 1, REGISTERS = 33 };
static const uint64_t registers = (1ull << REGISTERS) - 1;

static void put_stack(const struct context *c)
{
	put_u64(0); /* of a call chain: the kernel's part is empty */
	put_u64(PERF_SAMPLE_REGS_ABI_64);
	put(c->x, REGISTERS * 8);
	put_copy(c->sp);
}
#endif

static void on_timer(int signal_number, void *info, struct context *c)
{
	size_t at = begin_sample(c->pc);

	(void)signal_number;
	(void)info;
	if (!at)
		return;
	put_stack(c);
	end(at, 0);
}

/* ---- what is recorded --------------------------------------------------------------------- */

/* "hint" spells instructions that the assembler knows as bti c, paciasp and autiasp. */
__asm__(".text\n"
	".type with_frame_pointer, %function\n"
	"with_frame_pointer:\n"
	"	hint #25\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	mov x29, sp\n"
	"	blr x0\n"
	"	ldp x29, x30, [sp], #16\n"
	"	hint #29\n"
	"	ret\n"
	".size with_frame_pointer, . - with_frame_pointer\n"
	".type frameless, %function\n"
	"frameless:\n"
	"	hint #34\n"
	"1:	ldr w2, [x1]\n"
	"	cmp w2, w0\n"
	"	b.lo 1b\n"
	"	ret\n"
	".size frameless, . - frameless\n"
	".type trampoline, %function\n"
	"trampoline:\n"
	"	mov x8, #139\n"
	"	svc #0\n"
	".size trampoline, . - trampoline\n"
	".globl _start\n"
	".type _start, %function\n"
	"_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined x30\n"
	"	hint #34\n"
	"	mov x29, #0\n"
	"	mov x30, #0\n"
	"	mov x0, sp\n"
	"	bl main\n"
	"	.cfi_endproc\n"
	".size _start, . - _start\n");

void with_frame_pointer(void (*callee)(void));
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
		uint64_t flags;
		void (*restorer)(void);
		uint64_t mask;
	} action = { handler, SA_SIGINFO_RESTORER, trampoline, 0 };

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
	/* A frame being made hides the caller from frame pointers, and so does code without CFI. */
	phase("tiny",
		"_start;main;many_tiny\0_start;main;many_tiny;tiny\0"
		"_start;main;many_tiny;tiny;tiny_leaf\0",
		IS_COPY);
	many_tiny(n);
	phase("asm-fp", "_start;main;with_frame_pointer;spin\0", 1);
	with_frame_pointer(spin);
	phase("asm-leaf", "_start;main;call_frameless\0_start;main;call_frameless;frameless\0",
		IS_COPY);
	call_frameless();
	if (IS_COPY) { /* the chain does not have what a signal interrupted */
		phase("signal", "_start;main;interrupted;trampoline;on_signal;spin\0", 1);
		interrupted();
	}
	write_recording("aarch64", registers, IS_COPY);
	call(SYS_exit, 0, 0, 0, 0);
	return 0;
}
