/*
 * unwind_for_test.h - a thread with a stack to unwind, made by a test
 *
 * A file of functions whose CFI the test writes is mapped at TEXT, JIT code at JIT, a missing file
 * at GONE, data at DATA. EXPECT() unwinds and compares the frames.
 *
 *	struct thread *t = bed_thread(state, EM_X86_64);
 *
 *	function(t, 0x1000, 0x100, CFI(...));
 *	set(t, RIP, TEXT + 0x1080);
 *	EXPECT(t, UNWIND_LOST, (TEXT + 0x1080) | EXACT);
 *	...	BED_TEST(a_test),
 *
 * Owns: the bed, which is a thread, from bed_setup() to bed_teardown(), and all that load() makes,
 * until end(). Threads: one.
 */
#ifndef PERFOLD_UNWIND_UNWIND_FOR_TEST_H
#define PERFOLD_UNWIND_UNWIND_FOR_TEST_H

#include "unwind/cfi_for_test.h"
#include "unwind/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* Not every test uses every helper. */
#define THREAD_FN __attribute__((unused)) static

/* Registers of x86-64 in DWARF's numbering. */
enum { RAX = 0, RBX = 3, RDI = 5, RBP = 6, RSP = 7, R12 = 12, RIP = 16 };
/* and of aarch64 */
enum { X19 = 19, FP = 29, LR = 30, SP = 31, PC = 32 };
/* of i386 */
enum { EBX = 3, ESP = 4, EBP = 5, ESI = 6, EIP = 8 };
/* of 32-bit Arm */
enum { ARM_R4 = 4, ARM_FP = 11, ARM_SP = 13, ARM_LR = 14, ARM_PC = 15 };
/* of RISC-V */
enum { RISCV_RA = 1, RISCV_SP = 2, RISCV_FP = 8, RISCV_S11 = 27, RISCV_PC = 32 };

enum { WORDS = 256 };
#define STACK 0x7fff0000ull
#define TEXT  0x400000ull /* where the file is mapped */
#define JIT   0x500000ull
#define GONE  0x600000ull /* a missing file */
#define DATA  0x700000ull /* mapped, and no code */

struct thread {
	struct cfi_image image;
	struct cfi_file file;
	struct modules *modules;
	struct unwinder *unwinder;
	struct unwind_worker *worker;
	struct unwind_regs regs;
	uint64_t word[WORDS]; /* of the stack, from STACK up */
	struct unwind_memory memory;
	unsigned lookups;
	uint32_t max_frames;
	uint64_t found_ip[UNWIND_FRAMES_MAX];
	bool found_exact[UNWIND_FRAMES_MAX];
	struct unwind_result result;
};

THREAD_FN struct unwind_place find(
	void *ctx, uint32_t space, uint64_t address, struct moment at, struct validity *valid)
{
	static const struct {
		uint64_t start;
		module_id module;
	} maps[] = { { TEXT, 1 }, { JIT, 2 }, { GONE, 3 }, { DATA, 3 } };
	struct thread *t = ctx;
	size_t i;

	(void)space;
	(void)at;
	(void)valid;
	t->lookups++;
	for (i = 0; i < ARRAY_LEN(maps); i++)
		if (address - maps[i].start < 0x10000)
			return (struct unwind_place){ maps[i].module, address - maps[i].start,
				maps[i].start != DATA, maps[i].start == DATA };
	return (struct unwind_place){ .no_code = true };
}

THREAD_FN void set(struct thread *t, unsigned column, uint64_t value)
{
	unwind_regs_set(&t->regs, column, value);
}

/* The stack of a 32-bit program, n words of it. */
THREAD_FN void set_words(struct thread *t, const uint32_t *words, unsigned n)
{
	memcpy(t->word, words, n * sizeof(*words));
	t->memory.n = (uint32_t)(n * sizeof(*words));
}

#define SET_WORDS(t, ...)                                                                          \
	set_words((t), (const uint32_t[]){ __VA_ARGS__ },                                          \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* The rule at the entry of a function: CFA = rsp + 8, the return address below it. */
#define ENTRY_RULE CFI("\x0c\x07\x08\x90\x01")

THREAD_FN void begin(struct thread *t, uint16_t machine)
{
	*t = (struct thread){ .max_frames = UNWIND_FRAMES_MAX };
	t->memory = (struct unwind_memory){
		.bytes = (const uint8_t *)t->word,
		.start = STACK,
		.n = sizeof(t->word),
		.word_bytes = 8,
	};
	if (cfi_is_narrow(machine))
		t->memory.word_bytes = 4;
	switch (machine) {
	case EM_X86_64:
		cfi_image_start(&t->image, machine, ENTRY_RULE);
		set(t, RSP, STACK);
		break;
	case EM_386:
		/* CFA = esp + 4, the return address below it */
		cfi_image_start(&t->image, machine, CFI("\x0c\x04\x04\x88\x01"));
		set(t, ESP, STACK);
		break;
	case EM_ARM:
		/* CFA = sp, the return address in r14; and so on */
		cfi_image_start(&t->image, machine, CFI("\x0c\x0d\x00"));
		set(t, ARM_SP, STACK);
		break;
	case EM_RISCV:
		cfi_image_start(&t->image, machine, CFI("\x0c\x02\x00"));
		set(t, RISCV_SP, STACK);
		break;
	default:
		cfi_image_start(&t->image, machine, CFI("\x0c\x1f\x00"));
		set(t, SP, STACK);
	}
}

THREAD_FN void function(struct thread *t, uint64_t start, uint64_t size, struct span instructions)
{
	cfi_image_function(&t->image, start, size, instructions);
}

/* _start: DW_CFA_undefined of the return address. */
THREAD_FN void start_function(struct thread *t, uint64_t start)
{
	const char undefined[] = { 7, (char)cfi_return_column(t->image.machine) };

	function(t, start, 0x100, (struct span){ undefined, sizeof(undefined) });
}

THREAD_FN void add_module(struct thread *t, enum module_kind kind, str_id path)
{
	modules_add(
		t->modules, &(struct module){ .kind = (uint8_t)kind, .path = path, .shown = path });
}

THREAD_FN void load(struct thread *t)
{
	uint16_t machine = t->image.machine;
	const struct unwind_arch *arch =
		unwind_arch_by_name(machine == EM_X86_64 || machine == EM_386 ? SPAN("x86_64")
				    : machine == EM_RISCV                     ? SPAN("riscv64")
									      : SPAN("aarch64"));

	cfi_file_open(&t->file, &t->image);
	t->modules = modules_new();
	add_module(t, MODULE_FILE, t->file.path);
	add_module(t, MODULE_JIT, 0);
	add_module(t, MODULE_FILE, strtab_add_str(t->file.strings, "/gone"));
	t->unwinder = unwind_new(arch, t->file.files, t->modules);
	t->worker = unwind_worker_new(t->unwinder, find, t);
}

THREAD_FN void unwind(struct thread *t)
{
	uint32_t i;

	if (!t->worker)
		load(t);
	t->result = unwind_stack(
		t->worker, &t->regs, &t->memory, 1, (struct moment){ 5, 5 }, t->max_frames);
	for (i = 0; i < t->result.n; i++) {
		t->found_ip[i] = t->result.frames[i].ip;
		t->found_exact[i] = t->result.frames[i].how != UNWIND_CALLED;
	}
}

THREAD_FN void end(struct thread *t)
{
	if (!t->worker)
		return;
	unwind_worker_free(t->worker);
	unwind_free(t->unwinder);
	modules_free(t->modules);
	cfi_file_close(&t->file);
}

#define BED_TEST(t) cmocka_unit_test_setup_teardown(t, bed_setup, bed_teardown)

THREAD_FN int bed_setup(void **state)
{
	*state = xcalloc(1, sizeof(struct thread));
	return 0;
}

THREAD_FN int bed_teardown(void **state)
{
	end(*state);
	free(*state);
	return 0;
}

/* The test's thread; if there was one before, that ends. */
THREAD_FN struct thread *bed_thread(void **state, uint16_t machine)
{
	end(*state);
	begin(*state, machine);
	return *state;
}

/* Addresses of frames, innermost first, ended by 0; exact ones have bit 63 set. */
#define EXACT (1ull << 63)

THREAD_FN void expect_frames(struct thread *t, enum unwind_end how, const uint64_t *ips)
{
	uint32_t n = 0;

	unwind(t);
	for (; ips[n]; n++) {
		assert_true(n < t->result.n);
		assert_int_equal(t->found_ip[n] | (t->found_exact[n] ? EXACT : 0), ips[n]);
	}
	assert_int_equal(t->result.n, n);
	assert_int_equal(t->result.end, how);
}

#define EXPECT(t, how, ...) expect_frames((t), (how), (const uint64_t[]){ __VA_ARGS__, 0 })

#endif
