#include "unwind/arm_prologue.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { R4 = 4, R7 = 7, R11 = 11, SP = 13, LR = 14 };

/* A frame at an instruction: offsets from the CFA; 0: the register is in itself. */
struct state {
	size_t at; /* bytes from the first one of the function */
	uint64_t cfa_column;
	int64_t cfa_offset, r4, r7, lr;
};

static void set_saved(struct frame_row *row, unsigned column, int64_t offset)
{
	if (offset)
		row->column[column] =
			(struct reg_rule){ .kind = REG_RULE_OFFSET, .offset = offset };
}

/* That of the function, where it calls. */
static struct frame_row row_of(const struct state *s)
{
	struct frame_row row = { .cfa_column = s->cfa_column, .cfa_offset = s->cfa_offset };

	set_saved(&row, R4, s->r4);
	set_saved(&row, R7, s->r7);
	set_saved(&row, LR, s->lr);
	return row;
}

static void expect_saved(const struct frame_row *row, unsigned column, int64_t offset)
{
	assert_int_equal(row->column[column].kind, offset ? REG_RULE_OFFSET : REG_RULE_UNSPECIFIED);
	assert_int_equal(row->column[column].offset, offset);
}

/* The last state is that of the function. */
static void expect_states(
	const void *code, size_t n_bytes, const struct state *states, size_t n_states)
{
	size_t i;

	for (i = 0; i < n_states; i++) {
		const struct state *s = &states[i];
		struct span all = { code, n_bytes };
		struct arm_code c = {
			.before = { code, s->at }, .after = span_skip(all, s->at), .next = s->at
		};
		struct frame_row row = row_of(&states[n_states - 1]);

		arm_prologue_apply(&c, &row);
		assert_int_equal(row.cfa_column, s->cfa_column);
		assert_int_equal(row.cfa_offset, s->cfa_offset);
		expect_saved(&row, R4, s->r4);
		expect_saved(&row, R7, s->r7);
		expect_saved(&row, LR, s->lr);
	}
}

#define EXPECT(code, ...)                                                                          \
	expect_states((code), sizeof(code), (const struct state[]){ __VA_ARGS__ },                 \
		sizeof((const struct state[]){ __VA_ARGS__ }) / sizeof(struct state))

static void arm_code_pushes_and_pops(void **state)
{
	static const uint32_t code[] = {
		0xe92d4090, /* push {r4, r7, lr} */
		0xed2d8b02, /* vpush {d8} */
		0xe24ddc01, /* sub sp, sp, #256 */
		0xeb000109, /* bl */
		0xe3a03000, /* mov r3, #0 */
		0xe28ddc01, /* add sp, sp, #256 */
		0xecbd8b02, /* vpop {d8} */
		0xe8bd8090, /* pop {r4, r7, pc} */
	};

	(void)state;
	EXPECT(code, { 0, SP, 0, 0, 0, 0 }, { 4, SP, 12, -12, -8, -4 }, { 8, SP, 20, -12, -8, -4 },
		{ 16, SP, 276, -12, -8, -4 }, { 24, SP, 20, -12, -8, -4 },
		{ 28, SP, 12, -12, -8, -4 }, { 12, SP, 276, -12, -8, -4 });
}

static void arm_code_stores_registers_one_by_one(void **state)
{
	static const uint32_t code[] = {
		0xe52d4010, /* str r4, [sp, #-16]! */
		0xe58d7004, /* str r7, [sp, #4] */
		0xe58d0008, /* str r0, [sp, #8] */
		0xe58de00c, /* str lr, [sp, #12] */
		0xeb000109, /* bl */
		0xe59d4000, /* ldr r4, [sp] */
		0xe59d7004, /* ldr r7, [sp, #4] */
		0xe28dd00c, /* add sp, sp, #12 */
		0xe49df004, /* ldr pc, [sp], #4 */
	};

	(void)state;
	EXPECT(code, { 0, SP, 0, 0, 0, 0 }, { 4, SP, 16, -16, 0, 0 }, { 12, SP, 16, -16, -12, 0 },
		{ 20, SP, 16, -16, -12, -4 }, { 24, SP, 16, 0, -12, -4 }, { 32, SP, 4, 0, 0, -4 },
		{ 16, SP, 16, -16, -12, -4 });
}

static void pairs_are_stored_and_loaded(void **state)
{
	static const uint32_t arm[] = {
		0xe16d40f8, /* strd r4, r5, [sp, #-8]! */
		0xe52de004, /* str lr, [sp, #-4]! */
		0xeb000109, /* bl */
		0xe49de004, /* ldr lr, [sp], #4 */
		0xe0cd40d8, /* ldrd r4, r5, [sp], #8 */
		0xe12fff1e, /* bx lr */
	};
	static const uint16_t thumb[] = {
		0xe96d, 0x4702, /* strd r4, r7, [sp, #-8]! */
		0xf84d, 0xed04, /* str lr, [sp, #-4]! */
		0xf7ff, 0xffde, /* bl */
		0xf85d, 0xeb04, /* ldr lr, [sp], #4 */
		0xe8fd, 0x4702, /* ldrd r4, r7, [sp], #8 */
		0x4770,         /* bx lr */
	};

	(void)state;
	EXPECT(arm, { 4, SP, 8, -8, 0, 0 }, { 12, SP, 12, -8, 0, -12 }, { 16, SP, 8, -8, 0, 0 },
		{ 20, SP, 0, 0, 0, 0 }, { 8, SP, 12, -8, 0, -12 });
	EXPECT(thumb, { 4, SP, 8, -8, -4, 0 }, { 12, SP, 12, -8, -4, -12 },
		{ 16, SP, 8, -8, -4, 0 }, { 20, SP, 0, 0, 0, 0 }, { 8, SP, 12, -8, -4, -12 });
}

static void thumb_code_pushes_and_pops(void **state)
{
	static const uint16_t code[] = {
		0xb590,         /* push {r4, r7, lr} */
		0xed2d, 0x8b02, /* vpush {d8} */
		0xf5ad, 0x7d80, /* sub sp, sp, #256 */
		0xb082,         /* sub sp, #8 */
		0xf000, 0xf806, /* bl */
		0xb002,         /* add sp, #8 */
		0xf50d, 0x7d80, /* add sp, sp, #256 */
		0xecbd, 0x8b02, /* vpop {d8} */
		0xbd90,         /* pop {r4, r7, pc} */
	};

	(void)state;
	EXPECT(code, { 0, SP, 0, 0, 0, 0 }, { 2, SP, 12, -12, -8, -4 }, { 6, SP, 20, -12, -8, -4 },
		{ 10, SP, 276, -12, -8, -4 }, { 18, SP, 276, -12, -8, -4 },
		{ 22, SP, 20, -12, -8, -4 }, { 26, SP, 12, -12, -8, -4 },
		{ 12, SP, 284, -12, -8, -4 });
}

static void a_frame_pointer_counts_once_it_is_set(void **state)
{
	static const uint16_t thumb[] = {
		0xb580,         /* push {r7, lr} */
		0xb084,         /* sub sp, #16 */
		0xaf00,         /* add r7, sp, #0 */
		0xf000, 0xf806, /* bl */
		0x3710,         /* adds r7, #16 */
		0x46bd,         /* mov sp, r7 */
		0xbd80,         /* pop {r7, pc} */
	};
	static const uint32_t arm[] = {
		0xe92d4800, /* push {r11, lr} */
		0xe28db004, /* add r11, sp, #4 */
		0xeb000109, /* bl */
		0xe24bd004, /* sub sp, r11, #4 */
		0xe8bd8800, /* pop {r11, pc} */
	};

	(void)state;
	EXPECT(thumb, { 2, SP, 8, 0, -8, -4 }, { 4, SP, 24, 0, -8, -4 }, { 10, R7, 24, 0, -8, -4 },
		{ 14, SP, 8, 0, -8, -4 }, { 6, R7, 24, 0, -8, -4 });
	EXPECT(arm, { 4, SP, 8, 0, 0, -4 }, { 12, R11, 4, 0, 0, -4 }, { 8, R11, 4, 0, 0, -4 });
}

static void a_function_may_return_before_it_makes_a_frame(void **state)
{
	static const uint16_t thumb[] = {
		0x07c1,         /* lsls r1, r0, #31 */
		0xbf18, 0x4770, /* it ne; bxne lr */
		0xb580,         /* push {r7, lr} */
		0xb082,         /* sub sp, #8 */
		0xf000, 0xf806, /* bl */
		0xb002,         /* add sp, #8 */
		0xbd80,         /* pop {r7, pc} */
	};
	static const uint16_t branch[] = {
		0x07c1,         /* lsls r1, r0, #31 */
		0xd500,         /* bpl */
		0x4770,         /* bx lr */
		0xb580,         /* push {r7, lr} */
		0xf000, 0xf806, /* bl */
		0xbd80,         /* pop {r7, pc} */
	};

	(void)state;
	EXPECT(thumb, { 0, SP, 0, 0, 0, 0 }, { 4, SP, 0, 0, 0, 0 }, { 6, SP, 0, 0, 0, 0 },
		{ 8, SP, 8, 0, -8, -4 }, { 10, SP, 16, 0, -8, -4 });
	EXPECT(branch, { 2, SP, 0, 0, 0, 0 }, { 6, SP, 0, 0, 0, 0 }, { 8, SP, 8, 0, -8, -4 });
}

static void variable_arguments_are_above_the_registers(void **state)
{
	static const uint16_t code[] = {
		0xb40f,         /* push {r0-r3} */
		0xb510,         /* push {r4, lr} */
		0xf7ff, 0xff06, /* bl */
		0xe8bd, 0x4010, /* pop {r4, lr} */
		0xb004,         /* add sp, #16 */
		0x4770,         /* bx lr */
	};

	(void)state;
	EXPECT(code, { 2, SP, 16, 0, 0, 0 }, { 8, SP, 24, -24, 0, -20 }, { 12, SP, 16, 0, 0, 0 },
		{ 14, SP, 0, 0, 0, 0 }, { 4, SP, 24, -24, 0, -20 });
}

static void a_last_call_leaves_the_frame(void **state)
{
	static const uint32_t code[] = {
		0xe92d4010, /* push {r4, lr} */
		0xeb000109, /* bl */
		0xe8bd4010, /* pop {r4, lr} */
		0xea000109, /* b */
	};

	(void)state;
	EXPECT(code, { 8, SP, 8, -8, 0, -4 }, { 4, SP, 8, -8, 0, -4 });
}

static void code_that_is_not_understood_leaves_the_row_as_it_is(void **state)
{
	static const uint32_t arm[] = {
		0xe92d4010, /* push {r4, lr} */
		0xe04dd003, /* sub sp, sp, r3 */
		0xe1a00000, /* nop */
		0xeb000109, /* bl */
	};
	static const uint16_t thumb[] = {
		0xb510,         /* push {r4, lr} */
		0xebad, 0x0d03, /* sub sp, sp, r3 */
		0xbf00,         /* nop */
		0xf000, 0xf806, /* bl */
	};

	(void)state;
	EXPECT(arm, { 8, SP, 64, -64, 0, -60 }, { 12, SP, 64, -64, 0, -60 });
	EXPECT(thumb, { 6, SP, 64, -64, 0, -60 }, { 8, SP, 64, -64, 0, -60 });
}

static void missing_code_leaves_the_row_as_it_is(void **state)
{
	const struct state s = { 0, SP, 8, -8, 0, -4 };
	struct arm_code c = { .next = 64 };
	struct frame_row row = row_of(&s);

	(void)state;
	arm_prologue_apply(&c, &row);
	assert_int_equal(row.cfa_offset, 8);
	expect_saved(&row, R4, -8);
	expect_saved(&row, LR, -4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_code_pushes_and_pops),
		cmocka_unit_test(arm_code_stores_registers_one_by_one),
		cmocka_unit_test(pairs_are_stored_and_loaded),
		cmocka_unit_test(thumb_code_pushes_and_pops),
		cmocka_unit_test(a_frame_pointer_counts_once_it_is_set),
		cmocka_unit_test(a_function_may_return_before_it_makes_a_frame),
		cmocka_unit_test(variable_arguments_are_above_the_registers),
		cmocka_unit_test(a_last_call_leaves_the_frame),
		cmocka_unit_test(code_that_is_not_understood_leaves_the_row_as_it_is),
		cmocka_unit_test(missing_code_leaves_the_row_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
