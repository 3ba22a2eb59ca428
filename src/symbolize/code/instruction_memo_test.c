#include "symbolize/code/instruction_memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void add(struct instruction_memo *m, struct span bytes, const char *name, uint8_t distance)
{
	instruction_memo_add(m, bytes,
		&(struct known_instruction){
			.mnemonic = span_of(name), .distance_bytes = distance });
}

static const char *name_at(const struct instruction_memo *m, struct span code)
{
	const struct known_instruction *known = instruction_memo_find(m, code);

	return known ? known->mnemonic.p : "";
}

#define LONGEST "\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0\1\2\3\4"

static void instructions_are_known_by_all_of_their_bytes(void **state)
{
	struct instruction_memo m = { 0 };

	(void)state;
	assert_string_equal(name_at(&m, SPAN("\xc3")), "");
	add(&m, SPAN("\xc3"), "ret", 0);
	add(&m, SPAN("\x31\xc0"), "xor", 0);
	add(&m, SPAN("\x48\x89\xe5"), "mov", 0);
	add(&m, SPAN("\x48\x89\x45\xf8"), "mov to stack", 0);
	add(&m, SPAN(LONGEST), "nop", 0);
	assert_string_equal(name_at(&m, SPAN("\xc3")), "ret");
	assert_string_equal(name_at(&m, SPAN("\xc3\x31\xc0")), "ret");
	assert_string_equal(name_at(&m, SPAN("\x31\xc0")), "xor");
	assert_string_equal(name_at(&m, SPAN("\x31\xc1")), "");
	assert_string_equal(name_at(&m, SPAN("\x31")), "");
	assert_string_equal(name_at(&m, SPAN("\x48\x89\xe5")), "mov");
	assert_string_equal(name_at(&m, SPAN("\x48\x89\x45\xf8\xc3")), "mov to stack");
	assert_string_equal(name_at(&m, SPAN("\x48\x89\x45")), "");
	assert_string_equal(name_at(&m, SPAN(LONGEST LONGEST)), "nop");
	assert_string_equal(name_at(&m, SPAN("\x66\x66\x2e\x0f\x1f\x84\0\0\0\0\0\1\2\3\5")), "");
	assert_string_equal(name_at(&m, SPAN("")), "");
	instruction_memo_release(&m);
}

static void a_distance_is_no_part_of_what_is_known(void **state)
{
	struct instruction_memo m = { 0 };
	const struct known_instruction *known;

	(void)state;
	add(&m, SPAN("\xe8"), "call", 4);
	add(&m, SPAN("\x74"), "je", 1);
	known = instruction_memo_find(&m, SPAN("\xe8\xfe\xff\xff\xff"));
	assert_non_null(known);
	assert_int_equal(instruction_memo_distance(known, "\xe8\xfe\xff\xff\xff"), -2);
	assert_int_equal(instruction_memo_distance(known, "\xe8\1\2\3\4"), 0x04030201);
	assert_string_equal(name_at(&m, SPAN("\xe8\1\2\3")), "");
	known = instruction_memo_find(&m, SPAN("\x74\x80\xff"));
	assert_non_null(known);
	assert_int_equal(instruction_memo_distance(known, "\x74\x80\xff"), -128);
	assert_string_equal(name_at(&m, SPAN("\x74")), "");
	instruction_memo_release(&m);
}

static void what_cannot_be_an_instruction_is_not_added(void **state)
{
	struct instruction_memo m = { 0 };

	(void)state;
	add(&m, SPAN(""), "none", 0);
	add(&m, SPAN(LONGEST "\5"), "too long", 0);
	assert_int_equal(m.n, 0);
	instruction_memo_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_are_known_by_all_of_their_bytes),
		cmocka_unit_test(a_distance_is_no_part_of_what_is_known),
		cmocka_unit_test(what_cannot_be_an_instruction_is_not_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
