/*
 * unwind_rule_apply.c - a step from a frame to its caller, by a rule
 *
 *	short   CFA from a register; return address and registers from the dump at CFA + saved[i]
 *	signal  all registers from the sigcontext that the kernel put above the trampoline's sp
 *	full    an expression for the CFA and for each column (expr.h)
 *
 * After a step the registers are those of the caller: pc is the return address, sp the CFA, and a
 * register is known only if it was restored or is callee-saved. All values are read before any is
 * set, as one may be relative to another. Where a word is outside of the dump, memory_miss() says
 * whether the dump was too short (UNWIND_TRUNCATED), ended at a page that was not in memory, or the
 * stack is broken.
 *
 * Source: DWARF 5, 6.4.3 (call frame instruction usage); libgcc's unwind-dw2.c for what it leaves
 * open.
 */
#include "unwind/unwind_rule.h"

#include "unwind/memory.h"

struct step {
	const struct unwind_arch *a;
	const struct unwind_memory *memory;
	struct unwind_regs *regs;
	uint64_t cfa;
};

static bool known(const struct unwind_regs *r, unsigned column)
{
	return r->known >> column & 1;
}

static enum unwind_end find_cfa(struct step *s, const struct unwind_rule *r)
{
	const struct unwind_regs *regs = s->regs;
	unsigned column = r->cfa == CFA_PLT ? s->a->sp : r->reg;

	if (!known(regs, column))
		return UNWIND_LOST;
	s->cfa = regs->value[column] + (uint64_t)(int64_t)r->offset;
	if (r->cfa == CFA_PLT && (regs->value[s->a->pc] & 15) >= r->reg)
		s->cfa += s->a->word_bytes;
	if (r->cfa == CFA_DEREF) {
		uint64_t at = s->cfa;

		if (!memory_word(s->memory, at, &s->cfa))
			return memory_miss(s->memory, at);
	}
	return UNWIND_CONTINUE;
}

static enum unwind_end find_outside_dump(
	const struct step *s, unsigned column, int how, uint64_t *value, bool *is)
{
	const struct unwind_regs *regs = s->regs;
	uint64_t at = s->cfa + (uint64_t)(int64_t)how;

	*is = false;
	if (how == SAVED_UNKNOWN)
		return UNWIND_CONTINUE;
	if (how == SAVED_SAME || how < SAVED_OFFSET_MIN) {
		if (how != SAVED_SAME)
			column = (unsigned)(how - SAVED_IN_REGISTER);
		*is = known(regs, column);
		*value = regs->value[column];
		return UNWIND_CONTINUE;
	}
	/* Below the stack pointer: an epilogue written by hand has popped it already, and the
	 * register has it. */
	if (at < s->memory->start && known(regs, column) && column != s->a->ra) {
		*is = true;
		*value = regs->value[column];
	}
	return memory_miss(s->memory, at);
}

/* The value of saved[i] in the caller; *is: it is known. It is nearly always in the user stack
 * dump. */
static inline enum unwind_end restore(
	const struct step *s, unsigned column, int how, uint64_t *value, bool *is)
{
	*is = how >= SAVED_OFFSET_MIN &&
	      memory_word(s->memory, s->cfa + (uint64_t)(int64_t)how, value);
	return *is ? UNWIND_CONTINUE : find_outside_dump(s, column, how, value, is);
}

static enum unwind_end set_pc(struct step *s, uint64_t ra)
{
	ra &= s->a->address_mask;
	if (!ra)
		return UNWIND_COMPLETE;
	unwind_regs_set(s->regs, s->a->pc, ra);
	unwind_regs_set(s->regs, s->a->sp, s->cfa);
	return UNWIND_CONTINUE;
}

static enum unwind_end apply_short(struct step *s, const struct unwind_rule *r)
{
	const struct unwind_arch *a = s->a;
	unsigned last = a->n_saved - 1u, i;
	uint64_t value[RULE_SAVED], ra;
	uint32_t changed = r->changed & ((1u << last) - 1), lost = 0, bits;
	enum unwind_end end;
	bool is;

	if (r->saved[last] == SAVED_UNKNOWN)
		return UNWIND_COMPLETE;
	end = find_cfa(s, r);
	if (end != UNWIND_CONTINUE)
		return end;
	end = restore(s, a->ra, r->saved[last], &ra, &is);
	if (!is)
		return end == UNWIND_CONTINUE ? UNWIND_LOST : end;
	for (bits = changed; bits; bits &= bits - 1) {
		i = (unsigned)__builtin_ctz(bits);
		restore(s, a->saved[i], r->saved[i], &value[i], &is);
		lost |= is ? 0 : 1u << i;
	}
	s->regs->known &= a->callee_saved;
	for (bits = changed; bits; bits &= bits - 1) {
		i = (unsigned)__builtin_ctz(bits);
		if (lost >> i & 1)
			s->regs->known &= ~(1ull << a->saved[i]);
		else
			unwind_regs_set(s->regs, a->saved[i], value[i]);
	}
	return set_pc(s, ra);
}

/* offset: of this sort of frame from the one that the contexts are relative to. */
static enum unwind_end apply_signal(struct step *s, int32_t offset)
{
	const struct unwind_arch *a = s->a;
	struct unwind_regs after = { .known = 0 };
	uint64_t sp = s->regs->value[a->sp], value;
	unsigned i;

	if (!known(s->regs, a->sp))
		return UNWIND_LOST;
	sp += (uint64_t)(int64_t)offset;
	for (i = 0; i < a->n_context; i++) {
		uint64_t at = sp + a->context[i].offset;

		if (!memory_word(s->memory, at, &value))
			return memory_miss(s->memory, at);
		unwind_regs_set(&after, a->context[i].column, value);
	}
	*s->regs = after;
	return UNWIND_CONTINUE;
}

/* ---- rules with expressions ---- */

static enum unwind_end missed(const struct step *s, const struct expr_env *env)
{
	return env->missed ? memory_miss(s->memory, env->missed) : UNWIND_LOST;
}

/* Expressions are evaluated in 64 bits; addresses of a 32-bit program wrap around. */
static bool eval(const struct step *s, const struct expr *x, struct expr_env *env, uint64_t *value)
{
	if (!expr_eval(x, env, value))
		return false;
	if (s->a->word_bytes == 4)
		*value &= UINT32_MAX;
	return true;
}

static bool find_column(const struct full_rule *f, unsigned column, struct step *s,
	struct expr_env *env, uint64_t *value)
{
	switch (f->column[column].how) {
	case FULL_SAME:
		*value = s->regs->value[column];
		return known(s->regs, column);
	case FULL_VAL_EXPRESSION:
		return eval(s, &f->column[column].expr, env, value);
	case FULL_EXPRESSION:
		if (!eval(s, &f->column[column].expr, env, value))
			return false;
		env->missed = *value;
		return memory_word(s->memory, *value, value);
	}
	return false;
}

static enum unwind_end apply_full(struct step *s, const struct full_rule *f)
{
	const struct unwind_arch *a = s->a;
	struct expr_env env = { .regs = s->regs, .memory = s->memory };
	struct unwind_regs after = { .known = 0 };
	bool signal = f->rule.changed & RULE_SIGNAL;
	uint64_t value, wanted = signal ? UINT64_MAX : a->callee_saved;
	unsigned i;

	if (!eval(s, &f->cfa, &env, &s->cfa))
		return missed(s, &env);
	env.cfa = &s->cfa;
	if (f->column[a->ra].how == FULL_UNDEFINED)
		return UNWIND_COMPLETE;
	if (!find_column(f, a->ra, s, &env, &value))
		return missed(s, &env);
	if (!(value & a->address_mask))
		return UNWIND_COMPLETE;
	unwind_regs_set(&after, a->pc, value & a->address_mask);
	unwind_regs_set(&after, a->sp, s->cfa);
	for (i = 0; i < a->n_columns; i++)
		if (i != a->pc && (wanted >> i & 1 || i == a->sp) &&
			find_column(f, i, s, &env, &value))
			unwind_regs_set(&after, i, value);
	*s->regs = after;
	return UNWIND_CONTINUE;
}

enum unwind_end unwind_rule_apply(const struct unwind_arch *a, const struct unwind_rule *r,
	struct unwind_regs *regs, const struct unwind_memory *m)
{
	struct step s = { .a = a, .memory = m, .regs = regs };

	switch (r->cfa) {
	case CFA_FULL:
		return apply_full(&s, (const struct full_rule *)r);
	case CFA_SIGNAL:
		return apply_signal(&s, r->offset);
	}
	return apply_short(&s, r);
}
