#include "unwind/expr.h"

#include "base/mem.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const uint64_t stack[] = { 0x1122334455667788, 42 };
static const struct unwind_memory memory = {
	.bytes = (const uint8_t *)stack, .start = 0x1000, .n = sizeof(stack), .word_bytes = 8
};

/* Each operation is at the byte of its number: jumps count operations. */
static bool eval(const Dwarf_Op *op, size_t n, uint64_t *result)
{
	static const uint64_t cfa = 0x1008;
	struct unwind_regs regs = { .known = 0 };
	struct expr_env env = { .regs = &regs, .memory = &memory, .cfa = &cfa };
	struct arena arena = ARENA_INIT;
	Dwarf_Op numbered[EXPR_OPS_MAX];
	struct expr x;
	size_t i;
	bool ok;

	for (i = 0; i < n; i++) {
		numbered[i] = op[i];
		numbered[i].offset = 3 * i;
	}
	unwind_regs_set(&regs, 7, 0x1000);
	unwind_regs_set(&regs, 16, 0xabc);
	ok = expr_copy(&x, numbered, n, &arena) && expr_eval(&x, &env, result);
	arena_release(&arena);
	return ok;
}

#define EXPECT(value, ...)                                                                         \
	do {                                                                                       \
		const Dwarf_Op op[] = { __VA_ARGS__ };                                             \
		uint64_t got;                                                                      \
                                                                                                   \
		assert_true(eval(op, ARRAY_LEN(op), &got));                                        \
		assert_int_equal(got, (uint64_t)(value));                                          \
	} while (0)

#define EXPECT_NOTHING(...)                                                                        \
	do {                                                                                       \
		const Dwarf_Op op[] = { __VA_ARGS__ };                                             \
		uint64_t got;                                                                      \
                                                                                                   \
		assert_false(eval(op, ARRAY_LEN(op), &got));                                       \
	} while (0)

#define NUMBER(v)                                                                                  \
	{                                                                                          \
		DW_OP_const8s, (Dwarf_Word)(v), 0, 0                                               \
	}
#define DO(name)                                                                                   \
	{                                                                                          \
		DW_OP_##name, 0, 0, 0                                                              \
	}
#define DO_WITH(name, v)                                                                           \
	{                                                                                          \
		DW_OP_##name, (Dwarf_Word)(v), 0, 0                                                \
	}

static void arithmetic_has_64_bits(void **state)
{
	(void)state;
	EXPECT(5, NUMBER(2), NUMBER(3), DO(plus));
	EXPECT(-1, NUMBER(2), NUMBER(3), DO(minus));
	EXPECT(-6, NUMBER(2), NUMBER(-3), DO(mul));
	EXPECT(-2, NUMBER(7), NUMBER(-3), DO(div));
	EXPECT(INT64_MIN, NUMBER(INT64_MIN), NUMBER(-1), DO(div));
	EXPECT(1, NUMBER(7), NUMBER(3), DO(mod));
	EXPECT(2, NUMBER(6), NUMBER(3), DO(and));
	EXPECT(7, NUMBER(6), NUMBER(3), DO(or));
	EXPECT(5, NUMBER(6), NUMBER(3), DO(xor));
	EXPECT(48, NUMBER(6), NUMBER(3), DO(shl));
	EXPECT(0, NUMBER(6), NUMBER(64), DO(shl));
	EXPECT(1, NUMBER(-1), NUMBER(63), DO(shr));
	EXPECT(0, NUMBER(-1), NUMBER(64), DO(shr));
	EXPECT(-1, NUMBER(-8), NUMBER(1000), DO(shra));
	EXPECT(-4, NUMBER(-8), NUMBER(1), DO(shra));
	EXPECT(8, NUMBER(-8), DO(abs));
	EXPECT(8, NUMBER(-8), DO(neg));
	EXPECT(-1, NUMBER(0), DO(not ));
	EXPECT(15, NUMBER(5), DO_WITH(plus_uconst, 10));
}

static void comparisons_are_signed(void **state)
{
	static const struct {
		uint8_t atom;
		bool less, equal, more; /* what it says of -1 and 1, 1 and 1, 1 and -1 */
	} row[] = {
		{ DW_OP_lt, true, false, false },
		{ DW_OP_le, true, true, false },
		{ DW_OP_gt, false, false, true },
		{ DW_OP_ge, false, true, true },
		{ DW_OP_eq, false, true, false },
		{ DW_OP_ne, true, false, true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(row); i++) {
		EXPECT(row[i].less, NUMBER(-1), NUMBER(1), { row[i].atom, 0, 0, 0 });
		EXPECT(row[i].equal, NUMBER(1), NUMBER(1), { row[i].atom, 0, 0, 0 });
		EXPECT(row[i].more, NUMBER(1), NUMBER(-1), { row[i].atom, 0, 0, 0 });
	}
}

static void stack_operations_move_values(void **state)
{
	(void)state;
	EXPECT(10, NUMBER(5), DO(dup), DO(plus));
	EXPECT(1, NUMBER(1), NUMBER(2), DO(over));
	EXPECT(1, NUMBER(1), NUMBER(2), NUMBER(3), DO_WITH(pick, 2));
	EXPECT(1, NUMBER(1), NUMBER(2), DO(drop));
	EXPECT(1, NUMBER(1), NUMBER(2), DO(swap));
	/* 1 2 3 becomes 3 1 2 */
	EXPECT(2, NUMBER(1), NUMBER(2), NUMBER(3), DO(rot));
	EXPECT(3, NUMBER(1), NUMBER(2), NUMBER(3), DO(rot), DO(drop), DO(drop));
	EXPECT(7, DO(lit7), DO(nop));
}

static void registers_memory_and_the_frame_address_are_read(void **state)
{
	(void)state;
	EXPECT(0x1008, { DW_OP_breg7, 8, 0, 0 });
	EXPECT(0x1004, { DW_OP_bregx, 7, 4, 0 });
	EXPECT(0xabc, { DW_OP_reg16, 0, 0, 0 });
	EXPECT(0xabc, DO_WITH(regx, 16));
	EXPECT(42, DO(call_frame_cfa), DO(deref));
	EXPECT(0x88, { DW_OP_breg7, 0, 0, 0 }, DO_WITH(deref_size, 1));
	EXPECT(0x55667788, { DW_OP_breg7, 0, 0, 0 }, DO_WITH(deref_size, 4));
	EXPECT_NOTHING({ DW_OP_breg3, 0, 0, 0 }); /* not known */
	EXPECT_NOTHING(DO_WITH(regx, 1000));
	EXPECT_NOTHING({ DW_OP_breg7, 16, 0, 0 }, DO(deref)); /* after the dump */
	EXPECT_NOTHING({ DW_OP_breg7, 9, 0, 0 }, DO(deref));
	EXPECT_NOTHING({ DW_OP_breg7, -1, 0, 0 }, DO(deref));
	EXPECT_NOTHING({ DW_OP_breg7, 0, 0, 0 }, DO_WITH(deref_size, 9));
}

static void jumps_stay_inside_the_expression(void **state)
{
	(void)state;
	EXPECT(1, NUMBER(1), DO_WITH(skip, 3), DO(drop));
	EXPECT(1, NUMBER(1), DO_WITH(skip, 0));
	EXPECT(1, NUMBER(1), NUMBER(0), DO_WITH(bra, 3), DO(nop), DO(nop));
	/* counts down from 3 */
	EXPECT(0, NUMBER(3), DO(lit1), DO(minus), DO(dup), DO_WITH(bra, -12));
	EXPECT_NOTHING(NUMBER(1), DO_WITH(skip, 1), DO(nop), DO(nop)); /* between two */
	EXPECT_NOTHING(NUMBER(1), DO_WITH(skip, -100));
	EXPECT_NOTHING(DO_WITH(bra, 0));
}

static void endless_and_underflowing_expressions_fail(void **state)
{
	Dwarf_Op many[EXPR_DEPTH_MAX + 1];
	uint64_t result;
	size_t i;

	(void)state;
	EXPECT_NOTHING(NUMBER(1), DO_WITH(skip, -3));
	EXPECT_NOTHING(NUMBER(1), NUMBER(0), DO(div));
	EXPECT_NOTHING(NUMBER(1), NUMBER(0), DO(mod));
	EXPECT_NOTHING(DO(plus));
	EXPECT_NOTHING(NUMBER(1), DO(plus));
	EXPECT_NOTHING(DO(dup));
	EXPECT_NOTHING(DO(drop));
	EXPECT_NOTHING(DO(deref));
	EXPECT_NOTHING(DO(neg));
	EXPECT_NOTHING(NUMBER(1), DO(swap));
	EXPECT_NOTHING(NUMBER(1), NUMBER(1), DO(rot));
	EXPECT_NOTHING(NUMBER(1), DO_WITH(pick, 1));
	EXPECT_NOTHING(DO(nop));
	EXPECT_NOTHING(DO(push_object_address));
	for (i = 0; i < ARRAY_LEN(many); i++)
		many[i] = (Dwarf_Op)DO(lit1);
	assert_true(eval(many, EXPR_DEPTH_MAX, &result));
	assert_false(eval(many, EXPR_DEPTH_MAX + 1, &result));
	assert_false(eval(many, 0, &result));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_has_64_bits),
		cmocka_unit_test(comparisons_are_signed),
		cmocka_unit_test(stack_operations_move_values),
		cmocka_unit_test(registers_memory_and_the_frame_address_are_read),
		cmocka_unit_test(jumps_stay_inside_the_expression),
		cmocka_unit_test(endless_and_underflowing_expressions_fail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
