#include "output/markdown_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void put(void *page, uint32_t rows, struct buf *b)
{
	while (rows--)
		buf_puts(b, page);
}

static void check_rows(const char *row, unsigned tokens, size_t expected)
{
	struct buf b = { 0 };

	markdown_fit(&b, tokens, put, (char *)row);
	assert_int_equal(b.n, expected * strlen(row));
	buf_release(&b);
}

/* Of as many rows as are tried: 40, 34, 29, 25, ... */
static void a_page_has_as_many_rows_as_there_are_tokens_for(void **state)
{
	(void)state;
	check_rows("word 1\n", 0, 40);
	check_rows("word 1\n", 120, 40);
	check_rows("word 1\n", 119, 34);
	check_rows("word 1\n", 1, 1);
}

static void each_byte_of_another_alphabet_is_a_token(void **state)
{
	(void)state;
	check_rows("\u00e4\u00f6", 160, 40);
	check_rows("\u00e4\u00f6", 159, 34);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_has_as_many_rows_as_there_are_tokens_for),
		cmocka_unit_test(each_byte_of_another_alphabet_is_a_token),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
