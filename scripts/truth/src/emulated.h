/*
 * What programs have in common that run under qemu-user and write their own recording: the records,
 * and functions to be recorded.
 *
 * A program defines call(), the numbers of system calls and STACK_BYTES, of a copy, and includes
 * this: it has no library.
 */
#ifndef EMULATED_H
#define EMULATED_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#define NOINLINE     __attribute__((noinline, noclone))
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { SAMPLES_PER_PHASE = 12, STEP_NS = 1000000 };
enum {
	AT_CWD = -100,
	NEW_FILE = 01101,
	SIG_USR1 = 10,
	SIG_ALRM = 14,
	SA_SIGINFO_RESTORER = 0x4000004
};

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

static volatile unsigned armed, taken;

/* Begins a sample, if one is to be taken: put_stack() and end() are next. 0: none is. */
static size_t begin_sample(uint64_t pc)
{
	size_t at;

	now_ns += STEP_NS;
	if (!armed || taken >= armed)
		return 0;
	taken++;
	at = begin(PERF_RECORD_SAMPLE);
	put_u64(pc);
	put_u32((uint32_t)pid);
	put_u32((uint32_t)pid);
	put_u64(now_ns);
	put_u64(STEP_NS);
	return at;
}

/* A copy of the stack, as PERF_SAMPLE_STACK_USER has it. */
__attribute__((unused)) static void put_copy(uintptr_t sp)
{
	size_t copied = stack_end - sp;

	if (copied > STACK_BYTES)
		copied = STACK_BYTES;
	put_u64(STACK_BYTES);
	put((void *)sp, copied);
	n_data += STACK_BYTES - copied;
	put_u64(copied);
}

static void write_section(long fd, uint64_t offset, uint64_t size)
{
	uint64_t section[] = { offset, size };

	call(SYS_write, fd, (long)section, sizeof(section), 0);
}

/* header: magic, size, size of an attribute, three sections, bits of features */
/* registers: bits, in perf's numbers; those of each sample, and its stack if that is_copied. */
static void write_recording(const char *machine, uint64_t registers, int is_copied)
{
	enum { HEADER_BYTES = 104, ARCH_BIT = 6 };
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = STEP_NS,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
			       (is_copied ? PERF_SAMPLE_STACK_USER : 0),
		.exclude_kernel = 1,
		.exclude_callchain_user = is_copied,
		.sample_id_all = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.sample_regs_user = registers,
		.sample_stack_user = is_copied ? STACK_BYTES : 0 };
	char arch[64] = "";
	uint64_t head[] = { 0x32454c4946524550, HEADER_BYTES, sizeof(attr) + 16 };
	uint64_t features[] = { 1 << ARCH_BIT, 0, 0, 0 };
	uint64_t data_at = HEADER_BYTES + sizeof(attr) + 16, after = data_at + n_data;
	uint32_t arch_bytes = sizeof(arch);
	long fd = call(SYS_openat, AT_CWD, (long)"input.perf.data", NEW_FILE, 0644);

	memcpy(arch, machine, length(machine));
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

#endif
