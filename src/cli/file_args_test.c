/* Outputs that are one file, or an input; inputs that are one file. */
#include "cli/file_args.h"

#include "base/tmpdir_for_test.h"
#include "cli/cli_for_test.h"

#include <string.h>

/* Makes an empty directory the current one, with a file "in" and a link to that. */
static int setup(void **state)
{
	int rc = tmpdir_setup(state);

	if (rc || chdir(*state))
		return -1;
	tmpdir_write("in", SPAN("a 1\n"));
	return mkdir("sub", 0700) || symlink("in", "link");
}

static int teardown(void **state)
{
	return chdir("/") || tmpdir_teardown(state);
}

static void expect(enum command_bits command, const char *line, const char *wanted)
{
	struct options o;
	struct err e = { 0 };
	int rc = parse_line(&o, command, line, &e);

	assert_int_equal(rc, wanted ? ERR_USAGE : OK);
	if (wanted)
		assert_string_equal(e.msg, wanted);
	options_release(&o);
}

static void output_that_is_an_input_is_refused(void **state)
{
	(void)state;
	expect(FOR_FOLD, "in -o folded:in", "--output: in is an input: it would be overwritten");
	expect(FOR_FOLD, "in -o svg:sub/../in",
		"--output: sub/../in is an input: it would be overwritten");
	expect(FOR_FOLD, "x in -o folded:link",
		"--output: link is an input: it would be overwritten");
	expect(FOR_PACK, "in -o ./in", "--output: ./in is an input: it would be overwritten");
	expect(FOR_DIFF, "--base in --base x y -o folded:in",
		"--output: in is an input: it would be overwritten");
	expect(FOR_DIFF, "x in --fail-if default --verdict in",
		"--verdict: in is an input: it would be overwritten");
	expect(FOR_SPANS, "syscalls x --fds in --json in",
		"--json: in is an input: it would be overwritten");
	expect(FOR_MERGE, "x in -o folded:in", "--output: in is an input: it would be overwritten");
	expect(FOR_MERGE, "--inputs-from in --keep-going --errors in",
		"--errors: in is an input: it would be overwritten");
}

static void resolve_may_write_its_input(void **state)
{
	(void)state;
	expect(FOR_RESOLVE, "in -o in", NULL);
}

static void two_outputs_to_one_file_are_refused_under_any_name(void **state)
{
	(void)state;
	expect(FOR_FOLD, "in -o x.svg -o folded:x.svg", "two outputs to x.svg");
	expect(FOR_FOLD, "in -o x.svg -o sub/.././x.svg",
		"two outputs to one file: x.svg and sub/.././x.svg");
	expect(FOR_FOLD, "y -o svg:in -o svg:link", "two outputs to one file: in and link");
	expect(FOR_FOLD, "in -o none/x.svg -o none/x.svg", "two outputs to none/x.svg");
	expect(FOR_FOLD, "in -o - -o -", "two outputs to -");
	expect(FOR_DIFF, "x y --fail-if default --verdict v.md --summary ./v.md",
		"two outputs to one file: v.md and ./v.md");
	expect(FOR_SPANS, "syscalls x --histogram h.svg --heatmap h.svg", "two outputs to h.svg");
	expect(FOR_SPANS, "syscalls x --json - -o folded:-", "two outputs to -");
	expect(FOR_MERGE, "x --keep-going --errors -", "two outputs to -");
}

static void other_files_and_devices_are_allowed(void **state)
{
	(void)state;
	expect(FOR_FOLD, "in -o x.svg -o sub/x.svg -o x.folded", NULL);
	expect(FOR_FOLD, "in -o svg:/dev/null -o folded:/dev/null", NULL);
	expect(FOR_FOLD, "/dev/null -o svg:/dev/null", NULL);
	expect(FOR_FOLD, "- -o -", NULL);
	expect(FOR_PACK, "x -o -", NULL);
	expect(FOR_RESOLVE, "x -o -", NULL);
	expect(FOR_TOP, "x --fail-if any-self>1% --verdict -", NULL);
	expect(FOR_FOLD, "x -o folded:x", NULL); /* is not there */
}

static void expect_report(enum command_bits command, const char *line, const char *wanted)
{
	struct buf said = { 0 };
	struct options o;
	struct err e = { 0 };

	assert_int_equal(parse_line(&o, command, line, &e), OK);
	file_args_report_repeats(&o, put_line, &said);
	assert_string_equal(buf_str(&said), wanted);
	buf_release(&said);
	options_release(&o);
}

static void input_given_twice_is_reported(void **state)
{
	(void)state;
	expect_report(FOR_FOLD, "in in", "in: given 2 times: its samples count each time\n");
	expect_report(FOR_FOLD, "in none none - -", "");
	expect_report(FOR_DIFF, "in in", "");
	expect_report(FOR_DIFF, "--base in --base in in",
		"in: given 2 times: its samples count each time\n");
	expect_report(FOR_FOLD, "sub/../in none in /dev/null /dev/null",
		"sub/../in: the same file as in: its samples count each time\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			output_that_is_an_input_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(resolve_may_write_its_input, setup, teardown),
		cmocka_unit_test_setup_teardown(
			two_outputs_to_one_file_are_refused_under_any_name, setup, teardown),
		cmocka_unit_test_setup_teardown(
			other_files_and_devices_are_allowed, setup, teardown),
		cmocka_unit_test_setup_teardown(input_given_twice_is_reported, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
