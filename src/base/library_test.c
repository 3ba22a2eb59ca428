#include "base/library.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void a_function_is_found_or_said_to_be_lacking(void **state)
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

static void a_library_that_is_not_there_is_told_of(void **state)
{
	const char *why = NULL;

	(void)state;
	assert_null(library_load("libno-such-thing.so.7", RTLD_LAZY, &why));
	assert_non_null(strstr(why, "libno-such-thing.so.7"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_found_or_said_to_be_lacking),
		cmocka_unit_test(a_library_that_is_not_there_is_told_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
