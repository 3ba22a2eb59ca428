#include "base/call_code.h"

#include <string.h>

static const uint8_t CALL = 0xe8, CALL_BYTES = 5;

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

static bool indirect_call_ends(const uint8_t *end)
{
	int n;

	for (n = 2; n <= CALL_CODE_BYTES; n++)
		if (indirect_call_bytes(end - n) == n)
			return true;
	return false;
}

bool call_code_ends(const uint8_t *end)
{
	return end[-CALL_BYTES] == CALL || indirect_call_ends(end);
}

bool call_code_may_call(const uint8_t *end, uint64_t end_address, uint64_t function)
{
	uint64_t distance = function - end_address;
	uint8_t expected[4] = { (uint8_t)distance, (uint8_t)(distance >> 8),
		(uint8_t)(distance >> 16), (uint8_t)(distance >> 24) };

	if (end[-CALL_BYTES] == CALL && !memcmp(end - 4, expected, sizeof(expected)))
		return distance + (1ull << 31) < 1ull << 32;
	return indirect_call_ends(end);
}
