#include "cli/cleanup.h"

#include "base/tmpdir_for_test.h"
#include "base/scratch.h"
#include "base/sink.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

static char *fill_folder(void **state)
{
	char *folder = tmpdir_path(state, "scratch"), *below = tmpdir_path(state, "scratch/a"),
	     *file = tmpdir_path(state, "scratch/a/b"), *out = tmpdir_path(state, "scratch/link"),
	     *kept = tmpdir_path(state, "kept");

	assert_int_equal(mkdir(folder, 0700), 0);
	assert_int_equal(mkdir(below, 0700), 0);
	assert_int_equal(mkdir(kept, 0700), 0);
	tmpdir_write(file, SPAN("x"));
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
	assert_int_equal(tmpdir_count(state), 1); /* kept */
	free(folder);
}

static void a_folder_goes_with_all_in_it_and_links_are_not_followed(void **state)
{
	char *folder = fill_folder(state);

	scratch_remove(folder);
	expect_gone(state, folder);
}

static void tell_of(const char *folder)
{
	cleanup_dir(NULL, SCRATCH_CREATING);
	cleanup_dir(folder, SCRATCH_CREATED);
}

/* How a child ends that has told of the folder and then does what it is told. */
static int end_of_child(const char *folder, int number)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		tell_of(folder);
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

/* The signal comes when the folder is there, and nobody has been told yet. */
static void a_signal_while_a_folder_is_made_waits_until_it_is_known(void **state)
{
	char *folder = tmpdir_path(state, "scratch"), *kept = tmpdir_path(state, "kept");
	int status;
	pid_t pid;

	assert_int_equal(mkdir(kept, 0700), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		cleanup_dir(NULL, SCRATCH_CREATING);
		raise(SIGTERM);
		if (!mkdir(folder, 0700))
			cleanup_dir(folder, SCRATCH_CREATED);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	free(kept);
	expect_gone(state, folder);
}

/* As many threads as there are signals: none of these ends the program while a folder is
 * emptied. */
static void *signal_again(void *ctx)
{
	(void)ctx;
	kill(getpid(), SIGTERM);
	return NULL;
}

static void a_signal_that_comes_twice_does_not_cut_the_first_one_short(void **state)
{
	char *folder = fill_folder(state);
	pthread_t thread;
	int status, i;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		tell_of(folder);
		for (i = 0; i < 8; i++)
			pthread_create(&thread, NULL, signal_again, NULL);
		for (;;)
			pause();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	expect_gone(state, folder);
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
	char *folder = fill_folder(state), *other = tmpdir_path(state, "kept");
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		tell_of(other);
		tell_of(folder);
		cleanup_dir(other, SCRATCH_REMOVED);
		exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(access(other, F_OK), 0);
	free(other);
	expect_gone(state, folder);
}

/* A child that writes a file under a temporary name, as a sink does where files need one; in the
 * middle of it the signal comes. */
static void expect_no_part(void **state, const char *output)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		cleanup_output("elsewhere.svg");
		cleanup_output(output);
		tmpdir_write(xasprintf("%s/" SINK_TEMPORARY, (char *)*state, (int)getpid(), 0),
			SPAN("half"));
		if (tmpdir_count(state) == 2)
			raise(SIGTERM);
		exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(tmpdir_count(state), 1);
}

static void a_signal_leaves_no_part_of_a_file(void **state)
{
	char *kept = tmpdir_path(state, "kept"), *output = tmpdir_path(state, "x.svg");

	tmpdir_write(kept, SPAN("x"));
	expect_no_part(state, output);
	free(kept);
	free(output);
}

static void a_signal_leaves_the_file_that_was_to_be_replaced(void **state)
{
	char *output = tmpdir_path(state, "x.svg");

	tmpdir_write(output, SPAN("old"));
	expect_no_part(state, output);
	tmpdir_assert_content(output, SPAN("old"));
	free(output);
}

/* It may be another's by then. */
static void an_exit_looks_for_no_part_once_all_files_are_whole(void **state)
{
	char *output = tmpdir_path(state, "x.svg");
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		cleanup_output(output);
		cleanup_outputs_done();
		tmpdir_write(xasprintf("%s/" SINK_TEMPORARY, (char *)*state, (int)getpid(), 0),
			SPAN("another's"));
		exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(tmpdir_count(state), 1);
	free(output);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_folder_goes_with_all_in_it_and_links_are_not_followed),
		TEST(an_interrupt_removes_the_folder_and_ends_the_program),
		TEST(a_termination_removes_the_folder_and_ends_the_program),
		TEST(a_lost_terminal_removes_the_folder_and_ends_the_program),
		TEST(a_signal_while_a_folder_is_made_waits_until_it_is_known),
		TEST(a_signal_that_comes_twice_does_not_cut_the_first_one_short),
		TEST(an_exit_removes_the_folder),
		TEST(a_folder_that_is_said_to_be_gone_is_left_alone),
		TEST(a_signal_leaves_no_part_of_a_file),
		TEST(a_signal_leaves_the_file_that_was_to_be_replaced),
		TEST(an_exit_looks_for_no_part_once_all_files_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
