#include "unwind/unwind_for_test.h"

/* JIT code at JIT + 0x100, of 0x80 bytes, and its call frame information. */
struct jit_info {
	struct buf sections;
	uint64_t header_bytes;
	uint64_t start;
	unsigned lookups, read;
};

static const char header[] = "\x01\x1b\x03\x3bxxxxyyyyzzzzwwww";
enum { HEADER_BYTES = sizeof(header) - 1 };

static bool find_code(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	struct jit_info *info = ctx;

	(void)space;
	(void)at;
	(void)valid;
	info->lookups++;
	*code = (struct unwind_code){
		.id = 7, .start = info->start, .header_bytes = info->header_bytes
	};
	if (sections) {
		info->read++;
		buf_put_span(sections, buf_span(&info->sections));
	}
	return address - info->start < 0x80;
}

/* CFA = rsp + 8; from the 16th byte on, rsp + 32. No frame pointer. */
static struct jit_info without_frame_pointer(bool header_first)
{
	struct jit_info info = { .header_bytes = HEADER_BYTES, .start = JIT + 0x100 };
	struct cfi_image image;

	cfi_image_start(&image, EM_X86_64, ENTRY_RULE);
	cfi_image_function(&image, 0x1000, 0x80, CFI("\x50\x0e\x20"));
	if (header_first)
		buf_put(&info.sections, header, HEADER_BYTES);
	buf_put_span(&info.sections, buf_span(&image.frames));
	if (!header_first)
		buf_put(&info.sections, header, HEADER_BYTES);
	buf_release(&image.frames);
	return info;
}

/* A frame pointer that belongs to the caller's caller. */
static struct thread *begin_in_jit_code(void **state, struct jit_info *info)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	start_function(t, 0x1200);
	load(t);
	unwind_worker_set_code(t->worker, find_code, info);
	set(t, RBP, STACK + 0x100);
	t->word[0x100 / 8 + 1] = TEXT + 0x1250;
	return t;
}

static void jit_code_without_a_frame_pointer_is_unwound_by_its_cfi(void **state)
{
	int header_first;

	for (header_first = 0; header_first < 2; header_first++) {
		struct jit_info info = without_frame_pointer(header_first);
		struct thread *t = begin_in_jit_code(state, &info);

		set(t, RIP, JIT + 0x120);
		t->word[3] = JIT + 0x300; /* which has no information */
		EXPECT(t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, JIT + 0x300, TEXT + 0x1250);
		buf_release(&info.sections);
	}
}

static void a_frame_not_yet_made_hides_no_caller(void **state)
{
	struct jit_info info = without_frame_pointer(false);
	struct thread *t = begin_in_jit_code(state, &info);

	set(t, RIP, JIT + 0x108);
	t->word[0] = JIT + 0x300;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x108) | EXACT, JIT + 0x300, TEXT + 0x1250);
	buf_release(&info.sections);
}

static void code_that_moved_keeps_its_rules(void **state)
{
	struct jit_info info = without_frame_pointer(false);
	struct thread *t = begin_in_jit_code(state, &info);

	set(t, RIP, JIT + 0x120);
	t->word[3] = TEXT + 0x1250;
	unwind(t);
	assert_int_equal(t->result.n, 2);
	info.start = JIT + 0x1100;
	set(t, RIP, JIT + 0x1120);
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x1120) | EXACT, TEXT + 0x1250);
	assert_int_equal(info.read, 1);
	buf_release(&info.sections);
}

static void cfi_of_jit_code_is_fetched_once(void **state)
{
	struct jit_info info = without_frame_pointer(false);
	struct thread *t = begin_in_jit_code(state, &info);
	unsigned before;

	set(t, RIP, JIT + 0x120);
	t->word[3] = TEXT + 0x1250;
	unwind(t);
	before = info.lookups;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, TEXT + 0x1250);
	assert_int_equal(info.lookups, before);
	buf_release(&info.sections);
}

static void nonsense_cfi_falls_back_to_the_frame_pointer(void **state)
{
	static const char *const text[] = { "", "no frames", "\x10\0\0\0\0\0\0\0zzzzzzzzzzzzzzzz" };
	size_t i;

	for (i = 0; i < 2 * ARRAY_LEN(text); i++) {
		struct jit_info info = { .header_bytes = i % 2 ? 1000 : 0, .start = JIT + 0x100 };
		struct thread *t;

		buf_puts(&info.sections, text[i / 2]);
		t = begin_in_jit_code(state, &info);
		set(t, RIP, JIT + 0x120);
		EXPECT(t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, TEXT + 0x1250);
		buf_release(&info.sections);
	}
}

/* ---- trampolines of CPython ---- */

static bool find_trampoline(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	(void)sections;
	*code = (struct unwind_code){ .kind = UNWIND_CODE_TRAMPOLINE };
	return address - JIT < 0x10;
}

/* The interpreter was called by a trampoline, which was called at the end of start_function(). */
static struct thread *begin_in_interpreter(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x0e\x10"));
	start_function(t, 0x1200);
	load(t);
	unwind_worker_set_code(t->worker, find_trampoline, NULL);
	set(t, RIP, TEXT + 0x1080);
	t->word[1] = JIT + 6;
	t->word[3] = TEXT + 0x1250;
	return t;
}

static void a_trampoline_has_one_word_on_the_stack(void **state)
{
	struct thread *t = begin_in_interpreter(state);

	set(t, RBP, STACK + 0x100); /* some frame of a caller */
	t->word[0x100 / 8 + 1] = TEXT + 0x1260;
	t->word[2] = TEXT + 0x1270; /* left there by others */
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, JIT + 6, TEXT + 0x1250);
}

static void a_trampoline_may_have_a_frame_pointer(void **state)
{
	struct thread *t = begin_in_interpreter(state);

	set(t, RBP, STACK + 16);
	t->word[2] = STACK + 0x100;
	EXPECT(t, UNWIND_COMPLETE, (TEXT + 0x1080) | EXACT, JIT + 6, TEXT + 0x1250);
	assert_int_equal(t->result.frames[2].fp, STACK + 0x100);
}

static void no_caller_is_taken_from_below_a_trampoline(void **state)
{
	struct thread *t = begin_in_interpreter(state);

	t->word[3] = 12345;
	EXPECT(t, UNWIND_NO_CFI, (TEXT + 0x1080) | EXACT, JIT + 6);
}

/* ---- QEMU ---- */

static bool find_qemu(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	(void)sections;
	*code = (struct unwind_code){ .kind = UNWIND_CODE_QEMU };
	return address - JIT < 0x10;
}

static void code_of_qemu_runs_in_the_frame_of_its_prologue(void **state)
{
	enum { FRAME_WORDS = 152 };
	struct thread *t = bed_thread(state, EM_X86_64);

	start_function(t, 0x1200);
	memset(t->image.code, 0x90, sizeof(t->image.code));
	memcpy(t->image.code + 0x250 - 2, "\xff\xd0", 2);
	load(t);
	unwind_worker_set_code(t->worker, find_qemu, NULL);
	set(t, RIP, JIT + 6);
	set(t, RBP, 12345);
	t->word[FRAME_WORDS - 1] = TEXT + 0x1250;
	t->word[FRAME_WORDS - 2] = STACK + 0x700;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	assert_int_equal(t->result.frames[1].fp, STACK + 0x700);
	t->word[FRAME_WORDS - 1] = TEXT + 0x1258; /* no call is before it */
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
}

/* ---- PHP ---- */

static bool find_php(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	(void)ctx;
	(void)space;
	(void)at;
	(void)valid;
	(void)sections;
	*code = (struct unwind_code){ .kind = UNWIND_CODE_PHP };
	return address - JIT < 0x10;
}

/* The JIT's code runs in the frame of execute_ex(), which has four words, and was called in the
 * middle of start_function(). The words below the return address are a pointer to that function
 * and a stale return address of another call in it. */
static struct thread *begin_in_php(void **state, struct span call)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	t->image.execute_ex = 0x1000;
	t->image.execute_ex_bytes = 0x100;
	function(t, 0x1000, 0x100, CFI("\x0e\x28"));
	start_function(t, 0x1200);
	memset(t->image.code, 0x90, sizeof(t->image.code));
	memcpy(t->image.code + 0x250 - call.n, call.p, call.n);
	memcpy(t->image.code + 0x270 - 5, "\xe8\x90\xff\xff\xff", 5); /* calls 0x1200 */
	load(t);
	unwind_worker_set_code(t->worker, find_php, NULL);
	set(t, RIP, JIT + 6);
	t->word[1] = TEXT + 0x1200;
	t->word[2] = TEXT + 0x1270;
	t->word[4] = TEXT + 0x1250;
	return t;
}

static void code_of_php_runs_in_the_frame_of_the_interpreter(void **state)
{
	static const char direct[] = "\xe8\xb0\xfd\xff\xff", by_pointer[] = "\xff\x10";
	struct thread *t = begin_in_php(state, CFI(direct));

	set(t, RBP, STACK + 0x100); /* some frame of a caller */
	t->word[0x100 / 8 + 1] = TEXT + 0x1270;
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
	t = begin_in_php(state, CFI(by_pointer));
	EXPECT(t, UNWIND_COMPLETE, (JIT + 6) | EXACT, TEXT + 0x1250);
}

static void what_does_not_call_the_interpreter_is_no_caller_of_php(void **state)
{
	struct thread *t = begin_in_php(state, CFI("\xe8\xb1\xfd\xff\xff"));

	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
	t->word[4] = TEXT + 0x1270;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
	t->word[4] = 12345;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
}

static void without_its_interpreter_php_has_no_caller(void **state)
{
	struct thread *t = bed_thread(state, EM_X86_64);

	function(t, 0x1000, 0x100, CFI("\x0e\x28"));
	load(t);
	unwind_worker_set_code(t->worker, find_php, NULL);
	set(t, RIP, JIT + 6);
	t->word[4] = TEXT + 0x1050;
	EXPECT(t, UNWIND_NO_CFI, (JIT + 6) | EXACT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(code_of_qemu_runs_in_the_frame_of_its_prologue),
		BED_TEST(code_of_php_runs_in_the_frame_of_the_interpreter),
		BED_TEST(what_does_not_call_the_interpreter_is_no_caller_of_php),
		BED_TEST(without_its_interpreter_php_has_no_caller),
		BED_TEST(a_trampoline_has_one_word_on_the_stack),
		BED_TEST(a_trampoline_may_have_a_frame_pointer),
		BED_TEST(no_caller_is_taken_from_below_a_trampoline),
		BED_TEST(jit_code_without_a_frame_pointer_is_unwound_by_its_cfi),
		BED_TEST(a_frame_not_yet_made_hides_no_caller),
		BED_TEST(code_that_moved_keeps_its_rules),
		BED_TEST(cfi_of_jit_code_is_fetched_once),
		BED_TEST(nonsense_cfi_falls_back_to_the_frame_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
