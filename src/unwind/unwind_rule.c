/*
 * unwind_rule.c - compiles a row of CFI to a rule
 *
 * First the short form is tried, which nearly all rows have:
 *
 *	CFA      register + offset, the word at register + offset, or the linker's PLT expression
 *	saved[]  for each register that a frame may save and a caller needs: same, undefined, an
 *	         offset from the CFA, or another register; 16 bits each
 *
 * A row with any other expression, with offsets beyond 16 bits, or of a signal frame becomes a
 * struct full_rule: an expression for each column. DW_CFA_offset N is then call_frame_cfa,
 * plus_uconst N.
 *
 * Registers that CFI does not mention follow the calling convention: callee-saved ones keep their
 * value, the stack pointer is the CFA, all others are unknown in the caller.
 *
 * Source: DWARF 5, 6.4.1; elf_x86_64_eh_frame_lazy_plt in bfd/elf64-x86-64.c of binutils (PLT).
 */
#include "unwind/unwind_rule.h"

#include "base/mem.h"

#include <dwarf.h>

void unwind_rule_init(struct unwind_rule *r)
{
	unsigned i;

	*r = (struct unwind_rule){ 0 };
	for (i = 0; i < RULE_SAVED; i++)
		r->saved[i] = SAVED_SAME;
}

void unwind_rule_set_saved(struct unwind_rule *r, unsigned place, int value)
{
	r->saved[place] = (int16_t)value;
	r->changed |= value == SAVED_SAME ? 0 : (uint16_t)(1u << place);
}

/* ---- short rules ---- */

/* "register + offset", in either way of writing it. */
static bool is_register_offset(const Dwarf_Op *op, uint64_t *column, int64_t *offset)
{
	bool short_form = op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31;

	if (!short_form && op->atom != DW_OP_bregx)
		return false;
	*column = short_form ? op->atom - (uint64_t)DW_OP_breg0 : op->number;
	*offset = (int64_t)(short_form ? op->number : op->number2);
	return true;
}

static bool set_cfa(struct unwind_rule *r, enum cfa_kind kind, uint64_t column, int64_t offset)
{
	r->cfa = (uint8_t)kind;
	r->reg = (uint8_t)column;
	r->offset = (int32_t)offset;
	return column < UNWIND_REGS && offset >= INT32_MIN && offset <= INT32_MAX;
}

static bool is_literal(const Dwarf_Op *op, unsigned *value)
{
	*value = (unsigned)op->atom - DW_OP_lit0;
	return op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31;
}

/* The expression that linkers write for the entries of the procedure linkage table, with lit2 where
 * words have 4 bytes:
 *	breg7 (rsp) 8, breg16 (rip) 0, lit15, and, lit11, ge, lit3, shl, plus
 * After byte 11 of an entry (10, 9 or 5 in newer ones) one more word is on the stack. */
static bool is_plt(const struct unwind_arch *a, const Dwarf_Op *op, size_t n, struct unwind_rule *r)
{
	const uint8_t shift = a->word_bytes == 8 ? DW_OP_lit3 : DW_OP_lit2;
	const uint8_t atoms[] = { DW_OP_and, 0, DW_OP_ge, shift, DW_OP_shl, DW_OP_plus };
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
	return set_cfa(r, CFA_PLT, from, offset);
}

static bool is_deref(const Dwarf_Op *op, size_t n, struct unwind_rule *r)
{
	uint64_t column;
	int64_t offset;

	return n == 2 && is_register_offset(&op[0], &column, &offset) &&
	       op[1].atom == DW_OP_deref && set_cfa(r, CFA_DEREF, column, offset);
}

static bool shorten_cfa(const struct unwind_arch *a, const struct frame_row *row,
	struct unwind_rule *r, struct arena *scratch)
{
	struct expr x;

	if (!row->cfa_expr.n)
		return set_cfa(r, CFA_OFFSET, row->cfa_column, row->cfa_offset);
	return expr_decode(&x, row->cfa_expr, false, scratch) &&
	       (is_deref(x.op, x.n, r) || is_plt(a, x.op, x.n, r));
}

/* The rule of a register that CFI does not mention: the calling convention. */
static enum reg_rule_kind unspecified(const struct unwind_arch *a, unsigned column)
{
	if (column == a->sp)
		return REG_RULE_VAL_OFFSET;
	return a->callee_saved >> column & 1 || column == a->ra ? REG_RULE_SAME_VALUE
								: REG_RULE_UNDEFINED;
}

/* The rule of a column as a value of saved[]; false if it does not fit. */
static bool shorten_column(
	const struct unwind_arch *a, const struct frame_row *row, unsigned column, int *value)
{
	const struct reg_rule *w = &row->column[column];
	enum reg_rule_kind kind = w->kind ? w->kind : unspecified(a, column);

	switch (kind) {
	case REG_RULE_SAME_VALUE:
		*value = SAVED_SAME;
		return true;
	case REG_RULE_UNDEFINED:
		*value = SAVED_UNKNOWN;
		return true;
	case REG_RULE_OFFSET:
		*value = (int)w->offset;
		return w->offset >= SAVED_OFFSET_MIN && w->offset <= INT16_MAX;
	case REG_RULE_REGISTER:
		if (w->offset < 0 || w->offset >= UNWIND_REGS)
			return false;
		*value = SAVED_IN_REGISTER + (int)w->offset;
		return true;
	default:
		return false;
	}
}

/* Does a row say nothing of callee-saved registers that have no place in saved[]? */
static bool leaves_others(const struct unwind_arch *a, const struct frame_row *row)
{
	uint64_t others = a->callee_saved;
	unsigned i;

	for (i = 0; i < a->n_saved; i++)
		others &= ~(1ull << a->saved[i]);
	for (; others; others &= others - 1)
		if (row->column[__builtin_ctzll(others)].kind > REG_RULE_SAME_VALUE)
			return false;
	return true;
}

static bool compile_short(
	const struct unwind_arch *a, const struct frame_row *row, struct unwind_rule *r)
{
	struct arena scratch = ARENA_INIT;
	bool fits = leaves_others(a, row) && shorten_cfa(a, row, r, &scratch);
	unsigned i;
	int value = 0;

	for (i = 0; i < a->n_saved && fits; i++) {
		fits = shorten_column(a, row, a->saved[i], &value);
		if (fits)
			unwind_rule_set_saved(r, i, value);
	}
	arena_release(&scratch);
	return fits;
}

/* ---- full rules ---- */

static void put_op(struct expr *x, Dwarf_Op *op, uint8_t atom, uint64_t number, uint64_t number2)
{
	op[x->n++] = (Dwarf_Op){ .atom = atom, .number = number, .number2 = number2 };
}

static bool expand_column(const struct unwind_arch *a, const struct frame_row *row, unsigned column,
	struct full_rule *full, struct arena *arena)
{
	const struct reg_rule *w = &row->column[column];
	enum reg_rule_kind kind = w->kind ? w->kind : unspecified(a, column);
	struct expr *x = &full->column[column].expr;
	bool at = kind == REG_RULE_OFFSET || kind == REG_RULE_EXPRESSION;
	Dwarf_Op op[2];

	full->column[column].how = kind == REG_RULE_SAME_VALUE  ? FULL_SAME
				   : kind == REG_RULE_UNDEFINED ? FULL_UNDEFINED
				   : at                         ? FULL_EXPRESSION
								: FULL_VAL_EXPRESSION;
	switch (kind) {
	case REG_RULE_OFFSET:
	case REG_RULE_VAL_OFFSET:
		put_op(x, op, DW_OP_call_frame_cfa, 0, 0);
		put_op(x, op, DW_OP_plus_uconst, (uint64_t)w->offset, 0);
		return expr_copy(x, op, 2, arena);
	case REG_RULE_REGISTER:
		put_op(x, op, DW_OP_regx, (uint64_t)w->offset, 0);
		return expr_copy(x, op, 1, arena);
	case REG_RULE_EXPRESSION:
	case REG_RULE_VAL_EXPRESSION:
		return expr_decode(x, w->expr, true, arena);
	default:
		return true;
	}
}

static bool expand_cfa(const struct frame_row *row, struct full_rule *full, struct arena *arena)
{
	Dwarf_Op op;

	if (row->cfa_expr.n)
		return expr_decode(&full->cfa, row->cfa_expr, false, arena);
	put_op(&full->cfa, &op, DW_OP_bregx, row->cfa_column, (uint64_t)row->cfa_offset);
	return expr_copy(&full->cfa, &op, 1, arena);
}

static const struct unwind_rule *compile_full(
	const struct unwind_arch *a, const struct frame_row *row, struct arena *arena)
{
	struct full_rule *full = arena_alloc(arena, sizeof(*full));
	unsigned column;

	*full = (struct full_rule){ 0 };
	unwind_rule_init(&full->rule);
	full->rule.cfa = CFA_FULL;
	full->rule.changed = row->signal ? RULE_SIGNAL : 0;
	if (!expand_cfa(row, full, arena))
		return NULL;
	for (column = 0; column < a->n_columns; column++)
		if (!expand_column(a, row, column, full, arena))
			return NULL;
	return &full->rule;
}

/* Does the row of a signal trampoline say nothing of the return address? The one of riscv64 in the
 * vDSO is so. */
static bool restores_nothing(const struct unwind_arch *a, const struct frame_row *row)
{
	return row->signal && a->link_register && row->column[a->ra].kind == REG_RULE_UNSPECIFIED;
}

const struct unwind_rule *unwind_rule_compile(
	const struct unwind_arch *a, const struct frame_row *row, struct arena *arena)
{
	struct unwind_rule r, *out;

	if (row->ra != a->ra)
		return NULL;
	unwind_rule_init(&r);
	r.changed |= row->guessed ? RULE_GUESSED : 0;
	if (restores_nothing(a, row)) {
		r.cfa = CFA_SIGNAL;
		r.changed |= RULE_SIGNAL;
	} else if (row->signal || !compile_short(a, row, &r)) {
		return compile_full(a, row, arena);
	}
	out = arena_alloc(arena, sizeof(*out));
	*out = r;
	return out;
}
