#include "base/call_code.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

/* Instructions as GNU as assembles them, after others that are no call. */
static bool ends_with_call(const char *bytes, size_t n)
{
	uint8_t code[16];

	memset(code, 0x90, sizeof(code));
	memcpy(code + sizeof(code) - n, bytes, n);
	return call_code_ends(code + sizeof(code));
}

#define ENDS(bytes) ends_with_call((bytes), sizeof(bytes) - 1)

static void calls_are_known_by_their_operands(void **state)
{
	(void)state;
	assert_true(ENDS("\xe8\x12\x34\x56\x00"));         /* call rel32 */
	assert_true(ENDS("\xff\xd0"));                     /* call *%rax */
	assert_true(ENDS("\x41\xff\xd4"));                 /* call *%r12 */
	assert_true(ENDS("\xff\x10"));                     /* call *(%rax) */
	assert_true(ENDS("\xff\x14\xc3"));                 /* call *(%rbx,%rax,8) */
	assert_true(ENDS("\xff\x14\xc5\x00\x10\x00\x00")); /* call *0x1000(,%rax,8) */
	assert_true(ENDS("\xff\x50\x18"));                 /* call *0x18(%rax) */
	assert_true(ENDS("\xff\x54\x24\x08"));             /* call *8(%rsp) */
	assert_true(ENDS("\xff\x90\x00\x01\x00\x00"));     /* call *0x100(%rax) */
	assert_true(ENDS("\xff\x94\x24\x00\x01\x00\x00")); /* call *0x100(%rsp) */
	assert_true(ENDS("\xff\x15\x00\x01\x00\x00"));     /* call *0x100(%rip) */
}

static void other_instructions_are_no_calls(void **state)
{
	(void)state;
	assert_false(ENDS("\x90"));
	assert_false(ENDS("\xc3"));                     /* ret */
	assert_false(ENDS("\xe9\xd0\x40\x00\x00"));     /* jmp rel32 */
	assert_false(ENDS("\xff\xe0"));                 /* jmp *%rax */
	assert_false(ENDS("\xff\x25\x00\x01\x00\x00")); /* jmp *0x100(%rip) */
	assert_false(ENDS("\xff\x30"));                 /* push (%rax) */
	assert_false(ENDS("\xff\x15\x00\x01"));         /* cut short */
	assert_false(ENDS("\x0f\x05"));                 /* syscall */
	assert_false(ENDS("\xe8\x12\x34\x56\x00\x90")); /* a call, and one byte more */
}

static bool may_call(const char *bytes, size_t n, uint64_t at, uint64_t function)
{
	uint8_t code[16];

	memset(code, 0x90, sizeof(code));
	memcpy(code + sizeof(code) - n, bytes, n);
	return call_code_may_call(code + sizeof(code), at, function);
}

#define MAY_CALL(bytes, at, function) may_call((bytes), sizeof(bytes) - 1, (at), (function))

static void a_direct_call_is_of_one_function(void **state)
{
	(void)state;
	assert_true(MAY_CALL("\xe8\xfb\xff\xff\xff", 0x1005, 0x1000));
	assert_true(MAY_CALL("\xe8\x00\x00\x00\x01", 0x1000, 0x1001000));
	assert_false(MAY_CALL("\xe8\xfb\xff\xff\xff", 0x1005, 0x1001));
	assert_false(MAY_CALL("\xe8\x00\x00\x00\x01", 0x1000, 0x7f0001001000)); /* too far */
	assert_true(MAY_CALL("\xff\x15\x00\x01\x00\x00", 0x1005, 0x1001));      /* who knows */
	assert_false(MAY_CALL("\x90", 0x1005, 0x1005));
}

static void a_direct_call_says_what_it_calls(void **state)
{
	static const uint8_t back[] = { 0x90, 0x90, 0xe8, 0xfb, 0xff, 0xff, 0xff },
			     forth[] = { 0x90, 0x90, 0xe8, 0, 0, 0, 1 },
			     jump[] = { 0x90, 0x90, 0xe9, 0, 0, 0, 1 };
	uint64_t function;

	(void)state;
	assert_true(call_code_target(back + sizeof(back), 0x7f0000001005, &function));
	assert_int_equal(function, 0x7f0000001000);
	assert_true(call_code_target(forth + sizeof(forth), 0x1000, &function));
	assert_int_equal(function, 0x1001000);
	assert_false(call_code_target(jump + sizeof(jump), 0x1000, &function));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_direct_call_is_of_one_function),
		cmocka_unit_test(a_direct_call_says_what_it_calls),
		cmocka_unit_test(calls_are_known_by_their_operands),
		cmocka_unit_test(other_instructions_are_no_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
