#include "cli/cleanup.h"

#include "base/folder_for_test.h"
#include "base/scratch.h"

#include <signal.h>
#include <sys/wait.h>

static char *fill_folder(void **state)
{
	char *folder = folder_path(state, "scratch"), *below = folder_path(state, "scratch/a"),
	     *file = folder_path(state, "scratch/a/b"), *out = folder_path(state, "scratch/link"),
	     *kept = folder_path(state, "kept");

	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(below, 0700), 0);
	assert_int_equal(mkdir(kept, 0700), 0);
	folder_write(file, SPAN("x"));
	assert_int_equal(symlink(kept, out), 0);
	free(below);
	free(file);
	free(out);
	free(kept);
	return folder;
}

static void expect_gone(void **state, char *folder)
{
	assert_int_not_equal(access(folder, F_OK), 0);
	assert_int_equal(folder_count(state), 1); /* kept */
	free(folder);
}

static void a_folder_goes_with_all_in_it_and_links_are_not_followed(void **state)
{
	char *folder = fill_folder(state);

	scratch_remove(folder);
	expect_gone(state, folder);
}

/* How a child ends that has told of the folder and then does what it is told. */
static int end_of_child(const char *folder, int number)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		cleanup_folder(folder, true);
		if (number)
			raise(number);
		exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void expect_signal_removes(void **state, int number)
{
	char *folder = fill_folder(state);
	int status = end_of_child(folder, number);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	expect_gone(state, folder);
}

static void an_interrupt_removes_the_folder_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGINT);
}

static void a_termination_removes_the_folder_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGTERM);
}

static void a_lost_terminal_removes_the_folder_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGHUP);
}

static void an_exit_removes_the_folder(void **state)
{
	char *folder = fill_folder(state);
	int status = end_of_child(folder, 0);

	assert_true(WIFEXITED(status));
	expect_gone(state, folder);
}

static void a_folder_that_is_said_to_be_gone_is_left_alone(void **state)
{
	char *folder = fill_folder(state), *other = folder_path(state, "kept");
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		cleanup_folder(other, true);
		cleanup_folder(folder, true);
		cleanup_folder(other, false);
		exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(access(other, F_OK), 0);
	free(other);
	expect_gone(state, folder);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, folder_setup, folder_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_folder_goes_with_all_in_it_and_links_are_not_followed),
		TEST(an_interrupt_removes_the_folder_and_ends_the_program),
		TEST(a_termination_removes_the_folder_and_ends_the_program),
		TEST(a_lost_terminal_removes_the_folder_and_ends_the_program),
		TEST(an_exit_removes_the_folder),
		TEST(a_folder_that_is_said_to_be_gone_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
