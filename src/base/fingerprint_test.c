#include "base/fingerprint.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

static void check_file(size_t n)
{
	char path[] = "/tmp/perfold-fingerprint-XXXXXX";
	struct buf by_file = { 0 }, by_bytes = { 0 };
	char *bytes = xmalloc(n + 1);
	struct file f;
	struct err e;
	size_t i;
	int fd = mkstemp(path);

	for (i = 0; i < n; i++)
		bytes[i] = (char)(i * 7 + i / 251);
	assert_int_equal(write(fd, bytes, n), n);
	assert_int_equal(file_adopt(&f, fd, path, &e), OK);
	assert_int_equal(fingerprint_file(&by_file, &f, &e), OK);
	fingerprint_bytes(&by_bytes, (struct span){ bytes, n });
	assert_int_equal(by_file.n, FINGERPRINT_DIGITS);
	assert_string_equal(buf_str(&by_file), buf_str(&by_bytes));
	file_close(&f);
	unlink(path);
	buf_release(&by_file);
	buf_release(&by_bytes);
	free(bytes);
}

static void a_file_in_blocks_has_the_fingerprint_of_its_bytes(void **state)
{
	(void)state;
	check_file(0);
	check_file(100);
	check_file(1 << 20);
	check_file((5 << 20) / 2);
}

/* Tables keep it for years: it must never change. */
static void a_fingerprint_is_that_of_xxh128(void **state)
{
	struct buf b = { 0 };

	(void)state;
	fingerprint_bytes(&b, SPAN("perfold"));
	assert_string_equal(buf_str(&b), "bc0c1fb190f6d4feaef22952a398ab2b");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_in_blocks_has_the_fingerprint_of_its_bytes),
		cmocka_unit_test(a_fingerprint_is_that_of_xxh128),
	};

	return cmocka_run_group_tests_name("fingerprint", tests, NULL, NULL);
}
