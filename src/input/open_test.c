/*
 * Who writes to a FIFO may come after the one who reads it.
 */
#include "input/input.h"

#include "base/tmpdir_for_test.h"

#include <pthread.h>
#include <sys/stat.h>

struct writer {
	const char *path;
	unsigned delay_ms;
};

static void *write_late(void *arg)
{
	const struct writer *w = arg;
	int fd;

	usleep(w->delay_ms * 1000);
	fd = open(w->path, O_WRONLY);
	assert_int_equal(write(fd, "a;b 1\n", 6), 6);
	close(fd);
	return NULL;
}

static void keep_line(void *ctx, const char *line)
{
	buf_puts(ctx, line);
}

/* Warnings meanwhile go to warned. */
static void read_fifo(void **state, unsigned delay_ms, struct buf *warned)
{
	char *path = tmpdir_path(state, "fifo");
	struct writer w = { path, delay_ms };
	struct input_open_opts o = { .warn = keep_line, .warn_ctx = warned };
	struct diag d = { 0 };
	struct input_source s;
	pthread_t thread;
	struct err e;

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, write_late, &w), 0);
	assert_int_equal(input_open(&s, &o, path, &d, &e), OK);
	pthread_join(thread, NULL);
	assert_true(span_eq(buf_span(&s.head), SPAN("a;b 1\n")));
	input_close(&s);
	free(path);
}

static void a_fifo_is_read_once_it_has_a_writer(void **state)
{
	struct buf warned = { 0 };

	read_fifo(state, 100, &warned);
	assert_int_equal(warned.n, 0);
	buf_release(&warned);
}

static void waiting_for_a_writer_is_reported(void **state)
{
	struct buf warned = { 0 };

	read_fifo(state, 2300, &warned);
	assert_non_null(strstr(buf_str(&warned), "waiting for a recording on "));
	assert_non_null(strstr(buf_str(&warned), "/fifo"));
	buf_release(&warned);
}

static int try_open(const char *path, bool *in_dir)
{
	struct input_open_opts o = { 0 };
	struct input_source s;
	struct diag d = { 0 };
	struct err e;
	int rc = input_open(&s, &o, path, &d, &e);

	*in_dir = s.in_dir;
	if (!rc)
		input_close(&s);
	return rc;
}

static void a_recording_stays_in_its_directory(void **state)
{
	char *dir = tmpdir_at(state, "dir"), *data = tmpdir_at(state, "dir/data");
	bool in_dir;

	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(try_open(dir, &in_dir), ERR_IO);
	tmpdir_write(tmpdir_at(state, "outside"), SPAN("a;b 1\n"));
	assert_int_equal(symlink("../outside", data), 0);
	assert_int_equal(try_open(dir, &in_dir), ERR_UNSUPPORTED);
	assert_int_equal(try_open(data, &in_dir), OK); /* that the user names himself */
	assert_false(in_dir);
	assert_int_equal(unlink(data), 0);
	tmpdir_write(data, SPAN("a;b 1\n"));
	assert_int_equal(try_open(dir, &in_dir), OK);
	assert_true(in_dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_fifo_is_read_once_it_has_a_writer),
		TEST(waiting_for_a_writer_is_reported),
		TEST(a_recording_stays_in_its_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
