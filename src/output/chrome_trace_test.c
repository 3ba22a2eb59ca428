#include "output/output_formats.h"

#include "output/output_for_test.h"

static void check(struct test_profile *t, const char *expected)
{
	struct buf text = { 0 };

	test_profile_finish(t);
	write_output(&chrome_trace_format, &t->p, NULL, &text);
	assert_string_equal(buf_str(&text), expected);
	yajl_tree_free(parse_json(&text));
	buf_release(&text);
	test_profile_release(t);
}

/* Events that begin together with an outer one come after it. */
static void a_frame_is_one_event_while_it_is_on_the_stack(void **state)
{
	struct test_profile t;
	uint32_t ab, ac;

	(void)state;
	test_profile_init(&t);
	t.p.period_ns = MS;
	ab = test_profile_add(&t, SPAN("a;b"), 0);
	ac = test_profile_add(&t, SPAN("a;c"), 0);
	test_profile_row(&t, ab, 100 * MS, 1);
	test_profile_row(&t, ab, 101 * MS, 1);
	test_profile_row(&t, ac, 102 * MS + 999, 1);
	test_profile_row(&t, ac, 110 * MS, 1); /* after a gap */
	check(&t,
		"[\n"
		"{\"name\":\"process_name\",\"cat\":\"__metadata\",\"ph\":\"M\",\"pid\":10,\"tid\":"
		"10,"
		"\"ts\":0,\"args\":{\"name\":\"thread\"}},\n"
		"{\"name\":\"thread_name\",\"cat\":\"__metadata\",\"ph\":\"M\",\"pid\":10,\"tid\":"
		"10,"
		"\"ts\":0,\"args\":{\"name\":\"thread\"}},\n"
		"{\"name\":\"c\",\"cat\":\"user\",\"ph\":\"X\",\"pid\":10,\"tid\":10,\"ts\":102000,"
		"\"dur\":1000,\"args\":{\"self\":1,\"samples\":1}},\n"
		"{\"name\":\"a\",\"cat\":\"user\",\"ph\":\"X\",\"pid\":10,\"tid\":10,\"ts\":100000,"
		"\"dur\":3000},\n"
		"{\"name\":\"b\",\"cat\":\"user\",\"ph\":\"X\",\"pid\":10,\"tid\":10,\"ts\":100000,"
		"\"dur\":2000,\"args\":{\"self\":2,\"samples\":2}},\n"
		"{\"name\":\"a\",\"cat\":\"user\",\"ph\":\"X\",\"pid\":10,\"tid\":10,\"ts\":110000,"
		"\"dur\":1000},\n"
		"{\"name\":\"c\",\"cat\":\"user\",\"ph\":\"X\",\"pid\":10,\"tid\":10,\"ts\":110000,"
		"\"dur\":1000,\"args\":{\"self\":1,\"samples\":1}}\n"
		"]\n");
}

static void an_empty_profile_is_an_empty_trace(void **state)
{
	struct test_profile t;

	(void)state;
	test_profile_init(&t);
	check(&t,
		"[\n"
		"{\"name\":\"thread_name\",\"cat\":\"__metadata\",\"ph\":\"M\",\"pid\":1,\"tid\":1,"
		"\"ts\":0,\"args\":{\"name\":\"all\"}}\n"
		"]\n");
}

static void processes_of_two_inputs_stay_apart(void **state)
{
	struct buf text = { 0 };
	struct test_profile t;
	uint32_t a;

	(void)state;
	test_profile_init(&t);
	a = test_profile_add(&t, SPAN("a"), 0);
	test_profile_thread_row(&t, 0, a, 100 * MS, 1);
	test_profile_thread_row(&t, 1, a, 100 * MS, 1);
	test_profile_finish(&t);
	t.p.threads[1].recording = 1;
	t.p.threads[1].tid = 10;
	write_output(&chrome_trace_format, &t.p, NULL, &text);
	assert_non_null(strstr(text.p, "\"pid\":10,\"tid\":10,"));
	assert_non_null(strstr(text.p, "\"pid\":4194314,\"tid\":4194314,"));
	buf_release(&text);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_one_event_while_it_is_on_the_stack),
		cmocka_unit_test(an_empty_profile_is_an_empty_trace),
		cmocka_unit_test(processes_of_two_inputs_stay_apart),
	};

	return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
