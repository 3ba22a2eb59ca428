/* Code that has no stack frame: frame pointers lead past its caller. */
#include "unwind/unwind_for_test.h"

static void expect_frameless(struct thread *t, uint64_t rel, bool is)
{
	assert_int_equal(unwind_is_frameless(t->unwinder, 1, rel), is);
}

static void a_function_without_a_stack_frame_is_known_by_its_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("")); /* a leaf */
	/* push %rbp; mov %rsp,%rbp, as rows of 1 and 3 bytes; and a ret after leave */
	function(t, 0x1100, 0x100, CFI("\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x80\x0c\x07\x08"));
	function(t, 0x1200, 0x100, CFI("\x0f\x03\x76\x78\x06")); /* CFA = *(rbp - 8) */
	start_function(t, 0x1300);
	load(t);
	expect_frameless(t, 0x1080, true);
	expect_frameless(t, 0x1100, true);
	expect_frameless(t, 0x1101, true);
	expect_frameless(t, 0x1104, false);
	expect_frameless(t, 0x1183, false);
	expect_frameless(t, 0x1184, true);
	expect_frameless(t, 0x1280, false);
	expect_frameless(t, 0x1380, false); /* it has no caller */
	expect_frameless(t, 0x8000, false); /* no CFI */
	assert_false(unwind_is_frameless(t->unwinder, 2, 0x1080));

	t = bed_thread(state, EM_AARCH64);
	function(t, 0x1000, 0x100, CFI("\x44\x0e\x20"));                 /* no x29 */
	function(t, 0x1100, 0x100, CFI("\x44\x0e\x20\x9d\x04\x9e\x03")); /* x29, x30 */
	load(t);
	expect_frameless(t, 0x1080, true);
	expect_frameless(t, 0x1100, true);
	expect_frameless(t, 0x1104, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_function_without_a_stack_frame_is_known_by_its_cfi),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
