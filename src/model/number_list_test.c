#include "model/number_list.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void a_list_has_its_numbers_and_ranges(void **state)
{
	struct number_list l;
	struct err e;

	(void)state;
	assert_int_equal(number_list_parse(&l, "0,2-5,-1", &e), OK);
	assert_int_equal(l.n, 3);
	assert_true(number_list_has(&l, 0));
	assert_false(number_list_has(&l, 1));
	assert_true(number_list_has(&l, 2));
	assert_true(number_list_has(&l, 5));
	assert_false(number_list_has(&l, 6));
	assert_true(number_list_has(&l, -1));
	number_list_release(&l);
	assert_true(number_list_has(&l, 6));
}

static void a_malformed_list_is_a_usage_error(void **state)
{
	static const char *const texts[] = { "", ",", "1,", "a", "1-", "5-2", "1 2", "1,,2",
		"99999999999999999999" };
	struct number_list l;
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		assert_int_equal(number_list_parse(&l, texts[i], &e), ERR_USAGE);
		assert_int_equal(l.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_has_its_numbers_and_ranges),
		cmocka_unit_test(a_malformed_list_is_a_usage_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
