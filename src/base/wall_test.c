#include "base/wall.h"

#include "base/tmpdir_for_test.h"

#include <errno.h>
#include <linux/landlock.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Each runs in a child, as a wall stays. 0: it is denied. */

static int runs_a_program(void)
{
	char *argv[] = { (char *)"false", NULL };

	execv("/bin/false", argv);
	return errno != EPERM && errno != EACCES;
}

static int runs_a_process(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return pid > 0;
}

static int connects(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}

static int reads_outside(void)
{
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
}

static int lists_outside(void)
{
	return open("/etc", O_RDONLY | O_DIRECTORY | O_CLOEXEC) >= 0;
}

static int writes_beside(void)
{
	return open("read/new", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0 ||
	       mkdir("read/dir", 0700) == 0 || unlink("read/file") == 0 ||
	       rename("read/file", "write/moved") == 0;
}

/* 0: all that is needed is allowed. */

static void *no_work(void *ctx)
{
	return ctx;
}

static int lacks_something(void)
{
	pthread_t thread;
	int fd = open("write", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	char name[64];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (fd < 0 || linkat(AT_FDCWD, name, AT_FDCWD, "write/new", AT_SYMLINK_FOLLOW))
		return 1;
	if (rename("write/new", "write/file") || open("write/file", O_RDWR | O_CLOEXEC) < 0)
		return 2;
	if (mkdir("write/dir", 0700) || rmdir("write/dir") || unlink("write/file"))
		return 3;
	if (open("read/file", O_RDONLY | O_CLOEXEC) < 0)
		return 4;
	if (pthread_create(&thread, NULL, no_work, NULL) || pthread_join(thread, NULL))
		return 5;
	return 0;
}

static void expect_0(void **state, const struct wall *w, int (*tries)(void), const char *what)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		if (chdir(*state))
			_exit(100);
		wall_raise(w);
		_exit(tries());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail_msg("%s: %d", what, status);
}

/* Not by a kernel without them, nor by qemu-user. */
static bool has_filters(void)
{
	return prctl(PR_GET_SECCOMP) >= 0;
}

static void no_program_no_process_and_no_connection(void **state)
{
	const struct wall w = { .network = false };

	if (!has_filters())
		skip();
	expect_0(state, &w, runs_a_program, "a program");
	expect_0(state, &w, runs_a_process, "a process");
	expect_0(state, &w, connects, "a connection");
}

static int connects_not(void)
{
	return !connects();
}

static void a_connection_if_it_is_wanted(void **state)
{
	const struct wall w = { .network = true };

	if (!has_filters())
		skip();
	expect_0(state, &w, connects_not, "no connection");
	expect_0(state, &w, runs_a_program, "a program");
}

static void files_only_where_they_are_named(void **state)
{
	const char *const readable[] = { tmpdir_at(state, "read"), "/proc/self", "/nowhere", NULL };
	const char *const writable[] = { tmpdir_at(state, "write"), NULL };
	const struct wall w = { .readable = readable, .writable = writable };

#ifdef __NR_landlock_create_ruleset
	if (syscall(__NR_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1)
		skip();
#endif
	assert_int_equal(mkdir(readable[0], 0700) || mkdir(writable[0], 0700), 0);
	tmpdir_write(tmpdir_at(state, "read/file"), SPAN("x"));
	tmpdir_write(tmpdir_at(state, "write/file"), SPAN("x"));
	expect_0(state, &w, reads_outside, "reading");
	expect_0(state, &w, lists_outside, "listing");
	expect_0(state, &w, writes_beside, "writing");
	expect_0(state, &w, lacks_something, "lacking");
}

static void memory_has_a_ceiling(void **state)
{
	struct rlimit before, after;
	void *p;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
	wall_limit_memory(256 << 20);
	assert_int_equal(getrlimit(RLIMIT_DATA, &after), 0);
	if (after.rlim_cur == before.rlim_cur)
		skip(); /* qemu-user, which needs memory of its own */
	p = malloc((size_t)512 << 20);
	assert_null(p);
	p = malloc(64 << 20);
	assert_non_null(p);
	free(p);
	assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
	assert_true(wall_machine_memory() > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(no_program_no_process_and_no_connection),
		IN_TMPDIR(a_connection_if_it_is_wanted),
		IN_TMPDIR(files_only_where_they_are_named),
		cmocka_unit_test(memory_has_a_ceiling),
	};

#ifdef PERFOLD_SANITIZED
	(void)tests;
	puts("1..0 # SKIP sanitizers need what the wall forbids");
	return 0;
#else
	return cmocka_run_group_tests(tests, NULL, NULL);
#endif
}
