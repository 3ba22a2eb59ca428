#include "base/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void setting_returns_the_code_and_keeps_the_message(void **state)
{
	struct err e = { 0 };

	(void)state;
	assert_int_equal(err_set(&e, ERR_FORMAT, "record at 0x%x", 0x1f8), ERR_FORMAT);
	assert_int_equal(e.code, ERR_FORMAT);
	assert_string_equal(e.msg, "record at 0x1f8");
}

static void errno_follows_the_message(void **state)
{
	struct err e = { 0 };

	(void)state;
	errno = EPIPE;
	assert_int_equal(err_errno(&e, "standard output"), ERR_IO);
	assert_string_equal(e.msg, "standard output: Broken pipe");
	assert_int_equal(e.errno_value, EPIPE);
}

static void wrapping_prepends_the_place(void **state)
{
	struct err e = { 0 };

	(void)state;
	errno = ENOENT;
	err_errno(&e, "perf.data");
	assert_int_equal(err_wrap(&e, "input %d", 2), ERR_IO);
	assert_string_equal(e.msg, "input 2: perf.data: No such file or directory");
	assert_int_equal(e.errno_value, ENOENT);
}

static void an_error_without_errno_forgets_that_of_the_one_before(void **state)
{
	struct err e = { 0 };

	(void)state;
	errno = EPIPE;
	err_errno(&e, "first");
	err_set(&e, ERR_USAGE, "second");
	assert_int_equal(e.errno_value, 0);
}

static void long_messages_are_cut_and_the_reason_stays(void **state)
{
	char path[2000];
	struct err e = { 0 };

	(void)state;
	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	errno = ENOENT;
	err_errno(&e, "%s", path);
	assert_true(strlen(e.msg) < sizeof(e.msg));
	assert_non_null(strstr(e.msg, "p: No such file or directory"));
	err_set(&e, ERR_FORMAT, "no magic");
	err_wrap(&e, "%s", path);
	assert_non_null(strstr(e.msg, "p: no magic"));
}

static void shortages_of_this_machine_are_temporary(void **state)
{
	struct err e = { 0 };

	(void)state;
	errno = ENOENT;
	err_errno(&e, "x.svg");
	assert_false(err_is_temporary(&e));
	assert_int_equal(err_of_output(&e), ERR_OUTPUT);
	assert_true(err_is_temporary(&e));
	errno = ENOSPC;
	err_errno(&e, "copy");
	assert_int_equal(err_wrap(&e, "perf.data"), ERR_IO);
	assert_true(err_is_temporary(&e));
	err_set(&e, ERR_FORMAT, "no magic");
	assert_int_equal(err_of_output(&e), ERR_FORMAT);
	assert_false(err_is_temporary(&e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_returns_the_code_and_keeps_the_message),
		cmocka_unit_test(errno_follows_the_message),
		cmocka_unit_test(wrapping_prepends_the_place),
		cmocka_unit_test(an_error_without_errno_forgets_that_of_the_one_before),
		cmocka_unit_test(long_messages_are_cut_and_the_reason_stays),
		cmocka_unit_test(shortages_of_this_machine_are_temporary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
