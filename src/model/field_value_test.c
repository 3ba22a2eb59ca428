#include "model/field_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static bool holds(const char *condition, struct field_value v)
{
	struct where_list l = { 0 };
	struct err e;
	bool yes;

	assert_int_equal(where_list_add(&l, condition, &e), OK);
	yes = where_holds(&l, 0, &v);
	where_list_release(&l);
	return yes;
}

static const char *refusal(const char *condition, struct err *e)
{
	struct where_list l = { 0 };

	assert_int_equal(where_list_add(&l, condition, e), ERR_USAGE);
	where_list_release(&l);
	return e->msg;
}

static struct field_value number(int64_t n)
{
	return (struct field_value){ .has_number = true, .is_signed = true, .number = (uint64_t)n };
}

static struct field_value text(const char *s)
{
	return (struct field_value){ .has_text = true, .text = span_of(s) };
}

static void numbers_are_compared_by_value_whatever_their_sign(void **state)
{
	struct field_value big = { .has_number = true, .number = UINT64_MAX };

	(void)state;
	assert_true(holds("ret < 0", number(-5)));
	assert_true(holds("ret=-5", number(-5)));
	assert_true(holds("ret >= -5", number(-5)));
	assert_false(holds("ret > -5", number(-5)));
	assert_true(holds("fd = 0x13", number(19)));
	assert_true(holds("fd != 18", number(19)));
	assert_true(holds("x > 5", big));
	assert_false(holds("x = -1", big));
	assert_true(holds("fd ~ ^1.$", number(19)));
}

static void texts_are_compared_as_they_are(void **state)
{
	(void)state;
	assert_true(holds("comm = node", text("node")));
	assert_true(holds("comm == \"worker 7\"", text("worker 7")));
	assert_true(holds("comm != nod", text("node")));
	assert_true(holds("path ~ \\.log$", text("/tmp/x.log")));
	assert_true(holds("path !~ \\.log$", text("/tmp/x.lo")));
	assert_false(holds("comm < 5", text("node")));
	assert_true(holds("comm = ", text("")));
}

static void a_condition_that_is_none_is_refused_with_what_is_wrong(void **state)
{
	struct err e;

	(void)state;
	assert_non_null(strstr(refusal("", &e), "FIELD OP VALUE"));
	assert_non_null(strstr(refusal("pid", &e), "FIELD OP VALUE"));
	assert_non_null(strstr(refusal("= 5", &e), "FIELD OP VALUE"));
	assert_non_null(strstr(refusal("args[ = 5", &e), "FIELD OP VALUE"));
	assert_non_null(strstr(refusal("pid < five", &e), "\"five\" is not a number"));
	assert_non_null(strstr(refusal("comm ~ (", &e), "regular expression"));
}

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

static void values_are_shown_as_numbers_addresses_or_texts(void **state)
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
		cmocka_unit_test(numbers_are_compared_by_value_whatever_their_sign),
		cmocka_unit_test(texts_are_compared_as_they_are),
		cmocka_unit_test(a_condition_that_is_none_is_refused_with_what_is_wrong),
		cmocka_unit_test(a_name_may_have_an_element),
		cmocka_unit_test(values_are_shown_as_numbers_addresses_or_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
