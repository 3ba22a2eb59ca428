#include "model/name_pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static bool matches(const char *regex, const char *text)
{
	struct name_pattern *p;
	struct err e;
	bool found;

	assert_int_equal(name_pattern_new(&p, regex, &e), OK);
	found = name_pattern_matches(p, span_of(text));
	name_pattern_free(p);
	return found;
}

static void a_pattern_matches_anywhere_and_any_bytes(void **state)
{
	(void)state;
	assert_true(matches("od", "node"));
	assert_false(matches("^od", "node"));
	assert_true(matches("^gr.{2}e$", "gr\xc3\xb6\xc3\x9f"
					 "e"));
	assert_true(matches("node$", "\xff\xfenode"));
	assert_true(matches("^\xff", "\xff\xfe"));
	assert_true(matches("^$", ""));
}

static void a_pattern_that_explodes_is_no_match(void **state)
{
	(void)state;
	assert_false(matches("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
}

static void a_malformed_pattern_is_reported_with_its_column(void **state)
{
	struct name_pattern *p;
	struct err e;

	(void)state;
	assert_int_equal(name_pattern_new(&p, "a(b", &e), ERR_USAGE);
	assert_null(p);
	assert_non_null(strstr(e.msg, "\"a(b\": at 3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_matches_anywhere_and_any_bytes),
		cmocka_unit_test(a_pattern_that_explodes_is_no_match),
		cmocka_unit_test(a_malformed_pattern_is_reported_with_its_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
