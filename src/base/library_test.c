#include "base/library.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void a_missing_function_is_reported(void **state)
{
	const char *why;
	void *handle = library_load("libc.so.6", RTLD_LAZY, &why);
	pid_t (*found)(void) = NULL, (*lacking)(void) = getpid;

	(void)state;
	assert_non_null(handle);
	assert_true(library_get(handle, "getppid", &found));
	assert_int_equal(found(), getppid());
	assert_false(library_get(handle, "no_such_function", &lacking));
	assert_null(lacking);
	dlclose(handle);
}

static void all_of_a_list_are_found_or_it_is_an_error(void **state)
{
	pid_t (*found)(void) = NULL, (*lacking)(void) = getpid;
	const struct library_function list[] = { { "getppid", &found },
		{ "no_such_function", &lacking } };
	struct err e = { 0 };

	(void)state;
	assert_int_equal(library_load_functions("libc.so.6", "of C", list, 1, &e), OK);
	assert_int_equal(found(), getppid());
	assert_int_equal(library_load_functions("libc.so.6", "of C", list, 2, &e), ERR_IO);
	assert_string_equal(e.msg, "libc.so.6: lacks a function");
	assert_null(lacking);
	assert_int_equal(library_load_functions("libno-such.so", "of none", list, 1, &e), ERR_IO);
	assert_non_null(strstr(e.msg, "cannot load the library of none: "));
}

static void a_missing_library_is_reported(void **state)
{
	const char *why = NULL;

	(void)state;
	assert_null(library_load("libno-such-thing.so.7", RTLD_LAZY, &why));
	assert_non_null(strstr(why, "libno-such-thing.so.7"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_function_is_reported),
		cmocka_unit_test(all_of_a_list_are_found_or_it_is_an_error),
		cmocka_unit_test(a_missing_library_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
