#include "cli/cleanup.h"

#include "base/tmpdir_for_test.h"
#include "base/scratch.h"
#include "base/sink.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static char *fill_dir(void **state)
{
	char *dir = tmpdir_path(state, "scratch"), *below = tmpdir_path(state, "scratch/a"),
	     *file = tmpdir_path(state, "scratch/a/b"), *out = tmpdir_path(state, "scratch/link"),
	     *kept = tmpdir_path(state, "kept");

	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(mkdir(below, 0700), 0);
	assert_int_equal(mkdir(kept, 0700), 0);
	tmpdir_write(file, SPAN("x"));
	assert_int_equal(symlink(kept, out), 0);
	free(below);
	free(file);
	free(out);
	free(kept);
	return dir;
}

static void expect_gone(void **state, char *dir)
{
	assert_int_not_equal(access(dir, F_OK), 0);
	assert_int_equal(tmpdir_count(state), 1); /* kept */
	free(dir);
}

static void directory_is_removed_with_its_content_and_links_are_not_followed(void **state)
{
	char *dir = fill_dir(state);

	scratch_remove(dir);
	expect_gone(state, dir);
}

static void register_dir(const char *dir)
{
	cleanup_dir(NULL, SCRATCH_CREATING);
	cleanup_dir(dir, SCRATCH_CREATED);
}

/* The status of a child that registers the directory and then raises a signal, or exits if that is
 * 0. Who calls the tests may ignore it: nohup does, and shells do in the background. */
static int end_of_child(const char *dir, int number)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (number)
			signal(number, SIG_DFL);
		register_dir(dir);
		if (number)
			raise(number);
		exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void expect_signal_removes(void **state, int number)
{
	char *dir = fill_dir(state);
	int status = end_of_child(dir, number);

	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	expect_gone(state, dir);
}

static void interrupt_removes_the_directory_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGINT);
}

static void termination_removes_the_directory_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGTERM);
}

static void hangup_removes_the_directory_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGHUP);
}

static void end_of_cpu_time_removes_the_directory_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGXCPU);
}

static void abort_removes_the_directory_and_ends_the_program(void **state)
{
	expect_signal_removes(state, SIGABRT);
}

/* The signal comes when the directory exists, before it is registered. */
static void signal_while_a_directory_is_created_waits_until_it_is_registered(void **state)
{
	char *dir = tmpdir_path(state, "scratch"), *kept = tmpdir_path(state, "kept");
	int status;
	pid_t pid;

	assert_int_equal(mkdir(kept, 0700), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		cleanup_dir(NULL, SCRATCH_CREATING);
		raise(SIGTERM);
		if (!mkdir(dir, 0700))
			cleanup_dir(dir, SCRATCH_CREATED);
		_exit(1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	free(kept);
	expect_gone(state, dir);
}

/* As many threads as there are signals: none of these ends the program while a directory is
 * emptied. */
static void *signal_again(void *ctx)
{
	(void)ctx;
	kill(getpid(), SIGTERM);
	return NULL;
}

static void second_signal_does_not_cut_the_first_one_short(void **state)
{
	char *dir = fill_dir(state);
	pthread_t thread;
	int status, i;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		register_dir(dir);
		for (i = 0; i < 8; i++)
			pthread_create(&thread, NULL, signal_again, NULL);
		for (;;)
			pause();
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	expect_gone(state, dir);
}

static void exit_removes_the_directory(void **state)
{
	char *dir = fill_dir(state);
	int status = end_of_child(dir, 0);

	assert_true(WIFEXITED(status));
	expect_gone(state, dir);
}

static void directory_that_was_reported_removed_is_left_alone(void **state)
{
	char *dir = fill_dir(state), *other = tmpdir_path(state, "kept");
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		register_dir(other);
		register_dir(dir);
		cleanup_dir(other, SCRATCH_REMOVED);
		exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(access(other, F_OK), 0);
	free(other);
	expect_gone(state, dir);
}

/* A child that writes a file under a temporary name, as a sink does where files need one; in the
 * middle of it the signal comes. */
static void expect_no_unfinished_file(void **state, const char *output)
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

static void signal_leaves_no_unfinished_file(void **state)
{
	char *kept = tmpdir_path(state, "kept"), *output = tmpdir_path(state, "x.svg");

	tmpdir_write(kept, SPAN("x"));
	expect_no_unfinished_file(state, output);
	free(kept);
	free(output);
}

static void signal_leaves_the_file_that_was_to_be_replaced(void **state)
{
	char *output = tmpdir_path(state, "x.svg");

	tmpdir_write(output, SPAN("old"));
	expect_no_unfinished_file(state, output);
	tmpdir_assert_content(output, SPAN("old"));
	free(output);
}

/* It may be another's by then. */
static void exit_removes_no_file_once_all_are_whole(void **state)
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

/* A terminal: its other end; *slave is what a program has. */
static int open_terminal(int *slave)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	if (master < 0)
		skip();
	assert_int_equal(grantpt(master), 0);
	assert_int_equal(unlockpt(master), 0);
	*slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	assert_true(*slave >= 0);
	return master;
}

static unsigned grow_stack(unsigned n)
{
	volatile unsigned here[1024];

	here[n % 1024] = n;
	return n ? grow_stack(n - 1) + here[0] : 0;
}

/* Changes the terminal and ends by a signal; -1: by a stack without end, 0: by exit(). */
static void change_and_end(int slave, int number)
{
	const struct rlimit small = { 1 << 20, 1 << 20 }, none = { 0, 0 };
	struct termios before, changed;

	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_STACK, &small);
	tcgetattr(slave, &before);
	changed = before;
	changed.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	cleanup_terminal(slave, &before, SPAN("first"));
	cleanup_terminal(slave, &before, SPAN("<back>"));
	tcsetattr(slave, TCSANOW, &changed);
	if (number > 0)
		raise(number);
	else if (number < 0)
		(void)grow_stack(UINT32_MAX);
	exit(0);
}

static void a_terminal_is_given_back_whatever_ends_the_program(void **state)
{
	static const int numbers[] = { 0, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV,
		SIGBUS, SIGFPE, SIGUSR1, SIGALRM };
	char text[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int slave, master = open_terminal(&slave), status;
		struct termios before, after;
		pid_t pid;

		tcgetattr(slave, &before);
		pid = fork();
		assert_true(pid >= 0);
		if (!pid) {
			if (numbers[i])
				signal(numbers[i], SIG_DFL);
			change_and_end(slave, numbers[i]);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, numbers[i]);
		tcgetattr(slave, &after);
		assert_int_equal(before.c_lflag, after.c_lflag);
		assert_int_equal(read(master, text, sizeof(text)), 6);
		assert_memory_equal(text, "<back>", 6);
		close(master);
		close(slave);
	}
}

#ifndef PERFOLD_SANITIZED
static void a_stack_without_end_gives_it_back_too(void **state)
{
	int slave, master = open_terminal(&slave), status;
	char text[32];
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (!pid) {
		signal(SIGSEGV, SIG_DFL); /* cmocka has a handler */
		change_and_end(slave, -1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	assert_int_equal(read(master, text, sizeof(text)), 6);
	close(master);
	close(slave);
}
#endif

static void a_terminal_that_was_given_back_is_left_alone(void **state)
{
	int slave, master = open_terminal(&slave);
	struct termios before;
	char text[32];
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (!pid) {
		tcgetattr(slave, &before);
		cleanup_terminal(slave, &before, SPAN("<back>"));
		cleanup_terminal_done();
		assert_int_equal(write(slave, "end", 3), 3);
		exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(read(master, text, sizeof(text)), 3);
	close(master);
	close(slave);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(directory_is_removed_with_its_content_and_links_are_not_followed),
		TEST(interrupt_removes_the_directory_and_ends_the_program),
		TEST(termination_removes_the_directory_and_ends_the_program),
		TEST(hangup_removes_the_directory_and_ends_the_program),
		IN_TMPDIR(end_of_cpu_time_removes_the_directory_and_ends_the_program),
		IN_TMPDIR(abort_removes_the_directory_and_ends_the_program),
		TEST(signal_while_a_directory_is_created_waits_until_it_is_registered),
		TEST(second_signal_does_not_cut_the_first_one_short),
		TEST(exit_removes_the_directory),
		TEST(directory_that_was_reported_removed_is_left_alone),
		TEST(signal_leaves_no_unfinished_file),
		TEST(signal_leaves_the_file_that_was_to_be_replaced),
		TEST(exit_removes_no_file_once_all_are_whole),
		cmocka_unit_test(a_terminal_is_given_back_whatever_ends_the_program),
#ifndef PERFOLD_SANITIZED
		cmocka_unit_test(a_stack_without_end_gives_it_back_too),
#endif
		cmocka_unit_test(a_terminal_that_was_given_back_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
