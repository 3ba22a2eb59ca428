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
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define NOINLINE     __attribute__((noinline, noclone))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { STACK_BYTES = 8192, SAMPLES_PER_PHASE = 12, STEP_NS = 1000000, REGISTERS = 33 };

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
enum {
	AT_CWD = -100,
	NEW_FILE = 01101,
	SIG_USR1 = 10,
	SIG_ALRM = 14,
	SA_SIGINFO_RESTORER = 0x4000004
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

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

static size_t length(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

/* ---- the recording ------------------------------------------------------------------------ */

static unsigned char data[2 << 20];
static size_t n_data;
static long pid;
static uint64_t now_ns = 1000000000;
static uintptr_t stack_end;

static void put(const void *p, size_t n)
{
	memcpy(data + n_data, p, n);
	n_data += n;
}

static void put_u32(uint32_t v)
{
	put(&v, sizeof(v));
}

static void put_u64(uint64_t v)
{
	put(&v, sizeof(v));
}

static void put_text(const char *s, size_t n)
{
	put(s, n);
	do
		put("", 1);
	while (n_data % 8);
}

static size_t begin(uint32_t type)
{
	put_u32(type);
	put_u32(PERF_RECORD_MISC_USER);
	return n_data - 8;
}

static void end(size_t at, int with_trailer)
{
	uint16_t size;

	if (with_trailer) {
		put_u32((uint32_t)pid);
		put_u32((uint32_t)pid);
		put_u64(now_ns);
	}
	size = (uint16_t)(n_data - at);
	memcpy(data + at + 6, &size, sizeof(size));
}

static void put_comm(const char *name)
{
	size_t at = begin(PERF_RECORD_COMM);

	put_u32((uint32_t)pid);
	put_u32((uint32_t)pid);
	put_text(name, length(name));
	end(at, 1);
}

static uint64_t number(const char **s, unsigned base)
{
	uint64_t v = 0;

	for (;; ++*s) {
		unsigned digit = (unsigned char)**s - (**s >= 'a' ? 'a' - 10u : '0');

		if (digit >= base)
			return v;
		v = v * base + digit;
	}
}

/*	400000-402000 r-xp 00001000 08:01 1234      /path */
static const char *put_mmap(const char *s)
{
	uint64_t start = number(&s, 16), end_address = (s++, number(&s, 16)), offset, inode;
	int executable = s[3] == 'x';
	size_t at = n_data, n = 0;

	s += 6;
	offset = number(&s, 16);
	s++, number(&s, 16), s++, number(&s, 16), s++;
	inode = number(&s, 10);
	while (*s == ' ')
		s++;
	while (s[n] != '\n')
		n++;
	if (executable) {
		begin(PERF_RECORD_MMAP2);
		put_u32((uint32_t)pid);
		put_u32((uint32_t)pid);
		put_u64(start);
		put_u64(end_address - start);
		put_u64(offset);
		put_u64(0);
		put_u64(inode);
		put_u64(0);
		put_u32(5);
		put_u32(2);
		put_text(n ? s : "//anon", n ? n : 6);
		end(at, 1);
	}
	return s + n + 1;
}

static void put_maps(void)
{
	static char maps[8192];
	long fd = call(SYS_openat, AT_CWD, (long)"/proc/self/maps", 0, 0), got;
	size_t n = 0;
	const char *s;

	while ((got = call(SYS_read, fd, (long)(maps + n), (long)(sizeof(maps) - 1 - n), 0)) > 0)
		n += (size_t)got;
	call(SYS_close, fd, 0, 0, 0);
	for (s = maps; *s;)
		s = put_mmap(s);
}

struct context {
	uint64_t before[23];
	uint64_t x[31], sp, pc;
};

static volatile unsigned armed, taken;

#ifdef FRAME_POINTERS
enum { IS_COPY = 0, SAMPLE_STACK = 0, FP = 29, LR = 30 };
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
enum { IS_COPY = 1, SAMPLE_STACK = PERF_SAMPLE_STACK_USER };
static const uint64_t registers = (1ull << REGISTERS) - 1;

static void put_stack(const struct context *c)
{
	size_t copied = stack_end - c->sp;

	if (copied > STACK_BYTES)
		copied = STACK_BYTES;
	put_u64(0); /* of a call chain: the kernel's part is empty */
	put_u64(PERF_SAMPLE_REGS_ABI_64);
	put(c->x, REGISTERS * 8);
	put_u64(STACK_BYTES);
	put((void *)c->sp, copied);
	n_data += STACK_BYTES - copied;
	put_u64(copied);
}
#endif

static void on_timer(int signal_number, void *info, struct context *c)
{
	size_t at;

	(void)signal_number;
	(void)info;
	now_ns += STEP_NS;
	if (!armed || taken >= armed)
		return;
	taken++;
	at = begin(PERF_RECORD_SAMPLE);
	put_u64(c->pc);
	put_u32((uint32_t)pid);
	put_u32((uint32_t)pid);
	put_u64(now_ns);
	put_u64(STEP_NS);
	put_stack(c);
	end(at, 0);
}

static void write_section(long fd, uint64_t offset, uint64_t size)
{
	uint64_t section[] = { offset, size };

	call(SYS_write, fd, (long)section, sizeof(section), 0);
}

/* header: magic, size, size of an attribute, three sections, bits of features */
static void write_recording(const char *path)
{
	enum { HEADER_BYTES = 104, ARCH_BIT = 6 };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = STEP_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       SAMPLE_STACK,
		.exclude_kernel = 1,
		.exclude_callchain_user = IS_COPY,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.sample_regs_user = registers,
		.sample_stack_user = IS_COPY ? STACK_BYTES : 0 };
	static const char arch[64] = "aarch64";
	uint64_t head[] = { 0x32454c4946524550, HEADER_BYTES, sizeof(attr) + 16 };
	uint64_t features[] = { 1 << ARCH_BIT, 0, 0, 0 };
	uint64_t data_at = HEADER_BYTES + sizeof(attr) + 16, after = data_at + n_data;
	uint32_t arch_bytes = sizeof(arch);
	long fd = call(SYS_openat, AT_CWD, (long)path, NEW_FILE, 0644);

	call(SYS_write, fd, (long)head, sizeof(head), 0);
	write_section(fd, HEADER_BYTES, sizeof(attr) + 16);
	write_section(fd, data_at, n_data);
	write_section(fd, 0, 0);
	call(SYS_write, fd, (long)features, sizeof(features), 0);
	call(SYS_write, fd, (long)&attr, sizeof(attr), 0);
	write_section(fd, 0, 0);
	call(SYS_write, fd, (long)data, (long)n_data, 0);
	write_section(fd, after + 16, sizeof(arch_bytes) + sizeof(arch));
	call(SYS_write, fd, (long)&arch_bytes, sizeof(arch_bytes), 0);
	call(SYS_write, fd, (long)arch, sizeof(arch), 0);
	call(SYS_close, fd, 0, 0, 0);
}

/* ---- what is recorded --------------------------------------------------------------------- */

NOINLINE static void spin(void)
{
	for (armed = SAMPLES_PER_PHASE; taken < armed;)
		;
	armed = 0;
}

NOINLINE static unsigned fixed_inner(unsigned n)
{
	volatile unsigned room[50];

	room[n] = n;
	spin();
	return room[n];
}

NOINLINE static unsigned fixed(unsigned n)
{
	volatile unsigned room[9];

	room[n % 9] = n;
	return fixed_inner(n) + room[n % 9];
}

NOINLINE static unsigned variable(unsigned n)
{
	volatile char *room = __builtin_alloca(n);

	room[n - 1] = 1;
	spin();
	return (unsigned)room[n - 1];
}

NOINLINE static unsigned aligned_anew(unsigned n)
{
	volatile unsigned room[64] __attribute__((aligned(128)));
	volatile char *more = __builtin_alloca(n);

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

/* Samples are at all their instructions. */
NOINLINE static unsigned many_tiny(unsigned x)
{
	for (armed = 5 * SAMPLES_PER_PHASE; taken < armed;)
		x = tiny(x);
	armed = 0;
	return x;
}

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

/* ---- phases ------------------------------------------------------------------------------- */

static void phase(const char *name, const char *chain, int complete)
{
	const char *how = complete ? "\tcomplete\n" : "\n";

	taken = 0;
	put_comm(name);
	for (; *chain; chain += length(chain) + 1) {
		call(SYS_write, 1, (long)name, (long)length(name), 0);
		call(SYS_write, 1, (long)"\t", 1, 0);
		call(SYS_write, 1, (long)chain, (long)length(chain), 0);
		call(SYS_write, 1, (long)how, (long)length(how), 0);
	}
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
	write_recording("input.perf.data");
	call(SYS_exit, 0, 0, 0, 0);
	return 0;
}
