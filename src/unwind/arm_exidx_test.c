#include "unwind/arm_exidx.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Words as they are in the file: the index at 0x8000, tables at 0x9000, code from 0x1000 on. */
enum { INDEX = 0x8000, TABLES = 0x9000, CODE = 0x1000, FUNCTION_BYTES = 0x100, WORDS = 300 };
enum { R11 = 11, SP = 13, LR = 14 };

struct bed {
	uint32_t index[4][2], table[WORDS];
	struct arm_exidx x;
};

static uint32_t relative_to(uint32_t address, uint32_t at)
{
	return (address - at) & INT32_MAX;
}

/* Two functions, of which the first has this second word, and the end. */
static void begin(struct bed *b, uint32_t word)
{
	static const uint32_t cannot_unwind = 1;
	unsigned i;

	memset(b, 0, sizeof(*b));
	for (i = 0; i < ARRAY_LEN(b->index); i++) {
		b->index[i][0] = relative_to(CODE + i * FUNCTION_BYTES, INDEX + 8 * i);
		b->index[i][1] = cannot_unwind;
	}
	b->index[1][1] = word;
	b->x = (struct arm_exidx){
		.index = { { (const char *)b->index, sizeof(b->index) }, INDEX },
		.tables = { { (const char *)b->table, sizeof(b->table) }, TABLES },
	};
}

static bool row_of(struct bed *b, struct frame_row *row)
{
	return arm_exidx_row(&b->x, CODE + FUNCTION_BYTES + 0x20, row);
}

static void expect(struct bed *b, uint64_t cfa_column, int64_t cfa_offset, const int64_t saved[16])
{
	struct frame_row row;
	unsigned i;

	assert_true(row_of(b, &row));
	assert_int_equal(row.start, CODE + FUNCTION_BYTES);
	assert_int_equal(row.end, CODE + 2 * FUNCTION_BYTES);
	assert_int_equal(row.ra, LR);
	assert_true(row.guessed);
	assert_int_equal(row.cfa_column, cfa_column);
	assert_int_equal(row.cfa_offset, cfa_offset);
	for (i = 0; i < 16; i++) {
		assert_int_equal(
			row.column[i].kind, saved[i] ? REG_RULE_OFFSET : REG_RULE_UNSPECIFIED);
		assert_int_equal(row.column[i].offset, saved[i]);
	}
}

#define EXPECT(b, column, offset, ...)                                                             \
	expect((b), (column), (offset), (const int64_t[16]){ __VA_ARGS__ })

static void expect_none(uint32_t word)
{
	struct frame_row row;
	struct bed b;

	begin(&b, word);
	assert_false(row_of(&b, &row));
}

static void three_bytes_are_in_the_index(void **state)
{
	struct bed b;

	(void)state;
	begin(&b, 0x80b0b0b0);
	EXPECT(&b, SP, 0, 0);
	begin(&b, 0x8001a9b0); /* sp += 8; pop {r4, r5, lr} */
	EXPECT(&b, SP, 20, [4] = -12, [5] = -8, [14] = -4);
	begin(&b, 0x808900b0); /* pop {r12, pc}: the address that is returned to */
	EXPECT(&b, SP, 8, [12] = -8, [14] = -4);
}

static void a_frame_may_be_relative_to_another_register(void **state)
{
	struct bed b;

	(void)state;
	begin(&b, 0x809b8480); /* sp = r11; pop {r11, lr} */
	EXPECT(&b, R11, 8, [11] = -8, [14] = -4);
	expect_none(0x80974184); /* the list of registers is cut off */
	expect_none(0x80a89700); /* registers popped from one place, and the rest from another */
	expect_none(0x809d0000);
	expect_none(0x809f0000);
}

static void tables_have_more_instructions(void **state)
{
	struct bed b;

	(void)state;
	begin(&b, relative_to(TABLES + 8, INDEX + 12));
	b.table[2] = 0x80a8b0b0;
	EXPECT(&b, SP, 8, [4] = -8, [14] = -4);
	b.table[2] = 0x8101b204; /* sp += 0x204 + 4 * 4; */
	b.table[3] = 0xc983a8b0; /* vpop {d8-d11}; pop {r4, lr} */
	EXPECT(&b, SP, 0x204 + 16 + 32 + 8, [4] = -8, [14] = -4);
	b.table[2] = relative_to(0x5000, TABLES + 8); /* a routine of C++ */
	b.table[3] = 0x01b38284;
	b.table[4] = 0x00b10fb0; /* d8-d10 as FSTMFDX stores them; pop {lr}; pop {r0-r3} */
	EXPECT(&b, SP, 8 * 3 + 4 + 4 + 16, [0] = -16, [1] = -12, [2] = -8, [3] = -4, [14] = -20);
}

static void floating_registers_are_passed_over(void **state)
{
	static const struct {
		uint32_t word;
		int64_t bytes;
	} known[] = { { 0x80b9b0b0, 8 * 2 + 4 }, { 0x80d2b0b0, 8 * 3 }, { 0x80c1b0b0, 8 * 2 },
		{ 0x80c60300, 8 * 4 + 4 }, { 0x80c70fb0, 16 }, { 0x80c801b0, 8 * 2 },
		{ 0x80b4b0b0, 4 } };
	struct bed b;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(known); i++) {
		begin(&b, known[i].word);
		EXPECT(&b, SP, known[i].bytes, 0);
	}
}

static void what_cannot_be_unwound_has_no_row(void **state)
{
	(void)state;
	expect_none(1);
	expect_none(0x808000b0); /* pop of no register */
	expect_none(0x808200b0); /* pop {sp} */
	expect_none(0x80b100b0);
	expect_none(0x80b5b0b0);
	expect_none(0x80cab0b0);
	expect_none(0x80e0b0b0);
	expect_none(0x8041b0b0); /* below the stack pointer */
	expect_none(0x80b2ffff); /* a number without an end */
	expect_none(0x81b0b0b0); /* not in the index */
}

static void damaged_tables_have_no_row(void **state)
{
	struct frame_row row;
	struct bed b;

	(void)state;
	begin(&b, relative_to(TABLES + sizeof(b.table) - 4, INDEX + 12));
	assert_false(row_of(&b, &row));
	begin(&b, relative_to(TABLES - 4, INDEX + 12));
	assert_false(row_of(&b, &row));
	begin(&b, relative_to(TABLES + sizeof(b.table) - 8, INDEX + 12));
	b.table[WORDS - 2] = 0x8102b0b0; /* two words more, of which there is one */
	assert_false(row_of(&b, &row));
	b.table[WORDS - 2] = 0x8101b0b0;
	assert_true(row_of(&b, &row));
	b.table[WORDS - 2] = 0x83b0b0b0;
	assert_false(row_of(&b, &row));
	begin(&b, 0x80b0b0b0);
	b.x.index.bytes.n = 0;
	assert_false(row_of(&b, &row));
}

static void addresses_outside_have_no_row(void **state)
{
	struct frame_row row;
	struct bed b;

	(void)state;
	begin(&b, 0x80b0b0b0);
	assert_false(arm_exidx_row(&b.x, CODE - 1, &row));
	assert_false(arm_exidx_row(&b.x, CODE + FUNCTION_BYTES - 1, &row));
	assert_true(arm_exidx_row(&b.x, CODE + FUNCTION_BYTES, &row));
	assert_true(arm_exidx_row(&b.x, CODE + 2 * FUNCTION_BYTES - 1, &row));
	b.index[3][1] = 0x80b0b0b0; /* nothing says where it ends */
	assert_false(arm_exidx_row(&b.x, CODE + 3 * FUNCTION_BYTES, &row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_bytes_are_in_the_index),
		cmocka_unit_test(a_frame_may_be_relative_to_another_register),
		cmocka_unit_test(tables_have_more_instructions),
		cmocka_unit_test(floating_registers_are_passed_over),
		cmocka_unit_test(what_cannot_be_unwound_has_no_row),
		cmocka_unit_test(damaged_tables_have_no_row),
		cmocka_unit_test(addresses_outside_have_no_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
