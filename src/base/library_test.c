#include "base/library.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static void a_function_is_found_or_said_to_be_lacking(void **state)
{
	void *handle = dlopen("libc.so.6", RTLD_LAZY);
	pid_t (*found)(void) = NULL, (*lacking)(void) = getpid;

	(void)state;
	assert_non_null(handle);
	assert_true(library_get(handle, "getppid", &found));
	assert_int_equal(found(), getppid());
	assert_false(library_get(handle, "no_such_function", &lacking));
	assert_null(lacking);
	dlclose(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_is_found_or_said_to_be_lacking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
