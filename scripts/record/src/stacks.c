/*
 * stacks.c: stacks with an end of their own, without any library
 *
 *	start ─► middle ─► big_stack ─► spin	a copy ends in an array that nothing was written to
 *	         └► return_to_data ─► spin	the CFI of return_to_data leads to a word of data
 *	__start_context ◄─ coroutine ─► spin	on a stack made by hand, as makecontext() does
 *
 * The frame pointer of start leads to data, too.
 */
static volatile unsigned long sink;
static char stack[16384] __attribute__((aligned(16)));
/* A frame for the frame pointer, whose return address is text. The first byte of a page could be
 * what follows a call at the end of the page before. */
static const struct {
	char first[16];
	const void *next;
	char text[8];
} data = { "", 0, "-str-tau" };

void start(void);
void return_to_data(const void *p);
_Noreturn void run_on(void *top, const void *link, void (*fn)(void));

/* Spins for a fraction of a second of this machine. */
__attribute__((noinline)) void spin(unsigned long n)
{
	unsigned long i;

	for (i = 0; i < n; i++)
		sink = sink * 31 + i;
	__asm__ volatile("");
}

__attribute__((noinline)) static void big_stack(unsigned long n)
{
	volatile char array[40000];

	array[0] = 1;
	spin(n);
	array[1] = array[0];
}

static void coroutine(void)
{
	spin(40000000);
	__asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory"); /* exit_group */
}

__attribute__((noinline, used)) static void middle(void)
{
	big_stack(40000000);
	return_to_data(&data.next);
	run_on(stack + sizeof(stack), &data.next, coroutine);
}

__asm__(".text\n"
	".globl start, return_to_data, run_on\n"
	".type start, @function\n"
	".type return_to_data, @function\n"
	".type run_on, @function\n"
	".type __start_context, @function\n"
	"start:	.cfi_startproc\n"
	"	.cfi_undefined rip\n"
	"	lea 16 + data(%rip), %rbp\n"
	"	mov (%rbp), %rax\n" /* the kernel does not wait for the page */
	"	call middle\n"
	"	hlt\n"
	"	.cfi_endproc\n"
	"	.size start, . - start\n"
	"return_to_data: .cfi_startproc\n"
	"	push %rdi\n" /* on purpose without .cfi_adjust_cfa_offset */
	"	mov $40000000, %edi\n"
	"	call spin\n"
	"	pop %rdi\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size return_to_data, . - return_to_data\n"
	"run_on: .cfi_startproc\n"
	"	mov %rdi, %rsp\n"
	"	push %rsi\n"
	"	lea __start_context(%rip), %rax\n"
	"	push %rax\n"
	"	jmp *%rdx\n"
	"	.cfi_endproc\n"
	"	.size run_on, . - run_on\n"
	"	nop\n"
	"	.p2align 4\n"
	"__start_context: .cfi_startproc\n"
	"	pop %rdi\n"
	"	hlt\n"
	"	.cfi_endproc\n"
	"	.size __start_context, . - __start_context\n");
