#include "base/md5.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void check(struct span text, const char *expected)
{
	uint8_t sum[MD5_SIZE];
	char hex[2 * MD5_SIZE + 1];
	int i;

	md5_of(text, sum);
	for (i = 0; i < MD5_SIZE; i++)
		snprintf(hex + 2 * i, 3, "%02x", sum[i]);
	assert_string_equal(hex, expected);
}

/* RFC 1321, A.5. */
static void the_examples_of_the_standard_are_summed(void **state)
{
	(void)state;
	check(SPAN(""), "d41d8cd98f00b204e9800998ecf8427e");
	check(SPAN("a"), "0cc175b9c0f1b6a831c399e269772661");
	check(SPAN("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
	check(SPAN("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
		"d174ab98d277d9f5a5611c2c9f419d9f");
	check(SPAN("1234567890123456789012345678901234567890123456789012345678901234567890"
		   "1234567890"),
		"57edf4a22be3c955ac49da2e2107b67a");
}

/* By md5sum(1): 55 bytes are the most with one block, 119 those with two. */
static void every_end_of_a_block_is_padded(void **state)
{
	char text[120];

	(void)state;
	memset(text, 'x', sizeof(text));
	check((struct span){ text, 55 }, "04364420e25c512fd958a70738aa8f72");
	check((struct span){ text, 56 }, "668a72d5ba17f08e62dabcafad6db14b");
	check((struct span){ text, 64 }, "c1bb4f81d892b2d57947682aeb252456");
	check((struct span){ text, 119 }, "ab347a5f68c8a443cfcddc633f12c24f");
	check((struct span){ text, 120 }, "fb98667f98096de92620b64f46e1c5b5");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_the_standard_are_summed),
		cmocka_unit_test(every_end_of_a_block_is_padded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
