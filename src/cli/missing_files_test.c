/* Notes about files and directories that are not there. */
#include "cli/missing_files.h"

#include "cli/cli_for_test.h"

/* Compares the notes of "perfold ARGUMENT... in". */
static void check(char **argv, int argc, const char *wanted)
{
	struct options o;
	struct buf said = { 0 };
	struct err e = { 0 };

	if (options_parse(&o, FOR_FOLD, argc, argv, &e))
		fail_msg("%s", e.msg);
	missing_files_report(&o, put_line, &said);
	assert_string_equal(buf_str(&said), wanted);
	buf_release(&said);
	options_release(&o);
}
#define CHECK(wanted, ...)                                                                         \
	check((char *[]){ "perfold", __VA_ARGS__, "in", NULL },                                    \
		(int)(sizeof((char *[]){ "perfold", __VA_ARGS__, "in" }) / sizeof(char *)),        \
		wanted)

static void present_files_are_not_reported(void **state)
{
	(void)state;
	CHECK("", "--symfs", "testdata", "--debug-dir", "testdata/elf/cet", "--kallsyms",
		"testdata/events/several/kallsyms", "--perf-map", "1=testdata/elf/cet");
}

static void missing_file_is_reported_with_its_option(void **state)
{
	(void)state;
	CHECK("--symfs: testdata/none: No such file or directory\n"
	      "--perf-map: x=y: No such file or directory\n"
	      "--perf-map: none.map: No such file or directory\n"
	      "--kallsyms: testdata/elf/cet/kallsyms: Not a directory\n",
		"--symfs", "testdata", "--symfs", "testdata/none", "--perf-map", "x=y",
		"--perf-map", "7=none.map", "--kallsyms", "testdata/elf/cet/kallsyms");
	CHECK("--debug-dir: a: No such file or directory\n"
	      "--source-maps: b: No such file or directory\n"
	      "--container: c: No such file or directory\n"
	      "--jitdump: d: No such file or directory\n"
	      "--map-dir: e: No such file or directory\n"
	      "--vmlinux: f: No such file or directory\n",
		"--debug-dir", "a", "--source-maps", "b", "--container", "1=c", "--jitdump", "d",
		"--map-dir", "e", "--vmlinux", "f");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(present_files_are_not_reported),
		cmocka_unit_test(missing_file_is_reported_with_its_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
