#include "model/label_list.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void labels_are_sorted_by_key(void **state)
{
	struct label_list l = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(label_list_parse(&l, SPAN("version=1.4"), &e), OK);
	assert_int_equal(label_list_parse(&l, SPAN("k8s.pod_2=a=b c"), &e), OK);
	assert_int_equal(label_list_parse(&l, SPAN("service=web"), &e), OK);
	assert_int_equal(label_list_parse(&l, SPAN("service=web"), &e), OK);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.at[0].key, "k8s.pod_2");
	assert_string_equal(l.at[0].value, "a=b c");
	assert_string_equal(l.at[1].key, "service");
	assert_string_equal(label_list_find(&l, SPAN("version")), "1.4");
	assert_null(label_list_find(&l, SPAN("versio")));
	assert_null(label_list_find(&l, SPAN("zone")));
	label_list_release(&l);
	assert_null(label_list_find(&l, SPAN("version")));
}

static void what_is_no_label_is_a_usage_error(void **state)
{
	static const char *const texts[] = { "", "service", "=web", "service=", "Service=web",
		"my-key=1", "a b=1", "1a=1", "_a=1", ".a=1", "\xc3\xa4=1", "stack=x", "pid=7",
		"perfold_rows=1" };
	struct label_list l = { 0 };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		assert_int_equal(label_list_parse(&l, span_of(texts[i]), &e), ERR_USAGE);
		assert_int_equal(l.n, 0);
	}
	assert_int_equal(label_list_parse(&l, SPAN("host=a"), &e), OK);
	assert_int_equal(label_list_parse(&l, SPAN("host=b"), &e), ERR_USAGE);
	assert_string_equal(label_list_find(&l, SPAN("host")), "a");
	label_list_release(&l);
}

static void labels_of_another_list_replace_those_of_the_same_key(void **state)
{
	struct label_list all = { 0 }, one = { 0 }, both = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(label_list_parse(&all, SPAN("region=eu"), &e), OK);
	assert_int_equal(label_list_parse(&all, SPAN("service=web"), &e), OK);
	assert_int_equal(label_list_parse(&one, SPAN("region=us"), &e), OK);
	label_list_set_all(&both, &all);
	label_list_set_all(&both, NULL);
	label_list_set_all(&both, &one);
	assert_int_equal(both.n, 2);
	assert_string_equal(label_list_find(&both, SPAN("region")), "us");
	assert_string_equal(label_list_find(&all, SPAN("region")), "eu");
	label_list_release(&all);
	label_list_release(&one);
	label_list_release(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_sorted_by_key),
		cmocka_unit_test(what_is_no_label_is_a_usage_error),
		cmocka_unit_test(labels_of_another_list_replace_those_of_the_same_key),
	};

	return cmocka_run_group_tests_name("label_list", tests, NULL, NULL);
}
