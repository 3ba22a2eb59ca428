#include "unwind/unwind_rule.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct unwind_arch *const x86 = &arch_x86_64;

#define CFA_RULE(text) cfa_rule((struct span){ (text), sizeof(text) - 1 })

/* The kind of rule that an expression for the CFA becomes: short ones are cached and applied
 * without the machine for expressions. */
static struct unwind_rule cfa_rule(struct span expression)
{
	struct frame_row row = { .start = 0x1000, .end = 0x1010, .ra = 16 };
	struct arena arena = ARENA_INIT;
	const struct unwind_rule *r;
	struct unwind_rule copy;

	row.cfa_expr = expression;
	row.column[16].kind = REG_RULE_OFFSET;
	row.column[16].offset = -8;
	r = unwind_rule_compile(x86, &row, &arena);
	assert_non_null(r);
	copy = *r;
	arena_release(&arena);
	return copy;
}

static void the_expression_of_linkers_for_plt_entries_is_a_short_rule(void **state)
{
	struct unwind_rule r = CFA_RULE("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22");

	(void)state;
	assert_int_equal(r.cfa, CFA_PLT);
	assert_int_equal(r.reg, 11);
	assert_int_equal(r.offset, 8);
	/* another mask, no shift, not relative to rsp, a byte more */
	assert_int_equal(CFA_RULE("\x77\x08\x80\x00\x3e\x1a\x3b\x2a\x33\x24\x22").cfa, CFA_FULL);
	assert_int_equal(CFA_RULE("\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x25\x22").cfa, CFA_FULL);
	assert_int_equal(CFA_RULE("\x76\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22").cfa, CFA_FULL);
	assert_int_equal(CFA_RULE("\x77\x08\x80\x01\x3f\x1a\x3b\x2a\x33\x24\x22").cfa, CFA_FULL);
}

static void a_word_at_a_register_and_an_offset_is_a_short_rule(void **state)
{
	struct unwind_rule r = CFA_RULE("\x76\x78\x06"); /* rbp - 8, deref */

	(void)state;
	assert_int_equal(r.cfa, CFA_DEREF);
	assert_int_equal(r.reg, 6);
	assert_int_equal(r.offset, -8);
	r = CFA_RULE("\x92\x06\x78\x06"); /* bregx 6 -8, deref */
	assert_int_equal(r.cfa, CFA_DEREF);
	assert_int_equal(r.reg, 6);
	assert_int_equal(r.offset, -8);
	assert_int_equal(CFA_RULE("\x76\x78\x06\x06").cfa, CFA_FULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_expression_of_linkers_for_plt_entries_is_a_short_rule),
		cmocka_unit_test(a_word_at_a_register_and_an_offset_is_a_short_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
