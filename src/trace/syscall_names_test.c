#include "trace/syscall_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void a_number_means_what_it_means_on_its_architecture(void **state)
{
	(void)state;
	assert_string_equal(syscall_names_find(SPAN("x86_64"), 0), "read");
	assert_string_equal(syscall_names_find(SPAN("x86_64"), 257), "openat");
	assert_string_equal(syscall_names_find(SPAN("aarch64"), 0), "io_setup");
	assert_string_equal(syscall_names_find(SPAN("aarch64"), 56), "openat");
	assert_string_equal(syscall_names_find(SPAN("aarch64"), 79), "newfstatat");
	assert_string_equal(syscall_names_find(SPAN("riscv64"), 222), "mmap");
}

static void late_calls_have_one_number_everywhere(void **state)
{
	(void)state;
	assert_string_equal(syscall_names_find(SPAN("x86_64"), 441), "epoll_pwait2");
	assert_string_equal(syscall_names_find(SPAN("aarch64"), 441), "epoll_pwait2");
}

static void unknown_numbers_have_no_name(void **state)
{
	(void)state;
	assert_null(syscall_names_find(SPAN("x86_64"), 400));
	assert_null(syscall_names_find(SPAN("x86_64"), 100000));
	assert_null(syscall_names_find(SPAN("x86_64"), UINT64_MAX));
	assert_null(syscall_names_find(SPAN("aarch64"), 244));
	assert_null(syscall_names_find(SPAN("ppc64le"), 3));
	assert_null(syscall_names_find(SPAN(""), 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_means_what_it_means_on_its_architecture),
		cmocka_unit_test(late_calls_have_one_number_everywhere),
		cmocka_unit_test(unknown_numbers_have_no_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
