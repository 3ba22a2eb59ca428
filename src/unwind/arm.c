/*
 * arm.c - what is particular to 32-bit Arm
 *
 * The caller's pc is in the link register until a function saves it; its lowest bit says that the
 * caller is Thumb code. CFI is in .debug_frame only: what C++ needs, .ARM.exidx, is not read.
 *
 * Source: DWARF for the Arm Architecture; arch/arm/include/uapi/asm/perf_regs.h, sigcontext.h,
 * ucontext.h.
 */
#include "unwind/unwind_rule.h"

#include "base/mem.h"

enum { R0 = 0, FP = 11, SP = 13, LR = 14, PC = 15 };

/* perf's numbers are DWARF's. */
static const int8_t from_perf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, FP, 12, SP, LR, PC };

static const uint8_t saved[] = { 4, 5, 6, 7, 8, 9, 10, FP, LR };

/* At sp: siginfo (128 bytes), then ucontext with sigcontext at 20: three words, then registers. */
#define CONTEXT(column)                                                                            \
	{                                                                                          \
		(column), 128 + 20 + 12 + 4 * (column)                                             \
	}
static const struct saved_context context[] = { CONTEXT(0), CONTEXT(1), CONTEXT(2), CONTEXT(3),
	CONTEXT(4), CONTEXT(5), CONTEXT(6), CONTEXT(7), CONTEXT(8), CONTEXT(9), CONTEXT(10),
	CONTEXT(FP), CONTEXT(12), CONTEXT(SP), CONTEXT(LR), CONTEXT(PC) };
#undef CONTEXT

/* The signal trampolines of C libraries: mov r7, #173 (rt_sigreturn) or #119 (sigreturn: there is
 * no siginfo); svc. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	static const uint8_t rt_sigreturn[] = { 0xad, 0x70, 0xa0, 0xe3 };
	static const uint8_t sigreturn[] = { 0x77, 0x70, 0xa0, 0xe3 };
	enum { SVC = 0xef };
	const uint8_t *next = code + CODE_BEFORE;
	bool rt = !memcmp(next, rt_sigreturn, sizeof(rt_sigreturn));

	(void)exact;
	if (next[7] != SVC || (!rt && memcmp(next, sigreturn, sizeof(sigreturn)) != 0))
		return false;
	unwind_rule_init(r);
	r->cfa = CFA_SIGNAL;
	r->offset = rt ? 0 : -128;
	r->changed |= RULE_SIGNAL;
	return true;
}

const struct unwind_arch arch_arm = {
	.name = "arm",
	.elf_machine = EM_ARM,
	.word_bytes = 4,
	.from_perf = from_perf,
	.n_perf = ARRAY_LEN(from_perf),
	.n_columns = LR + 1,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.ra = LR,
	.result = R0,
	.saved = saved,
	.n_saved = ARRAY_LEN(saved),
	.callee_saved = 0xff << 4,
	.address_mask = UINT32_MAX - 1,
	/* GCC's frame pointer is at the saved lr, clang's at the saved fp. */
	.frame_record = { -4, 0 },
	.context = context,
	.n_context = ARRAY_LEN(context),
	.guess = guess,
	.link_register = true,
};
