#include "unwind/unwind_for_test.h"

/* ---- CFI ---- */

static void cfi_is_followed_until_there_is_no_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x0e\x20")); /* CFA = rsp + 32 */
	function(t, 0x1100, 0x100,
		CFI("\x86\x02\x0d\x06\x0e\x10")); /* rbp at CFA - 16, CFA = rbp + 16 */
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	set(t, RBP, STACK + 0x100);
	t->word[3] = TEXT + 0x1180;
	t->word[0x100 / 8 + 1] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void saved_registers_are_restored_for_the_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100,
		CFI("\x0e\x18\x83\x03\x86\x02"));        /* rbx at CFA - 24, rbp at CFA - 16 */
	function(t, 0x1100, 0x100, CFI("\x0c\x03\x10")); /* CFA = rbx + 16 */
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	set(t, RBX, 1);
	t->word[0] = STACK + 0x80; /* rbx */
	t->word[2] = TEXT + 0x1180;
	t->word[0x80 / 8 + 1] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void caller_saved_registers_are_unknown_in_the_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	function(t, 0x1100, 0x100, CFI("\x0c\x00\x10")); /* CFA = rax + 16: not known in a caller */
	set(t, RIP, TEXT + 0x1080);
	set(t, RAX, STACK + 0x80);
	t->word[0] = TEXT + 0x1180;
	EXPECT(t, UNWIND_LOST, (TEXT + 0x1080) | EXACT, TEXT + 0x1180);
}

static void a_call_at_the_end_of_a_function_is_looked_up_in_it(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	function(t, 0x1100, 0x80, CFI("\x0e\x20")); /* ends with a call that does not return */
	function(t, 0x1180, 0x80, CFI(""));
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1000);
	t->word[0] = TEXT + 0x1180;
	t->word[4] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1000) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void plt_entries_push_a_word_at_a_known_byte(void **state)
{
	/* DW_CFA_def_cfa_expression: breg7 8, breg16 0, lit15, and, lit11, ge, lit3, shl, plus */
	static const char plt[] = "\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22";
	unsigned byte;

	for (byte = 0; byte < 16; byte += 5) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x100, CFI(plt));
		start_function(t, 0x1200);
		set(t, RIP, TEXT + 0x1040 + byte);
		t->word[byte < 11 ? 0 : 1] = TEXT + 0x1250;
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1040 + byte) | EXACT, TEXT + 0x1250);
	}
}

static void a_realigned_stack_is_found_through_memory(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	/* DW_CFA_def_cfa_expression: breg6 -8, deref */
	function(t, 0x1000, 0x100, CFI("\x0f\x03\x76\x78\x06"));
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	set(t, RBP, STACK + 0x40);
	t->word[0x38 / 8] = STACK + 0x90;
	t->word[0x88 / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
}

static void a_return_address_may_be_in_a_register(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100,
		CFI("\x09\x10\x05")); /* DW_CFA_register: rip in rdi, as in vfork() */
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	set(t, RDI, TEXT + 0x1250);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
}

static void registers_may_be_given_by_expressions(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	/* CFA = rsp + 8 by an expression; rbx = *(CFA + 8); rbp = CFA + 16 */
	function(t, 0x1000, 0x100,
		CFI("\x0f\x04\x77\x00\x23\x08"
		    "\x10\x03\x02\x23\x08"
		    "\x16\x06\x02\x23\x10"));
	function(t, 0x1100, 0x40, CFI("\x0c\x03\x08")); /* CFA = rbx + 8 */
	function(t, 0x1140, 0x40, CFI("\x0c\x06\x50")); /* CFA = rbp + 80 */
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1120;
	t->word[2] = STACK + 0x30;
	t->word[0x30 / 8] = TEXT + 0x1150;
	t->word[(0x18 + 80 - 8) / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1120, TEXT + 0x1150,
		TEXT + 0x1250);
}

static void a_frame_interrupted_by_a_signal_has_all_registers(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));            /* the handler */
	function(t, 0x1100, 0x80, CFI("\x0c\x00\x08")); /* interrupted: CFA = rax + 8 */
	start_function(t, 0x1200);
	/* The trampoline begins a byte early: CFA = *(rsp + 160); rax, rsp, rip at rsp + N */
	cfi_image_common(&t->image, "zRS", CFI(""));
	function(t, 0x13ff, 0x10,
		CFI("\x0f\x04\x77\xa0\x01\x06"
		    "\x10\x00\x03\x77\x90\x01"
		    "\x10\x07\x03\x77\xa0\x01"
		    "\x10\x10\x03\x77\xa8\x01"));
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1400;
	/* rsp is now STACK + 8 */
	t->word[(8 + 144) / 8] = STACK + 0x200;
	t->word[(8 + 160) / 8] = STACK + 0x180;
	t->word[(8 + 168) / 8] = TEXT + 0x1100; /* the first instruction of its function */
	t->word[0x200 / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1400) | EXACT,
		(TEXT + 0x1100) | EXACT, TEXT + 0x1250);
}

/* sigaltstack(2): the handler's stack was copied, not the one below it, wherever that is. */
static void a_handler_on_another_stack_ends_what_was_copied(void **state)
{
	static const uint64_t sp[] = { STACK - 0x10000, STACK + 0x100000, STACK + (1ull << 40) };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sp); i++) {
		struct thread bed, *t = &bed;

		begin(t, EM_X86_64);
		function(t, 0x1000, 0x100, CFI("")); /* the handler */
		function(t, 0x1100, 0x80, CFI(""));  /* interrupted */
		cfi_image_common(&t->image, "zRS", CFI(""));
		function(t, 0x13ff, 0x10,
			CFI("\x0f\x04\x77\xa0\x01\x06"
			    "\x10\x07\x03\x77\xa0\x01"
			    "\x10\x10\x03\x77\xa8\x01"));
		set(t, RIP, TEXT + 0x1080);
		t->word[0] = TEXT + 0x1400;
		t->word[(8 + 160) / 8] = sp[i];
		t->word[(8 + 168) / 8] = TEXT + 0x1140;
		EXPECT(t, UNWIND_OTHER_STACK, (TEXT + 0x1080) | EXACT, (TEXT + 0x1400) | EXACT,
			(TEXT + 0x1140) | EXACT);
		end(t);
	}
}

static void a_register_that_was_popped_already_keeps_its_value(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x86\x02")); /* rbp at CFA - 16 = rsp - 8, below the copy */
	function(t, 0x1100, 0x100, CFI("\x0c\x06\x10"));
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	set(t, RBP, STACK + 0x40);
	t->word[0] = TEXT + 0x1180;
	t->word[0x48 / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

/* The end of a row is not the beginning of what was remembered. */
static void a_row_after_restore_state_begins_there(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	/* CFA = rsp + 32; +0x10: remember; CFA = rsp + 16; +0x10: restore */
	function(t, 0x1000, 0x100, CFI("\x0e\x20\x50\x0a\x0e\x10\x50\x0b"));
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1040);
	t->word[3] = TEXT + 0x1250;
	unwind(t);
	assert_int_equal(t->found_ip[1], TEXT + 0x1250);
	t->word[3] = 0;
	t->word[1] = TEXT + 0x1251;
	set(t, RIP, TEXT + 0x1018);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1018) | EXACT, TEXT + 0x1251);
}

static void an_address_of_zero_is_no_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	set(t, RIP, TEXT + 0x1080);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT);
}

static void a_program_begins_at_its_entry_without_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	t->image.entry = 0x1200;
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1208;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1208);
}

/* ---- stacks made by hand ---- */

static const struct span call = { "\xe8\x01\x02\x03\x04", 5 }, no_call = { "\xc3", 1 };

/* A call that ends where the address in the file does: direct, or through a register, or through
 * memory. */
static void put_call(struct thread *t, uint64_t rel, struct span code)
{
	memcpy(t->image.code + rel - 0x1000 - code.n, code.p, code.n);
}

/* 0x1080 returns to the first byte of a function, whose CFI leads to `next`. */
static struct thread *return_to_a_first_byte(void **state, uint64_t size_before, uint64_t next)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	function(t, 0x1100, size_before, CFI("\x0e\x20"));
	function(t, 0x1180, 0x80, CFI("")); /* __start_context of glibc */
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1180;
	t->word[1] = next; /* uc_link */
	t->word[4] = TEXT + 0x1250;
	return t;
}

static void a_function_that_is_returned_into_is_the_bottom(void **state)
{
	static const uint64_t next[] = { DATA + 0x10, 0, 0x123456789 };
	struct thread *t;
	size_t i;

	for (i = 0; i < ARRAY_LEN(next); i++) {
		t = return_to_a_first_byte(state, 0x70, next[i]);
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1180) | EXACT);
	}
	/* unless there is a caller */
	t = return_to_a_first_byte(state, 0x70, TEXT + 0x1250);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1180) | EXACT, TEXT + 0x1250);
}

static void code_shows_what_is_before_a_first_byte(void **state)
{
	struct thread *t = return_to_a_first_byte(state, 0x80, DATA + 0x10);

	put_call(t, 0x1180, no_call);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1180) | EXACT);
	t = return_to_a_first_byte(state, 0x80, DATA + 0x10);
	put_call(t, 0x1180, call);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

/* As below a fiber of Boost: its make_fcontext() has no CFI. */
static void a_place_after_no_call_is_the_bottom(void **state)
{
	unsigned called;

	for (called = 0; called < 2; called++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x100, CFI(""));
		put_call(t, 0x1190, called ? call : no_call);
		set(t, RIP, TEXT + 0x1080);
		t->word[0] = TEXT + 0x1190;
		EXPECT(t, called ? UNWIND_NO_CFI : UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT,
			TEXT + 0x1190);
	}
}

static void a_signal_trampoline_may_begin_with_its_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	start_function(t, 0x1200);
	cfi_image_common(&t->image, "zRS", CFI(""));
	/* CFA = *(rsp + 160); rsp, rip at rsp + N */
	function(t, 0x1310, 0x10,
		CFI("\x0f\x04\x77\xa0\x01\x06"
		    "\x10\x07\x03\x77\xa0\x01"
		    "\x10\x10\x03\x77\xa8\x01"));
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1310;
	t->word[1 + 160 / 8] = STACK + 0x400;
	t->word[1 + 168 / 8] = TEXT + 0x1200;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1310) | EXACT,
		(TEXT + 0x1200) | EXACT);
}

/* glibc's clone3() after its system call: the thread that called it goes on there, too. */
static void a_new_thread_has_no_caller(void **state)
{
	unsigned parent;

	for (parent = 0; parent < 2; parent++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1100, 0x10, CFI(""));
		start_function(t, 0x1120);
		start_function(t, 0x1300);
		put_call(t, 0x1350, call);
		set(t, RIP, TEXT + 0x1112);
		set(t, RAX, parent ? 4711 : 0);
		set(t, RBP, STACK + 0x10000); /* in both that of the thread that called */
		t->memory.cut = true;
		t->word[0] = TEXT + 0x1350;
		if (parent)
			EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1112) | EXACT, TEXT + 0x1350);
		else
			EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1112) | EXACT);
	}
}

/* ---- ends ---- */

static void a_stack_that_fills_the_dump_is_truncated(void **state)
{
	unsigned cut;

	for (cut = 0; cut < 2; cut++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x100, CFI("\x0e\x80\x10")); /* CFA = rsp + 2048, its end */
		function(t, 0x1100, 0x100, CFI(""));
		set(t, RIP, TEXT + 0x1080);
		t->word[WORDS - 1] = TEXT + 0x1180;
		t->memory.cut = cut;
		EXPECT(t, cut ? UNWIND_TRUNCATED : UNWIND_LOST, (TEXT + 0x1080) | EXACT,
			TEXT + 0x1180);
	}
}

static void a_stack_ends_where_a_page_was_not_in_memory(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x0e\x80\x10")); /* CFA = rsp + 2048, its end */
	function(t, 0x1100, 0x100, CFI(""));
	set(t, RIP, TEXT + 0x1080);
	t->memory.start = (STACK & ~UINT64_C(4095)) + 2048;
	set(t, RSP, t->memory.start);
	t->word[WORDS - 1] = TEXT + 0x1180;
	EXPECT(t, UNWIND_NO_PAGE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180);
}

static void a_stack_not_in_memory_has_its_innermost_frame(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	set(t, RIP, TEXT + 0x1080);
	t->memory.n = 0;
	EXPECT(t, UNWIND_NO_PAGE, (TEXT + 0x1080) | EXACT);
}

static void a_return_address_that_points_to_no_code_ends_the_stack(void **state)
{
	static const uint64_t no_code[] = { DATA + 0x10, STACK + 0x10, 0x123456789 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(no_code); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		function(t, 0x1000, 0x100, CFI(""));
		function(t, 0x1100, 0x100, CFI(""));
		set(t, RIP, TEXT + 0x1080);
		t->word[0] = TEXT + 0x1180;
		t->word[1] = no_code[i];
		EXPECT(t, UNWIND_TO_DATA, (TEXT + 0x1080) | EXACT, TEXT + 0x1180);
	}
}

/* Whatever the recording says: the thread was there. */
static void a_program_counter_outside_of_code_is_a_frame(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	set(t, RIP, STACK + 0x10);
	EXPECT(t, UNWIND_NO_CFI, (STACK + 0x10) | EXACT);
}

static void a_step_without_progress_ends_the_stack(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x0e\x00\x90\x7f")); /* CFA = rsp, rip at CFA + 8 */
	set(t, RIP, TEXT + 0x1080);
	t->word[1] = TEXT + 0x1080;
	EXPECT(t, UNWIND_LOST, (TEXT + 0x1080) | EXACT);
}

static void frames_are_limited(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);
	unsigned i;

	function(t, 0x1000, 0x100, CFI(""));
	set(t, RIP, TEXT + 0x1080);
	for (i = 0; i < WORDS; i++)
		t->word[i] = TEXT + 0x1080;
	t->max_frames = 100;
	unwind(t);
	assert_int_equal(t->result.n, 100);
	assert_int_equal(t->result.end, UNWIND_TOO_DEEP);
}

static void nothing_is_found_without_registers(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	t->regs.known = 0;
	unwind(t);
	assert_int_equal(t->result.n, 0);
	assert_int_equal(t->result.end, UNWIND_LOST);
}

/* ---- code without CFI ---- */

static void jit_code_is_unwound_by_its_frame_pointer(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI(""));
	start_function(t, 0x1200);
	set(t, RIP, JIT + 0x100);
	set(t, RBP, STACK + 0x40);
	t->word[0] = JIT + 0x300; /* something that looks like a return address, and is none */
	t->word[0x40 / 8] = STACK + 0x80;
	t->word[0x48 / 8] = JIT + 0x200;
	t->word[0x80 / 8] = 0;
	t->word[0x88 / 8] = TEXT + 0x1080;
	t->word[0x90 / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, JIT + 0x200, TEXT + 0x1080,
		TEXT + 0x1250);
}

static void a_function_without_a_frame_has_its_return_address_on_top(void **state)
{
	static const struct span calls[] = { SPAN("\xe8\x01\x02\x03\x04"), /* rip + disp32 */
		SPAN("\xff\xd0"), SPAN("\x41\xff\xd4"),                    /* *rax, *r12 */
		SPAN("\xff\x10"), SPAN("\xff\x50\x08"),                    /* *(rax), *8(rax) */
		SPAN("\xff\x54\x24\x08"),                                  /* *8(rsp) */
		SPAN("\xff\x14\xc7"),                                      /* *(rdi, rax, 8) */
		SPAN("\xff\x15\x01\x02\x03\x04"),                          /* *disp32(rip) */
		SPAN("\xff\x94\xc0\x01\x02\x03\x04"), /* *disp32(rax, rax, 8) */
		SPAN("\0\0") };                       /* left out of a light pack */
	size_t i;

	for (i = 0; i < ARRAY_LEN(calls); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		start_function(t, 0x1200);
		put_call(t, 0x1250, calls[i]);
		set(t, RIP, JIT + 0x100);
		set(t, RBP, 12345);
		t->word[0] = TEXT + 0x1250;
		EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, TEXT + 0x1250);
	}
}

/* The comparison that is handed to qsort(), say, which keeps it on the stack. */
static void a_pointer_to_a_function_is_no_return_address(void **state)
{
	static const struct span others[] = { SPAN("\x0f\x1f\x40\x00"), SPAN("\xff\xe0"),
		SPAN("\xff\x08"), SPAN("\xff\x54\x24"), SPAN("\xc3") };
	size_t i;

	for (i = 0; i < ARRAY_LEN(others); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		start_function(t, 0x1200);
		put_call(t, 0x1250, others[i]);
		set(t, RIP, JIT + 0x100);
		set(t, RBP, 12345);
		t->word[0] = TEXT + 0x1250;
		EXPECT(t, UNWIND_NO_CFI, (JIT + 0x100) | EXACT);
	}
}

static void a_register_that_is_pushed_late_is_no_frame_pointer(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	memcpy(t->image.code + 0x80, "\x41\x54\x55", 3); /* push r12, push rbp */
	set(t, RIP, TEXT + 0x1082);
	set(t, RBP, 12345);
	t->word[0] = DATA + 0x10; /* r12 */
	t->word[1] = JIT + 0x100;
	EXPECT(t, UNWIND_NO_CFI, (TEXT + 0x1082) | EXACT);
}

static void code_bytes_show_whether_code_without_cfi_has_a_frame(void **state)
{
	unsigned i;

	for (i = 0; i < 3; i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		start_function(t, 0x1200);
		memcpy(t->image.code + 0x80, "\x55\x48\x89\xe5\x5d\xc3",
			6); /* push, mov, pop, ret */
		set(t, RIP, TEXT + 0x1080 + (i == 0 ? 0 : i == 1 ? 1 : 5));
		set(t, RBP, STACK + 0x40); /* the caller's */
		t->word[i == 1] = JIT + 0x100;
		t->word[0] = i == 1 ? STACK + 0x40 : t->word[0];
		t->word[0x48 / 8] = TEXT + 0x1250;
		EXPECT(t, UNWIND_COMPLETE,
			(TEXT + 0x1080 +
				(i == 0          ? 0
					: i == 1 ? 1
						 : 5)) |
				EXACT,
			JIT + 0x100, TEXT + 0x1250);
	}
}

static void implausible_frame_pointers_end_a_stack(void **state)
{
	static const uint64_t rbp[] = { 0, STACK - 16, STACK + 0x41, STACK + 0x40, UINT64_MAX - 7 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(rbp); i++) {
		struct thread *t = bed_thread(state, EM_X86_64);

		set(t, RIP, JIT + 0x100);
		set(t, RBP, rbp[i]);
		t->word[0x40 / 8] = STACK + 0x80;
		t->word[0x48 / 8] = 0x123456789; /* nothing is mapped there */
		EXPECT(t, UNWIND_NO_CFI, (JIT + 0x100) | EXACT);
	}
}

static void a_frame_pointer_beyond_the_dump_is_truncation(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	set(t, RIP, JIT + 0x100);
	set(t, RBP, STACK + 0x10000);
	t->memory.cut = true;
	EXPECT(t, UNWIND_TRUNCATED, (JIT + 0x100) | EXACT);
}

static void a_missing_file_differs_from_code_without_cfi(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	set(t, RIP, GONE + 0x100);
	EXPECT(t, UNWIND_NO_FILE, (GONE + 0x100) | EXACT);
}

static void a_32_bit_program_without_cfi_is_unwound_by_frame_pointers(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("")); /* of a 64-bit file, so not for them */
	SET_WORDS(t, 0, 0, STACK + 16, TEXT + 0x1080, 0, 0, 0, 0);
	t->memory.word_bytes = 4;
	set(t, ESP, STACK);
	set(t, EIP, JIT + 0x100);
	set(t, EBP, STACK + 8);
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, TEXT + 0x1080);
}

/* ---- aarch64 ---- */

static void an_arm_leaf_function_returns_by_the_link_register(void **state)
{
	struct thread *t = bed_thread(state, EM_AARCH64);

	function(t, 0x1000, 0x100, CFI(""));
	function(t, 0x1100, 0x100,
		CFI("\x0e\x20\x9d\x04\x9e\x03")); /* CFA = sp + 32, x29, x30 there */
	start_function(t, 0x1200);
	set(t, PC, TEXT + 0x1080);
	set(t, LR, TEXT + 0x1180);
	t->word[1] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1180, TEXT + 0x1250);
}

static void pointer_signatures_are_removed_from_return_addresses(void **state)
{
	struct thread *t = bed_thread(state, EM_AARCH64);

	function(t, 0x1000, 0x100,
		CFI("\x2d\x0e\x20\x9d\x04\x9e\x03")); /* DW_CFA_AARCH64_negate_ra_state */
	start_function(t, 0x1200);
	set(t, PC, TEXT + 0x1080);
	t->word[1] = (TEXT + 0x1250) | 0x002a000000000000;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
}

static void only_the_innermost_arm_frame_uses_the_link_register(void **state)
{
	struct thread *t = bed_thread(state, EM_AARCH64);

	function(t, 0x1000, 0x200, CFI(""));
	set(t, PC, TEXT + 0x1080);
	set(t, LR, TEXT + 0x1180);
	EXPECT(t, UNWIND_LOST, (TEXT + 0x1080) | EXACT, TEXT + 0x1180);
}

static void jit_code_on_arm_is_unwound_by_its_frame_pointer(void **state)
{
	struct thread *t = bed_thread(state, EM_AARCH64);

	start_function(t, 0x1200);
	set(t, PC, JIT + 0x100);
	set(t, FP, STACK + 0x40);
	t->word[0x40 / 8] = STACK + 0x80;
	t->word[0x48 / 8] = JIT + 0x200;
	t->word[0x88 / 8] = TEXT + 0x1250;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x100) | EXACT, JIT + 0x200, TEXT + 0x1250);
}

static void the_arm_signal_trampoline_is_recognized_by_its_code(void **state)
{
	struct thread *t = bed_thread(state, EM_AARCH64);

	function(t, 0x1000, 0x100, CFI(""));
	start_function(t, 0x1200);
	memcpy(t->image.code + 0x800, "\x68\x11\x80\xd2\x01\x00\x00\xd4",
		8); /* mov x8, #139; svc #0 */
	set(t, PC, TEXT + 0x1080);
	set(t, LR, TEXT + 0x1800);
	t->word[(312 + 8 * SP) / 8] = STACK + 0x400;
	t->word[(312 + 8 * LR) / 8] = TEXT + 0x1250;
	t->word[(312 + 8 * PC) / 8] = TEXT + 0x1000;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1800) | EXACT,
		(TEXT + 0x1000) | EXACT, TEXT + 0x1250);
}

static void the_trampoline_of_musl_restores_every_register(void **state)
{
	/* struct sigcontext, from the number of the kernel's struct pt_regs to that of DWARF */
	static const uint8_t columns[] = { 8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(columns); i++) {
		const char cfa[] = { 0x0c, (char)columns[i], 8 }; /* register + 8 */
		struct thread bed, *t = &bed;

		begin(t, EM_X86_64);
		function(t, 0x1000, 0x100, CFI(""));                          /* the handler */
		function(t, 0x1100, 0x80, (struct span){ cfa, sizeof(cfa) }); /* interrupted */
		start_function(t, 0x1200);
		memcpy(t->image.code + 0x800, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9);
		set(t, RIP, TEXT + 0x1080);
		t->word[0] = TEXT + 0x1800;
		t->word[(8 + 160) / 8] = STACK + 0x300;
		t->word[(8 + 168) / 8] = TEXT + 0x1100;
		t->word[(8 + 40) / 8 + i] = STACK + 0x400;
		t->word[0x400 / 8] = TEXT + 0x1250;
		EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, (TEXT + 0x1800) | EXACT,
			(TEXT + 0x1100) | EXACT, TEXT + 0x1250);
		end(t);
	}
}

/* ---- the cache, processors ---- */

static void an_address_is_looked_up_once(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);
	unsigned before;

	function(t, 0x1000, 0x100, CFI(""));
	start_function(t, 0x1200);
	set(t, RIP, TEXT + 0x1080);
	t->word[0] = TEXT + 0x1250;
	unwind(t);
	before = t->lookups;
	assert_int_equal(before, 2);
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->lookups, before);
}

static void an_architecture_is_known_by_name_or_registers(void **state)
{
	const struct unwind_arch *x86 = unwind_arch_by_name(SPAN("x86_64"));
	const struct unwind_arch *arm = unwind_arch_by_name(SPAN("aarch64"));
	const struct unwind_arch *riscv = unwind_arch_by_name(SPAN("riscv64"));

	(void)state;
	assert_non_null(x86);
	assert_non_null(arm);
	assert_ptr_equal(unwind_arch_by_mask(0xff0fff), x86);
	assert_ptr_equal(unwind_arch_by_mask(0x1ffffffff), arm);
	assert_ptr_equal(unwind_arch_by_mask(0xfff), x86);  /* i386 */
	assert_ptr_equal(unwind_arch_by_mask(0xffff), arm); /* 32-bit Arm */
	assert_ptr_equal(unwind_arch_by_mask(0xffffffff), riscv);
	assert_ptr_equal(unwind_arch_by_name(SPAN("i686")), x86);
	assert_ptr_equal(unwind_arch_by_name(SPAN("armv7l")), arm);
	assert_null(unwind_arch_by_name(SPAN("s390x")));
	assert_int_equal(unwind_arch_column(x86, 8), RIP);
	assert_int_equal(unwind_arch_column(x86, 9), -1); /* the flags */
	assert_int_equal(unwind_arch_column(arm, 32), PC);
	assert_int_equal(unwind_arch_column(arm, 46), -1);
	assert_int_equal(unwind_arch_column(riscv, 0), RISCV_PC);
	assert_int_equal(unwind_arch_column(riscv, 31), 31);
	assert_int_equal(unwind_arch_column(unwind_arch_of_words(x86, 4), 8), EIP);
	assert_int_equal(unwind_arch_column(unwind_arch_of_words(arm, 4), 15), ARM_PC);
	assert_null(unwind_arch_of_words(riscv, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(cfi_is_followed_until_there_is_no_caller),
		BED_TEST(saved_registers_are_restored_for_the_caller),
		BED_TEST(caller_saved_registers_are_unknown_in_the_caller),
		BED_TEST(a_call_at_the_end_of_a_function_is_looked_up_in_it),
		BED_TEST(plt_entries_push_a_word_at_a_known_byte),
		BED_TEST(a_realigned_stack_is_found_through_memory),
		BED_TEST(a_return_address_may_be_in_a_register),
		BED_TEST(registers_may_be_given_by_expressions),
		BED_TEST(a_frame_interrupted_by_a_signal_has_all_registers),
		cmocka_unit_test(a_handler_on_another_stack_ends_what_was_copied),
		BED_TEST(a_register_that_was_popped_already_keeps_its_value),
		BED_TEST(a_row_after_restore_state_begins_there),
		BED_TEST(an_address_of_zero_is_no_caller),
		BED_TEST(a_program_begins_at_its_entry_without_cfi),
		BED_TEST(a_function_that_is_returned_into_is_the_bottom),
		BED_TEST(code_shows_what_is_before_a_first_byte),
		BED_TEST(a_place_after_no_call_is_the_bottom),
		BED_TEST(a_signal_trampoline_may_begin_with_its_cfi),
		BED_TEST(a_new_thread_has_no_caller),
		BED_TEST(a_stack_that_fills_the_dump_is_truncated),
		BED_TEST(a_stack_ends_where_a_page_was_not_in_memory),
		BED_TEST(a_stack_not_in_memory_has_its_innermost_frame),
		BED_TEST(a_return_address_that_points_to_no_code_ends_the_stack),
		BED_TEST(a_program_counter_outside_of_code_is_a_frame),
		BED_TEST(a_step_without_progress_ends_the_stack),
		BED_TEST(frames_are_limited),
		BED_TEST(nothing_is_found_without_registers),
		BED_TEST(jit_code_is_unwound_by_its_frame_pointer),
		BED_TEST(a_function_without_a_frame_has_its_return_address_on_top),
		BED_TEST(a_pointer_to_a_function_is_no_return_address),
		BED_TEST(a_register_that_is_pushed_late_is_no_frame_pointer),
		BED_TEST(code_bytes_show_whether_code_without_cfi_has_a_frame),
		BED_TEST(implausible_frame_pointers_end_a_stack),
		BED_TEST(a_frame_pointer_beyond_the_dump_is_truncation),
		BED_TEST(a_missing_file_differs_from_code_without_cfi),
		BED_TEST(a_32_bit_program_without_cfi_is_unwound_by_frame_pointers),
		BED_TEST(an_arm_leaf_function_returns_by_the_link_register),
		BED_TEST(pointer_signatures_are_removed_from_return_addresses),
		BED_TEST(only_the_innermost_arm_frame_uses_the_link_register),
		BED_TEST(jit_code_on_arm_is_unwound_by_its_frame_pointer),
		BED_TEST(the_arm_signal_trampoline_is_recognized_by_its_code),
		cmocka_unit_test(the_trampoline_of_musl_restores_every_register),
		BED_TEST(an_address_is_looked_up_once),
		cmocka_unit_test(an_architecture_is_known_by_name_or_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
