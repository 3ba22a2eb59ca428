/*
 * arm.c - what is particular to 32-bit Arm
 *
 * The caller's pc is in the link register until a function saves it; its lowest bit says that the
 * caller is Thumb code. CFI is in .debug_frame only; most programs have no more than .ARM.exidx
 * (arm_exidx.h).
 *
 * Source: DWARF for the Arm Architecture; arch/arm/include/uapi/asm/perf_regs.h, sigcontext.h,
 * ucontext.h.
 */
#include "unwind/unwind_rule.h"

#include "base/bytes.h"
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

/* Is it "mov r7, #N; svc", in Arm code or in Thumb code of either size? */
static bool is_system_call(const uint8_t *code, uint8_t n)
{
	const uint8_t arm[] = { n, 0x70, 0xa0, 0xe3 }, thumb[] = { n, 0x27, 0, 0xdf };
	const uint8_t wide[] = { 0x4f, 0xf0, n, 0x07, 0, 0xdf };

	return (!memcmp(code, arm, sizeof(arm)) && code[7] == 0xef) ||
	       !memcmp(code, thumb, sizeof(thumb)) || !memcmp(code, wide, sizeof(wide));
}

/* The signal trampolines of C libraries. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	enum { SIGRETURN = 119, RT_SIGRETURN = 173 };
	const uint8_t *next = code + CODE_BEFORE;
	bool rt = is_system_call(next, RT_SIGRETURN);

	(void)exact;
	if (!rt && !is_system_call(next, SIGRETURN))
		return false;
	unwind_rule_init(r);
	r->cfa = CFA_SIGNAL;
	r->offset = rt ? 0 : -128; /* there is no siginfo */
	r->changed |= RULE_SIGNAL;
	return true;
}

static bool follows_arm_call(uint32_t before, uint32_t code)
{
	bool bl = (code & 0x0f000000) == 0x0b000000, blx = code >> 25 == 0x7d;

	/* blx rN; before there was one: mov lr, pc, and a load or a bx */
	return bl || blx || (code & 0x0ffffff0) == 0x012fff30 || before == 0xe1a0e00f;
}

static bool follows_thumb_call(uint32_t before, uint32_t code)
{
	bool bl = before >> 11 == 0x1e && (code & 0xc000) == 0xc000;

	return bl || (code & 0xff87) == 0x4780;
}

/* It may be code of either sort. */
static bool follows_call(const uint8_t code[CODE_BYTES])
{
	const uint8_t *end = code + CODE_BEFORE;
	uint32_t before = bytes_u32(end - 8, HOST_IS_BIG_ENDIAN);
	uint32_t last = bytes_u32(end - 4, HOST_IS_BIG_ENDIAN);

	return follows_arm_call(before, last) || follows_thumb_call(last & 0xffff, last >> 16);
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
	.follows_call = follows_call,
	.link_register = true,
};
