/*
 * arm_exidx_fuzz.c - any bytes as .ARM.exidx, .ARM.extab and code
 *
 *	byte 0: entries of the index, of 8 bytes
 *	byte 1: bytes of code
 *	byte 2: the next instruction
 *	the index, the code, and as many tables as there is left
 */
#include "unwind/arm_exidx.h"
#include "unwind/arm_prologue.h"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span take(struct span *from, size_t n)
{
	struct span s = { from->p, n < from->n ? n : from->n };

	*from = span_skip(*from, s.n);
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { HEAD = 3, INDEX = 0x8000, TABLES = 0x9000, CODE_END = 0x4000 };
	struct span rest = { (const char *)data, size }, code;
	struct arm_exidx x = { .index.address = INDEX, .tables.address = TABLES };
	struct arm_code c;
	struct frame_row row;
	uint64_t address;

	if (size < HEAD)
		return 0;
	rest = span_skip(rest, HEAD);
	x.index.bytes = take(&rest, 8u * data[0]);
	code = take(&rest, data[1]);
	x.tables.bytes = rest;
	c.next = data[2];
	c.before = take(&code, data[2]);
	c.after = code;
	for (address = 0; address < CODE_END; address += 0x80)
		if (arm_exidx_row(&x, address, &row)) {
			assert(row.start <= address && address < row.end && row.cfa_offset >= 0);
			arm_prologue_apply(&c, &row);
			assert(row.cfa_column < UNWIND_REGS);
		}
	return 0;
}
