#include "symbolize/code/x86_length.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* Instructions of glibc 2.36 and libcrypto 3, as objdump 2.40 shows them, and made ones. */
static const struct known {
	const char *bytes;
	unsigned n;
	bool only_64;
} known[] = {
	{ "\xc5\xfb\x93\xc9", 4, false },                      /* kmovd %k1,%ecx */
	{ "\xc4\xe1\xfb\x93\xc8", 5, false },                  /* kmovq %k0,%rcx */
	{ "\x62\xb2\x75\x20\x27\xd1", 6, true },               /* vptestmd */
	{ "\x62\xf1\x7d\x40\x74\x40\x02", 7, false },          /* vpcmpeqb 0x80(%rax) */
	{ "\x62\xf3\x7d\x40\x3f\x48\x02\x01", 8, false },      /* vpcmpltub 0x80(%rax) */
	{ "\x62\xf3\x65\x20\x25\xc8\xde", 7, false },          /* vpternlogd */
	{ "\x62\xf1\x7d\x48\x72\xc9\x07", 7, false },          /* vprold $7 */
	{ "\x62\xf2\x7d\x48\x58\x05\1\2\3\4", 10, false },     /* (%rip) or absolute */
	{ "\x62\xf2\x7d\x48\x58\x04\x25\1\2\3\4", 11, false }, /* SIB without a base */
	{ "\x62\xf2\x7d\x48\x58\x44\x24\1", 8, false },        /* SIB and a byte */
	{ "\x62\xf2\x7d\x48\x58\x84\x24\1\2\3\4", 11, false }, /* SIB and four bytes */
	{ "\x62\xf2\x7d\x48\x58\x80\1\2\3\4", 10, false },     /* four bytes */
	{ "\x64\x62\xf2\x7d\x48\x58\x00", 7, false },          /* %fs: */
	{ "\x67\x62\xf2\x7d\x48\x58\x00", 7, true },           /* (%eax) */
	{ "\xc5\xf8\x77", 3, false },                          /* vzeroupper */
	{ "\xc4\xe2\x7d\x5a\x00", 5, false },                  /* vbroadcasti128 */
	{ "\xc5\xf9\xc5\xc0\x01", 5, false },                  /* vpextrw $1 */
	{ "\x0f\x01\xee", 3, false },                          /* rdpkru */
	{ "\xf3\x0f\x01\xe8", 4, false },                      /* setssbsy */
};

static void instructions_that_capstone_lacks_have_a_length(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(known); i++) {
		struct span code = { known[i].bytes, known[i].n };

		assert_int_equal(x86_length(code, true), known[i].n);
		assert_int_equal(x86_length(code, false), known[i].only_64 ? 0 : known[i].n);
	}
}

static void code_that_ends_within_has_none(void **state)
{
	size_t i;
	unsigned n;

	(void)state;
	for (i = 0; i < ARRAY_LEN(known); i++)
		for (n = 0; n < known[i].n; n++)
			assert_int_equal(x86_length((struct span){ known[i].bytes, n }, true), 0);
}

static void other_forms_have_none(void **state)
{
	(void)state;
	assert_int_equal(x86_length(SPAN("\x06\x90\x90\x90"), true), 0);
	assert_int_equal(x86_length(SPAN("\x0f\x01\x00\x90"), true), 0);         /* sgdt (%rax) */
	assert_int_equal(x86_length(SPAN("\xc4\xe0\x7d\x5a\xc0\x90"), true), 0); /* map 0 */
	/* les (%eax): operands in memory, where VEX has inverted bits. */
	assert_int_equal(x86_length(SPAN("\xc4\x00\x90\x90\x90\x90"), false), 0);
	assert_int_equal(x86_length(SPAN("\x62\x00\x90\x90\x90\x90"), false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_that_capstone_lacks_have_a_length),
		cmocka_unit_test(code_that_ends_within_has_none),
		cmocka_unit_test(other_forms_have_none),
	};

	return cmocka_run_group_tests_name("x86_length", tests, NULL, NULL);
}
