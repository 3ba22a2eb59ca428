#include "unwind/unwind_for_test.h"

/* ---- i386 ---- */

static void an_i386_program_is_unwound_by_its_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_386);

	function(t, 0x1000, 0x100, CFI(""));
	/* push %ebx, sub $8: CFA = esp + 16, ebx below the return address */
	function(t, 0x1100, 0x100, CFI("\x0e\x10\x83\x02"));
	start_function(t, 0x1200);
	set(t, EIP, TEXT + 0x1080);
	SET_WORDS(t, TEXT + 0x1180, 0, 0, 0x1234, TEXT + 0x1250);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void expressions_of_i386_wrap_around(void **state)
{
	struct thread *t = bed_thread(state, EM_386);

	/* CFA: ebx + 0xfffffff8 + 12 */
	function(t, 0x1000, 0x100, CFI("\x0f\x0a\x73\x00\x0c\xf8\xff\xff\xff\x22\x23\x0c"));
	start_function(t, 0x1200);
	set(t, EIP, TEXT + 0x1080);
	set(t, EBX, STACK);
	SET_WORDS(t, TEXT + 0x1250, 0);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
}

static void plt_entries_of_i386_push_a_word_of_4_bytes(void **state)
{
	struct thread *t = bed_thread(state, EM_386);

	function(t, 0x1000, 0x100, CFI("\x0f\x0b\x74\x04\x78\x00\x3f\x1a\x3b\x2a\x32\x24\x22\x00"));
	start_function(t, 0x1200);
	set(t, EIP, TEXT + 0x100b);
	SET_WORDS(t, 5, TEXT + 0x1250, 0);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x100b) | EXACT, TEXT + 0x1250);
}

static void trampolines_of_i386_without_cfi_are_recognized(void **state)
{
	static const uint8_t rt_sigreturn[] = { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80 };
	static const uint8_t sigreturn[] = { 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80 };
	unsigned rt;

	for (rt = 0; rt < 2; rt++) {
		struct thread *t = bed_thread(state, EM_386);
		uint32_t words[64] = { TEXT + 0x1800 };
		unsigned context = rt ? 41 : 2; /* after the return address */

		function(t, 0x1000, 0x100, CFI(""));
		start_function(t, 0x1200);
		memcpy(t->image.code + 0x800, rt ? rt_sigreturn : sigreturn,
			rt ? sizeof(rt_sigreturn) : sizeof(sigreturn));
		words[context + 7] = STACK + 240;
		words[context + 14] = TEXT + 0x1020;
		words[60] = TEXT + 0x1250;
		set_words(t, words, ARRAY_LEN(words));
		set(t, EIP, TEXT + 0x1080);
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1800) | EXACT,
			(TEXT + 0x1020) | EXACT, TEXT + 0x1250);
	}
}

static void a_64_bit_program_does_not_use_the_cfi_of_i386(void **state)
{
	struct thread *t = bed_thread(state, EM_386);

	function(t, 0x1000, 0x100, CFI(""));
	t->memory.word_bytes = 8;
	set(t, RSP, STACK);
	set(t, RIP, TEXT + 0x1080);
	EXPECT(t, UNWIND_NO_CFI, (TEXT + 0x1080) | EXACT);
}

static void words_of_i386_are_not_read_beyond_the_copy(void **state)
{
	struct thread *t = bed_thread(state, EM_386);

	function(t, 0x1000, 0x100, CFI("\x0e\x10"));
	set(t, EIP, TEXT + 0x1080);
	SET_WORDS(t, 0, 0, 0, TEXT + 0x1250);
	t->memory.n = 15;
	t->memory.cut = true;
	EXPECT(t, UNWIND_TRUNCATED, (TEXT + 0x1080) | EXACT);
}

/* ---- 32-bit Arm ---- */

static void a_program_of_arm_is_unwound_by_its_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_ARM);

	function(t, 0x1000, 0x100, CFI(""));
	/* push {r4, lr}: CFA = sp + 8 */
	function(t, 0x1100, 0x100, CFI("\x0e\x08\x84\x02\x8e\x01"));
	start_function(t, 0x1200);
	set(t, ARM_PC, TEXT + 0x1080);
	set(t, ARM_LR, TEXT + 0x1180);
	SET_WORDS(t, 0x1234, TEXT + 0x1251); /* Thumb code is called from there */
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void frame_pointers_of_arm_are_those_of_gcc_or_clang(void **state)
{
	unsigned clang;

	for (clang = 0; clang < 2; clang++) {
		struct thread *t = bed_thread(state, EM_ARM);

		start_function(t, 0x1200);
		set(t, ARM_PC, JIT + 0x100);
		set(t, ARM_FP, clang ? STACK + 8 : STACK + 12);
		SET_WORDS(t, 0, 0, STACK + 20, JIT + 0x200, 0, STACK + 20, TEXT + 0x1250, 0);
		if (!clang)
			SET_WORDS(t, 0, 0, STACK + 20, JIT + 0x200, 0, TEXT + 0x1250, 0, 0);
		EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, JIT + 0x200, TEXT + 0x1250);
	}
}

static void trampolines_of_arm_without_cfi_are_recognized(void **state)
{
	/* sigreturn and rt_sigreturn; Arm, Thumb, and Thumb code with a long "mov" */
	static const uint8_t code[6][8] = { { 0x77, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef },
		{ 0xad, 0x70, 0xa0, 0xe3, 0, 0, 0, 0xef }, { 0x77, 0x27, 0, 0xdf },
		{ 0xad, 0x27, 0, 0xdf }, { 0x4f, 0xf0, 0x77, 0x07, 0, 0xdf },
		{ 0x4f, 0xf0, 0xad, 0x07, 0, 0xdf } };
	unsigned i;

	for (i = 0; i < ARRAY_LEN(code); i++) {
		struct thread *t = bed_thread(state, EM_ARM);
		uint32_t words[64] = { 0 };
		unsigned registers = i % 2 ? 40 : 8;

		function(t, 0x1000, 0x100, CFI(""));
		start_function(t, 0x1200);
		memcpy(t->image.code + 0x800, code[i], sizeof(code[i]));
		words[registers + ARM_SP] = STACK + 240;
		words[registers + ARM_LR] = TEXT + 0x1250;
		words[registers + ARM_PC] = TEXT + 0x1020;
		set_words(t, words, ARRAY_LEN(words));
		set(t, ARM_PC, TEXT + 0x1080);
		set(t, ARM_LR, TEXT + 0x1800);
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1800) | EXACT,
			(TEXT + 0x1020) | EXACT, TEXT + 0x1250);
	}
}

static void guessed_frames_of_arm_return_to_what_follows_a_call(void **state)
{
	/* bl, blx, blx r3; mov lr, pc, ldr pc, [r3]; bl, blx, blx r3 of Thumb; nop */
	static const uint8_t code[][8] = { { [4] = 0xfe, 0xff, 0xff, 0xeb },
		{ [4] = 0xfe, 0xff, 0xff, 0xfa }, { [4] = 0x33, 0xff, 0x2f, 0xe1 },
		{ 0x0f, 0xe0, 0xa0, 0xe1, 0x00, 0xf0, 0x93, 0xe5 },
		{ [4] = 0xff, 0xf7, 0xfe, 0xff }, { [4] = 0xff, 0xf7, 0xfe, 0xef },
		{ [6] = 0x98, 0x47 }, { [6] = 0xa0, 0xe1 } };
	unsigned i, last = ARRAY_LEN(code) - 1;

	for (i = 0; i <= last; i++) {
		struct thread *t = bed_thread(state, EM_ARM);

		start_function(t, 0x1200);
		memcpy(t->image.code + 0x250 - sizeof(code[i]), code[i], sizeof(code[i]));
		set(t, ARM_PC, JIT + 0x100);
		set(t, ARM_LR, TEXT + 0x1250);
		if (i == last)
			EXPECT(t, UNWIND_NO_CFI, (JIT + 0x100) | EXACT);
		else
			EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, TEXT + 0x1250);
	}
}

/* ---- RISC-V ---- */

static void a_program_of_riscv_is_unwound_by_its_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_RISCV);

	function(t, 0x1000, 0x100, CFI(""));
	/* addi sp, -32; sd ra, 24(sp): CFA = sp + 32 */
	function(t, 0x1100, 0x100, CFI("\x0e\x20\x81\x01"));
	start_function(t, 0x1200);
	set(t, RISCV_PC, TEXT + 0x1080);
	set(t, RISCV_RA, TEXT + 0x1180);
	t->word[3] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

/* The last of the callee-saved registers has no place in a short rule. */
static void all_saved_registers_of_riscv_are_restored(void **state)
{
	struct thread *t = bed_thread(state, EM_RISCV);

	function(t, 0x1000, 0x100, CFI("\x0e\x10\x81\x01\x9b\x02"));
	function(t, 0x1100, 0x100, CFI("\x0c\x1b\x10\x81\x01")); /* CFA = s11 + 16 */
	start_function(t, 0x1200);
	set(t, RISCV_PC, TEXT + 0x1080);
	set(t, RISCV_S11, 1);
	t->word[0] = STACK + 64;
	t->word[1] = TEXT + 0x1180;
	t->word[9] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void the_frame_pointer_of_riscv_is_above_its_record(void **state)
{
	struct thread *t = bed_thread(state, EM_RISCV);

	start_function(t, 0x1200);
	set(t, RISCV_PC, JIT + 0x100);
	set(t, RISCV_FP, STACK + 16);
	t->word[0] = STACK + 48;
	t->word[1] = JIT + 0x200;
	t->word[5] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, JIT + 0x200, TEXT + 0x1250);
}

/* With CFI that says that it is one, as in the vDSO, or without. */
static void trampolines_of_riscv_are_recognized(void **state)
{
	static const uint8_t code[] = { 0x93, 0x08, 0xb0, 0x08, 0x73, 0, 0, 0 };
	unsigned with_cfi, registers = (128 + 176) / 8;

	for (with_cfi = 0; with_cfi < 2; with_cfi++) {
		struct thread *t = bed_thread(state, EM_RISCV);

		function(t, 0x1000, 0x100, CFI(""));
		start_function(t, 0x1200);
		memcpy(t->image.code + 0x800, code, sizeof(code));
		cfi_image_common(&t->image, "zRS", CFI("\x0c\x02\x00"));
		if (with_cfi)
			function(t, 0x1800 - 1, 9, CFI(""));
		t->word[registers] = TEXT + 0x1020;
		t->word[registers + RISCV_RA] = TEXT + 0x1250;
		t->word[registers + RISCV_SP] = STACK + 1024;
		set(t, RISCV_PC, TEXT + 0x1080);
		set(t, RISCV_RA, TEXT + 0x1800);
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1800) | EXACT,
			(TEXT + 0x1020) | EXACT, TEXT + 0x1250);
	}
}

static void stacks_of_32_bit_riscv_are_not_unwound(void **state)
{
	struct thread *t = bed_thread(state, EM_RISCV);

	t->memory.word_bytes = 4;
	set(t, RISCV_PC, TEXT + 0x1080);
	unwind(t);
	assert_int_equal(t->result.n, 0);
	assert_int_equal(t->result.end, UNWIND_LOST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(an_i386_program_is_unwound_by_its_cfi),
		BED_TEST(expressions_of_i386_wrap_around),
		BED_TEST(plt_entries_of_i386_push_a_word_of_4_bytes),
		BED_TEST(trampolines_of_i386_without_cfi_are_recognized),
		BED_TEST(a_64_bit_program_does_not_use_the_cfi_of_i386),
		BED_TEST(words_of_i386_are_not_read_beyond_the_copy),
		BED_TEST(a_program_of_arm_is_unwound_by_its_cfi),
		BED_TEST(frame_pointers_of_arm_are_those_of_gcc_or_clang),
		BED_TEST(trampolines_of_arm_without_cfi_are_recognized),
		BED_TEST(guessed_frames_of_arm_return_to_what_follows_a_call),
		BED_TEST(a_program_of_riscv_is_unwound_by_its_cfi),
		BED_TEST(all_saved_registers_of_riscv_are_restored),
		BED_TEST(the_frame_pointer_of_riscv_is_above_its_record),
		BED_TEST(trampolines_of_riscv_are_recognized),
		BED_TEST(stacks_of_32_bit_riscv_are_not_unwound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
