#include "unwind/frame_info.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define SECTION 0x5000ull

/* An entry with its length before it. */
static void put(struct buf *b, struct span content)
{
	uint32_t length = (uint32_t)content.n;

	buf_put(b, &length, 4);
	buf_put_span(b, content);
}

#define PUT(b, text) put((b), (struct span){ (text), sizeof(text) - 1 })

/* "zR", addresses relative to themselves in 4 bytes, CFA = r7 + 8, r16 at CFA - 8. */
#define COMMON                                                                                     \
	"\0\0\0\0"                                                                                 \
	"\1zR\0"                                                                                   \
	"\1\x78\x10"                                                                               \
	"\1\x1b"                                                                                   \
	"\x0c\7\x08\x90\1"

/* The function from 0x1000 to 0x1040, of the CIE that begins the section. */
static void put_function(struct buf *b, struct span instructions)
{
	struct buf entry = { 0 };
	uint32_t cie = (uint32_t)b->n + 4, size = 0x40;
	int32_t start = (int32_t)(0x1000 - (SECTION + b->n + 8));

	buf_put(&entry, &cie, 4);
	buf_put(&entry, &start, 4);
	buf_put(&entry, &size, 4);
	buf_putc(&entry, 0);
	buf_put_span(&entry, instructions);
	put(b, buf_span(&entry));
	buf_release(&entry);
}

#define FUNCTION(b, text) put_function((b), (struct span){ (text), sizeof(text) - 1 })

static bool row_at(struct buf *b, bool debug_frame, uint64_t address, struct frame_row *row)
{
	struct frame_info f;
	bool found = frame_info_read(&f,
			     (struct frame_section){ buf_span(b), SECTION, debug_frame, false }) &&
		     frame_info_row(&f, address, row);

	frame_info_release(&f);
	return found;
}

static void expect_cfa(
	struct buf *b, uint64_t address, uint64_t start, uint64_t end, int64_t offset)
{
	struct frame_row row;

	assert_true(row_at(b, false, address, &row));
	assert_int_equal(row.start, start);
	assert_int_equal(row.end, end);
	assert_int_equal(row.cfa_column, 7);
	assert_int_equal(row.cfa_offset, offset);
	assert_int_equal(row.column[16].kind, REG_RULE_OFFSET);
	assert_int_equal(row.column[16].offset, -8);
}

static void rows_end_where_the_next_begins(void **state)
{
	struct buf b = { 0 };
	struct frame_row row;

	(void)state;
	PUT(&b, COMMON);
	/* +4: CFA = r7 + 16, r6 at CFA - 16; +16: r6 as at first */
	FUNCTION(&b, "\x44\x0e\x10\x86\2"
		     "\x50\xc6");
	expect_cfa(&b, 0x1000, 0x1000, 0x1004, 8);
	expect_cfa(&b, 0x1003, 0x1000, 0x1004, 8);
	expect_cfa(&b, 0x1004, 0x1004, 0x1014, 16);
	expect_cfa(&b, 0x103f, 0x1014, 0x1040, 16);
	assert_true(row_at(&b, false, 0x1010, &row));
	assert_int_equal(row.column[6].kind, REG_RULE_OFFSET);
	assert_int_equal(row.column[6].offset, -16);
	assert_true(row_at(&b, false, 0x1020, &row));
	assert_int_equal(row.column[6].kind, REG_RULE_UNSPECIFIED);
	assert_false(row_at(&b, false, 0xfff, &row));
	assert_false(row_at(&b, false, 0x1040, &row));
	buf_release(&b);
}

static void restore_state_restores_the_whole_row(void **state)
{
	struct buf b = { 0 };

	(void)state;
	PUT(&b, COMMON);
	FUNCTION(&b, "\x0e\x20\x44\x0a\x0e\x10\x44\x0b\x44\x0e\x30");
	expect_cfa(&b, 0x1000, 0x1000, 0x1004, 32);
	expect_cfa(&b, 0x1004, 0x1004, 0x1008, 16);
	expect_cfa(&b, 0x1008, 0x1008, 0x100c, 32);
	expect_cfa(&b, 0x100c, 0x100c, 0x1040, 48);
	buf_release(&b);
}

static void unknown_letters_of_an_augmentation_are_skipped(void **state)
{
	struct buf b = { 0 };

	(void)state;
	PUT(&b, "\0\0\0\0"
		"\1zRx\0"
		"\1\x78\x10"
		"\4\x1b\xff\xff\xff"
		"\x0c\7\x08\x90\1");
	FUNCTION(&b, "");
	expect_cfa(&b, 0x1000, 0x1000, 0x1040, 8);
	buf_release(&b);
}

/* What follows them counts: S, of a signal's frame. */
static void letters_of_signed_and_tagged_frames_have_no_data(void **state)
{
	struct buf b = { 0 };
	struct frame_row row;

	(void)state;
	PUT(&b, "\0\0\0\0"
		"\1zRBGS\0"
		"\1\x78\x10"
		"\1\x1b"
		"\x0c\7\x08\x90\1");
	FUNCTION(&b, "");
	assert_true(row_at(&b, false, 0x1000, &row));
	assert_true(row.signal);
	buf_release(&b);
}

static void entries_after_a_terminator_count(void **state)
{
	struct buf b = { 0 };

	(void)state;
	PUT(&b, COMMON);
	PUT(&b, "");
	FUNCTION(&b, "");
	expect_cfa(&b, 0x1000, 0x1000, 0x1040, 8);
	buf_release(&b);
}

/* What clang wrote for a function of 32-bit Arm: push {r4, r5, r11, lr}. */
static void addresses_of_32_bit_files_have_4_bytes(void **state)
{
	static const char bytes[] = "\x10\0\0\0\xff\xff\xff\xff\4\0\4\0\1\x7c\x0e\x0c\x0d\0\0\0"
				    "\x18\0\0\0\0\0\0\0\0\x10\0\0\x20\0\0\0"
				    "\x44\x0e\x10\x8e\1\x8b\2\x85\3\x84\4";
	struct frame_section s = { .bytes = { bytes, sizeof(bytes) }, .debug_frame = true };
	struct frame_info f;
	struct frame_row row;

	(void)state;
	assert_false(frame_info_read(&f, s));
	frame_info_release(&f);
	s.narrow = true;
	assert_true(frame_info_read(&f, s));
	assert_true(frame_info_row(&f, 0x1010, &row));
	assert_int_equal(row.start, 0x1004);
	assert_int_equal(row.end, 0x1020);
	assert_int_equal(row.ra, 14);
	assert_int_equal(row.cfa_offset, 16);
	assert_int_equal(row.column[14].offset, -4);
	assert_int_equal(row.column[4].offset, -16);
	frame_info_release(&f);
}

static void debug_frame_has_its_own_ids(void **state)
{
	/* version 4; the entry's CIE is at offset 0 */
	static const char cie[] = "\xff\xff\xff\xff"
				  "\4\0\x08\0"
				  "\1\x78\x10"
				  "\x0c\7\x08\x90\1";
	static const char fde[] = "\0\0\0\0"
				  "\0\x10\0\0\0\0\0\0"
				  "\x40\0\0\0\0\0\0\0"
				  "\x44\x0e\x10";
	struct buf b = { 0 };
	struct frame_row row;

	(void)state;
	PUT(&b, cie);
	PUT(&b, fde);
	assert_true(row_at(&b, true, 0x1004, &row));
	assert_int_equal(row.cfa_offset, 16);
	assert_int_equal(row.ra, 16);
	assert_false(row_at(&b, true, 0x1040, &row));
	buf_release(&b);
}

static void unknown_registers_are_ignored(void **state)
{
	struct buf b = { 0 };

	(void)state;
	PUT(&b, COMMON);
	FUNCTION(&b, "\5\xff\xff\xff\xff\x0f\1"
		     "\7\xff\xff\xff\xff\xff\xff\xff\xff\x7f");
	expect_cfa(&b, 0x1000, 0x1000, 0x1040, 8);
	buf_release(&b);
}

static void nonsense_entries_give_no_row(void **state)
{
	static const char *const bad[] = {
		"\x3f",         /* no instruction */
		"\x0b",         /* nothing was remembered */
		"\x86",         /* an operand is missing */
		"\x0f\x05\x77", /* an expression is longer than the entry */
		"\x0f",
		"\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a",
	};
	struct frame_row row;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		struct buf b = { 0 };

		PUT(&b, COMMON);
		put_function(&b, span_of(bad[i]));
		assert_false(row_at(&b, false, 0x1000, &row));
		buf_release(&b);
	}
}

static void a_section_may_be_cut_anywhere(void **state)
{
	struct buf b = { 0 };
	struct frame_row row;
	size_t n, whole;

	(void)state;
	PUT(&b, COMMON);
	FUNCTION(&b, "\x44\x0e\x10\x86\2");
	whole = b.n;
	for (n = 0; n <= whole; n++) {
		/* of its own size, so that reading too far is seen */
		struct buf cut = { 0 };

		buf_put(&cut, b.p, n);
		assert_int_equal(row_at(&cut, false, 0x1000, &row), n == whole);
		buf_release(&cut);
	}
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_end_where_the_next_begins),
		cmocka_unit_test(restore_state_restores_the_whole_row),
		cmocka_unit_test(unknown_letters_of_an_augmentation_are_skipped),
		cmocka_unit_test(letters_of_signed_and_tagged_frames_have_no_data),
		cmocka_unit_test(entries_after_a_terminator_count),
		cmocka_unit_test(addresses_of_32_bit_files_have_4_bytes),
		cmocka_unit_test(debug_frame_has_its_own_ids),
		cmocka_unit_test(unknown_registers_are_ignored),
		cmocka_unit_test(nonsense_entries_give_no_row),
		cmocka_unit_test(a_section_may_be_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
