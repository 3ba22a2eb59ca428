#include "model/where.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

static void strings_are_compared_byte_by_byte(void **state)
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

static void a_malformed_condition_is_refused_with_its_reason(void **state)
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_compared_by_value_whatever_their_sign),
		cmocka_unit_test(strings_are_compared_byte_by_byte),
		cmocka_unit_test(a_malformed_condition_is_refused_with_its_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
