#include "base/buf.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void pieces_of_all_kinds_follow_each_other(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_puts(&b, "main");
	buf_putc(&b, ';');
	buf_put(&b, "a\0b", 3);
	buf_put_span(&b, SPAN(" "));
	buf_printf(&b, "%d/%s", 12, "x");
	assert_true(span_eq(buf_span(&b), SPAN("main;a\0b 12/x")));
	buf_release(&b);
}

static void an_empty_buffer_is_an_empty_string(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_put(&b, NULL, 0);
	assert_string_equal(buf_str(&b), "");
	assert_int_equal(b.n, 0);
	buf_release(&b);
}

static void the_nul_of_a_string_is_not_content(void **state)
{
	struct buf b = { 0 };

	(void)state;
	buf_puts(&b, "0123456789abcdef");
	assert_string_equal(buf_str(&b), "0123456789abcdef");
	assert_int_equal(b.n, 16);
	buf_putc(&b, '!');
	assert_string_equal(buf_str(&b), "0123456789abcdef!");
	buf_release(&b);
}

static void growing_keeps_the_content(void **state)
{
	struct buf b = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < 100000; i++)
		buf_putc(&b, (char)('a' + i % 26));
	assert_int_equal(b.n, 100000);
	for (i = 0; i < 100000; i++)
		assert_int_equal(b.p[i], 'a' + i % 26);
	buf_release(&b);
	assert_null(b.p);
	assert_int_equal(b.cap, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_of_all_kinds_follow_each_other),
		cmocka_unit_test(an_empty_buffer_is_an_empty_string),
		cmocka_unit_test(the_nul_of_a_string_is_not_content),
		cmocka_unit_test(growing_keeps_the_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
