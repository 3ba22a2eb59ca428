/*
 * riscv64.c - what is particular to 64-bit RISC-V
 *
 * The caller's pc is in ra, x1, until a function saves it. The frame pointer, x8, is the CFA: the
 * return address and the caller's frame pointer are below it.
 *
 * Source: RISC-V ELF psABI, "DWARF register numbers" and "frame pointer convention";
 * arch/riscv/include/uapi/asm/perf_regs.h, ucontext.h.
 */
#include "unwind/unwind_rule.h"

#include "base/mem.h"

enum { RA = 1, SP = 2, FP = 8, A0 = 10, PC = 32 };

/* perf's numbers are DWARF's, but for the pc, which is in the place of x0. */
static const int8_t from_perf[] = { PC, RA, SP, 3, 4, 5, 6, 7, FP, 9, 10, 11, 12, 13, 14, 15, 16,
	17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

/* All that are callee-saved but s11, x27: a row that saves it becomes a full rule. */
static const uint8_t saved[] = { FP, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, RA };

/* At sp: siginfo (128 bytes), then ucontext with the registers at 176, the pc first. */
#define CONTEXT(column)                                                                            \
	{                                                                                          \
		(column), 128 + 176 + 8 * (column)                                                 \
	}
static const struct saved_context context[] = { { PC, 128 + 176 }, CONTEXT(RA), CONTEXT(SP),
	CONTEXT(3), CONTEXT(4), CONTEXT(5), CONTEXT(6), CONTEXT(7), CONTEXT(FP), CONTEXT(9),
	CONTEXT(10), CONTEXT(11), CONTEXT(12), CONTEXT(13), CONTEXT(14), CONTEXT(15), CONTEXT(16),
	CONTEXT(17), CONTEXT(18), CONTEXT(19), CONTEXT(20), CONTEXT(21), CONTEXT(22), CONTEXT(23),
	CONTEXT(24), CONTEXT(25), CONTEXT(26), CONTEXT(27), CONTEXT(28), CONTEXT(29), CONTEXT(30),
	CONTEXT(31) };
#undef CONTEXT

/* The signal trampoline: li a7, 139; ecall. Its CFI, in the vDSO, restores nothing. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	static const uint8_t sigreturn[] = { 0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00 };

	(void)exact;
	if (memcmp(code + CODE_BEFORE, sigreturn, sizeof(sigreturn)) != 0)
		return false;
	unwind_rule_init(r);
	r->cfa = CFA_SIGNAL;
	r->changed |= RULE_SIGNAL;
	return true;
}

const struct unwind_arch arch_riscv64 = {
	.name = "riscv64",
	.elf_machine = EM_RISCV,
	.word_bytes = 8,
	.from_perf = from_perf,
	.n_perf = ARRAY_LEN(from_perf),
	.n_columns = 32,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.ra = RA,
	.result = A0,
	.saved = saved,
	.n_saved = ARRAY_LEN(saved),
	.callee_saved = 1ull << FP | 1ull << 9 | 0x3ffull << 18,
	.address_mask = UINT64_MAX,
	.frame_record = { -16, -16 },
	.context = context,
	.n_context = ARRAY_LEN(context),
	.guess = guess,
	.link_register = true,
};
