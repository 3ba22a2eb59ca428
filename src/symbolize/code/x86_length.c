#include "symbolize/code/x86_length.h"

#include <string.h>

enum { MAP_0F = 1, MAP_0F38 = 2, MAP_0F3A = 3 };

struct x86_reader {
	struct span code;
	size_t at;
};

/* Beyond the end there are zeros; x86_length() looks at the end last. */
static unsigned byte(const struct x86_reader *r, size_t ahead)
{
	return r->at + ahead < r->code.n ? (uint8_t)r->code.p[r->at + ahead] : 0;
}

/* A segment, or 32-bit addresses: all that may stand before VEX and EVEX. */
static bool skip_prefixes(struct x86_reader *r, bool is_64_bit)
{
	static const char prefixes[] = "\x26\x2e\x36\x3e\x64\x65\x67";

	while (r->at < 4 && byte(r, 0) && memchr(prefixes, (int)byte(r, 0), sizeof(prefixes) - 1)) {
		if (byte(r, 0) == 0x67 && !is_64_bit)
			return false; /* addresses of 16 bits have another form */
		r->at++;
	}
	return true;
}

/* ModRM, and what follows it for an address. */
static void skip_operands(struct x86_reader *r)
{
	unsigned mod = byte(r, 0) >> 6, rm = byte(r, 0) & 7;

	r->at++;
	if (mod == 3)
		return;
	if (rm == 4) {
		if (mod == 0 && (byte(r, 0) & 7) == 5)
			r->at += 4;
		r->at++;
	} else if (mod == 0 && rm == 5) {
		r->at += 4;
	}
	if (mod == 1)
		r->at++;
	else if (mod == 2)
		r->at += 4;
}

static bool has_immediate(unsigned map, unsigned opcode)
{
	if (map == MAP_0F3A)
		return true;
	return map == MAP_0F && ((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
					(opcode >= 0xc4 && opcode <= 0xc6));
}

/* The bytes up to the opcode, and its map; 0: neither VEX nor EVEX. */
static unsigned prefix_bytes(const struct x86_reader *r, bool is_64_bit, unsigned *map)
{
	unsigned next = byte(r, 1);

	/* On 32 bits these are LES, LDS and BOUND, which have no operand in a register. */
	if (!is_64_bit && next < 0xc0)
		return 0;
	switch (byte(r, 0)) {
	case 0xc5:
		*map = MAP_0F;
		return 2;
	case 0xc4:
		*map = next & 0x1f;
		return 3;
	case 0x62:
		*map = next & 7;
		return 4;
	default:
		return 0;
	}
}

/* "0f 01" with a register is a whole instruction: rdpkru, xgetbv, ... */
static unsigned system_length(struct span code)
{
	struct x86_reader r = { .code = code };

	while (r.at < 1 && (byte(&r, 0) == 0xf3 || byte(&r, 0) == 0xf2 || byte(&r, 0) == 0x66))
		r.at++;
	return byte(&r, 0) == 0x0f && byte(&r, 1) == 0x01 && byte(&r, 2) >= 0xc0
		       ? (unsigned)r.at + 3
		       : 0;
}

unsigned x86_length(struct span code, bool is_64_bit)
{
	struct x86_reader r = { .code = code };
	unsigned prefix, map, opcode, length = system_length(code);

	if (!length) {
		if (!skip_prefixes(&r, is_64_bit))
			return 0;
		prefix = prefix_bytes(&r, is_64_bit, &map);
		if (!prefix || !map)
			return 0;
		r.at += prefix;
		opcode = byte(&r, 0);
		r.at++;
		if (map != MAP_0F || opcode != 0x77) /* vzeroupper */
			skip_operands(&r);
		length = (unsigned)r.at + has_immediate(map, opcode);
	}
	return length <= code.n ? length : 0;
}
