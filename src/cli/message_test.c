#include "cli/message.h"

#include "base/tmpdir_for_test.h"

/* What a message put on standard error. */
static void expect_message(void **state, const char *text, const char *expected)
{
	char *path = tmpdir_path(state, "err");
	int before = dup(STDERR_FILENO), fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(before >= 0 && fd >= 0);
	dup2(fd, STDERR_FILENO);
	message("%s: %d", text, 7);
	dup2(before, STDERR_FILENO);
	close(before);
	close(fd);
	tmpdir_assert_content(path, span_of(expected));
	free(path);
}

static void message_is_one_line(void **state)
{
	expect_message(state, "f", "perfold: f: 7\n");
	expect_message(state, "f\ng", "perfold: f\\x0ag: 7\n");
}

static void control_characters_are_shown_as_escapes(void **state)
{
	expect_message(state, "\x1b]0;title\a", "perfold: \\x1b]0;title\\x07: 7\n");
	expect_message(state,
		"\xc2\x9b"
		"31m",
		"perfold: \\u{9b}31m: 7\n");
	expect_message(state,
		"\xe2\x80\xae"
		"x",
		"perfold: \\u{202e}x: 7\n");
	expect_message(state, "\xff", "perfold: \\xff: 7\n");
}

static void other_characters_are_unchanged(void **state)
{
	expect_message(state, "Zähler λ", "perfold: Zähler λ: 7\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(message_is_one_line),
		TEST(control_characters_are_shown_as_escapes),
		TEST(other_characters_are_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
