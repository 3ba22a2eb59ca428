#include "input/profiles/profiles.h"

#include "input/input_for_test.h"
#include "model/label_list.h"

#define BED(text)         input_bed_of(&input_rows, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&input_rows, ROOT_COMM_PID_TID, (text), (want))

#define ROW(rest) "{\"perfold_rows\":1," rest "}\n"

static void a_row_is_a_stack_of_a_thread(void **state)
{
	(void)state;
	CHECK(ROW("\"comm\":\"node\",\"pid\":7,\"tid\":8,\"event\":\"cycles:u\",\"unit\":"
		  "\"cycles\","
		  "\"samples\":3,\"weight\":3000,\"stack\":[\"main\",\"f\"],\"module\":[\"/bin/x\","
		  "null],\"kind\":\"uk\",\"leaf\":\"f\",\"stack_id\":5")
			ROW("\"comm\":\"node\",\"pid\":7,\"tid\":8,\"event\":\"cycles:u\","
			    "\"samples\":1,\"weight\":500,\"stack\":[\"main\",\"f\"],\"module\":"
			    "[\"/bin/x\",null],\"kind\":\"uk\""),
		"stack node-7/8|main|f_[k] 3500 4\nevent cycles:u 4 chosen\n"
		"thread 7/8 node 4\n");
}

static void kinds_and_places_are_those_of_frames(void **state)
{
	struct input_bed t =
		BED(ROW("\"samples\":1,\"weight\":1,\"stack\":[\"a;b\",\"i\",\"k\",\"j\","
			"\"[x.so]\",\"[x.so+0x1f]\",\"[x.so+0xg]\"],\"module\":[null,"
			"null,null,null,\"/x.so\",\"/x.so\",\"/x.so\"],\"kind\":"
			"\"uUKj???\",\"file\":[\"/a.c\",\"/a.c\",null,null,null,null,"
			"null],\"line\":[7,null,3,null,null,null,null]"));

	(void)state;
	t.detail = true;
	input_expect(&t,
		"stack |a;b{ at 7}|i_[i]{}|k_[k]_[i]{}|j_[j]{}|[/x.so]{/x.so}|[/x.so]{/x.so 1f}|"
		"[/x.so]{/x.so} 1 1\nevent  1 chosen\nthread -1/-1  1\n");
}

/* Queries may leave columns out, and write them in another order. */
static void only_four_columns_must_be_there(void **state)
{
	(void)state;
	CHECK("{\"weight\": 4, \"stack\": [\"a\"], \"perfold_rows\": 1, \"samples\": 2}\n"
	      "{\"weight\": 4, \"stack\": [], \"perfold_rows\": 1, \"samples\": 2, \"pid\": null, "
	      "\"module\": null, \"new\": {\"stack\": [7]}, \"newer\": [7], \"newest\": true}\n"
	      "\n",
		"stack  4 2\nstack |a 4 2\nevent  4 chosen\nthread -1/-1  4\n");
}

static void what_is_no_row_is_counted_with_its_line(void **state)
{
	static const char *const bad[] = { "x", "[]", "7", "null", "{}", "{\"perfold_rows\":1",
		"{\"perfold_rows\":2,\"samples\":1,\"weight\":1,\"stack\":[]}",
		"{\"samples\":1,\"weight\":1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"weight\":1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":\"a\"}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[null]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[1]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\\u0000b\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":-1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1.5,\"weight\":1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1e3,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":9223372036854775808,\"stack\":[\"a\"]"
		"}",
		"{\"perfold_rows\":1,\"samples\":[1],\"weight\":1,\"stack\":[\"a\"]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"module\":[]}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"line\":[\"1\"]"
		"}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"kind\":\"uu\"}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"comm\":7}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"],\"pid\":"
		"2147483648}",
		"{\"perfold_rows\":1,\"samples\":1,\"weight\":1,\"stack\":[\"a\"]} {}" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		struct buf text = { 0 };
		struct input_bed t;

		buf_printf(&text, "%s%s\n%s", ROW("\"samples\":1,\"weight\":2,\"stack\":[\"a\"]"),
			bad[i], ROW("\"samples\":1,\"weight\":3,\"stack\":[\"a\"]"));
		t = input_bed_of(&input_rows, ROOT_COMM, buf_str(&text));
		input_expect(
			&t, "stack |a 5 2\nevent  2 chosen\nthread -1/-1  2\nbad BAD_LINE 1 2\n");
		buf_release(&text);
	}
}

/* A list of them is made for each row. */
static void labels_over_the_limit_are_counted(void **state)
{
	struct buf text = { 0 };
	struct input_bed t;
	unsigned i;

	(void)state;
	buf_puts(&text, "{\"perfold_rows\":1,\"samples\":1,\"weight\":2,\"stack\":[\"a\"]");
	for (i = 0; i < LABELS_MAX + 2; i++)
		buf_printf(&text, ",\"k%u\":\"v\"", i);
	buf_puts(&text, ",\"k1\":\"w\"}\n");
	t = input_bed_of(&input_rows, ROOT_COMM, buf_str(&text));
	input_expect(&t, "stack |a 2 1\nevent  1 chosen\nthread -1/-1  1\nbad LABELS_LIMIT 2 1\n");
	buf_release(&text);
}

static void the_event_of_the_first_row_is_chosen(void **state)
{
	static const char *const all[] = { "all", NULL };
	struct input_bed t = BED(
		ROW("\"event\":\"faults\",\"unit\":\"faults\",\"samples\":1,\"weight\":2,"
		    "\"stack\":[\"a\"]")
			ROW("\"event\":\"cpu-clock\",\"unit\":\"nanoseconds\",\"samples\":1,"
			    "\"weight\":3,\"stack\":[\"a\"]"));

	(void)state;
	input_expect(&t, "stack |a 2 1\nevent faults 1 chosen\nevent cpu-clock 1\n"
			 "thread -1/-1  1\n");
	t.opts.events = all;
	input_expect(&t, "stack |a 5 2\nevent faults 1 chosen\nevent cpu-clock 1 chosen\n"
			 "thread -1/-1  2\n");
}

static void rows_are_recognised_wherever_their_version_is(void **state)
{
	struct input_head head = { SPAN("{\"a\":1, \"perfold_rows\": 1}\n"), true };
	struct input_head first = { SPAN("{\"perfold_rows\":1,\"re"), false };
	struct input_head other = { SPAN("{\"a\":1}\n{\"perfold_rows\":1}\n"), true };

	(void)state;
	assert_int_equal(input_rows.bid(&first), 100);
	assert_ptr_equal(input_sniff(&first), &input_rows);
	assert_int_equal(input_rows.bid(&other), 0);
	assert_int_equal(input_rows.bid(&head), 90);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_a_stack_of_a_thread),
		cmocka_unit_test(kinds_and_places_are_those_of_frames),
		cmocka_unit_test(only_four_columns_must_be_there),
		cmocka_unit_test(what_is_no_row_is_counted_with_its_line),
		cmocka_unit_test(labels_over_the_limit_are_counted),
		cmocka_unit_test(the_event_of_the_first_row_is_chosen),
		cmocka_unit_test(rows_are_recognised_wherever_their_version_is),
	};

	return cmocka_run_group_tests_name("input_rows", tests, NULL, NULL);
}
