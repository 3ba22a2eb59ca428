#include "symbolize/code/disassembly.h"

#include "base/mem.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct expected {
	uint64_t address;
	unsigned size_bytes;
	const char *text; /* "mnemonic operands" */
	enum instruction_kind kind;
	int64_t target; /* -1: none */
	int index;      /* of the target; -1: outside */
};

static void expect_text(const struct instruction *i, const char *text)
{
	struct buf b = { 0 };

	buf_put_span(&b, i->mnemonic);
	if (i->operands.n)
		buf_putc(&b, ' ');
	buf_put_span(&b, i->operands);
	assert_string_equal(buf_str(&b), text);
	buf_release(&b);
}

static void expect(const struct disassembly_code *code, const struct expected *wanted, uint32_t n)
{
	struct disassembly d;
	struct err e;
	uint32_t i;

	assert_int_equal(disassembly_make(&d, code, &e), OK);
	assert_int_equal(d.n, n);
	for (i = 0; i < n; i++) {
		const struct instruction *in = &d.instruction[i];

		expect_text(in, wanted[i].text);
		assert_int_equal(in->address, wanted[i].address);
		assert_int_equal(in->size_bytes, wanted[i].size_bytes);
		assert_int_equal(in->kind, wanted[i].kind);
		assert_int_equal(in->target, wanted[i].target < 0 ? 0 : wanted[i].target);
		assert_int_equal((int)in->target_index, wanted[i].index);
	}
	disassembly_release(&d);
}

#define BYTES(text) .bytes = (const unsigned char *)(text), .size_bytes = sizeof(text) - 1

static const char x86_code[] = "\xf3\x0f\x1e\xfa"   /* endbr64 */
			       "\x85\xff"           /* test %edi,%edi */
			       "\x74\x0b"           /* je 0x1013 */
			       "\xe8\x23\x01\0\0"   /* call 0x1130 */
			       "\xff\x15\0\x10\0\0" /* call *0x1000(%rip) */
			       "\x06"               /* not in 64-bit mode */
			       "\xeb\xec"           /* jmp 0x1002 */
			       "\xc3";              /* ret */

static void x86_instructions_have_kinds_and_targets(void **state)
{
	static const struct expected att[] = {
		{ 0x1000, 4, "endbr64", INSTRUCTION_OTHER, -1, -1 },
		{ 0x1004, 2, "testl %edi, %edi", INSTRUCTION_OTHER, -1, -1 },
		{ 0x1006, 2, "je 0x1013", INSTRUCTION_CONDITIONAL, 0x1013, -1 },
		{ 0x1008, 5, "callq 0x1130", INSTRUCTION_CALL, 0x1130, -1 },
		{ 0x100d, 6, "callq *0x1000(%rip)", INSTRUCTION_CALL, -1, -1 },
		{ 0x1013, 1, "(bad) 06", INSTRUCTION_BAD, -1, -1 },
		{ 0x1014, 2, "jmp 0x1002", INSTRUCTION_JUMP, 0x1002, -1 },
		{ 0x1016, 1, "retq", INSTRUCTION_RETURN, -1, -1 },
	};
	struct expected both[ARRAY_LEN(att)];
	struct disassembly_code code = { BYTES(x86_code), .address = 0x1000, .machine = EM_X86_64 };

	(void)state;
	memcpy(both, att, sizeof(att));
	both[2].index = 5;
	expect(&code, both, ARRAY_LEN(both));
	code.syntax = DISASSEMBLY_INTEL;
	both[1].text = "test edi, edi";
	both[3].text = "call 0x1130";
	both[4].text = "call qword ptr [rip + 0x1000]";
	both[7].text = "ret";
	expect(&code, both, ARRAY_LEN(both));
}

static void x86_of_32_bits_is_decoded_as_such(void **state)
{
	static const struct expected wanted[] = {
		{ 0x10, 1, "pushl %es", INSTRUCTION_OTHER, -1, -1 },
		{ 0x11, 1, "incl %eax", INSTRUCTION_OTHER, -1, -1 },
		{ 0x12, 2, "jmp 0x10", INSTRUCTION_JUMP, 0x10, 0 },
	};

	(void)state;
	expect(&(struct disassembly_code){ BYTES("\x06\x40\xeb\xfc"), .address = 0x10,
		       .machine = EM_386 },
		wanted, ARRAY_LEN(wanted));
}

/* AVX512-FP16 and AVX-VNNI, as of capstone 5 */
static void code_goes_on_behind_what_capstone_lacks(void **state)
{
	static const struct expected wanted[] = {
		{ 0, 6, "(unknown) 62 f5 7c 48 58 c1", INSTRUCTION_BAD, -1, -1 },
		{ 6, 5, "(unknown) c4 e2 75 50 c2", INSTRUCTION_BAD, -1, -1 },
		{ 11, 1, "retq", INSTRUCTION_RETURN, -1, -1 },
		{ 12, 1, "(bad) c4", INSTRUCTION_BAD, -1, -1 }, /* cut off */
		{ 13, 1, "(bad) e2", INSTRUCTION_BAD, -1, -1 },
	};

	(void)state;
	expect(
		&(struct disassembly_code){
			BYTES("\x62\xf5\x7c\x48\x58\xc1\xc4\xe2\x75\x50\xc2\xc3\xc4\xe2"),
			.machine = EM_X86_64 },
		wanted, ARRAY_LEN(wanted));
}

static const char aarch64_code[] = "\xfd\x7b\xbf\xa9" /* stp x29, x30, [sp, #-16]! */
				   "\x60\0\0\xb4"     /* cbz x0, 0x4010 */
				   "\x80\0\0\x54"     /* b.eq 0x4018 */
				   "\xfd\xff\xff\x97" /* bl 0x4000 */
				   "\0\0\x3f\xd6"     /* blr x0 */
				   "\xff\xff\xff\xff" /* not allocated */
				   "\xc0\x03\x5f\xd6" /* ret */
				   "\0\0\0\x14"       /* b to itself */
				   "\0\0\x1f\xd6"     /* br x0 */
				   "\x1f\x20";        /* cut off */

static void aarch64_instructions_have_kinds_and_targets(void **state)
{
	static const struct expected wanted[] = {
		{ 0x4000, 4, "stp x29, x30, [sp, #-0x10]!", INSTRUCTION_OTHER, -1, -1 },
		{ 0x4004, 4, "cbz x0, #0x4010", INSTRUCTION_CONDITIONAL, 0x4010, 4 },
		{ 0x4008, 4, "b.eq #0x4018", INSTRUCTION_CONDITIONAL, 0x4018, 6 },
		{ 0x400c, 4, "bl #0x4000", INSTRUCTION_CALL, 0x4000, 0 },
		{ 0x4010, 4, "blr x0", INSTRUCTION_CALL, -1, -1 },
		{ 0x4014, 4, "(bad) ff ff ff ff", INSTRUCTION_BAD, -1, -1 },
		{ 0x4018, 4, "ret", INSTRUCTION_RETURN, -1, -1 },
		{ 0x401c, 4, "b #0x401c", INSTRUCTION_JUMP, 0x401c, 7 },
		{ 0x4020, 4, "br x0", INSTRUCTION_JUMP, -1, -1 },
		{ 0x4024, 2, "(bad) 1f 20", INSTRUCTION_BAD, -1, -1 },
	};

	(void)state;
	expect(&(struct disassembly_code){ BYTES(aarch64_code), .address = 0x4000,
		       .machine = EM_AARCH64 },
		wanted, ARRAY_LEN(wanted));
}

static void arm_instructions_have_kinds_and_targets(void **state)
{
	static const struct expected wanted[] = {
		{ 0x8000, 4, "bl #0x8010", INSTRUCTION_CALL, 0x8010, -1 },
		{ 0x8004, 4, "beq #0x8000", INSTRUCTION_CONDITIONAL, 0x8000, 0 },
		{ 0x8008, 4, "b #0x8008", INSTRUCTION_JUMP, 0x8008, 2 },
		{ 0x800c, 4, "bx lr", INSTRUCTION_RETURN, -1, -1 },
	};
	static const struct expected thumb[] = {
		{ 0x8000, 2, "push {r7, lr}", INSTRUCTION_OTHER, -1, -1 },
		{ 0x8002, 4, "bl #0x8010", INSTRUCTION_CALL, 0x8010, -1 },
		{ 0x8006, 2, "bne #0x8000", INSTRUCTION_CONDITIONAL, 0x8000, 0 },
		{ 0x8008, 2, "pop {r7, pc}", INSTRUCTION_RETURN, -1, -1 },
	};

	(void)state;
	expect(
		&(struct disassembly_code){
			BYTES("\2\0\0\xeb\xfd\xff\xff\x0a\xfe\xff\xff\xea\x1e\xff\x2f\xe1"),
			.address = 0x8000, .machine = EM_ARM },
		wanted, ARRAY_LEN(wanted));
	expect(&(struct disassembly_code){ BYTES("\x80\xb5\0\xf0\x05\xf8\xfb\xd1\x80\xbd"),
		       .address = 0x8000, .machine = EM_ARM, .thumb = true },
		thumb, ARRAY_LEN(thumb));
}

static bool name(void *ctx, uint64_t address, struct buf *out)
{
	++*(unsigned *)ctx;
	buf_puts(out, "puts@plt");
	return address == 0x1130;
}

static bool relocate(void *ctx, struct instruction *i)
{
	(void)ctx;
	if (i->address == 0x1008)
		i->target_name = SPAN("printk");
	if (i->address == 0x1014)
		i->target = 0x1016;
	return i->address == 0x1008 || i->address == 0x1014;
}

static void targets_outside_are_named(void **state)
{
	unsigned asked = 0;
	struct disassembly_code code = { BYTES(x86_code), .address = 0x1000, .machine = EM_X86_64,
		.name = name, .ctx = &asked };
	struct disassembly d;
	struct err e;

	(void)state;
	assert_int_equal(disassembly_make(&d, &code, &e), OK);
	assert_int_equal(asked, 2); /* the call, and what jumps into an instruction */
	assert_true(span_eq(d.instruction[3].target_name, SPAN("puts@plt")));
	assert_int_equal(d.instruction[6].target_name.n, 0);
	assert_int_equal(d.n_bad, 1);
	disassembly_release(&d);
	code.relocated = relocate;
	asked = 0;
	assert_int_equal(disassembly_make(&d, &code, &e), OK);
	assert_int_equal(asked, 0);
	assert_int_equal(d.instruction[3].target, 0);
	assert_int_equal(d.instruction[3].kind, INSTRUCTION_CALL);
	expect_text(&d.instruction[3], "callq");
	assert_true(span_eq(d.instruction[3].target_name, SPAN("printk")));
	expect_text(&d.instruction[6], "jmp 0x1016");
	assert_int_equal(d.instruction[6].target_index, 7);
	disassembly_release(&d);
}

static void other_machines_are_refused_in_words(void **state)
{
	struct disassembly d;
	struct err e;

	(void)state;
	assert_int_equal(
		disassembly_make(&d,
			&(struct disassembly_code){ BYTES("\0\0\0\0"), .machine = EM_S390 }, &e),
		ERR_UNSUPPORTED);
	assert_non_null(strstr(e.msg, "machine 22"));
	disassembly_release(&d);
}

static void no_code_has_no_instructions(void **state)
{
	(void)state;
	expect(&(struct disassembly_code){ .machine = EM_X86_64 }, NULL, 0);
}

static void too_many_instructions_are_refused(void **state)
{
	const uint64_t n = (1 << 20) + 1;
	unsigned char *bytes = xmalloc(n);
	struct disassembly_code code = { .bytes = bytes, .size_bytes = n, .machine = EM_X86_64 };
	struct disassembly d;
	struct err e;

	(void)state;
	memset(bytes, 0x06, n);
	assert_int_equal(disassembly_make(&d, &code, &e), ERR_LIMIT);
	disassembly_release(&d);
	free(bytes);
}

/* The same functions, one after the other, of two machines. */
static void what_is_known_reads_like_what_is_new(void **state)
{
	static const char calls[] = "\xe8\0\0\0\0\x0f\x84\xf0\xff\xff\xff\x75\xfe\x89\xd8\xc3";
	struct arena arena = ARENA_INIT;
	struct disassembly_texts texts = { .arena = &arena };
	static const struct expected at_16[] = {
		{ 0x10, 5, "callq 0x15", INSTRUCTION_CALL, 0x15, 1 },
		{ 0x15, 6, "je 0xb", INSTRUCTION_CONDITIONAL, 0xb, -1 },
		{ 0x1b, 2, "jne 0x1b", INSTRUCTION_CONDITIONAL, 0x1b, 2 },
		{ 0x1d, 2, "movl %ebx, %eax", INSTRUCTION_OTHER, -1, -1 },
		{ 0x1f, 1, "retq", INSTRUCTION_RETURN, -1, -1 },
	};
	struct disassembly_code code = { BYTES(calls), .address = 0x10, .machine = EM_X86_64,
		.texts = &texts };
	struct disassembly d;
	struct err e;

	(void)state;
	expect(&code, at_16, ARRAY_LEN(at_16));
	expect(&code, at_16, ARRAY_LEN(at_16));
	code.address = 2;
	assert_int_equal(disassembly_make(&d, &code, &e), OK);
	expect_text(&d.instruction[0], "callq 7");
	expect_text(&d.instruction[1], "je 0xfffffffffffffffd");
	assert_true(d.instruction[1].target == UINT64_MAX - 2);
	expect_text(&d.instruction[2], "jne 0xd");
	disassembly_release(&d);
	code.machine = EM_386;
	assert_int_equal(disassembly_make(&d, &code, &e), OK);
	disassembly_release(&d);
	assert_int_equal(disassembly_make(&d, &code, &e), OK);
	expect_text(&d.instruction[0], "calll 7");
	expect_text(&d.instruction[1], "je 0xfffffffd");
	assert_true(d.instruction[1].target == UINT32_MAX - 2);
	disassembly_release(&d);
	disassembly_texts_release(&texts);
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_instructions_have_kinds_and_targets),
		cmocka_unit_test(x86_of_32_bits_is_decoded_as_such),
		cmocka_unit_test(code_goes_on_behind_what_capstone_lacks),
		cmocka_unit_test(aarch64_instructions_have_kinds_and_targets),
		cmocka_unit_test(arm_instructions_have_kinds_and_targets),
		cmocka_unit_test(targets_outside_are_named),
		cmocka_unit_test(other_machines_are_refused_in_words),
		cmocka_unit_test(no_code_has_no_instructions),
		cmocka_unit_test(too_many_instructions_are_refused),
		cmocka_unit_test(what_is_known_reads_like_what_is_new),
	};

	return cmocka_run_group_tests_name("disassembly", tests, NULL, NULL);
}
