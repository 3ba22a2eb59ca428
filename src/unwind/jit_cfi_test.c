#include "unwind/unwind_for_test.h"

/* Generated code at JIT + 0x100, of 0x80 bytes, of which its maker told, and what it told. */
struct told {
	struct buf sections;
	uint64_t header_bytes;
	uint64_t start;
	unsigned asked, read;
};

static const char header[] = "\x01\x1b\x03\x3bxxxxyyyyzzzzwwww";
enum { HEADER_BYTES = sizeof(header) - 1 };

static bool find_code(void *ctx, uint32_t space, uint64_t address, struct moment at,
	struct validity *valid, struct unwind_code *code, struct buf *sections)
{
	struct told *told = ctx;

	(void)space;
	(void)at;
	(void)valid;
	told->asked++;
	*code = (struct unwind_code){ 7, told->start, told->header_bytes };
	if (sections) {
		told->read++;
		buf_put_span(sections, buf_span(&told->sections));
	}
	return address - told->start < 0x80;
}

/* CFA = rsp + 8; from the 16th byte on, rsp + 32. No frame pointer. */
static struct told without_frame_pointer(bool header_first)
{
	struct told told = { .header_bytes = HEADER_BYTES, .start = JIT + 0x100 };
	struct cfi_image image;

	cfi_image_start(&image, EM_X86_64, ENTRY_RULE);
	cfi_image_function(&image, 0x1000, 0x80, CFI("\x50\x0e\x20"));
	if (header_first)
		buf_put(&told.sections, header, HEADER_BYTES);
	buf_put_span(&told.sections, buf_span(&image.frames));
	if (!header_first)
		buf_put(&told.sections, header, HEADER_BYTES);
	buf_release(&image.frames);
	return told;
}

/* A frame pointer that belongs to the caller's caller. */
static void begin_in_generated_code(struct thread *t, struct told *told)
{
	begin(t, EM_X86_64);
	start_function(t, 0x1200);
	load(t);
	unwind_worker_set_code(t->worker, find_code, told);
	set(t, RBP, STACK + 0x100);
	t->word[0x100 / 8 + 1] = TEXT + 0x1250;
}

static void jit_code_without_a_frame_pointer_is_unwound_by_its_cfi(void **state)
{
	int header_first;

	(void)state;
	for (header_first = 0; header_first < 2; header_first++) {
		struct told told = without_frame_pointer(header_first);
		struct thread t;

		begin_in_generated_code(&t, &told);
		set(&t, RIP, JIT + 0x120);
		t.word[3] = JIT + 0x300; /* which nothing is told of */
		EXPECT(&t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, JIT + 0x300, TEXT + 0x1250);
		buf_release(&told.sections);
	}
}

static void a_frame_not_yet_made_hides_no_caller(void **state)
{
	struct told told = without_frame_pointer(false);
	struct thread t;

	(void)state;
	begin_in_generated_code(&t, &told);
	set(&t, RIP, JIT + 0x108);
	t.word[0] = JIT + 0x300;
	EXPECT(&t, UNWIND_COMPLETE, (JIT + 0x108) | EXACT, JIT + 0x300, TEXT + 0x1250);
	buf_release(&told.sections);
}

static void code_that_moved_keeps_its_rules(void **state)
{
	struct told told = without_frame_pointer(false);
	struct thread t;

	(void)state;
	begin_in_generated_code(&t, &told);
	set(&t, RIP, JIT + 0x120);
	t.word[3] = TEXT + 0x1250;
	unwind(&t);
	assert_int_equal(t.result.n, 2);
	told.start = JIT + 0x1100;
	set(&t, RIP, JIT + 0x1120);
	EXPECT(&t, UNWIND_COMPLETE, (JIT + 0x1120) | EXACT, TEXT + 0x1250);
	assert_int_equal(told.read, 1);
	buf_release(&told.sections);
}

static void cfi_of_jit_code_is_fetched_once(void **state)
{
	struct told told = without_frame_pointer(false);
	struct thread t;
	unsigned asked;

	(void)state;
	begin_in_generated_code(&t, &told);
	set(&t, RIP, JIT + 0x120);
	t.word[3] = TEXT + 0x1250;
	unwind(&t);
	asked = told.asked;
	EXPECT(&t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, TEXT + 0x1250);
	assert_int_equal(told.asked, asked);
	buf_release(&told.sections);
}

static void nonsense_cfi_falls_back_to_the_frame_pointer(void **state)
{
	static const char *const text[] = { "", "no frames", "\x10\0\0\0\0\0\0\0zzzzzzzzzzzzzzzz" };
	size_t i;

	(void)state;
	for (i = 0; i < 2 * ARRAY_LEN(text); i++) {
		struct told told = { .header_bytes = i % 2 ? 1000 : 0, .start = JIT + 0x100 };
		struct thread t;

		buf_puts(&told.sections, text[i / 2]);
		begin_in_generated_code(&t, &told);
		set(&t, RIP, JIT + 0x120);
		EXPECT(&t, UNWIND_COMPLETE, (JIT + 0x120) | EXACT, TEXT + 0x1250);
		buf_release(&told.sections);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jit_code_without_a_frame_pointer_is_unwound_by_its_cfi),
		cmocka_unit_test(a_frame_not_yet_made_hides_no_caller),
		cmocka_unit_test(code_that_moved_keeps_its_rules),
		cmocka_unit_test(cfi_of_jit_code_is_fetched_once),
		cmocka_unit_test(nonsense_cfi_falls_back_to_the_frame_pointer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
