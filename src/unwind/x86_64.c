/*
 * x86_64.c - what is particular to x86-64
 *
 * Source: System V ABI, AMD64 supplement, figure 3.36 (DWARF register numbers);
 * arch/x86/include/uapi/asm/perf_regs.h, sigcontext.h.
 */
#include "unwind/unwind_rule.h"

#include "base/call_code.h"
#include "base/mem.h"

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15, RIP, COLUMNS };

/* AX BX CX DX SI DI BP SP IP FLAGS CS SS DS ES FS GS R8..R15 */
static const int8_t from_perf[] = { RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP, RIP, -1, -1, -1, -1, -1,
	-1, -1, R8, R9, R10, R11, R12, R13, R14, R15 };

static const uint8_t saved[] = { RBX, RBP, R12, R13, R14, R15, RIP };

/* Once the handler has returned, rsp points to the ucontext of struct rt_sigframe, whose sigcontext
 * is at 40. */
static const struct saved_context context[] = {
	{ R8, 40 },
	{ R9, 48 },
	{ R10, 56 },
	{ R11, 64 },
	{ R12, 72 },
	{ R13, 80 },
	{ R14, 88 },
	{ R15, 96 },
	{ RDI, 104 },
	{ RSI, 112 },
	{ RBP, 120 },
	{ RBX, 128 },
	{ RDX, 136 },
	{ RAX, 144 },
	{ RCX, 152 },
	{ RSP, 160 },
	{ RIP, 168 },
};

enum { SAVED_RBP = 1, SAVED_RIP = 6 };

static void set_frame(struct unwind_rule *r, int cfa_from_rsp, bool rbp_pushed)
{
	unwind_rule_init(r);
	r->changed |= RULE_GUESSED;
	r->cfa = CFA_OFFSET;
	r->reg = RSP;
	r->offset = cfa_from_rsp;
	unwind_rule_set_saved(r, SAVED_RIP, -8);
	if (rbp_pushed)
		unwind_rule_set_saved(r, SAVED_RBP, -16);
}

/* Recognizes prologue and epilogue of a function with a frame pointer, and musl's signal
 * trampoline. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	static const uint8_t push_rbp = 0x55, ret = 0xc3;
	static const uint8_t mov_rbp_rsp[] = { 0x48, 0x89, 0xe5 };
	static const uint8_t mov_rbp_rsp_too[] = { 0x48, 0x8b, 0xec };
	static const uint8_t sigreturn[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f };
	const uint8_t *next = code + CODE_BEFORE;

	if (!memcmp(next, sigreturn, sizeof(sigreturn))) {
		unwind_rule_init(r);
		r->cfa = CFA_SIGNAL;
		r->changed |= RULE_SIGNAL;
		return true;
	}
	if (!exact)
		return false;
	if (*next == push_rbp || *next == ret) {
		set_frame(r, 8, false);
		return true;
	}
	if (next[-1] == push_rbp &&
		(!memcmp(next, mov_rbp_rsp, 3) || !memcmp(next, mov_rbp_rsp_too, 3))) {
		set_frame(r, 16, true);
		return true;
	}
	return false;
}

static bool follows_call(const uint8_t code[CODE_BYTES])
{
	return call_code_ends(code + CODE_BEFORE);
}

static bool may_call(const uint8_t code[CODE_BYTES], uint64_t next, uint64_t function)
{
	return call_code_may_call(code + CODE_BEFORE, next, function);
}

static bool called(const uint8_t code[CODE_BYTES], uint64_t next, uint64_t *function)
{
	return call_code_target(code + CODE_BEFORE, next, function);
}

const struct unwind_arch arch_x86_64 = {
	.name = "x86_64",
	.elf_machine = EM_X86_64,
	.word_bytes = 8,
	.from_perf = from_perf,
	.n_perf = ARRAY_LEN(from_perf),
	.n_columns = COLUMNS,
	.pc = RIP,
	.sp = RSP,
	.fp = RBP,
	.ra = RIP,
	.result = RAX,
	.saved = saved,
	.n_saved = ARRAY_LEN(saved),
	.callee_saved = 1 << RBX | 1 << RBP | 1 << R12 | 1 << R13 | 1 << R14 | 1 << R15,
	.address_mask = UINT64_MAX,
	.context = context,
	.n_context = ARRAY_LEN(context),
	.guess = guess,
	.follows_call = follows_call,
	.may_call = may_call,
	.called = called,
	.narrow = &arch_i386,
};
