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

static void a_link_register_leads_to_the_caller_until_it_is_saved(void **state)
{
	static const struct moment at = { 5, 5 };
	struct thread *t = bed_thread(state, EM_AARCH64);
	struct unwind_worker *w;

	function(t, 0x1000, 0x100, CFI(""));
	function(t, 0x1100, 0x100, CFI("\x44\x0e\x20\x9d\x04\x9e\x03")); /* x29, x30 */
	function(t, 0x1200, 0x100, CFI("\x44\x0e\x20\x9e\x03"));         /* x30 */
	function(t, 0x1300, 0x100, CFI("\x44\x0e\x20"));                 /* only room */
	start_function(t, 0x1400);
	load(t);
	w = t->worker;
	assert_true(unwind_keeps_link(t->unwinder, 1, 0x1080));
	assert_true(unwind_keeps_link(t->unwinder, 1, 0x1100));
	assert_false(unwind_keeps_link(t->unwinder, 1, 0x1104));
	assert_false(unwind_keeps_link(t->unwinder, 1, 0x1204));
	assert_true(unwind_keeps_link(t->unwinder, 1, 0x1304));
	assert_false(unwind_keeps_link(t->unwinder, 1, 0x1480));
	assert_false(unwind_keeps_link(t->unwinder, 1, 0x8000)); /* no CFI */
	assert_int_equal(unwind_link_caller(w, TEXT + 0x1080, TEXT + 0x1110, 1, at), TEXT + 0x1110);
	assert_int_equal(
		unwind_link_caller(w, TEXT + 0x1080, 7ull << 56 | (TEXT + 4), 1, at), TEXT + 4);
	assert_int_equal(unwind_link_caller(w, TEXT + 0x1104, TEXT + 0x1110, 1, at), 0);
	assert_int_equal(unwind_link_caller(w, TEXT + 0x1080, DATA, 1, at), 0);
	assert_int_equal(unwind_link_caller(w, TEXT + 0x1080, 0, 1, at), 0);
	assert_int_equal(unwind_link_caller(w, JIT, TEXT, 1, at), 0);

	t = bed_thread(state, EM_X86_64); /* has none */
	function(t, 0x1000, 0x100, CFI(""));
	load(t);
	assert_false(unwind_keeps_link(t->unwinder, 1, 0x1080));
	assert_int_equal(unwind_link_caller(t->worker, TEXT + 0x1080, TEXT, 1, at), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_function_without_a_stack_frame_is_known_by_its_cfi),
		BED_TEST(a_link_register_leads_to_the_caller_until_it_is_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
