/*
 * aarch64.c - what is particular to 64-bit Arm
 *
 * The caller's pc is in the link register, x30, until a function saves it. It may be signed: the
 * bits above the 48 of an address hold a pointer authentication code.
 *
 * Source: DWARF for the Arm 64-bit Architecture; arch/arm64/include/uapi/asm/perf_regs.h,
 * sigcontext.h.
 */
#include "unwind/unwind_rule.h"

#include "base/mem.h"

enum { X0 = 0, X19 = 19, FP = 29, LR = 30, SP = 31, PC = 32 };

/* perf's numbers are DWARF's; numbers from 46 on (SVE) are not recorded. */
static const int8_t from_perf[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
	18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP, LR, SP, PC };

static const uint8_t saved[] = { 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP, LR };

/* At sp: siginfo (128 bytes), then ucontext with sigcontext at 176: the fault's address, then the
 * registers. */
#define CONTEXT(column)                                                                            \
	{                                                                                          \
		(column), 128 + 176 + 8 + 8 * (column)                                             \
	}
static const struct saved_context context[] = { CONTEXT(0), CONTEXT(1), CONTEXT(2), CONTEXT(3),
	CONTEXT(4), CONTEXT(5), CONTEXT(6), CONTEXT(7), CONTEXT(8), CONTEXT(9), CONTEXT(10),
	CONTEXT(11), CONTEXT(12), CONTEXT(13), CONTEXT(14), CONTEXT(15), CONTEXT(16), CONTEXT(17),
	CONTEXT(18), CONTEXT(19), CONTEXT(20), CONTEXT(21), CONTEXT(22), CONTEXT(23), CONTEXT(24),
	CONTEXT(25), CONTEXT(26), CONTEXT(27), CONTEXT(28), CONTEXT(FP), CONTEXT(LR), CONTEXT(SP),
	CONTEXT(PC) };
#undef CONTEXT

/* In some kernels the signal trampoline has no CFI: mov x8, #139; svc #0. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	static const uint8_t sigreturn[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };

	(void)exact;
	if (memcmp(code + CODE_BEFORE, sigreturn, sizeof(sigreturn)) != 0)
		return false;
	unwind_rule_init(r);
	r->cfa = CFA_SIGNAL;
	r->changed |= RULE_SIGNAL;
	return true;
}

const struct unwind_arch arch_aarch64 = {
	.name = "aarch64",
	.elf_machine = EM_AARCH64,
	.word_bytes = 8,
	.from_perf = from_perf,
	.n_perf = ARRAY_LEN(from_perf),
	.n_columns = SP + 1,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.ra = LR,
	.result = X0,
	.saved = saved,
	.n_saved = ARRAY_LEN(saved),
	.callee_saved = 0x3ffull << X19 | 1ull << FP,
	.address_mask = (1ull << 48) - 1,
	.context = context,
	.n_context = ARRAY_LEN(context),
	.guess = guess,
	.link_register = true,
	.chain_link = 1ull << LR,
	.narrow = &arch_arm,
};
