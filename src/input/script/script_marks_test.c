#include "input/script/script_marks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct mark_fields fields = { { "id", "fd", "args[0]", "path", "ret" }, 5 };

struct read {
	struct strtab *strings;
	struct marks *m;
};

static struct read put(const char *rest)
{
	struct read r = { strtab_new(), marks_new() };

	marks_add(r.m, &(struct mark){ .time_ns = 1 });
	script_marks_put(r.m, &fields, span_of(rest), r.strings);
	return r;
}

static void release(struct read *r)
{
	marks_free(r->m);
	strtab_free(r->strings);
}

static void assert_number(const char *rest, uint32_t field, int64_t number)
{
	struct read r = put(rest);
	uint64_t v = 0;

	assert_true(marks_value(r.m, r.m->mark, field, &v));
	assert_false(marks_is_string(r.m->mark, field));
	assert_int_equal((int64_t)v, number);
	release(&r);
}

static void assert_none(const char *rest, uint32_t field)
{
	struct read r = put(rest);
	uint64_t v;

	assert_false(marks_value(r.m, r.m->mark, field, &v));
	release(&r);
}

static void fields_have_names(void **state)
{
	struct read r = put("(f7fc0) path=\"/tmp/a b\" flags=0x241");
	uint64_t v = 0;

	(void)state;
	assert_true(marks_value(r.m, r.m->mark, 3, &v));
	assert_true(marks_is_string(r.m->mark, 3));
	assert_string_equal(strtab_str(r.strings, (str_id)v), "/tmp/a b");
	release(&r);
	assert_number("fd: 0x00000018, buf: 0x0c697b30, count: 0x00040000", 1, 24);
	assert_number("(7f8adccf0fc0 <- 18b03cc) ret=-1", 4, -1);
}

static void a_lone_result_is_ret(void **state)
{
	(void)state;
	assert_number("0x4b", 4, 75);
	assert_number(" 0xffffffffffffff8d ", 4, -115);
	assert_none("4b", 4);
	assert_none("", 4);
}

static void raw_calls_have_number_arguments_and_result(void **state)
{
	(void)state;
	assert_number("NR 257 (ffffff9c, 7f01b2, 0, 0, 0, 0)", 0, 257);
	assert_number("NR 257 (ffffff9c, 7f01b2, 0, 0, 0, 0)", 2, 0xffffff9c);
	assert_none("NR 257 (ffffff9c, 7f01b2, 0, 0, 0, 0)", 4);
	assert_number("NR 257 = 24", 0, 257);
	assert_number("NR 1 = -11", 4, -11);
	assert_none("NR x", 0);
	assert_none("NR 257 = ", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_have_names),
		cmocka_unit_test(a_lone_result_is_ret),
		cmocka_unit_test(raw_calls_have_number_arguments_and_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
