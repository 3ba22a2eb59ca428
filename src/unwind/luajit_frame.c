#include "unwind/luajit_frame.h"

#include "unwind/memory.h"

void luajit_frame_rules(
	const struct unwind_arch *a, struct unwind_rule *by_cfi, struct unwind_rule *with_trace)
{
	enum { WORD = 8, RBX = 0, RBP, R12, R13, R14, R15, RETURN }; /* see arch_x86_64 */

	unwind_rule_init(by_cfi);
	unwind_rule_init(with_trace);
	if (a != &arch_x86_64)
		return;
	by_cfi->cfa = CFA_OFFSET;
	by_cfi->reg = a->sp;
	by_cfi->offset = 10 * WORD;
	unwind_rule_set_saved(by_cfi, RETURN, -1 * WORD);
	unwind_rule_set_saved(by_cfi, RBP, -2 * WORD);
	unwind_rule_set_saved(by_cfi, RBX, -3 * WORD);
	unwind_rule_set_saved(by_cfi, R15, -4 * WORD);
	unwind_rule_set_saved(by_cfi, R14, -5 * WORD);
	*with_trace = *by_cfi;
	unwind_rule_set_saved(with_trace, R12, -10 * WORD);
	unwind_rule_set_saved(with_trace, R13, -11 * WORD);
}

bool luajit_frame_is_at(const struct unwind_memory *m, uint64_t sp)
{
	enum { ALIGN = 16, FLAGS = 3, RESULTS_MAX = 8000, STACK_BYTES_MAX = 1 << 30 };
	/* bytes from the stack pointer */
	enum {
		RESULTS = 8, /* how many are wanted + 1, 32 bits; negative in a frame for C code */
		STATE = 16,  /* the lua_State, which is on the heap */
		BEFORE = 32, /* the frame before, of the same state, and flags; 0: none */
	};
	uint64_t results, state, before, other;

	if (!memory_word(m, sp + RESULTS, &results) || !memory_word(m, sp + STATE, &state) ||
		!memory_word(m, sp + BEFORE, &before))
		return false;
	before &= ~(uint64_t)FLAGS;
	if ((uint32_t)results > RESULTS_MAX || !state || state % 8 || state - m->start < m->n)
		return false;
	if (!before)
		return true;
	return before % ALIGN == 0 && before > sp && before - sp < STACK_BYTES_MAX &&
	       (!memory_word(m, before + STATE, &other) || other == state);
}
