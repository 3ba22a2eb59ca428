/*
 * unwind_rule.h - the step from a frame to its caller, in 32 bytes
 *
 * The canonical frame address (CFA) is the value of the stack pointer before the call; return
 * address and saved registers are relative to it. The rows that compilers emit fit into a rule;
 * others (a few trampolines and assembly functions) get a struct full_rule around it, with their
 * expressions.
 *
 * Owns: nothing; rules are in an arena of their maker. Threads: any. Private to unwind/.
 * Source: DWARF 5, 6.4.1 (register rules); UnwindRule of framehop is the same idea.
 */
#ifndef PERFOLD_UNWIND_UNWIND_RULE_H
#define PERFOLD_UNWIND_UNWIND_RULE_H

#include "base/arena.h"
#include "unwind/arch.h"
#include "unwind/expr.h"
#include "unwind/frame_info.h"

enum cfa_kind {
	CFA_OFFSET, /* register + offset */
	CFA_DEREF,  /* the word at register + offset: frames that realign the stack */
	CFA_PLT,    /* sp + offset, and one word more after byte `reg` of the PLT entry */
	CFA_SIGNAL, /* a signal trampoline: all registers are in memory, see saved_context, sp being
		     * sp + offset */
	CFA_FULL,   /* see struct full_rule */
};

/* Values of saved[]: an offset from the CFA, or one of these. */
enum {
	SAVED_SAME = INT16_MIN,
	SAVED_UNKNOWN,     /* of the return address: there is no caller */
	SAVED_IN_REGISTER, /* + column */
	SAVED_OFFSET_MIN = SAVED_IN_REGISTER + 64
};

enum {
	RULE_SAVED = 12,
	RULE_NEW_THREAD = 1 << 12, /* there is no caller if the register `result` is 0 */
	RULE_BY_HAND = 1 << 13,    /* of a return address that no call has left on the stack */
	RULE_GUESSED = 1 << 14,
	RULE_SIGNAL = 1 << 15,
};

struct unwind_rule {
	uint8_t cfa; /* enum cfa_kind */
	uint8_t reg;
	uint16_t changed; /* bit i: saved[i] is not SAVED_SAME; and RULE_... */
	int32_t offset;
	int16_t saved[RULE_SAVED]; /* in the order of struct unwind_arch's */
};

enum full_how { FULL_SAME, FULL_UNDEFINED, FULL_EXPRESSION, FULL_VAL_EXPRESSION };

struct full_rule {
	struct unwind_rule rule; /* the first: its cfa is CFA_FULL */
	struct expr cfa;
	struct {
		uint8_t how; /* the value is at the address of the expression, or is its value */
		struct expr expr;
	} column[UNWIND_REGS];
};

void unwind_rule_init(struct unwind_rule *r);
void unwind_rule_set_saved(struct unwind_rule *r, unsigned place, int value);
/* Not for those with expressions. The struct has no padding. */
static inline bool unwind_rule_eq(const struct unwind_rule *a, const struct unwind_rule *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Compiles a row of CFI. NULL if it makes no sense. */
const struct unwind_rule *unwind_rule_compile(
	const struct unwind_arch *a, const struct frame_row *row, struct arena *arena);

/* Steps to the caller: UNWIND_CONTINUE, or why that fails. */
enum unwind_end unwind_rule_apply(const struct unwind_arch *a, const struct unwind_rule *r,
	struct unwind_regs *regs, const struct unwind_memory *m);

#endif
