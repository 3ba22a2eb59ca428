/* Registers, stacks and files that contradict themselves: a stack ends, and nothing else does. */
#include "unwind/unwind_for_test.h"

/* Of one that is not aligned a word is read that is no return address; beyond the copy, none. */
static void an_impossible_stack_pointer_ends_the_stack(void **state)
{
	static const uint64_t rsp[] = { 0, 1, STACK + 1, STACK - 8, STACK + WORDS * 8 - 4,
		STACK + WORDS * 8, UINT64_MAX - 7, UINT64_MAX };
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(rsp); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x100, CFI(""));
		set(t, RIP, TEXT + 0x1080);
		set(t, RSP, rsp[i]);
		for (k = 0; k < WORDS; k++)
			t->word[k] = TEXT + 0x1250;
		EXPECT(t, rsp[i] == STACK + 1 ? UNWIND_TO_DATA : UNWIND_LOST,
			(TEXT + 0x1080) | EXACT);
	}
}

/* The copy is said to begin so high that it goes on at address 0. */
static void a_stack_does_not_wrap_around_the_last_address(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	t->memory.start = UINT64_MAX - 15;
	set(t, RIP, TEXT + 0x1080);
	set(t, RSP, UINT64_MAX - 7);
	t->word[1] = TEXT + 0x1080;
	t->word[2] = TEXT + 0x1080;
	unwind(t);
	assert_in_range(t->result.n, 1, 2);
	assert_int_equal(t->result.end, UNWIND_LOST);
}

/* DW_CFA_register: rip in register 2^31, which is no int. */
static void a_caller_in_an_impossible_register_is_not_found(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x09\x10\x80\x80\x80\x80\x08"));
	set(t, RIP, TEXT + 0x1080);
	set(t, RDI, TEXT + 0x1250);
	unwind(t);
	assert_int_equal(t->result.n, 1);
	assert_int_equal(t->result.end, UNWIND_LOST);
}

static void a_frame_that_returns_to_data_has_no_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	set(t, RIP, JIT + 0x100);
	set(t, RBP, STACK + 0x40);
	t->word[0] = DATA + 0x10;
	t->word[0x40 / 8] = STACK + 0x80;
	t->word[0x48 / 8] = DATA + 0x10;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 0x100) | EXACT);
}

/* All code of the file is in [0x1000, 0x2000). */
static void a_rule_may_cover_half_a_file(void **state)
{
	static const uint64_t at[] = { 0x1000, 0x1010, 0x17ff };
	size_t i;

	for (i = 0; i < ARRAY_LEN(at); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x800, CFI("\x0e\x20"));
		start_function(t, 0x1800);
		set(t, RIP, TEXT + at[i]);
		t->word[3] = TEXT + 0x1850;
		EXPECT(t, UNWIND_COMPLETE, (TEXT + at[i]) | EXACT, TEXT + 0x1850);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(an_impossible_stack_pointer_ends_the_stack),
		BED_TEST(a_stack_does_not_wrap_around_the_last_address),
		BED_TEST(a_caller_in_an_impossible_register_is_not_found),
		BED_TEST(a_frame_that_returns_to_data_has_no_caller),
		BED_TEST(a_rule_may_cover_half_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
