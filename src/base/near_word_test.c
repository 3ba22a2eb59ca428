#include "base/near_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void a_mistyped_letter_is_near(void **state)
{
	(void)state;
	assert_true(near_word_is_near(SPAN("nodjs"), SPAN("nodejs")));
	assert_true(near_word_is_near(SPAN("pyhton"), SPAN("python")));
	assert_true(near_word_is_near(SPAN("kernell"), SPAN("kernel")));
	assert_true(near_word_is_near(SPAN("jsva"), SPAN("java")));
	assert_true(near_word_is_near(SPAN("callres"), SPAN("callers")));
	assert_false(near_word_is_near(SPAN("java"), SPAN("rust")));
	assert_false(near_word_is_near(SPAN("go"), SPAN("gc")));
	assert_false(near_word_is_near(SPAN(""), SPAN("x")));
}

static void the_nearest_of_several_is_the_first(void **state)
{
	struct near_word w = near_word_of(SPAN("nodejss"));

	(void)state;
	assert_false(near_word_is_nearer(&w, SPAN("python")));
	assert_true(near_word_is_nearer(&w, SPAN("nodejsab")));
	assert_true(near_word_is_nearer(&w, SPAN("nodejs")));
	assert_false(near_word_is_nearer(&w, SPAN("nodejsx")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mistyped_letter_is_near),
		cmocka_unit_test(the_nearest_of_several_is_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
