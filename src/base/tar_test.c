#include "base/tar.h"

#include "base/tmpdir_for_test.h"

#include <string.h>

/* Tar files as other programs write them */

enum { BLOCK = 512 };

/* One header by hand: what no library would write. */
struct header {
	const char *name, *link;
	char type;
	size_t size_bytes;
};

static void put_octal(char *field, size_t n, size_t value)
{
	for (field[--n] = '\0'; n; value >>= 3)
		field[--n] = (char)('0' + (value & 7));
}

static void put_header(struct buf *tar, const struct header *h)
{
	char block[BLOCK] = { 0 };
	unsigned sum = 0;
	size_t i;

	snprintf(block, 100, "%s", h->name);
	put_octal(block + 100, 8, 0644);
	put_octal(block + 108, 8, 0);
	put_octal(block + 116, 8, 0);
	put_octal(block + 124, 12, h->size_bytes);
	put_octal(block + 136, 12, 0);
	memset(block + 148, ' ', 8);
	block[156] = h->type;
	snprintf(block + 157, 100, "%s", h->link ? h->link : "");
	memcpy(block + 257, "ustar", 6);
	memcpy(block + 263, "00", 2);
	for (i = 0; i < BLOCK; i++)
		sum += (unsigned char)block[i];
	put_octal(block + 148, 7, sum);
	buf_put(tar, block, BLOCK);
}

static void put_content(struct buf *tar, struct span content)
{
	static const char zero[BLOCK];

	buf_put_span(tar, content);
	buf_put(tar, zero, (BLOCK - content.n % BLOCK) % BLOCK);
}

static void put_file(struct buf *tar, const char *name, const char *content)
{
	put_header(tar, &(struct header){ name, NULL, '0', strlen(content) });
	put_content(tar, span_of(content));
}

static void put_end(struct buf *tar)
{
	static const char zero[2 * BLOCK];

	buf_put(tar, zero, sizeof(zero));
}

/* Unpacks to FOLDER/out, and releases the tar. */
static int unpack(void **state, struct buf *tar, uint64_t limit_bytes, struct err *e)
{
	char *path = tmpdir_at(state, "x.tar"), *out = tmpdir_at(state, "out");
	struct file f;
	int rc;

	tmpdir_write(path, buf_span(tar));
	assert_int_equal(mkdir(out, 0700), 0);
	assert_int_equal(file_open(&f, path, e), OK);
	rc = tar_unpack(&f, out, limit_bytes, e);
	file_close(&f);
	buf_release(tar);
	return rc;
}

/* The same, of a tar that has its end. */
static void expect_result(void **state, struct buf *tar, uint64_t limit_bytes, int code)
{
	struct err e;

	assert_int_equal(unpack(state, tar, limit_bytes, &e), code);
}

static void expect_refused(void **state, struct buf *tar, int code, const char *why)
{
	struct err e = { 0 };

	put_end(tar);
	assert_int_equal(unpack(state, tar, 0, &e), code);
	if (!strstr(e.msg, why))
		fail_msg("'%s' lacks '%s'", e.msg, why);
	assert_int_equal(tmpdir_count(state), 2); /* x.tar, out: nothing outside */
}

#define NAME_REFUSED(test, name)                                                                   \
	static void test(void **state)                                                             \
	{                                                                                          \
		struct buf tar = { 0 };                                                            \
                                                                                                   \
		put_file(&tar, name, "x");                                                         \
		expect_refused(state, &tar, ERR_FORMAT, "not plain and relative");                 \
	}

/* Names */

NAME_REFUSED(a_path_that_is_absolute_is_refused, "/tmp/perfold-evil")
NAME_REFUSED(a_path_that_leads_upwards_is_refused, "../evil")
NAME_REFUSED(a_path_that_leads_upwards_within_is_refused, "root/../../evil")
NAME_REFUSED(a_path_with_a_dot_is_refused, "./data")
NAME_REFUSED(a_path_that_ends_upwards_is_refused, "root/..")
NAME_REFUSED(a_path_with_an_empty_part_is_refused, "root//x")

static void a_path_with_too_many_directories_is_refused(void **state)
{
	char name[100];
	size_t i;
	struct buf path = { 0 }, tar = { 0 };

	for (i = 0; i < 49; i++)
		memcpy(name + 2 * i, "a/", 2);
	name[98] = 'a';
	name[99] = 0;
	/* A GNU long name: 100 directories. */
	buf_puts(&path, name);
	buf_puts(&path, "/");
	buf_puts(&path, name);
	buf_putc(&path, 0);
	put_header(&tar, &(struct header){ "././@LongLink", NULL, 'L', path.n });
	put_content(&tar, buf_span(&path));
	put_file(&tar, "a", "x");
	buf_release(&path);
	expect_refused(state, &tar, ERR_FORMAT, "not plain and relative");
}

static void a_file_that_comes_twice_is_refused(void **state)
{
	struct buf tar = { 0 };

	put_file(&tar, "data", "one");
	put_file(&tar, "data", "two");
	expect_refused(state, &tar, ERR_FORMAT, "comes twice");
}

static void a_file_below_a_file_is_refused(void **state)
{
	struct buf tar = { 0 };

	put_file(&tar, "data", "one");
	put_file(&tar, "data/x", "two");
	expect_refused(state, &tar, ERR_IO, "Not a directory");
}

/* Kinds */

#define KIND_REFUSED(test, kind, why)                                                              \
	static void test(void **state)                                                             \
	{                                                                                          \
		struct buf tar = { 0 };                                                            \
                                                                                                   \
		put_header(&tar, &(struct header){ "x", "/etc/passwd", kind, 0 });                 \
		expect_refused(state, &tar, ERR_FORMAT, why);                                      \
	}

KIND_REFUSED(a_symbolic_link_is_refused, '2', "is a link")
KIND_REFUSED(a_hard_link_is_refused, '1', "is a link")
KIND_REFUSED(a_character_device_is_refused, '3', "not a regular file")
KIND_REFUSED(a_block_device_is_refused, '4', "not a regular file")
KIND_REFUSED(a_fifo_is_refused, '6', "not a regular file")

static void a_file_with_holes_is_refused(void **state)
{
	static const char records[] = "22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
				      "31 GNU.sparse.realsize=1000000\n"
				      "21 GNU.sparse.name=x\n";
	char map[BLOCK] = "1\n999999\n1\n";
	struct buf tar = { 0 };

	put_header(&tar, &(struct header){ "PaxHeader/x", NULL, 'x', sizeof(records) - 1 });
	put_content(&tar, SPAN(records));
	put_header(&tar, &(struct header){ "GNUSparseFile.0/x", NULL, '0', sizeof(map) + 1 });
	buf_put(&tar, map, sizeof(map));
	put_content(&tar, SPAN("x"));
	expect_refused(state, &tar, ERR_FORMAT, "has holes");
}

static void directories_are_created_only_for_files_in_them(void **state)
{
	struct buf tar = { 0 };
	char *out = tmpdir_at(state, "out");

	put_header(&tar, &(struct header){ "../empty/", NULL, '5', 0 });
	put_end(&tar);
	expect_result(state, &tar, 0, OK);
	assert_int_equal(rmdir(out), 0);
	assert_int_equal(tmpdir_count(state), 1);
}

static void of_a_foreign_tar_links_are_left_out(void **state)
{
	char *path = tmpdir_at(state, "x.tar"), *out = tmpdir_at(state, "out"),
	     *kept = tmpdir_at(state, "out/kept");
	struct buf tar = { 0 };
	struct file f;
	struct err e;

	put_header(&tar, &(struct header){ "soft", "/etc/passwd", '2', 0 });
	put_header(&tar, &(struct header){ "hard", "kept", '1', 0 });
	put_file(&tar, "kept", "x");
	put_end(&tar);
	tmpdir_write(path, buf_span(&tar));
	assert_int_equal(mkdir(out, 0700), 0);
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(tar_unpack_foreign(&f, out, 0, &e), OK);
	file_close(&f);
	assert_int_equal(unlink(kept), 0);
	assert_int_equal(rmdir(out), 0); /* nothing else was in it */
	buf_release(&tar);
}

/* Sizes */

static void more_than_the_limit_is_an_error(void **state)
{
	struct buf tar = { 0 };

	put_file(&tar, "a", "12345");
	put_file(&tar, "b", "67890");
	put_end(&tar);
	expect_result(state, &tar, 9, ERR_LIMIT);
}

static void a_tar_within_the_limit_is_unpacked(void **state)
{
	char *b = tmpdir_at(state, "out/root/b");
	struct buf tar = { 0 };

	put_file(&tar, "a", "12345");
	put_file(&tar, "root/b", "67890");
	put_end(&tar);
	expect_result(state, &tar, 10, OK);
	tmpdir_assert_content(b, SPAN("67890"));
}

static void a_size_beyond_the_end_is_an_error(void **state)
{
	struct buf tar = { 0 };

	put_header(&tar, &(struct header){ "data", NULL, '0', 077777777777 });
	put_content(&tar, SPAN("x"));
	expect_result(state, &tar, 0, ERR_FORMAT);
}

static void a_cut_in_a_header_is_an_error(void **state)
{
	struct buf tar = { 0 };

	put_file(&tar, "data", "x");
	put_file(&tar, "more", "x");
	tar.n = 2 * BLOCK + 100;
	expect_result(state, &tar, 0, ERR_FORMAT);
}

/* Writing */

static int read_file(void *file, void *p, size_t n, uint64_t at, struct err *e)
{
	return file_read_at(file, p, n, at, e);
}

static int read_bytes(void *bytes, void *p, size_t n, uint64_t at, struct err *e)
{
	const struct span *s = bytes;

	(void)e;
	memcpy(p, s->p + at, n);
	return OK;
}

static void write_some(void **state, struct buf *to, const char *long_name)
{
	char *path = tmpdir_at(state, "source");
	struct tar_writer *w;
	struct sink *sink = sink_to_buf(to);
	struct span bytes = SPAN("bytes");
	struct file f;
	struct err e;

	tmpdir_write(path, SPAN("content of a file"));
	assert_int_equal(file_open(&f, path, &e), OK);
	assert_int_equal(tar_writer_new(&w, sink, &e), OK);
	assert_int_equal(tar_add(w, "a/b", bytes.n, read_bytes, &bytes, &e), OK);
	assert_int_equal(tar_add(w, long_name, f.size_bytes, read_file, &f, &e), OK);
	assert_int_equal(tar_writer_finish(w, &e), OK);
	tar_writer_free(w);
	assert_int_equal(sink_commit(sink, &e), OK);
	file_close(&f);
	assert_int_equal(unlink(path), 0);
}

static void a_written_tar_can_be_unpacked(void **state)
{
	char name[300], *path;
	struct buf tar = { 0 };

	memset(name, 'n', sizeof(name));
	memcpy(name, "\xff\xfe/", 3); /* names are bytes */
	name[150] = '/';
	name[299] = 0;
	write_some(state, &tar, name);
	assert_true(tar_is(buf_span(&tar)));
	expect_result(state, &tar, 0, OK);
	path = xasprintf("%s/out/%s", (const char *)*state, name);
	tmpdir_assert_content(path, SPAN("content of a file"));
	free(path);
	path = tmpdir_at(state, "out/a/b");
	tmpdir_assert_content(path, SPAN("bytes"));
}

/* Most of a light binary is zeros, which need no room on the disk. */
static void zeros_become_a_hole(void **state)
{
	enum { ZEROS = 8 << 20 };
	char *zeros = xcalloc(1, ZEROS + 3), *path = tmpdir_at(state, "out/x");
	struct span content = { zeros, ZEROS + 3 };
	struct buf tar = { 0 };
	struct sink *sink = sink_to_buf(&tar);
	struct tar_writer *w;
	struct err e;
	struct stat st;

	zeros[1 << 20] = 'x';
	assert_int_equal(tar_writer_new(&w, sink, &e), OK);
	assert_int_equal(tar_add(w, "x", content.n, read_bytes, &content, &e), OK);
	assert_int_equal(tar_writer_finish(w, &e), OK);
	tar_writer_free(w);
	assert_int_equal(sink_commit(sink, &e), OK);
	expect_result(state, &tar, 0, OK);
	tmpdir_assert_content(path, content);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_blocks * 512 < ZEROS / 2);
	free(zeros);
}

static void the_same_files_make_the_same_bytes_at_another_time(void **state)
{
	struct buf one = { 0 }, two = { 0 };

	write_some(state, &one, "x");
	usleep(1100 * 1000);
	write_some(state, &two, "x");
	assert_int_equal(one.n, two.n);
	assert_memory_equal(one.p, two.p, one.n);
	buf_release(&one);
	buf_release(&two);
}

static void a_file_that_shrank_is_an_error(void **state)
{
	char *path = tmpdir_at(state, "source");
	struct buf to = { 0 };
	struct tar_writer *w;
	struct sink *sink = sink_to_buf(&to);
	struct file f;
	struct err e;

	tmpdir_write(path, SPAN("long content"));
	assert_int_equal(file_open(&f, path, &e), OK);
	tmpdir_write(path, SPAN("short"));
	assert_int_equal(tar_writer_new(&w, sink, &e), OK);
	assert_int_not_equal(tar_add(w, "x", f.size_bytes, read_file, &f, &e), OK);
	tar_writer_free(w);
	sink_abort(sink);
	file_close(&f);
	buf_release(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TMPDIR(a_path_that_is_absolute_is_refused),
		IN_TMPDIR(a_path_that_leads_upwards_is_refused),
		IN_TMPDIR(a_path_that_leads_upwards_within_is_refused),
		IN_TMPDIR(a_path_with_a_dot_is_refused),
		IN_TMPDIR(a_path_that_ends_upwards_is_refused),
		IN_TMPDIR(a_path_with_an_empty_part_is_refused),
		IN_TMPDIR(a_path_with_too_many_directories_is_refused),
		IN_TMPDIR(a_file_that_comes_twice_is_refused),
		IN_TMPDIR(a_file_below_a_file_is_refused),
		IN_TMPDIR(a_symbolic_link_is_refused),
		IN_TMPDIR(a_hard_link_is_refused),
		IN_TMPDIR(a_character_device_is_refused),
		IN_TMPDIR(a_block_device_is_refused),
		IN_TMPDIR(a_fifo_is_refused),
		IN_TMPDIR(a_file_with_holes_is_refused),
		IN_TMPDIR(directories_are_created_only_for_files_in_them),
		IN_TMPDIR(of_a_foreign_tar_links_are_left_out),
		IN_TMPDIR(more_than_the_limit_is_an_error),
		IN_TMPDIR(a_tar_within_the_limit_is_unpacked),
		IN_TMPDIR(a_size_beyond_the_end_is_an_error),
		IN_TMPDIR(a_cut_in_a_header_is_an_error),
		IN_TMPDIR(a_written_tar_can_be_unpacked),
		IN_TMPDIR(zeros_become_a_hole),
		IN_TMPDIR(the_same_files_make_the_same_bytes_at_another_time),
		IN_TMPDIR(a_file_that_shrank_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
