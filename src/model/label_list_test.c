#include "model/label_list.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

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
		"my-key=1", "a b=1", "1a=1",
		"a2345678901234567890123456789012345678901234567890123456789012=1", "_a=1", ".a=1",
		"\xc3\xa4=1", "stack=x", "pid=7", "perfold_rows=1" };
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

static void strangers_may_add_so_many_and_change_these(void **state)
{
	struct label_list l = { 0 };
	char key[16], value[LABEL_MAX_BYTES + 1];
	unsigned i;

	(void)state;
	for (i = 0; i < LABELS_MAX; i++) {
		snprintf(key, sizeof(key), "k%u", i * 7 % LABELS_MAX);
		assert_true(label_list_add(&l, span_of(key), SPAN("v")));
	}
	assert_int_equal(l.n, LABELS_MAX);
	assert_false(label_list_add(&l, SPAN("k"), SPAN("w")));
	assert_false(label_list_add(&l, SPAN("k999"), SPAN("w")));
	assert_true(label_list_add(&l, SPAN("k99"), SPAN("w")));
	memset(value, 'x', sizeof(value));
	assert_false(label_list_add(&l, SPAN("k99"), (struct span){ value, sizeof(value) }));
	assert_true(label_list_add(&l, SPAN("k98"), (struct span){ value, LABEL_MAX_BYTES }));
	assert_int_equal(l.n, LABELS_MAX);
	assert_string_equal(label_list_find(&l, SPAN("k99")), "w");
	assert_string_equal(label_list_find(&l, SPAN("k255")), "v");
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

static void a_packed_list_is_a_string(void **state)
{
	struct strtab *strings = strtab_new();
	struct label_list l = { 0 }, same = { 0 };
	struct err e;
	str_id packed;

	(void)state;
	assert_int_equal(label_list_pack(&l, strings), 0);
	assert_int_equal(label_list_parse(&l, SPAN("b=2"), &e), OK);
	assert_int_equal(label_list_parse(&l, SPAN("a=1=1"), &e), OK);
	packed = label_list_pack(&l, strings);
	label_list_set(&same, SPAN("b"), SPAN("3"));
	label_list_unpack(&same, strtab_get(strings, packed));
	assert_int_equal(label_list_pack(&same, strings), packed);
	assert_int_equal(same.n, 2);
	assert_string_equal(label_list_find(&same, SPAN("a")), "1=1");
	label_list_unpack(&same, SPAN("c\0odd"));
	assert_string_equal(label_list_find(&same, SPAN("c")), "odd");
	label_list_remove(&same, SPAN("b"));
	label_list_remove(&same, SPAN("bb"));
	assert_null(label_list_find(&same, SPAN("b")));
	assert_int_equal(same.n, 2);
	label_list_unpack(&same, SPAN("d"));
	assert_string_equal(label_list_find(&same, SPAN("d")), "");
	label_list_release(&l);
	label_list_release(&same);
	strtab_free(strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_are_sorted_by_key),
		cmocka_unit_test(what_is_no_label_is_a_usage_error),
		cmocka_unit_test(strangers_may_add_so_many_and_change_these),
		cmocka_unit_test(labels_of_another_list_replace_those_of_the_same_key),
		cmocka_unit_test(a_packed_list_is_a_string),
	};

	return cmocka_run_group_tests_name("label_list", tests, NULL, NULL);
}
