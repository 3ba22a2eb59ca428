#include "base/tmpdir_for_test.h"

static void bytes_are_read_by_position(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct file f;
	struct err e;
	char b[4];
	size_t got;

	tmpdir_write(path, SPAN("0123456789"));
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(f.size_bytes, 10);
	assert_int_equal(file_read_at(&f, b, 4, 6, &e), OK);
	assert_memory_equal(b, "6789", 4);
	assert_int_equal(file_read_some_at(&f, b, 4, 8, &got, &e), OK);
	assert_int_equal(got, 2);
	assert_int_equal(file_read_some_at(&f, b, 4, 100, &got, &e), OK);
	assert_int_equal(got, 0);
	file_close(&f);
}

static void a_short_file_is_an_error_with_the_offset(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct file f;
	struct err e;
	char b[8];

	tmpdir_write(path, SPAN("0123456789"));
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(file_read_at(&f, b, 8, 6, &e), ERR_FORMAT);
	assert_non_null(strstr(e.msg, "ends at 0xa, 4 bytes short"));
	file_close(&f);
}

static void a_file_that_shrinks_is_an_error_not_a_signal(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct file f;
	struct err e;
	char b[8];

	tmpdir_write(path, SPAN("0123456789"));
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(truncate(path, 2), 0);
	assert_int_equal(file_read_at(&f, b, 8, 0, &e), ERR_FORMAT);
	assert_int_equal(f.size_bytes, 10);
	file_close(&f);
}

static void a_fifo_without_a_writer_does_not_hang(void **state)
{
	char *path = tmpdir_at(state, "fifo");
	struct file f;
	struct err e;

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_true(S_ISFIFO(f.st.st_mode));
	assert_int_equal(f.size_bytes, 0);
	assert_int_equal(fcntl(f.fd, F_GETFL) & O_NONBLOCK, 0);
	file_close(&f);
	assert_int_equal(file_open_regular(&f, path, &e), ERR_UNSUPPORTED);
	assert_non_null(strstr(e.msg, "is not a regular file"));
}

static void a_directory_cannot_be_opened_as_a_file(void **state)
{
	struct buf b = { 0 };
	struct file f;
	struct err e;

	assert_int_equal(file_open(&f, *state, &e), ERR_UNSUPPORTED);
	assert_non_null(strstr(e.msg, "is a directory"));
	assert_int_equal(file_read_all(*state, 100, &b, &e), ERR_UNSUPPORTED);
	file_close(&f); /* harmless after a failed open */
}

static void a_missing_file_is_named(void **state)
{
	char *path = tmpdir_at(state, "none");
	struct file f;
	struct err e;

	assert_int_equal(file_open(&f, path, &e), ERR_IO);
	assert_non_null(strstr(e.msg, "/none: No such file or directory"));
}

static void an_open_descriptor_is_adopted(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct file f;
	struct err e;
	char b[2];
	int fd;

	tmpdir_write(path, SPAN("ab"));
	fd = open(path, O_RDONLY);
	assert_int_equal(file_adopt(&f, fd, "standard input", &e), OK);
	assert_string_equal(f.path, "standard input");
	assert_int_equal(file_read_at(&f, b, 2, 0, &e), OK);
	file_close(&f);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	assert_int_equal(file_adopt(&f, fd, "standard input", &e), ERR_IO);
}

static void the_whole_content_is_appended(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct buf b = { 0 };
	struct err e;

	tmpdir_write(path, SPAN("content"));
	assert_int_equal(file_read_all(path, 100, &b, &e), OK);
	assert_true(span_eq(buf_span(&b), SPAN("content")));
	buf_puts(&b, "; ");
	assert_int_equal(file_read_all(path, 100, &b, &e), OK);
	assert_true(span_eq(buf_span(&b), SPAN("content; content")));
	buf_release(&b);
}

static void files_of_proc_are_read_though_they_have_no_size(void **state)
{
	struct buf b = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(file_read_all("/proc/self/status", 1 << 20, &b, &e), OK);
	assert_true(span_starts(buf_span(&b), SPAN("Name:")));
	buf_release(&b);
}

static void more_than_the_limit_is_refused(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct buf b = { 0 };
	struct err e;

	tmpdir_write(path, SPAN("0123456789"));
	assert_int_equal(file_read_all(path, 9, &b, &e), ERR_LIMIT);
	assert_int_equal(file_read_all(path, 10, &b, &e), OK);
	assert_int_equal(b.n, 10);
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	assert_int_equal(file_read_all(path, 1 << 20, &b, &e), ERR_LIMIT);
	assert_int_equal(b.n, 10);
	/* Its size is 0. */
	assert_int_equal(file_read_all("/proc/self/status", 10, &b, &e), ERR_LIMIT);
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(bytes_are_read_by_position),
		IN_TMPDIR(a_short_file_is_an_error_with_the_offset),
		IN_TMPDIR(a_file_that_shrinks_is_an_error_not_a_signal),
		IN_TMPDIR(a_fifo_without_a_writer_does_not_hang),
		IN_TMPDIR(a_directory_cannot_be_opened_as_a_file),
		IN_TMPDIR(a_missing_file_is_named),
		IN_TMPDIR(an_open_descriptor_is_adopted),
		IN_TMPDIR(the_whole_content_is_appended),
		cmocka_unit_test(files_of_proc_are_read_though_they_have_no_size),
		IN_TMPDIR(more_than_the_limit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
