#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Added in pieces of the given size. */
static void check(struct span text, size_t piece, const char *expected)
{
	struct sha256 s;
	uint8_t hash[SHA256_SIZE];
	char hex[2 * SHA256_SIZE + 1];
	int i;

	sha256_init(&s);
	while (text.n) {
		struct span part = { text.p, text.n < piece ? text.n : piece };

		sha256_add(&s, part);
		text = span_skip(text, part.n);
	}
	sha256_finish(&s, hash);
	for (i = 0; i < SHA256_SIZE; i++)
		snprintf(hex + 2 * i, 3, "%02x", hash[i]);
	assert_string_equal(hex, expected);
}

/* The examples of FIPS 180-2, appendix B. */
static void the_examples_of_the_standard_are_encoded(void **state)
{
	char *million = malloc(1000000);

	(void)state;
	check(SPAN("abc"), 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	check(SPAN("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 7,
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(million, 'a', 1000000);
	check((struct span){ million, 1000000 }, 999,
		"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(million);
}

static void nothing_has_a_hash_too(void **state)
{
	(void)state;
	check(SPAN(""), 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* 55 bytes leave room for the length in the block, 56 do not. */
static void padding_fits_at_every_length(void **state)
{
	char text[64];

	(void)state;
	memset(text, 'a', sizeof(text));
	check((struct span){ text, 55 }, 64,
		"9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
	check((struct span){ text, 56 }, 64,
		"b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
	check((struct span){ text, 64 }, 64,
		"ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_examples_of_the_standard_are_encoded),
		cmocka_unit_test(nothing_has_a_hash_too),
		cmocka_unit_test(padding_fits_at_every_length),
	};

	return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
