#include "base/cache_dir.h"

#include "base/tmpdir_for_test.h"

#include <sys/file.h>

enum { LIMIT = 1 << 20, CONTENT = 100000 };

static struct cache_dir *open_dir(const char *path, uint64_t limit_bytes)
{
	struct cache_dir *c;
	struct err e;

	assert_int_equal(cache_dir_open(&c, path, limit_bytes, &e), OK);
	return c;
}

static void fill(char *p, size_t n, unsigned seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (char)(i * 7 + i / 253 + seed);
}

static void put(struct cache_dir *c, const char *name, const char *key, unsigned seed)
{
	char *p = xmalloc(CONTENT);

	fill(p, CONTENT, seed);
	cache_dir_put(c, name, span_of(key),
		(const struct span[]){ { p, 10 }, { p, 0 }, { p + 10, CONTENT - 10 } }, 3);
	free(p);
}

/* Is all of it there? */
static bool holds(struct cache_dir *c, const char *name, const char *key, unsigned seed)
{
	char *p = xmalloc(CONTENT), *expected = xmalloc(CONTENT);
	struct cache_entry entry;
	bool there = cache_dir_find(c, name, span_of(key), &entry);

	if (there) {
		fill(expected, CONTENT, seed);
		assert_int_equal(entry.size_bytes, CONTENT);
		there = cache_dir_read(&entry, p, CONTENT, 0);
		assert_true(!there || !memcmp(p, expected, CONTENT));
		cache_dir_close_entry(&entry);
	}
	free(expected);
	free(p);
	return there;
}

static unsigned count_files(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	unsigned n = 0;

	while ((entry = readdir(d)))
		n += entry->d_name[0] != '.';
	closedir(d);
	return n;
}

static void an_entry_is_found_by_its_key(void **state)
{
	const char *path = tmpdir_at(state, "cache");
	struct cache_dir *c = open_dir(path, LIMIT);

	assert_false(holds(c, "a", "key", 1));
	put(c, "a", "key", 1);
	put(c, "b", "key", 2);
	assert_true(holds(c, "a", "key", 1));
	assert_true(holds(c, "b", "key", 2));
	assert_false(holds(c, "a", "kez", 1));
	assert_false(holds(c, "a", "ke", 1));
	assert_false(holds(c, "a", "keys", 1));
	put(c, "a", "kez", 3);
	assert_true(holds(c, "a", "kez", 3));
	assert_null(cache_dir_problem(c));
	assert_int_equal(count_files(path), 2);
	cache_dir_close(c);
	c = open_dir(path, LIMIT);
	assert_true(holds(c, "a", "kez", 3));
	cache_dir_close(c);
	cache_dir_close(NULL);
}

static void any_part_can_be_read(void **state)
{
	struct cache_dir *c = open_dir(tmpdir_at(state, "cache"), LIMIT);
	char *p = xmalloc(CONTENT), *expected = xmalloc(CONTENT);
	struct cache_entry entry;
	size_t at, n;

	fill(expected, CONTENT, 1);
	put(c, "a", "key", 1);
	assert_true(cache_dir_find(c, "a", SPAN("key"), &entry));
	for (at = 0; at < CONTENT; at += 3001)
		for (n = 1; n <= CONTENT - at; n = n * 5 + 11) {
			assert_true(cache_dir_read(&entry, p, n, at));
			assert_memory_equal(p, expected + at, n);
		}
	assert_true(cache_dir_read(&entry, p, 0, CONTENT));
	assert_false(cache_dir_read(&entry, p, 1, CONTENT));
	assert_false(cache_dir_read(&entry, p, CONTENT, 1));
	assert_false(cache_dir_read(&entry, p, 1, UINT64_MAX));
	assert_false(cache_dir_read(&entry, p, SIZE_MAX, 1));
	cache_dir_close_entry(&entry);
	cache_dir_close(c);
	free(p);
	free(expected);
}

/* Changes a byte of the file. */
static void damage(const char *path, off_t at)
{
	int fd = open(path, O_RDWR);
	char byte;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

static void what_is_damaged_is_not_there(void **state)
{
	struct cache_dir *c = open_dir(tmpdir_at(state, "cache"), LIMIT);
	const char *file = tmpdir_at(state, "cache/perfold-cache-a");
	struct stat st;
	off_t at;

	put(c, "a", "key", 1);
	assert_int_equal(stat(file, &st), 0);
	for (at = 0; at < st.st_size; at += at < 200 ? 1 : 997) {
		damage(file, at);
		assert_false(holds(c, "a", "key", 1));
		damage(file, at);
	}
	assert_true(holds(c, "a", "key", 1));
	for (at = st.st_size - 1; at >= 0; at -= at > 200 ? 997 : 1) {
		assert_int_equal(truncate(file, at), 0);
		assert_false(holds(c, "a", "key", 1));
	}
	put(c, "a", "key", 2);
	assert_true(holds(c, "a", "key", 2));
	cache_dir_close(c);
}

static void set_time(const char *path, time_t seconds)
{
	const struct timespec t[2] = { { seconds, 0 }, { seconds, 0 } };

	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void what_was_not_used_for_longest_is_deleted(void **state)
{
	const char *path = tmpdir_at(state, "cache");
	struct cache_dir *c = open_dir(path, 3 * CONTENT + CONTENT / 2);
	const char *other = tmpdir_at(state, "cache/perfold-report.html");

	put(c, "a", "key", 1);
	put(c, "b", "key", 2);
	put(c, "c", "key", 3);
	close(open(other, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(truncate(other, 10 * CONTENT), 0);
	set_time(other, 1);
	set_time(tmpdir_at(state, "cache/perfold-cache-a"), 1000);
	set_time(tmpdir_at(state, "cache/perfold-cache-b"), 2000);
	set_time(tmpdir_at(state, "cache/perfold-cache-c"), 3000);
	assert_true(holds(c, "a", "key", 1));
	put(c, "d", "key", 4);
	assert_true(holds(c, "a", "key", 1));
	assert_false(holds(c, "b", "key", 2));
	assert_true(holds(c, "c", "key", 3));
	assert_true(holds(c, "d", "key", 4));
	assert_int_equal(access(other, F_OK), 0);
	cache_dir_close(c);
	c = open_dir(path, CONTENT / 2);
	put(c, "e", "key", 5);
	assert_false(holds(c, "e", "key", 5));
	cache_dir_close(c);
}

static void what_a_killed_process_left_is_deleted(void **state)
{
	const char *path = tmpdir_at(state, "cache");
	const char *left = tmpdir_at(state, "cache/perfold-cache-tmp-left");
	const char *used = tmpdir_at(state, "cache/perfold-cache-tmp-used");
	int fd;

	cache_dir_close(open_dir(path, LIMIT));
	close(open(left, O_WRONLY | O_CREAT, 0600));
	fd = open(used, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	cache_dir_close(open_dir(path, LIMIT));
	assert_int_equal(access(left, F_OK), -1);
	assert_int_equal(access(used, F_OK), 0);
	close(fd);
	cache_dir_close(open_dir(path, LIMIT));
	assert_int_equal(count_files(path), 0);
}

static void check_refusal(const char *path, int code, const char *part)
{
	struct cache_dir *c;
	struct err e = { 0 };

	assert_int_equal(cache_dir_open(&c, path, LIMIT, &e), code);
	assert_null(c);
	assert_non_null(strstr(e.msg, part));
}

static void a_directory_that_others_write_to_is_refused(void **state)
{
	const char *path = tmpdir_at(state, "cache"), *file = tmpdir_at(state, "file");
	struct stat st;

	cache_dir_close(open_dir(path, LIMIT));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(chmod(path, 0770), 0);
	check_refusal(path, ERR_USAGE, "others may write");
	assert_int_equal(chmod(path, 0755), 0);
	cache_dir_close(open_dir(path, LIMIT));
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 65534, 65534), 0);
		check_refusal(path, ERR_USAGE, "another user");
	}
	close(open(file, O_WRONLY | O_CREAT, 0600));
	check_refusal(file, ERR_IO, "Not a directory");
	check_refusal(tmpdir_at(state, "none/cache"), ERR_IO, "No such file");
}

static void links_and_files_of_others_are_not_there(void **state)
{
	struct cache_dir *c = open_dir(tmpdir_at(state, "cache"), LIMIT);
	const char *a = tmpdir_at(state, "cache/perfold-cache-a");
	const char *b = tmpdir_at(state, "cache/perfold-cache-b");

	put(c, "a", "key", 1);
	assert_int_equal(symlink(a, b), 0);
	assert_false(holds(c, "b", "key", 1));
	if (geteuid() == 0) {
		assert_int_equal(chown(a, 65534, 65534), 0);
		assert_false(holds(c, "a", "key", 1));
	}
	cache_dir_close(c);
}

static void what_cannot_be_written_is_said(void **state)
{
	const char *path = tmpdir_at(state, "cache");
	struct cache_dir *c = open_dir(path, LIMIT);

	put(c, "a", "key", 1);
	assert_null(cache_dir_problem(c));
	assert_int_equal(unlink(tmpdir_at(state, "cache/perfold-cache-a")), 0);
	assert_int_equal(rmdir(path), 0);
	put(c, "a", "key", 1);
	assert_non_null(strstr(cache_dir_problem(c), "No such file"));
	assert_false(holds(c, "a", "key", 1));
	cache_dir_close(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(an_entry_is_found_by_its_key),
		IN_TMPDIR(any_part_can_be_read),
		IN_TMPDIR(what_is_damaged_is_not_there),
		IN_TMPDIR(what_was_not_used_for_longest_is_deleted),
		IN_TMPDIR(what_a_killed_process_left_is_deleted),
		IN_TMPDIR(a_directory_that_others_write_to_is_refused),
		IN_TMPDIR(links_and_files_of_others_are_not_there),
		IN_TMPDIR(what_cannot_be_written_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
