/* Outputs that are one file, or an input; inputs that are one file. */
#include "cli/file_args.h"

#include "base/tmpdir_for_test.h"

#include <string.h>

/* In an empty folder, in which "in" is a file and "link" another name of it. */
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

enum { ARGS_MAX = 16 };

/* Parse a command line whose words are parted by blanks; o must be released. */
static int parse(
	struct options *o, char *text, enum command_bits command, const char *line, struct err *e)
{
	char *argv[ARGS_MAX + 2] = { (char *)"perfold" }, *save, *word;
	int argc = 1;

	strcpy(text, line);
	for (word = strtok_r(text, " ", &save); word && argc <= ARGS_MAX;
		word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	return options_parse(o, command, argc, argv, e);
}

static void expect(enum command_bits command, const char *line, const char *wanted)
{
	char text[256];
	struct options o;
	struct err e = { 0 };
	int rc = parse(&o, text, command, line, &e);

	assert_int_equal(rc, wanted ? ERR_USAGE : OK);
	if (wanted)
		assert_string_equal(e.msg, wanted);
	options_release(&o);
}

static void an_output_that_is_an_input_is_refused(void **state)
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
}

static void names_may_be_added_to_a_text_in_its_place(void **state)
{
	(void)state;
	expect(FOR_RESOLVE, "in -o in", NULL);
}

static void two_outputs_to_one_file_are_refused_however_it_is_called(void **state)
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
}

static void other_files_and_devices_are_not(void **state)
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

static void put_line(void *ctx, const char *line)
{
	struct buf *b = ctx;

	buf_printf(b, "%s\n", line);
}

static void expect_told(enum command_bits command, const char *line, const char *wanted)
{
	char text[256];
	struct buf said = { 0 };
	struct options o;
	struct err e = { 0 };

	assert_int_equal(parse(&o, text, command, line, &e), OK);
	file_args_report_repeats(&o, put_line, &said);
	assert_string_equal(buf_str(&said), wanted);
	buf_release(&said);
	options_release(&o);
}

static void an_input_that_is_given_twice_is_told(void **state)
{
	(void)state;
	expect_told(FOR_FOLD, "in in", "in: given 2 times: its samples count each time\n");
	expect_told(FOR_FOLD, "in none none - -", "");
	expect_told(FOR_DIFF, "in in", "");
	expect_told(FOR_DIFF, "--base in --base in in",
		"in: given 2 times: its samples count each time\n");
	expect_told(FOR_FOLD, "sub/../in none in /dev/null /dev/null",
		"sub/../in: the same file as in: its samples count each time\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			an_output_that_is_an_input_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(
			names_may_be_added_to_a_text_in_its_place, setup, teardown),
		cmocka_unit_test_setup_teardown(
			two_outputs_to_one_file_are_refused_however_it_is_called, setup, teardown),
		cmocka_unit_test_setup_teardown(other_files_and_devices_are_not, setup, teardown),
		cmocka_unit_test_setup_teardown(
			an_input_that_is_given_twice_is_told, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
