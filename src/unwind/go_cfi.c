#include "unwind/go_cfi.h"

/* Where a call leaves the return address in a register, the function stores it at the top of the
 * stack as soon as it has one. */
static struct reg_rule link_register(
	const struct go_program *p, const struct go_function *f, const struct go_stack *stack)
{
	if (go_table_is_outermost(&p->table, f))
		return (struct reg_rule){ .kind = REG_RULE_UNDEFINED };
	if (!stack->size_bytes)
		return (struct reg_rule){ .kind = REG_RULE_SAME_VALUE };
	return (struct reg_rule){ .kind = REG_RULE_OFFSET, .offset = -(int64_t)stack->size_bytes };
}

bool go_cfi_row(
	struct go_program *p, const struct unwind_arch *a, uint64_t address, struct frame_row *row)
{
	const unsigned word = p->table.word_bytes;
	struct go_function f;
	struct go_stack stack;

	if (!go_table_find(&p->table, address, &f) ||
		!go_table_stack(&p->table, &f, address, &stack))
		return false;
	*row = (struct frame_row){ .start = stack.start,
		.end = stack.end,
		.ra = a->ra,
		.cfa_column = a->sp,
		.cfa_offset = stack.size_bytes + (a->link_register ? 0 : word) };
	row->column[a->ra] = a->link_register ? link_register(p, &f, &stack)
					      : (struct reg_rule){ .kind = REG_RULE_OFFSET,
							.offset = -(int64_t)word };
	return true;
}
