#include "base/call_code.h"

/* Bytes of "call *OPERAND" (ff /2) by its operand: 0 where it is another instruction. */
static int indirect_call_bytes(const uint8_t *code)
{
	uint8_t mod = code[1] >> 6, rm = code[1] & 7;
	bool sib = mod != 3 && rm == 4, no_base;

	if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
		return 0;
	no_base = mod == 0 && (sib ? (code[2] & 7) == 5 : rm == 5);
	return 2 + sib + (mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
}

bool call_code_ends(const uint8_t *end)
{
	static const uint8_t call = 0xe8;
	int n;

	if (end[-5] == call)
		return true;
	for (n = 2; n <= CALL_CODE_BYTES; n++)
		if (indirect_call_bytes(end - n) == n)
			return true;
	return false;
}
