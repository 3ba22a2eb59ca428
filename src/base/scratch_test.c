#include "base/scratch.h"

#include "base/tmpdir_for_test.h"

#include <sys/resource.h>
#include <sys/stat.h>

/* A tree of that depth, with a file and two directories in each directory. */
static void make_tree(const char *dir, unsigned depth)
{
	static const char *const names[] = { "a", "b" };
	char *file = xasprintf("%s/file", dir);
	size_t i;

	tmpdir_write(file, SPAN("x"));
	for (i = 0; depth && i < 2; i++) {
		char *below = xasprintf("%s/%s", dir, names[i]);

		assert_int_equal(mkdir(below, 0700), 0);
		make_tree(below, depth - 1);
		free(below);
	}
	free(file);
}

static char *make_scratch(void **state, unsigned depth)
{
	char *before = tmpdir_set_env(*state), *dir;
	struct err e;

	assert_int_equal(scratch_make(&dir, NULL, &e), OK);
	tmpdir_restore_env(before);
	make_tree(dir, depth);
	return dir;
}

static void a_directory_is_removed_with_all_that_is_in_it(void **state)
{
	char *dir = make_scratch(state, 7), *outside = tmpdir_at(state, "outside"),
	     *link = xasprintf("%s/link", dir);

	assert_int_equal(mkdir(outside, 0700), 0);
	tmpdir_write(tmpdir_at(state, "outside/kept"), SPAN("x"));
	assert_int_equal(symlink(outside, link), 0);
	scratch_remove(dir);
	assert_int_equal(tmpdir_count(state), 1);
	tmpdir_assert_content(tmpdir_at(state, "outside/kept"), SPAN("x"));
	free(link);
	free(dir);
}

/* A limit of descriptors may be what ended the program. */
static void two_descriptors_are_enough_to_remove_it(void **state)
{
	char *dir = make_scratch(state, 7);
	struct rlimit before, low;
	int fd = open("/", O_RDONLY | O_CLOEXEC); /* the lowest one that is free */

	close(fd);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	low = (struct rlimit){ (rlim_t)fd + 2, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	scratch_remove(dir);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(tmpdir_count(state), 0);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_directory_is_removed_with_all_that_is_in_it),
		IN_TMPDIR(two_descriptors_are_enough_to_remove_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
