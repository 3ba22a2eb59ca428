/* Lists of inputs: what ends an entry, and lists that are none. */
#include "cli/input_list.h"

#include "base/tmpdir_for_test.h"

static void expect(void **state, bool nul, struct span text, const char *wanted)
{
	struct input_list l = { .path = tmpdir_at(state, "list"), .nul = nul };
	struct string_list inputs = { 0 };
	struct buf got = { 0 };
	struct err e;
	size_t i;

	tmpdir_write(l.path, text);
	string_list_add(&inputs, "first");
	assert_int_equal(input_list_read(&l, &inputs, &e), OK);
	for (i = 0; i < inputs.n; i++)
		buf_printf(&got, "%s|", inputs.item[i]);
	assert_string_equal(buf_str(&got), wanted);
	assert_null(inputs.item[inputs.n]);
	buf_release(&got);
	string_list_release(&inputs);
	input_list_release(&l);
}

static void expect_refusal(const char *path, const char *wanted)
{
	struct input_list l = { .path = path };
	struct string_list inputs = { 0 };
	struct err e;

	assert_int_not_equal(input_list_read(&l, &inputs, &e), OK);
	assert_non_null(strstr(e.msg, wanted));
	assert_int_equal(inputs.n, 0);
	string_list_release(&inputs);
	input_list_release(&l);
}

static void expect_text_refused(void **state, struct span text, const char *wanted)
{
	const char *path = tmpdir_at(state, "list");

	tmpdir_write(path, text);
	expect_refusal(path, wanted);
}

static void an_entry_is_a_line(void **state)
{
	expect(state, false, SPAN("a\n b c\n"), "first|a| b c|");
	expect(state, false, SPAN("\n\na\n\nb"), "first|a|b|");
}

static void or_ends_with_nul(void **state)
{
	expect(state, true, SPAN("a\nb\0c\0"), "first|a\nb|c|");
	expect(state, true, SPAN("\0\0d"), "first|d|");
}

static void labels_follow_after_a_tab(void **state)
{
	struct input_list l = { .path = tmpdir_at(state, "list") };
	struct string_list inputs = { 0 };
	struct err e;

	tmpdir_write(l.path, SPAN("a\tservice=web\tversion=2\nb\nc d\tservice=a=b\n"));
	string_list_add(&inputs, "first");
	assert_int_equal(input_list_read(&l, &inputs, &e), OK);
	assert_string_equal(inputs.item[1], "a");
	assert_string_equal(inputs.item[3], "c d");
	assert_null(input_list_labels(&l, 0));
	assert_null(input_list_labels(&l, 2));
	assert_null(input_list_labels(&l, 4));
	assert_string_equal(label_list_find(input_list_labels(&l, 1), SPAN("service")), "web");
	assert_string_equal(label_list_find(input_list_labels(&l, 1), SPAN("version")), "2");
	assert_string_equal(label_list_find(input_list_labels(&l, 3), SPAN("service")), "a=b");
	string_list_release(&inputs);
	input_list_release(&l);
	expect(state, true, SPAN("a\tb\0"), "first|a\tb|");
}

static void wrong_labels_name_their_line(void **state)
{
	const char *path = tmpdir_at(state, "list");
	struct input_list l = { .path = path };
	struct string_list inputs = { 0 };
	struct err e;

	tmpdir_write(path, SPAN("a\nb\tservice\n"));
	assert_int_equal(input_list_read(&l, &inputs, &e), ERR_USAGE);
	assert_non_null(strstr(e.msg, "line 2: "));
	assert_non_null(strstr(e.msg, "\"service\" is not KEY=VALUE"));
	input_list_release(&l);
	string_list_release(&inputs);
	expect_text_refused(state, SPAN("\tservice=web\n"), "line 1: labels without a path");
}

static void a_list_names_something(void **state)
{
	expect_text_refused(state, SPAN(""), "list names no input");
	expect_text_refused(state, SPAN("\n\n"), "list names no input");
	expect_text_refused(state, SPAN("a\0b\0"), "has NUL bytes: are its entries for --null?");
	expect_refusal("/nowhere/list", "--inputs-from: /nowhere/list: No such file");
	expect_refusal("/", "Is a directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(an_entry_is_a_line),
		IN_TMPDIR(or_ends_with_nul),
		IN_TMPDIR(labels_follow_after_a_tab),
		IN_TMPDIR(wrong_labels_name_their_line),
		IN_TMPDIR(a_list_names_something),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
