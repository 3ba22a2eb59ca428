#include "cli/completion.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct buf completion(const char *shell)
{
	struct buf b = { 0 };
	struct err e;

	assert_int_equal(completion_put(&b, shell, &e), OK);
	return b;
}

static void expect_once(struct buf *b, const char *text)
{
	const char *first = strstr(buf_str(b), text);

	if (!first)
		fail_msg("missing: %s", text);
	if (strstr(first + 1, text))
		fail_msg("twice: %s", text);
}

static void fish_offers_each_command_and_not_the_program_itself(void **state)
{
	struct buf b = completion("fish");

	(void)state;
	expect_once(&b, "-n __fish_use_subcommand -a info -d '");
	expect_once(&b, "-n __fish_use_subcommand -a merge -d '");
	assert_null(strstr(buf_str(&b), "(null)"));
	buf_release(&b);
}

static void bash_takes_letters_for_their_options(void **state)
{
	struct buf b = completion("bash");

	(void)state;
	assert_non_null(strstr(buf_str(&b), "\t--output | -o) return ;;\n"));
	assert_non_null(strstr(buf_str(&b), "\t--pid) compopt +o default; return ;;\n"));
	buf_release(&b);
}

/* perfold filters NAME, perfold spans PRESET */
static void first_arguments_are_names(void **state)
{
	struct buf bash = completion("bash"), zsh = completion("zsh"), fish = completion("fish");

	(void)state;
	expect_once(&bash, "\t2filters) commands=$(\"${COMP_WORDS[0]}\" filters 2>/dev/null | ");
	expect_once(&bash, "\t2spans) commands='syscalls file-io event-loop ");
	expect_once(&zsh, "== 3filters && ");
	expect_once(&zsh, "\tcompadd -- syscalls file-io event-loop ");
	expect_once(&fish, "-n '__fish_seen_subcommand_from filters' -a '(perfold filters ");
	expect_once(&fish, "-n '__fish_seen_subcommand_from spans' -a 'syscalls file-io ");
	buf_release(&bash);
	buf_release(&zsh);
	buf_release(&fish);
}

static void other_shells_are_an_error(void **state)
{
	struct buf b = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(completion_put(&b, "tcsh", &e), ERR_USAGE);
	assert_non_null(strstr(e.msg, "\"tcsh\" is not one of bash, zsh, fish"));
	assert_int_equal(b.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fish_offers_each_command_and_not_the_program_itself),
		cmocka_unit_test(bash_takes_letters_for_their_options),
		cmocka_unit_test(first_arguments_are_names),
		cmocka_unit_test(other_shells_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
