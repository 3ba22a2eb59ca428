#include "symbolize/elf/elf.h"

#include "base/mem.h"
#include "symbolize/elf/tiny_elf_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* scripts/record/src/unsized.c: from objdump -d and readelf --debug-dump=frames. */
#define PROGRAM "testdata/elf/unsized/root/tmp/perfold/bin/unsized"
enum {
	SPIN_LABEL = 0x1160,
	BEYOND = 0x2169,
	BEFORE_RETURN = 0x2172,
	RETURN_HERE = 0x2174,
	ONE = 0x217d,
	TWO = 0x21ad,
	FINI = 0x22d8,
};

static struct elf_file *open_program(struct elf_functions *f)
{
	enum files_verdict why;
	struct elf_file *ef;

	elf_version(EV_CURRENT);
	ef = elf_file_open(PROGRAM, &why);
	assert_non_null(ef);
	elf_functions_open(f, ef);
	return ef;
}

static void a_function_begins_and_ends_with_its_fde(void **state)
{
	static const uint64_t inside[] = { ONE, ONE + 1, TWO - 1 };
	struct elf_functions f;
	struct elf_file *ef = open_program(&f);
	struct frame_fde code;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(inside); i++) {
		assert_true(elf_functions_find(&f, inside[i], &code));
		assert_int_equal(code.start, ONE);
		assert_int_equal(code.end, TWO);
		assert_int_equal(elf_functions_end(&f, inside[i]), TWO);
	}
	elf_file_close(ef);
}

static void code_without_an_fde_ends_where_the_next_one_begins(void **state)
{
	struct elf_functions f;
	struct elf_file *ef = open_program(&f);
	struct frame_fde code;

	(void)state;
	assert_false(elf_functions_find(&f, SPIN_LABEL, &code));
	assert_int_equal(elf_functions_end(&f, SPIN_LABEL), ONE);
	assert_false(elf_functions_find(&f, BEFORE_RETURN, &code));
	assert_int_equal(elf_functions_end(&f, BEFORE_RETURN), ONE);
	assert_false(elf_functions_find(&f, FINI, &code));
	assert_int_equal(elf_functions_end(&f, FINI), UINT64_MAX);
	assert_int_equal(elf_functions_end(&f, UINT64_MAX), UINT64_MAX);
	elf_file_close(ef);
}

static void the_code_that_a_handler_returns_to_is_known(void **state)
{
	struct elf_functions f;
	struct elf_file *ef = open_program(&f);

	(void)state;
	assert_false(elf_functions_is_signal_return(&f, BEYOND));
	assert_false(elf_functions_is_signal_return(&f, RETURN_HERE - 1));
	assert_true(elf_functions_is_signal_return(&f, RETURN_HERE));
	assert_true(elf_functions_is_signal_return(&f, RETURN_HERE + 7));
	assert_false(elf_functions_is_signal_return(&f, ONE));
	elf_file_close(ef);
}

static void calls_are_known_by_the_code_before(void **state)
{
	enum { AFTER_CALL = 0x1091, START = 0x1070, SEGMENT = 0x1000 };
	struct elf_functions f;
	struct elf_file *ef = open_program(&f);

	(void)state;
	assert_true(elf_functions_may_follow_call(&f, AFTER_CALL));
	assert_false(elf_functions_may_follow_call(&f, TWO));
	assert_false(elf_functions_may_follow_call(&f, AFTER_CALL + 1));
	/* zeros between segments; no code before */
	assert_true(elf_functions_may_follow_call(&f, SEGMENT));
	assert_true(elf_functions_may_follow_call(&f, 0));
	assert_true(elf_functions_may_follow_call(&f, UINT64_MAX));
	elf_file_close(ef);
}

/* A file that is nothing but .eh_frame_hdr, in a segment of its own. */
static void expect_no_functions(struct span table)
{
	struct tiny_elf tiny;
	struct elf_functions f;
	struct frame_fde code;
	struct elf_file *ef;
	size_t size_bytes;
	char *image;

	tiny_elf_init(&tiny);
	tiny.eh.e_phnum = 2;
	tiny.eh.e_phoff = TINY_TEXT_OFFSET + 0x800;
	image = tiny_elf_image(&tiny, &size_bytes);
	((Elf64_Phdr *)(void *)(image + tiny.eh.e_phoff))[0] = tiny.ph;
	((Elf64_Phdr *)(void *)(image + tiny.eh.e_phoff))[1] =
		(Elf64_Phdr){ .p_type = PT_GNU_EH_FRAME, .p_vaddr = TINY_TEXT_ADDRESS };
	memcpy(image + TINY_TEXT_OFFSET, table.p, table.n);
	ef = elf_file_from_memory(image, size_bytes, "image");
	assert_non_null(ef);
	elf_functions_open(&f, ef);
	assert_false(elf_functions_find(&f, TINY_TEXT_OFFSET + 0x10, &code));
	elf_functions_end(&f, TINY_TEXT_OFFSET + 0x10);
	elf_file_close(ef);
}

#define EXPECT_NONE(text) expect_no_functions((struct span){ (text), sizeof(text) - 1 })

static void a_table_that_makes_no_sense_gives_no_functions(void **state)
{
	(void)state;
	/* another version, another encoding */
	EXPECT_NONE("\2\x1b\3\x3b\x0c\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0");
	EXPECT_NONE("\1\x1b\3\xff\x0c\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0");
	/* .eh_frame outside of the file; more pairs than the file holds */
	EXPECT_NONE("\1\x1b\3\x3b\xff\xff\xff\x7f\1\0\0\0\0\0\0\0\x14\0\0\0");
	EXPECT_NONE("\1\x1b\3\x3b\x0c\0\0\0\xff\xff\xff\xff\0\0\0\0\x14\0\0\0");
	/* an FDE outside of .eh_frame; one that is a CIE; one that is longer than the section */
	EXPECT_NONE("\1\x1b\3\x3b\x0c\0\0\0\1\0\0\0\0\0\0\0\0\0\0\x80");
	EXPECT_NONE("\1\x1b\3\x3b\x10\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0\4\0\0\0\0\0\0\0");
	EXPECT_NONE("\1\x1b\3\x3b\x10\0\0\0\1\0\0\0\0\0\0\0\x14\0\0\0\xff\xff\0\0\1\0\0\0");
}

static void a_file_without_a_table_has_no_functions(void **state)
{
	struct elf_functions none = { 0 };
	struct frame_fde code;

	(void)state;
	assert_false(elf_functions_find(&none, 0x1000, &code));
	assert_int_equal(elf_functions_end(&none, 0x1000), UINT64_MAX);
	assert_false(elf_functions_is_signal_return(&none, 0x1000));
	assert_true(elf_functions_may_follow_call(&none, 0x1000));
	expect_no_functions(SPAN(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_begins_and_ends_with_its_fde),
		cmocka_unit_test(code_without_an_fde_ends_where_the_next_one_begins),
		cmocka_unit_test(the_code_that_a_handler_returns_to_is_known),
		cmocka_unit_test(calls_are_known_by_the_code_before),
		cmocka_unit_test(a_table_that_makes_no_sense_gives_no_functions),
		cmocka_unit_test(a_file_without_a_table_has_no_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
