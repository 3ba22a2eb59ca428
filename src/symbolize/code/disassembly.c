/*
 * How it works. capstone decodes one instruction at a time, if it is none that is known from
 * before (instruction_memo.h); what it refuses is taken as "(bad)", and decoding goes on after
 * that. Of each instruction its text is kept, and of jumps and calls the kind and the target, if
 * that is in the instruction. When all are decoded, targets within the
 * code become numbers of instructions; the caller names the others.
 */
#include "symbolize/code/disassembly.h"

#include "base/bisect.h"
#include "base/chars.h"
#include "base/mem.h"
#include "symbolize/code/capstone_library.h"
#include "symbolize/code/x86_length.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTIONS_MAX = 1 << 20, BYTES_MOST = 15 };

struct decoder {
	struct capstone_library library;
	csh handle;
	cs_insn *insn;
	const struct disassembly_code *code;
	struct disassembly *into;
	struct disassembly_texts *texts;
	cs_arch arch;
	unsigned width; /* of what does not decode */
	/* Of x86, by number of the instruction: its kind plus 1, or 0. The details of one that is
	 * known are not asked for: with all of them, decoding takes half as long again. */
	uint8_t kind[X86_INS_ENDING];
};

struct machine {
	uint16_t number;
	cs_arch arch;
	int mode;
	unsigned width;
};

/* As of ARMv8, 32-bit code may use its instructions. */
static const struct machine machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, 1 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, 1 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, 4 },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM | CS_MODE_V8, 4 },
};

static const struct machine *machine_of(uint16_t number)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(machines); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

static int decoder_open(struct decoder *d, struct err *e)
{
	const struct machine *m = machine_of(d->code->machine);
	int mode;

	if (!m)
		return err_set(e, ERR_UNSUPPORTED,
			"code of machine %u (e_machine of elf(5)) is not disassembled",
			d->code->machine);
	if (capstone_library_load(&d->library, e))
		return e->code;
	d->arch = m->arch;
	d->width = m->width;
	mode = m->mode;
	if (m->number == EM_ARM && d->code->thumb) {
		mode |= CS_MODE_THUMB;
		d->width = 2;
	}
	if (m->number == EM_ARM && d->code->big_endian)
		mode |= (int)CS_MODE_BIG_ENDIAN;
	if (d->library.open(d->arch, (cs_mode)mode, &d->handle) != CS_ERR_OK)
		return err_set(e, ERR_UNSUPPORTED, "libcapstone was built without the machine %u",
			m->number);
	d->library.option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	if (d->arch == CS_ARCH_X86 && d->code->syntax == DISASSEMBLY_ATT)
		d->library.option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	d->insn = d->library.malloc(d->handle);
	return d->insn ? OK : err_set(e, ERR_LIMIT, "no memory to disassemble");
}

static void decoder_close(struct decoder *d)
{
	if (d->insn)
		d->library.free(d->insn, 1);
	if (d->handle)
		d->library.close(&d->handle);
}

/* ---- one instruction ------------------------------------------------------------------------ */

static bool has_group(const cs_insn *insn, unsigned group)
{
	unsigned i;

	for (i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static bool is_conditional(const struct decoder *d)
{
	const cs_insn *insn = d->insn;

	switch (d->arch) {
	case CS_ARCH_X86:
		return insn->id != X86_INS_JMP && insn->id != X86_INS_LJMP;
	case CS_ARCH_ARM64:
		return (insn->id == ARM64_INS_B && insn->detail->arm64.cc != ARM64_CC_INVALID &&
			       insn->detail->arm64.cc != ARM64_CC_AL &&
			       insn->detail->arm64.cc != ARM64_CC_NV) ||
		       insn->id == ARM64_INS_CBZ || insn->id == ARM64_INS_CBNZ ||
		       insn->id == ARM64_INS_TBZ || insn->id == ARM64_INS_TBNZ;
	default:
		return insn->id == ARM_INS_CBZ || insn->id == ARM_INS_CBNZ ||
		       (insn->detail->arm.cc != ARM_CC_INVALID &&
			       insn->detail->arm.cc != ARM_CC_AL);
	}
}

static bool is_call(const struct decoder *d)
{
	unsigned id = d->insn->id;

	switch (d->arch) {
	case CS_ARCH_X86:
		return has_group(d->insn, CS_GRP_CALL);
	case CS_ARCH_ARM64:
		return id == ARM64_INS_BL || id == ARM64_INS_BLR;
	default:
		return id == ARM_INS_BL || id == ARM_INS_BLX;
	}
}

/* "bx lr", "pop {..., pc}" */
static bool is_arm_return(const cs_insn *insn)
{
	const cs_arm *arm = &insn->detail->arm;
	unsigned i;

	if (insn->id == ARM_INS_BX)
		return arm->op_count && arm->operands[0].type == ARM_OP_REG &&
		       arm->operands[0].reg == ARM_REG_LR;
	for (i = 0; insn->id == ARM_INS_POP && i < arm->op_count; i++)
		if (arm->operands[i].type == ARM_OP_REG && arm->operands[i].reg == ARM_REG_PC)
			return true;
	return false;
}

static bool is_return(const struct decoder *d)
{
	switch (d->arch) {
	case CS_ARCH_X86:
		return has_group(d->insn, CS_GRP_RET) || has_group(d->insn, CS_GRP_IRET);
	case CS_ARCH_ARM64:
		return d->insn->id == ARM64_INS_RET || d->insn->id == ARM64_INS_ERET;
	default:
		return is_arm_return(d->insn);
	}
}

static bool is_jump(const struct decoder *d)
{
	unsigned id = d->insn->id;

	if (d->arch == CS_ARCH_ARM)
		return id == ARM_INS_B || id == ARM_INS_BX || id == ARM_INS_CBZ ||
		       id == ARM_INS_CBNZ || id == ARM_INS_TBB || id == ARM_INS_TBH;
	return has_group(d->insn, CS_GRP_JUMP) ||
	       (d->arch == CS_ARCH_X86 && (id == X86_INS_LOOP || id == X86_INS_LOOPE ||
						  id == X86_INS_LOOPNE || id == X86_INS_XBEGIN));
}

static enum instruction_kind kind_by_details(const struct decoder *d)
{
	if (is_return(d))
		return INSTRUCTION_RETURN;
	if (is_call(d))
		return INSTRUCTION_CALL;
	if (!is_jump(d))
		return INSTRUCTION_OTHER;
	return is_conditional(d) ? INSTRUCTION_CONDITIONAL : INSTRUCTION_JUMP;
}

static bool is_known(const struct decoder *d)
{
	return d->arch == CS_ARCH_X86 && d->insn->id < X86_INS_ENDING && d->kind[d->insn->id];
}

static enum instruction_kind kind_of(struct decoder *d)
{
	enum instruction_kind kind;

	if (is_known(d))
		return d->kind[d->insn->id] - 1;
	kind = kind_by_details(d);
	if (d->arch == CS_ARCH_X86 && d->insn->id < X86_INS_ENDING)
		d->kind[d->insn->id] = (uint8_t)(kind + 1);
	return kind;
}

/* "0x1139", or below ten "7". */
static uint64_t number_of(struct span operands)
{
	uint64_t number;

	if (operands.n == 1 && char_is_digit(*operands.p))
		return (uint64_t)(*operands.p - '0');
	if (!span_starts(operands, SPAN("0x")))
		return 0;
	operands = span_skip(operands, 2);
	return span_scan_hex(&operands, &number) && !operands.n ? number : 0;
}

/* The address in the last operand; 0 where that is no number. */
static uint64_t target_of(const struct decoder *d)
{
	const cs_detail *detail = d->insn->detail;
	unsigned n;

	switch (d->arch) {
	case CS_ARCH_X86:
		return number_of(span_of(d->insn->op_str));
	case CS_ARCH_ARM64:
		n = detail->arm64.op_count;
		return n && detail->arm64.operands[n - 1].type == ARM64_OP_IMM
			       ? (uint64_t)detail->arm64.operands[n - 1].imm
			       : 0;
	default:
		n = detail->arm.op_count;
		return n && detail->arm.operands[n - 1].type == ARM_OP_IMM
			       ? (uint32_t)detail->arm.operands[n - 1].imm
			       : 0;
	}
}

static struct span keep(const struct decoder *d, const char *text, size_t max)
{
	size_t n = max ? strnlen(text, max) : 0;

	while (n && text[n - 1] == ' ')
		n--;
	return (struct span){ arena_string(d->texts->arena, text, n), n };
}

/* "0x1139", or below ten "7", as capstone has it. */
static struct span keep_address(const struct decoder *d, uint64_t address)
{
	char text[18], *end = text + sizeof(text), *p = end;
	uint64_t left = address;

	do
		*--p = "0123456789abcdef"[left & 15];
	while (left >>= 4);
	if (address >= 10) {
		*--p = 'x';
		*--p = '0';
	}
	return keep(d, p, (size_t)(end - p));
}

/* What the loader would fill in. */
static void relocate(const struct decoder *d, struct instruction *i)
{
	uint64_t own = i->target;

	i->target = 0;
	if (!d->code->relocated || !d->code->relocated(d->code->ctx, i)) {
		i->target = own;
		return;
	}
	i->operands = i->target ? keep_address(d, i->target) : (struct span){ 0 };
	i->to_address = i->target;
	i->target_name = keep(d, i->target_name.p, i->target_name.n);
}

static void describe(struct decoder *d, struct instruction *i)
{
	const cs_insn *insn = d->insn;

	i->size_bytes = (uint8_t)insn->size;
	i->mnemonic = keep(d, insn->mnemonic, sizeof(insn->mnemonic));
	i->operands = keep(d, insn->op_str, sizeof(insn->op_str));
	i->kind = kind_of(d);
	if (i->kind != INSTRUCTION_OTHER && i->kind != INSTRUCTION_RETURN)
		i->target = target_of(d);
	i->to_address = d->arch == CS_ARCH_X86 && i->target;
}

/* ---- instructions that are known ------------------------------------------------------------ */

/* Of jumps and calls without a prefix: how many bytes say what they are, before a distance. */
static unsigned opcode_bytes(const unsigned char *p)
{
	switch (*p) {
	case 0x70 ... 0x7f:
	case 0xe8:
	case 0xe9:
	case 0xeb:
		return 1;
	case 0x0f:
		return p[1] >= 0x80 && p[1] <= 0x8f ? 2 : 0;
	default:
		return 0;
	}
}

/* Not of a jump whose text has an address, unless that is known to come from the distance. */
static void remember(struct decoder *d, const struct instruction *i, const unsigned char *p)
{
	bool to_number = i->operands.n && char_is_digit(*i->operands.p);
	struct known_instruction known = { .mnemonic = i->mnemonic, .kind = i->kind };
	struct span bytes = { (const char *)p, i->size_bytes };

	if (d->arch != CS_ARCH_X86)
		return;
	if (i->kind == INSTRUCTION_OTHER || i->kind == INSTRUCTION_RETURN || !to_number) {
		known.operands = i->operands;
	} else {
		bytes.n = opcode_bytes(p);
		known.distance_bytes = (uint8_t)(i->size_bytes - bytes.n);
	}
	if (!known.distance_bytes || known.distance_bytes == 1 || known.distance_bytes == 4)
		instruction_memo_add(&d->texts->memo, bytes, &known);
}

static void set_target(const struct decoder *d, struct instruction *i, uint64_t target)
{
	i->target = d->code->machine == EM_386 ? (uint32_t)target : target;
	i->operands = keep_address(d, i->target);
	i->to_address = true;
}

static bool recall(const struct decoder *d, struct instruction *i, struct span code)
{
	const struct known_instruction *known = instruction_memo_find(&d->texts->memo, code);

	if (!known)
		return false;
	i->size_bytes = (uint8_t)(known->n_bytes + known->distance_bytes);
	i->mnemonic = known->mnemonic;
	i->operands = known->operands;
	i->kind = known->kind;
	if (known->distance_bytes)
		set_target(d, i,
			i->address + i->size_bytes +
				(uint64_t)instruction_memo_distance(known, code.p));
	return true;
}

/* ---- code ----------------------------------------------------------------------------------- */

/* "62 f3 fd 48 25 d1 96", as objdump shows bytes. */
static struct span keep_bytes(const struct decoder *d, struct span bytes)
{
	char text[3 * BYTES_MOST + 1] = "";
	size_t i;

	for (i = 0; i < bytes.n && i < BYTES_MOST; i++)
		snprintf(text + 3 * i, 4, "%02x ", (unsigned char)bytes.p[i]);
	return keep(d, text, sizeof(text));
}

static void describe_bad(const struct decoder *d, struct span code, struct instruction *i)
{
	unsigned size_bytes = 0;

	if (d->arch == CS_ARCH_X86)
		size_bytes = x86_length(code, d->code->machine == EM_X86_64);
	i->mnemonic = size_bytes ? SPAN("(unknown)") : SPAN("(bad)");
	if (!size_bytes)
		size_bytes = code.n < d->width ? (unsigned)code.n : d->width;
	i->size_bytes = (uint8_t)size_bytes;
	i->operands = keep_bytes(d, (struct span){ code.p, size_bytes });
	i->kind = INSTRUCTION_BAD;
	d->into->n_bad++;
}

static bool decode_with(
	struct decoder *d, size_t details, const uint8_t *p, size_t left, uint64_t address)
{
	d->library.option(d->handle, CS_OPT_DETAIL, details);
	return d->library.disasm_iter(d->handle, &p, &left, &address, d->insn) && d->insn->size;
}

/* The instruction at p, into d->insn. */
static bool decode_one(struct decoder *d, const uint8_t *p, size_t left, uint64_t address)
{
	if (d->arch == CS_ARCH_X86) {
		if (!decode_with(d, CS_OPT_OFF, p, left, address))
			return false;
		if (is_known(d))
			return true;
	}
	return decode_with(d, CS_OPT_ON, p, left, address);
}

static void decode_at(struct decoder *d, struct instruction *i, uint64_t at)
{
	const struct disassembly_code *code = d->code;
	const uint8_t *p = code->bytes + at;
	size_t left = code->size_bytes - at;
	struct span rest = { (const char *)p, left };

	if (recall(d, i, rest))
		;
	else if (decode_one(d, p, left, i->address) && d->insn->size <= left) {
		describe(d, i);
		remember(d, i, p);
	} else {
		describe_bad(d, rest, i);
	}
	if (i->target)
		relocate(d, i);
}

static int decode(struct decoder *d, struct err *e)
{
	const struct disassembly_code *code = d->code;
	struct disassembly *into = d->into;
	uint64_t at = 0;

	while (at < code->size_bytes) {
		struct instruction *i;

		if (into->n == INSTRUCTIONS_MAX)
			return err_set(e, ERR_LIMIT,
				"a function of more than %u instructions is not disassembled",
				INSTRUCTIONS_MAX);
		ARRAY_GROW(into->instruction, into->n, into->cap);
		i = &into->instruction[into->n++];
		*i = (struct instruction){ .address = code->address + at,
			.target_index = UINT32_MAX };
		decode_at(d, i, at);
		at += i->size_bytes;
	}
	return OK;
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool find_inside(const struct disassembly *d, struct instruction *i)
{
	uint32_t k = bisect(at, 0, d->n, d->instruction[at].address >= i->target);

	if (k == d->n || d->instruction[k].address != i->target)
		return false;
	i->target_index = k;
	return true;
}

static void name_targets(
	struct disassembly *d, const struct disassembly_code *code, struct arena *text)
{
	struct buf name = { 0 };
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		struct instruction *in = &d->instruction[i];

		if (!in->target || find_inside(d, in) || !code->name)
			continue;
		name.n = 0;
		if (code->name(code->ctx, in->target, &name))
			in->target_name =
				(struct span){ arena_string(text, name.p, name.n), name.n };
	}
	buf_release(&name);
}

/* Those of before are of use for the same machine and syntax. */
static void begin_texts(struct disassembly_texts *t, const struct disassembly_code *code)
{
	if (t->machine != code->machine || t->syntax != code->syntax)
		instruction_memo_release(&t->memo);
	t->machine = code->machine;
	t->syntax = (uint8_t)code->syntax;
}

int disassembly_make(struct disassembly *d, const struct disassembly_code *code, struct err *e)
{
	struct disassembly_texts own = { .arena = &d->text };
	struct decoder decoder = { .code = code, .into = d };
	int rc;

	*d = (struct disassembly){ 0 };
	decoder.texts = code->texts ? code->texts : &own;
	begin_texts(decoder.texts, code);
	rc = decoder_open(&decoder, e);
	if (!rc)
		rc = decode(&decoder, e);
	decoder_close(&decoder);
	if (!rc)
		name_targets(d, code, decoder.texts->arena);
	disassembly_texts_release(&own);
	return rc;
}

void disassembly_release(struct disassembly *d)
{
	free(d->instruction);
	arena_release(&d->text);
	*d = (struct disassembly){ 0 };
}

void disassembly_texts_release(struct disassembly_texts *t)
{
	instruction_memo_release(&t->memo);
}
