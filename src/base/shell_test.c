#include "base/shell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_word(struct span word, const char *expected)
{
	struct buf b = { 0 };

	shell_put_word(&b, word);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void words_are_quoted_where_they_need_it(void **state)
{
	(void)state;
	assert_word(SPAN("/srv/perf.data"), "/srv/perf.data");
	assert_word(SPAN(""), "''");
	assert_word(SPAN("a b"), "'a b'");
	assert_word(SPAN("$(reboot)"), "'$(reboot)'");
	assert_word(SPAN("it's"), "'it'\\''s'");
	assert_word(SPAN("-o"), "'-o'");
}

static void assert_file(struct span path, const char *expected)
{
	struct buf b = { 0 };

	shell_put_file(&b, path);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void files_are_no_options(void **state)
{
	(void)state;
	assert_file(SPAN("perf.data"), "perf.data");
	assert_file(SPAN("-o"), "./-o");
	assert_file(SPAN("-"), "./-");
	assert_file(SPAN("--x y"), "'./--x y'");
	assert_file(SPAN(""), "''");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted_where_they_need_it),
		cmocka_unit_test(files_are_no_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
