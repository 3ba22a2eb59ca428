#include "unwind/rule.h"

#include "base/mem.h"

#include <dwarf.h>

void rule_init(struct unwind_rule *r)
{
	unsigned i;

	*r = (struct unwind_rule){ 0 };
	for (i = 0; i < RULE_SAVED; i++)
		r->saved[i] = SAVED_SAME;
}

void rule_set_saved(struct unwind_rule *r, unsigned place, int value)
{
	r->saved[place] = (int16_t)value;
	r->changed |= value == SAVED_SAME ? 0 : (uint16_t)(1u << place);
}

/* ---- from libdw's operations -------------------------------------------------------------- */

/* "register + offset", whichever way it is written. */
static bool is_register_offset(const Dwarf_Op *op, uint64_t *column, int64_t *offset)
{
	bool short_form = op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;

	if (!short_form && op->atom != DW_OP_bregx)
		return false;
	*column = short_form ? op->atom - (uint64_t)DW_OP_breg0 : op->number;
	*offset = (int64_t)(short_form ? op->number : op->number2);
	return *column < UNWIND_REGS && *offset >= INT32_MIN && *offset <= INT32_MAX;
}

static bool is_literal(const Dwarf_Op *op, unsigned *value)
{
	*value = (unsigned)op->atom - DW_OP_lit0;
	return op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31;
}

/* What linkers write for the entries of the procedure linkage table:
 *	breg7 (rsp) 8, breg16 (rip) 0, lit15, and, lit11, ge, lit3, shl, plus
 * From byte 11 of an entry on (10, 9 or 5 in newer ones) one more word is pushed. */
static bool is_plt(const struct unwind_arch *a, const Dwarf_Op *op, size_t n, struct unwind_rule *r)
{
	static const uint8_t atoms[] = { DW_OP_and, 0, DW_OP_ge, DW_OP_lit3, DW_OP_shl,
		DW_OP_plus };
	uint64_t sp, pc;
	int64_t offset, zero;
	unsigned mask, from;
	size_t i;

	if (n != 9 || !is_register_offset(&op[0], &sp, &offset) ||
		!is_register_offset(&op[1], &pc, &zero) || sp != a->sp || pc != a->pc || zero ||
		!is_literal(&op[2], &mask) || mask != 15 || !is_literal(&op[4], &from))
		return false;
	for (i = 0; i < ARRAY_LEN(atoms); i++)
		if (atoms[i] && op[3 + i].atom != atoms[i])
			return false;
	r->cfa = CFA_PLT;
	r->reg = (uint8_t)from;
	r->offset = (int32_t)offset;
	return true;
}

static bool compile_cfa(const struct unwind_arch *a, Dwarf_Frame *frame, struct unwind_rule *r)
{
	uint64_t column;
	int64_t offset;
	Dwarf_Op *op;
	size_t n;

	if (dwarf_frame_cfa(frame, &op, &n) || !n)
		return false;
	if (n > 2 || !is_register_offset(&op[0], &column, &offset) ||
		(n == 2 && op[1].atom != DW_OP_deref))
		return is_plt(a, op, n, r);
	r->cfa = n == 1 ? CFA_OFFSET : CFA_DEREF;
	r->reg = (uint8_t)column;
	r->offset = (int32_t)offset;
	return true;
}

static bool is_register(const Dwarf_Op *op, uint64_t *column)
{
	bool short_form = op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31;

	*column = short_form ? op->atom - (uint64_t)DW_OP_reg0 : op->number;
	return (short_form || op->atom == DW_OP_regx) && *column < UNWIND_REGS;
}

/* Where a register is, as a value of saved[]; false where it is none of those. */
static bool short_form(const Dwarf_Op *op, size_t n, int *value)
{
	uint64_t column;
	int64_t offset;

	*value = op ? SAVED_UNKNOWN : SAVED_SAME;
	if (!op || !n)
		return true;
	/* The value is in another register, not in memory: glibc's vfork() pops its return address
	 * into rdi. */
	if (n == 1 && is_register(op, &column)) {
		*value = SAVED_IN_REGISTER + (int)column;
		return true;
	}
	if (op[0].atom != DW_OP_call_frame_cfa || n > 2 ||
		(n == 2 && op[1].atom != DW_OP_plus_uconst))
		return false;
	/* A number without sign in the operation, and mostly negative. */
	offset = n == 2 ? (int64_t)op[1].number : 0;
	*value = (int)offset;
	return offset >= SAVED_OFFSET_MIN && offset <= INT16_MAX;
}

static bool compile_short(const struct unwind_arch *a, Dwarf_Frame *frame, struct unwind_rule *r)
{
	Dwarf_Op space[3], *op;
	unsigned i;
	size_t n;
	int value;

	rule_init(r);
	if (!compile_cfa(a, frame, r))
		return false;
	for (i = 0; i < a->n_saved; i++) {
		if (dwarf_frame_register(frame, a->saved[i], space, &op, &n) ||
			!short_form(op, n, &value))
			return false;
		rule_set_saved(r, i, value);
	}
	return true;
}

static bool compile_column(
	Dwarf_Frame *frame, unsigned column, struct full_rule *full, struct arena *arena)
{
	Dwarf_Op space[3], *op;
	uint64_t other;
	size_t n;
	bool value;

	full->column[column].how = FULL_SAME;
	if (dwarf_frame_register(frame, (int)column, space, &op, &n))
		return false;
	if (!op)
		return true;
	full->column[column].how = FULL_UNKNOWN;
	if (!n)
		return true;
	value = op[n - 1].atom == DW_OP_stack_value;
	full->column[column].how = value || (n == 1 && is_register(op, &other)) ? FULL_IS : FULL_AT;
	return expr_copy(&full->column[column].expr, op, n - value, arena);
}

static struct full_rule *compile_full(
	const struct unwind_arch *a, Dwarf_Frame *frame, bool signal, struct arena *arena)
{
	struct full_rule *full = arena_alloc(arena, sizeof(*full));
	unsigned column;
	Dwarf_Op *op;
	size_t n;

	*full = (struct full_rule){ 0 };
	rule_init(&full->rule);
	full->rule.cfa = CFA_FULL;
	full->rule.changed = signal ? RULE_SIGNAL : 0;
	if (dwarf_frame_cfa(frame, &op, &n) || !expr_copy(&full->cfa, op, n, arena))
		return NULL;
	for (column = 0; column < a->n_columns; column++)
		if (!compile_column(frame, column, full, arena))
			return NULL;
	return full;
}

const struct unwind_rule *rule_compile(
	const struct unwind_arch *a, Dwarf_Frame *frame, struct arena *arena)
{
	struct unwind_rule r, *out;
	struct full_rule *full;
	bool signal;

	if (dwarf_frame_info(frame, NULL, NULL, &signal) != a->ra)
		return NULL;
	if (signal || !compile_short(a, frame, &r)) {
		full = compile_full(a, frame, signal, arena);
		return full ? &full->rule : NULL;
	}
	out = arena_alloc(arena, sizeof(*out));
	*out = r;
	return out;
}
