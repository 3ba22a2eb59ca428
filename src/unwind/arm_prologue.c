/*
 * arm_prologue.c - follows the stack pointer through the instructions that make and leave a frame
 *
 *	push {r4, r7, lr}     registers are saved, and the stack pointer moves
 *	vpush {d8}            it moves
 *	sub sp, #16
 *	add r7, sp, #0        a frame pointer, where the row is relative to it
 *	...                   the row holds
 *	add sp, #16           what is left of the frame is what follows
 *	vpop {d8}
 *	pop {r4, r7, pc}
 *
 * From the next instruction on, the code is read first: where it returns soon, without another jump
 * or call, it says itself what is on the stack. Else the function is read from its beginning, until
 * the frame is as the row says; a call, a jump or a return ends that, as what comes after is no
 * prologue, unless nothing is on the stack yet. Branches that may not be taken are passed over: the
 * stack is the same on either way.
 *
 * Nothing records whether code is Arm or Thumb. Its first instructions tell.
 */
#include "unwind/arm_prologue.h"

#include "base/bytes.h"
#include "base/mem.h"

enum { WORD = 4, R7 = 7, R11 = 11, SP = 13, LR = 14, PC = 15, REGISTERS = 16 };

enum effect_kind {
	NOTHING, /* to the frame */
	MOVE,    /* of the stack pointer, by `bytes` */
	PUSH,
	POP,   /* registers, and the stack pointer moves by `bytes` */
	STORE, /* registers, `bytes` above the stack pointer */
	LOAD,
	SET_FRAME, /* the frame pointer, to a place in the frame */
	RETURN,    /* to the link register */
	JUMP,      /* or call */
	UNKNOWN,   /* the stack pointer is set */
};

/* What an instruction does to the frame. */
struct effect {
	enum effect_kind kind;
	uint32_t registers; /* bits; the lowest one is at the lowest address */
	int64_t bytes;
};

static uint32_t pair(unsigned first, unsigned second)
{
	return 1u << first | 1u << second;
}

static struct effect on_list(enum effect_kind kind, uint32_t registers)
{
	return (struct effect){ kind, registers, WORD * __builtin_popcount(registers) };
}

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return bits ? value >> bits | value << (32 - bits) : value;
}

/* vpush, vpop: the same in Arm and Thumb code. */
static struct effect floating_effect(uint32_t code)
{
	int64_t bytes = WORD * (int64_t)(code & 0xff);

	if ((code & 0xffbf0e00) == 0xed2d0a00)
		return (struct effect){ MOVE, 0, -bytes };
	if ((code & 0xffbf0e00) == 0xecbd0a00)
		return (struct effect){ MOVE, 0, bytes };
	return (struct effect){ NOTHING, 0, 0 };
}

/* ---- Arm ---- */

/* Loads and stores at the stack pointer. */
static struct effect arm_memory_effect(uint32_t code)
{
	unsigned first = code >> 12 & 15;
	uint32_t one = 1u << first, two = first < SP ? pair(first, first + 1) : one;
	int64_t bytes = code & 0xfff, of_two = (code >> 4 & 0xf0) | (code & 0x0f);

	switch (code >> 16) {
	case 0xe92d:
		return on_list(PUSH, code & 0xffff);
	case 0xe8bd:
		return on_list(POP, code & 0xffff);
	case 0xe52d: /* str, [sp, #-N]! */
		return (struct effect){ PUSH, one, bytes };
	case 0xe49d: /* ldr, [sp], #N */
		return (struct effect){ POP, one, bytes };
	case 0xe58d:
		return (struct effect){ STORE, one, bytes };
	case 0xe59d:
		return (struct effect){ LOAD, one, bytes };
	}
	switch (code & 0xffff00f0) {
	case 0xe16d00f0: /* strd, [sp, #-N]! */
		return (struct effect){ PUSH, two, of_two };
	case 0xe0cd00d0: /* ldrd, [sp], #N */
		return (struct effect){ POP, two, of_two };
	case 0xe1cd00f0:
		return (struct effect){ STORE, two, of_two };
	case 0xe1cd00d0:
		return (struct effect){ LOAD, two, of_two };
	}
	return floating_effect(code);
}

static struct effect arm_effect(uint32_t code)
{
	int64_t immediate = rotate(code & 0xff, 2 * (code >> 8 & 15));
	bool call = (code & 0x0f000000) == 0x0b000000 || code >> 25 == 0x7d;
	bool jump = code >> 24 == 0xea || (code & 0xffffffd0) == 0xe12fff10;

	switch (code >> 12) {
	case 0xe24dd: /* sub sp, sp, #N */
		return (struct effect){ MOVE, 0, -immediate };
	case 0xe28dd: /* add sp, sp, #N */
		return (struct effect){ MOVE, 0, immediate };
	case 0xe28db: /* add r11, sp, #N */
		return (struct effect){ SET_FRAME, 1u << R11, 0 };
	}
	if (code == 0xe1a0b00d) /* mov r11, sp */
		return (struct effect){ SET_FRAME, 1u << R11, 0 };
	if (code == 0xe12fff1e) /* bx lr */
		return (struct effect){ RETURN, 0, 0 };
	if (call || jump)
		return (struct effect){ JUMP, 0, 0 };
	if ((code & 0x0c00f000) == SP << 12 && code >> 28 != 0xf)
		return (struct effect){ UNKNOWN, 0, 0 };
	return arm_memory_effect(code);
}

/* ---- Thumb ---- */

/* An immediate operand of 12 bits: 8 of them as they are, or rotated. Others are repeated, which no
 * frame is as large as. */
static int64_t thumb_immediate(uint32_t code)
{
	uint32_t i = (code >> 15 & 0x800) | (code >> 4 & 0x700) | (code & 0xff);

	return i >> 10 ? rotate(0x80 | (i & 0x7f), i >> 7) : i & 0xff;
}

static int64_t thumb_plain_immediate(uint32_t code)
{
	return (code >> 15 & 0x800) | (code >> 4 & 0x700) | (code & 0xff);
}

/* Loads and stores at the stack pointer, of 32 bits. */
static struct effect thumb_memory_effect(uint32_t code)
{
	uint32_t one = 1u << (code >> 12 & 15), two = pair(code >> 12 & 15, code >> 8 & 15);
	int64_t of_two = WORD * (int64_t)(code & 0xff);

	switch (code >> 16) {
	case 0xe92d:
		return on_list(PUSH, code & 0xffff);
	case 0xe8bd:
		return on_list(POP, code & 0xffff);
	case 0xf84d: /* str, [sp, #-N]! */
		if ((code & 0xf00) == 0xd00)
			return (struct effect){ PUSH, one, code & 0xff };
		break;
	case 0xf85d: /* ldr, [sp], #N */
		if ((code & 0xf00) == 0xb00)
			return (struct effect){ POP, one, code & 0xff };
		break;
	case 0xf8cd:
		return (struct effect){ STORE, one, code & 0xfff };
	case 0xf8dd:
		return (struct effect){ LOAD, one, code & 0xfff };
	case 0xe96d: /* strd, [sp, #-N]! */
		return (struct effect){ PUSH, two, of_two };
	case 0xe8fd: /* ldrd, [sp], #N */
		return (struct effect){ POP, two, of_two };
	case 0xe9cd:
		return (struct effect){ STORE, two, of_two };
	case 0xe9dd:
		return (struct effect){ LOAD, two, of_two };
	}
	return floating_effect(code);
}

/* 32 bits, those of the lower address first. */
static struct effect thumb_32_effect(uint32_t code)
{
	struct effect e = thumb_memory_effect(code);

	if (e.kind != NOTHING)
		return e;
	switch (code & 0xfbff8f00) {
	case 0xf1ad0d00: /* sub sp, sp, #N */
		return (struct effect){ MOVE, 0, -thumb_immediate(code) };
	case 0xf2ad0d00:
		return (struct effect){ MOVE, 0, -thumb_plain_immediate(code) };
	case 0xf10d0d00: /* add sp, sp, #N */
		return (struct effect){ MOVE, 0, thumb_immediate(code) };
	case 0xf20d0d00:
		return (struct effect){ MOVE, 0, thumb_plain_immediate(code) };
	}
	if (code >> 27 == 0x1e && (code & 0xd000) > 0x8000) /* bl, blx, b */
		return (struct effect){ JUMP, 0, 0 };
	if (code >> 28 > 0xd && (code & 0x8f00) == SP << 8)
		return (struct effect){ UNKNOWN, 0, 0 };
	return e;
}

static struct effect thumb_16_effect(uint32_t code)
{
	uint32_t list = code & 0xff, more = code & 0x100;
	int64_t bytes = WORD * (int64_t)(code & 0x7f);

	if (code >> 9 == 0x5a)
		return on_list(PUSH, list | (more ? 1u << LR : 0));
	if (code >> 9 == 0x5e)
		return on_list(POP, list | (more ? 1u << PC : 0));
	if (code >> 7 == 0x161) /* sub sp, #N */
		return (struct effect){ MOVE, 0, -bytes };
	if (code >> 7 == 0x160) /* add sp, #N */
		return (struct effect){ MOVE, 0, bytes };
	if (code >> 11 == 0x12 || code >> 11 == 0x13) /* str, ldr at sp + N */
		return (struct effect){ code >> 11 == 0x12 ? STORE : LOAD, 1u << (code >> 8 & 7),
			WORD * (int64_t)list };
	if (code == 0x466f || code >> 8 == 0xaf) /* mov r7, sp; add r7, sp, #N */
		return (struct effect){ SET_FRAME, 1u << R7, 0 };
	if (code == 0x4770) /* bx lr */
		return (struct effect){ RETURN, 0, 0 };
	if (code >> 11 == 0x1c || code >> 8 == 0x47) /* b, bx, blx */
		return (struct effect){ JUMP, 0, 0 };
	return (struct effect){ (code & 0xfd87) == 0x4485 ? UNKNOWN : NOTHING, 0, 0 };
}

/* ---- code ---- */

static uint32_t half_at(struct span code, size_t at)
{
	return at + 2 <= code.n ? bytes_u16((const uint8_t *)code.p + at, HOST_IS_BIG_ENDIAN) : 0;
}

static uint32_t word_at(struct span code, size_t at)
{
	return half_at(code, at) | half_at(code, at + 2) << 16;
}

static struct effect take_thumb(struct span *code)
{
	uint32_t half = half_at(*code, 0), word = word_at(*code, 0);
	bool is_short = half >> 11 <= 0x1c;

	*code = span_skip(*code, is_short ? 2 : WORD);
	return is_short ? thumb_16_effect(half) : thumb_32_effect(half << 16 | word >> 16);
}

/* The "it" instruction makes up to four that follow it conditional: they are passed over. */
static void skip_conditional(struct span *code)
{
	uint32_t half = half_at(*code, 0);
	int n;

	if (half >> 8 != 0xbf || !(half & 0x0f))
		return;
	for (n = __builtin_ctz(half & 0x0f); n <= 4; n++)
		take_thumb(code);
}

/* The next instruction. */
static struct effect take(struct span *code, bool thumb)
{
	uint32_t word = word_at(*code, 0);

	if (thumb) {
		skip_conditional(code);
		return take_thumb(code);
	}
	*code = span_skip(*code, WORD);
	return arm_effect(word);
}

/* Nearly all instructions of Arm code are always executed: their highest bits are 1110. In Thumb
 * code, these bits are in every second half word, and have this value in some long instructions. */
static bool is_thumb(const struct arm_code *c)
{
	enum { LOOK_BYTES = 16, ALWAYS = 0xe };
	uint32_t half = half_at(c->before.n ? c->before : c->after, 0), word;
	unsigned other = 0;
	size_t at;

	if (c->next % WORD || half >> 9 == 0x5a || half == 0xe92d)
		return true;
	for (at = 0; at < LOOK_BYTES; at += WORD) {
		word = at < c->before.n ? word_at(c->before, at)
					: word_at(c->after, at - c->before.n);
		other += word >> 28 != ALWAYS;
	}
	return other > 1;
}

/* ---- a frame being left ---- */

static void set_saved(struct frame_row *row, unsigned column, int64_t offset)
{
	row->column[column] = (struct reg_rule){ .kind = REG_RULE_OFFSET, .offset = offset };
}

/* Where registers are loaded from, relative to the stack pointer before the first instruction. */
struct left {
	int64_t at; /* of the stack pointer */
	int64_t from[REGISTERS];
	uint32_t loaded;
};

static void load(struct left *l, const struct effect *e)
{
	int64_t from = l->at + (e->kind == LOAD ? e->bytes : 0);
	unsigned i;

	for (i = 0; i < REGISTERS; i++)
		if (e->registers >> i & 1) {
			l->from[i] = from;
			from += WORD;
		}
	l->loaded |= e->registers;
	l->at += e->kind == LOAD ? 0 : e->bytes;
}

static bool follow_to_return(struct left *l, struct span code, bool thumb)
{
	while (code.n) {
		struct effect e = take(&code, thumb);

		switch (e.kind) {
		case MOVE:
			l->at += e.bytes;
			break;
		case POP:
		case LOAD:
			load(l, &e);
			if (e.registers >> PC & 1)
				return true;
			break;
		case RETURN:
			return true;
		case JUMP: /* the last call, which the function leaves for */
			return l->loaded >> LR & 1;
		case PUSH:
		case SET_FRAME:
		case UNKNOWN:
			return false;
		case NOTHING:
		case STORE:
			break;
		}
	}
	return false;
}

static bool is_left(const struct arm_code *c, struct frame_row *row)
{
	struct left l = { 0 };
	unsigned i;

	if (!follow_to_return(&l, c->after, is_thumb(c)))
		return false;
	row->cfa_column = SP;
	row->cfa_offset = l.at;
	memset(row->column, 0, sizeof(row->column));
	for (i = 0; i < SP; i++)
		if (l.loaded >> i & 1)
			set_saved(row, i, l.from[i] - l.at);
	for (i = LR; i <= PC; i++)
		if (l.loaded >> i & 1)
			set_saved(row, LR, l.from[i] - l.at);
	return true;
}

/* ---- a frame being made ---- */

struct made {
	int64_t moved;            /* how many bytes the stack pointer has moved down */
	int64_t saved[REGISTERS]; /* where a register is, from the CFA; 0: it is in itself */
	uint32_t frame_register;  /* as a bit, where it has been set */
};

/* Stores of callee-saved registers: others may be of arguments and variables. */
static void store(struct made *m, const struct effect *e, const struct frame_row *row)
{
	int64_t to = (e->kind == STORE ? e->bytes : 0) - m->moved;
	unsigned i;

	for (i = 0; i < REGISTERS; i++)
		if (e->registers >> i & 1) {
			if (row->column[i].kind && !m->saved[i])
				m->saved[i] = to;
			to += WORD;
		}
}

static bool is_made(const struct made *m, const struct frame_row *row)
{
	unsigned i;

	for (i = 0; i < REGISTERS; i++)
		if (row->column[i].kind && !m->saved[i])
			return false;
	if (row->cfa_column != SP)
		return m->frame_register >> row->cfa_column & 1;
	return m->moved >= row->cfa_offset;
}

/* False: the frame may be as the row says, or the code is no prologue. */
static bool is_being_made(struct made *m, const struct arm_code *c, const struct frame_row *row)
{
	struct span code = c->before;
	bool thumb = is_thumb(c);

	while (code.n && !is_made(m, row)) {
		struct effect e = take(&code, thumb);

		switch (e.kind) {
		case MOVE:
			m->moved -= e.bytes;
			break;
		case PUSH:
			m->moved += e.bytes;
			store(m, &e, row);
			break;
		case STORE:
			store(m, &e, row);
			break;
		case SET_FRAME:
			m->frame_register |= e.registers;
			break;
		case POP:
		case RETURN:
		case JUMP:
			if (m->moved)
				return false;
			break;
		case UNKNOWN:
			return false;
		case NOTHING:
		case LOAD:
			break;
		}
	}
	return c->before.n == c->next && !is_made(m, row);
}

void arm_prologue_apply(const struct arm_code *c, struct frame_row *row)
{
	struct made m = { 0 };
	unsigned i;

	if (is_left(c, row) || !is_being_made(&m, c, row))
		return;
	row->cfa_column = SP;
	row->cfa_offset = m.moved;
	memset(row->column, 0, sizeof(row->column));
	for (i = 0; i <= LR; i++)
		if (m.saved[i])
			set_saved(row, i, m.saved[i]);
}
