#include "unwind/go_cfi.h"

#include "files/go_program/tiny_go_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct program {
	struct tiny_go t;
	struct go_program p;
};

static void begin(struct program *g)
{
	uint64_t text;

	*g = (struct program){ .t = { .form = GO_1_20, .word_bytes = 8 } };
	tiny_go_init(&g->t);
	assert_true(go_table_read(&g->p.table, buf_span(&g->t.table), false, &text));
	g->p.table.text = text;
}

static const struct unwind_arch *arch(const char *name)
{
	return unwind_arch_by_name(span_of(name));
}

static void expect_row(struct program *g, const struct unwind_arch *a, uint64_t address,
	int64_t cfa, struct reg_rule ra)
{
	struct frame_row row;

	assert_true(go_cfi_row(&g->p, a, address, &row));
	assert_in_range(address, row.start, row.end - 1);
	assert_int_equal(row.cfa_column, a->sp);
	assert_int_equal(row.cfa_offset, cfa);
	assert_int_equal(row.ra, a->ra);
	assert_int_equal(row.column[a->ra].kind, ra.kind);
	assert_int_equal(row.column[a->ra].offset, ra.offset);
	assert_int_equal(row.column[a->fp].kind, REG_RULE_UNSPECIFIED);
}

static void a_call_pushes_the_return_address(void **state)
{
	const struct reg_rule below_cfa = { .kind = REG_RULE_OFFSET, .offset = -8 };
	struct program g;

	(void)state;
	begin(&g);
	expect_row(&g, arch("x86_64"), TINY_GO_MAIN, 8, below_cfa);
	expect_row(&g, arch("x86_64"), TINY_GO_MAIN + 4, 32, below_cfa);
	expect_row(&g, arch("x86_64"), TINY_GO_LEAF, 8, below_cfa);
	tiny_go_release(&g.t);
}

static void a_link_register_is_stored_with_the_frame(void **state)
{
	const struct reg_rule in_register = { .kind = REG_RULE_SAME_VALUE },
			      stored = { .kind = REG_RULE_OFFSET, .offset = -24 };
	struct program g;

	(void)state;
	begin(&g);
	expect_row(&g, arch("aarch64"), TINY_GO_LEAF, 0, in_register);
	expect_row(&g, arch("aarch64"), TINY_GO_MAIN + 4, 24,
		(struct reg_rule){ .kind = REG_RULE_UNDEFINED });
	tiny_go_release(&g.t);

	begin(&g);
	g.t.table.p[span_find(buf_span(&g.t.table), SPAN("\0\1\0\4")) + 1] = 0;
	expect_row(&g, arch("aarch64"), TINY_GO_MAIN + 4, 24, stored);
	tiny_go_release(&g.t);
}

static void no_program_has_no_rows(void **state)
{
	struct go_program none = { 0 };
	struct frame_row row;
	struct program g;

	(void)state;
	assert_false(go_cfi_row(&none, arch("x86_64"), 0, &row));
	assert_false(go_cfi_row(&none, arch("x86_64"), TINY_GO_MAIN, &row));
	begin(&g);
	assert_false(go_cfi_row(&g.p, arch("x86_64"), TINY_GO_END, &row));
	tiny_go_release(&g.t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_pushes_the_return_address),
		cmocka_unit_test(a_link_register_is_stored_with_the_frame),
		cmocka_unit_test(no_program_has_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
