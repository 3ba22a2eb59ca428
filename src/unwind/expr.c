/*
 * expr.c - a stack machine for the DWARF expressions of call frame information
 *
 * Expressions are decoded once, when a rule is compiled, into elfutils' Dwarf_Op, and run for each
 * frame that uses the rule. `offset` of an operation is its byte in the expression, which jumps
 * refer to; UINT64_MAX is the DW_OP_call_frame_cfa that DW_CFA_expression implies.
 *
 * Only what reads registers, the user stack dump and the CFA is known: no types, no pieces, no
 * calls, no objects of threads. Values have 64 bits and are signed where DWARF says so. A machine
 * stops without a result at an empty or full stack, an unknown register, a word outside of the
 * dump, a division by zero, or after EXPR_STEPS_MAX operations, so hostile files cannot keep it
 * busy.
 *
 * libdw would evaluate none of this: dwarf_getlocation() decodes an expression, but running it is
 * left to libdwfl (expr_eval() in libdwfl/frame_unwind.c), which needs a Dwfl_Process.
 *
 * Source: DWARF 5, 2.5 (expressions) and 6.4.2 (which are allowed in CFI).
 */
#include "unwind/expr.h"

#include "base/frame_reader.h"

#include <dwarf.h>

bool expr_copy(struct expr *x, const Dwarf_Op *op, size_t n, struct arena *arena)
{
	Dwarf_Op *copy;

	*x = (struct expr){ 0 };
	if (!n || n > EXPR_OPS_MAX)
		return false;
	copy = arena_alloc(arena, n * sizeof(*copy));
	memcpy(copy, op, n * sizeof(*copy));
	*x = (struct expr){ copy, (uint32_t)n };
	return true;
}

/* The operands of an operation; false if it is not known. */
static bool decode_operands(struct frame_reader *r, Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const8u:
	case DW_OP_const8s:
		op->number = frame_reader_fixed(r, 8);
		return true;
	case DW_OP_const1u:
	case DW_OP_pick:
	case DW_OP_deref_size:
		op->number = frame_reader_fixed(r, 1);
		return true;
	case DW_OP_const1s:
		op->number = (Dwarf_Word)frame_reader_fixed_signed(r, 1);
		return true;
	case DW_OP_const2u:
		op->number = frame_reader_fixed(r, 2);
		return true;
	case DW_OP_const2s:
	case DW_OP_skip:
	case DW_OP_bra:
		op->number = (Dwarf_Word)frame_reader_fixed_signed(r, 2);
		return true;
	case DW_OP_const4u:
		op->number = frame_reader_fixed(r, 4);
		return true;
	case DW_OP_const4s:
		op->number = (Dwarf_Word)frame_reader_fixed_signed(r, 4);
		return true;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx:
		op->number = frame_reader_uleb(r);
		return true;
	case DW_OP_consts:
		op->number = (Dwarf_Word)frame_reader_sleb(r);
		return true;
	case DW_OP_bregx:
		op->number = frame_reader_uleb(r);
		op->number2 = (Dwarf_Word)frame_reader_sleb(r);
		return true;
	}
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		op->number = (Dwarf_Word)frame_reader_sleb(r);
	return op->atom <= DW_OP_reg31 || op->atom <= DW_OP_breg31 || op->atom == DW_OP_nop ||
	       op->atom == DW_OP_call_frame_cfa;
}

bool expr_decode(struct expr *x, struct span bytes, bool with_cfa, struct arena *arena)
{
	struct frame_reader r = frame_reader_of(bytes);
	Dwarf_Op *op;
	size_t n = 0;

	*x = (struct expr){ 0 };
	if (bytes.n >= EXPR_OPS_MAX)
		return false;
	op = arena_alloc(arena, (bytes.n + 1) * sizeof(*op)); /* of one byte at least each */
	if (with_cfa)
		op[n++] = (Dwarf_Op){ .atom = DW_OP_call_frame_cfa, .offset = UINT64_MAX };
	while (frame_reader_left(&r)) {
		op[n] = (Dwarf_Op){ .offset = (Dwarf_Word)(r.p - (const uint8_t *)bytes.p) };
		op[n].atom = (uint8_t)frame_reader_fixed(&r, 1);
		if (!decode_operands(&r, &op[n++]) || r.failed)
			return false;
	}
	*x = (struct expr){ op, (uint32_t)n };
	return n;
}

struct expr_machine {
	const struct expr *x;
	struct expr_env *env;
	uint64_t stack[EXPR_DEPTH_MAX];
	unsigned depth;
	uint32_t next; /* operation */
};

static bool push(struct expr_machine *m, uint64_t value)
{
	if (m->depth == EXPR_DEPTH_MAX)
		return false;
	m->stack[m->depth++] = value;
	return true;
}

/* Pushes a copy of the value that is `below` entries under the top. */
static bool pick(struct expr_machine *m, uint64_t below)
{
	return below < m->depth && push(m, m->stack[m->depth - 1 - below]);
}

static bool push_register(struct expr_machine *m, uint64_t column, uint64_t offset)
{
	const struct unwind_regs *r = m->env->regs;

	return column < UNWIND_REGS && r->known >> column & 1 && push(m, r->value[column] + offset);
}

static bool dereference(struct expr_machine *m, uint64_t bytes)
{
	uint64_t *top, value;

	if (!m->depth || bytes < 1 || bytes > 8)
		return false;
	top = &m->stack[m->depth - 1];
	if (!memory_word(m->env->memory, *top, &value)) {
		m->env->missed = *top;
		return false;
	}
	/* The low bytes of a word, which are its first ones: all architectures are little endian.
	 */
	*top = bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
	return true;
}

/* Jumps to the operation that begins at a byte of the expression, or to its end. */
static bool jump(struct expr_machine *m, const Dwarf_Op *from)
{
	uint64_t target = from->offset + 3 + (uint64_t)(int64_t)(int16_t)from->number;
	uint32_t i;

	for (i = 0; i < m->x->n; i++)
		if (m->x->op[i].offset == target && m->x->op[i].atom != DW_OP_call_frame_cfa)
			break;
	if (i == m->x->n && (int64_t)target <= (int64_t)m->x->op[i - 1].offset)
		return false;
	m->next = i;
	return true;
}

static bool branch(struct expr_machine *m, const Dwarf_Op *op)
{
	if (!m->depth)
		return false;
	return !m->stack[--m->depth] || jump(m, op);
}

static bool rotate(struct expr_machine *m, unsigned n)
{
	uint64_t *s, top;
	unsigned i;

	if (m->depth < n)
		return false;
	s = &m->stack[m->depth - n];
	top = s[n - 1];
	for (i = n - 1; i; i--)
		s[i] = s[i - 1];
	s[0] = top;
	return true;
}

static bool unary(struct expr_machine *m, const Dwarf_Op *op)
{
	uint64_t *top;

	if (!m->depth)
		return false;
	top = &m->stack[m->depth - 1];
	switch (op->atom) {
	case DW_OP_abs:
		*top = (int64_t)*top < 0 ? 0 - *top : *top;
		return true;
	case DW_OP_neg:
		*top = 0 - *top;
		return true;
	case DW_OP_not:
		*top = ~*top;
		return true;
	case DW_OP_plus_uconst:
		*top += op->number;
		return true;
	}
	return false;
}

static uint64_t shift_right(int64_t value, uint64_t by)
{
	return (uint64_t)(value >> (by < 63 ? by : 63));
}

static bool divide(uint64_t *a, uint64_t b)
{
	if (!b)
		return false;
	*a = b == UINT64_MAX ? 0 - *a : (uint64_t)((int64_t)*a / (int64_t)b);
	return true;
}

static bool binary(struct expr_machine *m, unsigned atom)
{
	uint64_t b, *a;

	if (m->depth < 2)
		return false;
	b = m->stack[--m->depth];
	a = &m->stack[m->depth - 1];
	switch (atom) {
#define OP(name, expression)                                                                       \
	case DW_OP_##name:                                                                         \
		*a = (expression);                                                                 \
		return true
		OP(and, *a & b);
		OP(or, *a | b);
		OP(xor, *a ^ b);
		OP(plus, *a + b);
		OP(minus, *a - b);
		OP(mul, *a * b);
		OP(shl, b < 64 ? *a << b : 0);
		OP(shr, b < 64 ? *a >> b : 0);
		OP(shra, shift_right((int64_t)*a, b));
		OP(eq, *a == b);
		OP(ne, *a != b);
		OP(lt, (int64_t)*a < (int64_t)b);
		OP(le, (int64_t)*a <= (int64_t)b);
		OP(gt, (int64_t)*a > (int64_t)b);
		OP(ge, (int64_t)*a >= (int64_t)b);
#undef OP
	case DW_OP_div:
		return divide(a, b);
	case DW_OP_mod:
		if (b)
			*a %= b;
		return b != 0;
	}
	return false;
}

static bool push_constant(struct expr_machine *m, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_addr:
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_const2u:
	case DW_OP_const2s:
	case DW_OP_const4u:
	case DW_OP_const4s:
	case DW_OP_const8u:
	case DW_OP_const8s:
	case DW_OP_constu:
	case DW_OP_consts:
		return push(m, op->number);
	case DW_OP_call_frame_cfa:
		return m->env->cfa && push(m, *m->env->cfa);
	case DW_OP_bregx:
		return push_register(m, op->number, op->number2);
	case DW_OP_regx:
		return push_register(m, op->number, 0);
	}
	if (op->atom >= DW_OP_lit0 && op->atom <= DW_OP_lit31)
		return push(m, op->atom - DW_OP_lit0);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return push_register(m, op->atom - DW_OP_breg0, op->number);
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return push_register(m, op->atom - DW_OP_reg0, 0);
	return false;
}

static bool run(struct expr_machine *m, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_nop:
		return true;
	case DW_OP_dup:
		return pick(m, 0);
	case DW_OP_over:
		return pick(m, 1);
	case DW_OP_pick:
		return pick(m, op->number);
	case DW_OP_drop:
		return m->depth && m->depth--;
	case DW_OP_swap:
		return rotate(m, 2);
	case DW_OP_rot:
		return rotate(m, 3);
	case DW_OP_deref:
		return dereference(m, 8);
	case DW_OP_deref_size:
		return dereference(m, op->number);
	case DW_OP_skip:
		return jump(m, op);
	case DW_OP_bra:
		return branch(m, op);
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
	case DW_OP_plus_uconst:
		return unary(m, op);
	}
	if (op->atom >= DW_OP_and && op->atom <= DW_OP_ne)
		return binary(m, op->atom);
	return push_constant(m, op);
}

bool expr_eval(const struct expr *x, struct expr_env *env, uint64_t *result)
{
	struct expr_machine m = { .x = x, .env = env };
	unsigned steps;

	env->missed = 0;
	for (steps = 0; m.next < x->n; steps++)
		if (steps == EXPR_STEPS_MAX || !run(&m, &x->op[m.next++]))
			return false;
	if (!m.depth)
		return false;
	*result = m.stack[m.depth - 1];
	return true;
}
