/*
 * Return addresses that lie outside the function that called, and a leaf that begins where it is
 * sampled. A call to a function that does not return can be the last instruction of its caller: the
 * return address is then the next function's first byte (packed), or padding that belongs to none
 * (padded). `touch` faults on its first instruction: its samples are at its first byte, behind
 * which no caller may be looked for.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "phase.h"

static void *back[5];
static volatile unsigned rounds;

__attribute__((noreturn, used)) NOINLINE static void never_returns(void)
{
	for (volatile unsigned i = 0; i < rounds; i++)
		;
	__builtin_longjmp(back, 1);
}

/* In assembly, so that neither alignment nor the order of the functions is left to the compiler. */
__asm__(".text\n"
	".type packed_caller, @function\n"
	"packed_caller:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call never_returns\n"
	".size packed_caller, . - packed_caller\n"
	".type packed_neighbour, @function\n"
	"packed_neighbour:\n"
	"	ret\n"
	".size packed_neighbour, . - packed_neighbour\n"
	".type padded_caller, @function\n"
	"padded_caller:\n"
	"	push %rbp\n"
	"	mov %rsp, %rbp\n"
	"	call never_returns\n"
	".size padded_caller, . - padded_caller\n"
	".fill 32, 1, 0xcc\n"
	".type touch, @function\n"
	"touch:\n"
	"	movb $1, (%rdi)\n"
	"	ret\n"
	".size touch, . - touch\n");

void packed_caller(void);
void padded_caller(void);
void touch(char *page);

NOINLINE static void call_it(void (*fn)(void))
{
	if (!__builtin_setjmp(back))
		fn();
}

NOINLINE static void touch_all(char *pages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		touch(pages + i * 4096);
}

NOINLINE static void touch_phase(void)
{
	size_t count = 16384;
	char *pages = mmap(
		NULL, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(2);
	madvise(pages, count * 4096, MADV_NOHUGEPAGE);
	PHASE("touch", "main;touch_phase;touch_all;touch", touch_all(pages, count));
	munmap(pages, count * 4096);
}

int main(void)
{
	phase_set_name(OUTSIDE);
	unsigned rounds_per_ms = phase_rounds_per_ms();

	rounds = 20 * rounds_per_ms;
	for (int i = 0; i < 20; i++) {
		PHASE("packed", "main;call_it;packed_caller;never_returns", call_it(packed_caller));
		PHASE("padded", "main;call_it;padded_caller;never_returns", call_it(padded_caller));
		touch_phase();
	}
	return 0;
}
