/* Files and directories that are not there, or are something else. */
#include "cli/named_files.h"

#include "cli/cli_for_test.h"

/* Compares the error of "perfold ARGUMENT... in"; NULL: there is none. */
static void check(char **argv, int argc, int code, const char *wanted)
{
	struct options o;
	struct err e = { 0 };

	if (options_parse(&o, FOR_FOLD, argc, argv, &e))
		fail_msg("%s", e.msg);
	assert_int_equal(named_files_check(&o, &e), code);
	if (code)
		assert_string_equal(e.msg, wanted);
	options_release(&o);
}
#define CHECK(code, wanted, ...)                                                                   \
	check((char *[]){ "perfold", __VA_ARGS__, "in", NULL },                                    \
		(int)(sizeof((char *[]){ "perfold", __VA_ARGS__, "in" }) / sizeof(char *)), code,  \
		wanted)

static void files_of_the_right_kind_are_accepted(void **state)
{
	(void)state;
	CHECK(OK, NULL, "--symfs", "testdata", "--debug-dir", "testdata/elf/cet", "--kallsyms",
		"testdata/events/several/kallsyms", "--map-dir", "testdata");
}

static void a_missing_file_is_an_error_of_usage(void **state)
{
	(void)state;
	CHECK(ERR_USAGE, "--symfs: testdata/none: No such file or directory", "--symfs", "testdata",
		"--symfs", "testdata/none");
	CHECK(ERR_USAGE, "--perf-map: x=y: No such file or directory", "--perf-map", "x=y");
	CHECK(ERR_USAGE, "--perf-map: none.map: No such file or directory", "--perf-map",
		"7=none.map");
	CHECK(ERR_USAGE, "--source-dir: testdata/none: No such file or directory", "--source-dir",
		"testdata/none");
	CHECK(ERR_USAGE, "--source-prefix: testdata/none: No such file or directory",
		"--source-prefix", "/x=testdata/none");
	CHECK(ERR_USAGE, "--kallsyms: testdata/elf/cet/kallsyms: Not a directory", "--kallsyms",
		"testdata/elf/cet/kallsyms");
}

static void a_file_of_another_kind_is_an_error(void **state)
{
	(void)state;
	CHECK(ERR_IO, "--symfs: testdata/elf/cet: Not a directory", "--symfs", "testdata/elf/cet");
	CHECK(ERR_IO, "--source-dir: testdata/elf/cet: Not a directory", "--source-dir",
		"testdata/elf/cet");
	CHECK(ERR_UNSUPPORTED, "--kallsyms: testdata: is a directory", "--kallsyms", "testdata");
	CHECK(ERR_FORMAT, "--kallsyms: testdata/elf/README: is not a list of kernel symbols",
		"--kallsyms", "testdata/elf/README");
	CHECK(ERR_UNSUPPORTED, "--vmlinux: /dev/null: is not a regular file", "--vmlinux",
		"/dev/null");
	CHECK(ERR_FORMAT, "--vmlinux: testdata/elf/stripped/README: is not an ELF file",
		"--vmlinux", "testdata/elf/stripped/README");
	CHECK(ERR_FORMAT, "--perf-map: testdata/elf/cet: is not a perf map", "--perf-map",
		"1=testdata/elf/cet");
	CHECK(ERR_FORMAT, "--jitdump: testdata/elf/cet: is not a jitdump", "--jitdump",
		"testdata/elf/cet");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_the_right_kind_are_accepted),
		cmocka_unit_test(a_missing_file_is_an_error_of_usage),
		cmocka_unit_test(a_file_of_another_kind_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
