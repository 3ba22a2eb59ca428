#include "model/field_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void a_name_may_have_an_element(void **state)
{
	struct span name;
	int32_t element;

	(void)state;
	assert_true(field_value_split_name(SPAN("args[12]"), &name, &element));
	assert_true(span_eq(name, SPAN("args")));
	assert_int_equal(element, 12);
	assert_true(field_value_split_name(SPAN("args"), &name, &element));
	assert_int_equal(element, -1);
	assert_false(field_value_split_name(SPAN("args[12"), &name, &element));
	assert_false(field_value_split_name(SPAN("args[99999]"), &name, &element));
	assert_false(field_value_split_name(SPAN("a b"), &name, &element));
	assert_false(field_value_split_name(SPAN(""), &name, &element));
}

static void values_are_shown_as_numbers_addresses_or_strings(void **state)
{
	static const char *const texts[] = { "12", "-12", "0x1f", "0" };
	struct field_value v;
	struct buf b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		assert_true(field_value_scan(span_of(texts[i]), &v));
		b.n = 0;
		field_value_put(&b, &v);
		assert_string_equal(buf_str(&b), texts[i]);
	}
	assert_false(field_value_scan(SPAN("12a"), &v));
	assert_false(field_value_scan(SPAN("0x"), &v));
	assert_false(field_value_scan(SPAN("-9223372036854775808"), &v));
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_may_have_an_element),
		cmocka_unit_test(values_are_shown_as_numbers_addresses_or_strings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
