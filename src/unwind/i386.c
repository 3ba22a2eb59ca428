/*
 * i386.c - what is particular to 32-bit programs on x86
 *
 * Source: System V ABI, Intel386 supplement, table 2.14 (DWARF register numbers);
 * arch/x86/include/uapi/asm/perf_regs.h, arch/x86/include/asm/sigframe.h.
 */
#include "unwind/unwind_rule.h"

#include "base/call_code.h"
#include "base/mem.h"

enum { EAX, ECX, EDX, EBX, ESP, EBP, ESI, EDI, EIP, COLUMNS };

/* AX BX CX DX SI DI BP SP IP; the rest are flags and segments */
static const int8_t from_perf[] = { EAX, EBX, ECX, EDX, ESI, EDI, EBP, ESP, EIP };

static const uint8_t saved[] = { EBX, EBP, ESI, EDI, EIP };

/* Once the handler has returned, esp points to its first argument in struct rt_sigframe, whose
 * sigcontext is at 160. */
static const struct saved_context context[] = {
	{ EDI, 176 },
	{ ESI, 180 },
	{ EBP, 184 },
	{ ESP, 188 },
	{ EBX, 192 },
	{ EDX, 196 },
	{ ECX, 200 },
	{ EAX, 204 },
	{ EIP, 216 },
};

enum { SAVED_EBP = 1, SAVED_EIP = 4 };

static void set_frame(struct unwind_rule *r, int cfa_from_esp, bool ebp_pushed)
{
	unwind_rule_init(r);
	r->changed |= RULE_GUESSED;
	r->cfa = CFA_OFFSET;
	r->reg = ESP;
	r->offset = cfa_from_esp;
	unwind_rule_set_saved(r, SAVED_EIP, -4);
	if (ebp_pushed)
		unwind_rule_set_saved(r, SAVED_EBP, -8);
}

static bool set_signal(struct unwind_rule *r, int offset)
{
	unwind_rule_init(r);
	r->cfa = CFA_SIGNAL;
	r->offset = offset;
	r->changed |= RULE_SIGNAL;
	return true;
}

/* The trampolines of the C libraries; those of the vDSO have CFI. A handler without SA_SIGINFO has
 * a struct sigframe, with the sigcontext after its only argument. */
static bool is_sigreturn(const uint8_t *next, struct unwind_rule *r)
{
	static const uint8_t rt_sigreturn[] = { 0xb8, 0xad, 0, 0, 0, 0xcd, 0x80 };
	static const uint8_t sigreturn[] = { 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80 };

	if (!memcmp(next, rt_sigreturn, sizeof(rt_sigreturn)))
		return set_signal(r, 0);
	return !memcmp(next, sigreturn, sizeof(sigreturn)) && set_signal(r, 4 - 160);
}

/* Recognizes prologue and epilogue of a function with a frame pointer, and signal trampolines. */
static bool guess(const uint8_t code[CODE_BYTES], bool exact, struct unwind_rule *r)
{
	static const uint8_t push_ebp = 0x55, ret = 0xc3;
	static const uint8_t mov_ebp_esp[] = { 0x89, 0xe5 }, mov_ebp_esp_too[] = { 0x8b, 0xec };
	const uint8_t *next = code + CODE_BEFORE;

	if (is_sigreturn(next, r))
		return true;
	if (!exact)
		return false;
	if (*next == push_ebp || *next == ret) {
		set_frame(r, 4, false);
		return true;
	}
	if (next[-1] == push_ebp &&
		(!memcmp(next, mov_ebp_esp, 2) || !memcmp(next, mov_ebp_esp_too, 2))) {
		set_frame(r, 8, true);
		return true;
	}
	return false;
}

static bool follows_call(const uint8_t code[CODE_BYTES])
{
	return call_code_ends(code + CODE_BEFORE);
}

const struct unwind_arch arch_i386 = {
	.name = "i386",
	.elf_machine = EM_386,
	.word_bytes = 4,
	.from_perf = from_perf,
	.n_perf = ARRAY_LEN(from_perf),
	.n_columns = COLUMNS,
	.pc = EIP,
	.sp = ESP,
	.fp = EBP,
	.ra = EIP,
	.result = EAX,
	.saved = saved,
	.n_saved = ARRAY_LEN(saved),
	.callee_saved = 1 << EBX | 1 << EBP | 1 << ESI | 1 << EDI,
	.address_mask = UINT32_MAX,
	.context = context,
	.n_context = ARRAY_LEN(context),
	.guess = guess,
	.follows_call = follows_call,
};
