#include "base/call_code.h"

#include "base/bytes.h"

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

bool call_code_target(const uint8_t *end, uint64_t end_address, uint64_t *function)
{
	int32_t distance = (int32_t)bytes_u32(end - 4, HOST_IS_BIG_ENDIAN);

	*function = end_address + (uint64_t)(int64_t)distance;
	return end[-CALL_BYTES] == CALL;
}

bool call_code_may_call(const uint8_t *end, uint64_t end_address, uint64_t function)
{
	uint64_t target;

	return (call_code_target(end, end_address, &target) && target == function) ||
	       indirect_call_ends(end);
}
