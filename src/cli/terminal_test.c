#include "cli/terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void a_list_in_a_file_has_forty_rows(void **state)
{
	struct terminal file = { 0 };

	(void)state;
	assert_int_equal(terminal_list_rows(&file, 0, 7), 40);
}

static void a_list_on_a_terminal_leaves_room_for_what_is_around_it(void **state)
{
	struct terminal t = { .is_terminal = true, .rows = 24 };

	(void)state;
	assert_int_equal(terminal_list_rows(&t, 0, 7), 17);
	assert_int_equal(terminal_list_rows(&t, 0, 11), 13);
	assert_int_equal(terminal_list_rows(&t, 0, 12), 12);
	assert_int_equal(terminal_list_rows(&t, 0, 20), 20); /* however small it is */
}

static void a_list_has_as_many_rows_as_are_wanted(void **state)
{
	struct terminal t = { .is_terminal = true, .rows = 24 };

	(void)state;
	assert_int_equal(terminal_list_rows(&t, 3, 7), 3);
	assert_int_equal(terminal_list_rows(&t, 900, 7), 900);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_in_a_file_has_forty_rows),
		cmocka_unit_test(a_list_on_a_terminal_leaves_room_for_what_is_around_it),
		cmocka_unit_test(a_list_has_as_many_rows_as_are_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
