#include "input/text/text_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define SWITCH                                                                                     \
	" prev_comm=worker 7: a=b prev_pid=12 prev_prio=120 prev_state=R+ ==> next_comm=swapper/1" \
	" next_pid=0 next_prio=120"

static const char *shown(const char *rest, const char *name, struct buf *b)
{
	struct field_value v;

	b->n = 0;
	if (!text_fields_find(span_of(rest), span_of(name), &v))
		return NULL;
	field_value_put(b, &v);
	return buf_str(b);
}

static void values_end_where_the_next_field_begins(void **state)
{
	struct buf b = { 0 };

	(void)state;
	assert_string_equal(shown(SWITCH, "prev_pid", &b), "12");
	assert_string_equal(shown(SWITCH, "prev_state", &b), "R+");
	assert_string_equal(shown(SWITCH, "next_comm", &b), "swapper/1");
	assert_string_equal(shown(SWITCH, "next_prio", &b), "120");
	assert_null(shown(SWITCH, "pid", &b));
	assert_null(shown(SWITCH, "next_state", &b));
	buf_release(&b);
}

static void the_arguments_of_system_calls_and_probes_are_fields(void **state)
{
	static const char call[] = " fd: 0x13, buf: 0x7f00, count: 0x33";
	static const char probe[] = " (55e0) host=\"a b=c\" service=\"\" flags=-2";
	struct buf b = { 0 };
	struct field_value v;

	(void)state;
	assert_string_equal(shown(call, "fd", &b), "0x13");
	assert_string_equal(shown(call, "count", &b), "0x33");
	assert_true(text_fields_find(span_of(call), SPAN("buf"), &v));
	assert_int_equal(v.number, 0x7f00);
	assert_string_equal(shown(probe, "host", &b), "a b=c");
	assert_string_equal(shown(probe, "service", &b), "");
	assert_string_equal(shown(probe, "flags", &b), "-2");
	assert_string_equal(shown(" 0x33", "ret", &b), "51");
	assert_string_equal(
		shown(" 0xfffffffffffffff5   7fc5 write+0x4f (libc)", "ret", &b), "-11");
	assert_null(shown(" fd: 0x3", "ret", &b));
	assert_null(shown("", "fd", &b));
	assert_null(shown("fd", "fd", &b));
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_end_where_the_next_field_begins),
		cmocka_unit_test(the_arguments_of_system_calls_and_probes_are_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
