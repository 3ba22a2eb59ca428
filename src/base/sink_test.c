#include "base/sink.h"

#include "base/hash.h"
#include "base/tmpdir_for_test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <zlib.h>
#include <zstd.h>

static int write_text(
	const char *path, enum sink_compression packing, const char *text, struct err *e)
{
	struct sink *s;

	if (sink_open(&s, path, packing, e))
		return e->code;
	sink_puts(s, text);
	return sink_commit(s, e);
}

static void write_file(const char *path, enum sink_compression packing, const char *text)
{
	struct err e;

	assert_int_equal(write_text(path, packing, text, &e), OK);
}

static struct sink *open_sink(const char *path, enum sink_compression packing)
{
	struct sink *s;
	struct err e;

	assert_int_equal(sink_open(&s, path, packing, &e), OK);
	return s;
}

static void commit(struct sink *s)
{
	assert_int_equal(sink_commit(s, NULL), OK);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void pieces_of_all_kinds_follow_each_other(void **state)
{
	struct buf b = { 0 };
	struct sink *s = sink_to_buf(&b);
	char wide[1000];

	(void)state;
	memset(wide, 'w', sizeof(wide) - 1);
	wide[sizeof(wide) - 1] = '\0';
	sink_puts(s, "main");
	sink_putc(s, ';');
	sink_put(s, "\0", 1);
	sink_put_span(s, SPAN("f "));
	sink_put_u64(s, 0);
	sink_put_u64(s, UINT64_MAX);
	sink_printf(s, " %.1f ", 0.25);
	sink_printf(s, "%s!", wide);
	sink_put_span(s, (struct span){ NULL, 0 });
	assert_false(sink_failed(s));
	commit(s);
	assert_true(span_starts(buf_span(&b), SPAN("main;\0f 018446744073709551615 0.2 www")));
	assert_true(span_ends(buf_span(&b), SPAN("ww!")));
	assert_int_equal(b.n, strlen("main;0f 018446744073709551615 0.2 ") + sizeof(wide));
	buf_release(&b);
}

static void output_is_appended_to_a_buffer(void **state)
{
	struct buf b = { 0 };
	struct sink *s;
	unsigned i;

	(void)state;
	buf_puts(&b, "before");
	s = sink_to_buf(&b);
	for (i = 0; i < 1000; i++)
		sink_puts(s, ";name");
	commit(s);
	assert_int_equal(b.n, strlen("before") + 1000 * strlen(";name"));
	assert_true(span_starts(buf_span(&b), SPAN("before;name;name")));
	assert_true(span_ends(buf_span(&b), SPAN(";name;name")));
	b.n = 0;
	commit(sink_to_buf(&b));
	assert_int_equal(b.n, 0);
	buf_release(&b);
	commit(sink_to_buf(&b));
	assert_null(b.p);
}

struct emptied {
	struct buf room, all;
	unsigned times, most;
};

static int empty(void *ctx, struct err *e)
{
	struct emptied *m = ctx;

	if (m->times++ == m->most)
		return err_set(e, ERR_IO, "no more");
	buf_put_span(&m->all, buf_span(&m->room));
	m->room.n = 0;
	return OK;
}

static void memory_that_is_full_may_be_emptied(void **state)
{
	struct emptied m = { .most = UINT32_MAX };
	char wide[1000];
	struct sink *s;
	unsigned i;

	(void)state;
	memset(wide, 'w', sizeof(wide));
	buf_reserve(&m.room, 100);
	s = sink_through_buf(&m.room, empty, &m);
	for (i = 0; i < 1000; i++)
		sink_puts(s, ";name");
	assert_int_equal(m.room.cap, 100);
	sink_put(s, wide, sizeof(wide));
	commit(s);
	assert_int_equal(m.all.n, 5000);
	assert_int_equal(m.room.n, sizeof(wide));
	assert_true(span_ends(buf_span(&m.all), SPAN("name;name")));
	assert_true(span_starts(buf_span(&m.room), SPAN("www")));
	buf_release(&m.room);
	buf_release(&m.all);
}

static void memory_that_cannot_be_emptied_keeps_nothing_more(void **state)
{
	struct emptied m = { .most = 3 };
	struct sink *s;
	struct err e;
	unsigned i;

	(void)state;
	buf_reserve(&m.room, 100);
	s = sink_through_buf(&m.room, empty, &m);
	for (i = 0; i < 1000; i++)
		sink_puts(s, ";name");
	assert_true(sink_failed(s));
	assert_int_equal(m.times, 4);
	assert_int_equal(m.all.n, 300);
	assert_int_equal(m.room.cap, 100);
	assert_int_equal(sink_commit(s, &e), ERR_OUTPUT);
	assert_string_equal(e.msg, "no more");
	buf_release(&m.room);
	buf_release(&m.all);
}

static void a_file_appears_with_the_commit(void **state)
{
	char *path = tmpdir_at(state, "out.folded");
	struct sink *s = open_sink(path, SINK_PLAIN);

	sink_puts(s, "a;? 1\n");
	sink_patch(s, 2, "b", 1);
	assert_int_equal(access(path, F_OK), -1);
	commit(s);
	tmpdir_assert_content(path, SPAN("a;b 1\n"));
	assert_int_equal(tmpdir_count(state), 1);
}

/* It is not copied into the block; what was put before comes first. */
static void a_long_string_is_written_after_the_block_before_it(void **state)
{
	char *path = tmpdir_at(state, "out.folded"), wide[200000];
	struct buf expected = { 0 };
	unsigned i;
	struct sink *s = open_sink(path, SINK_PLAIN);

	for (i = 0; i < 3; i++) {
		memset(wide, 'a' + (int)i, sizeof(wide));
		sink_puts(s, "short ");
		sink_put(s, wide, sizeof(wide));
		buf_puts(&expected, "short ");
		buf_put(&expected, wide, sizeof(wide));
	}
	commit(s);
	tmpdir_assert_content(path, buf_span(&expected));
	buf_release(&expected);
}

/* Whatever ends this process then leaves nothing. */
static void a_file_being_written_has_no_name(void **state)
{
	int known = open(*state, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	struct sink *s;
	char *path;

	if (known < 0)
		skip(); /* a file system that has no such files */
	close(known);
	path = tmpdir_at(state, "out.folded");
	s = open_sink(path, SINK_PLAIN);
	sink_puts(s, "a;b 1\n");
	sink_flush(s);
	assert_int_equal(tmpdir_count(state), 0);
	sink_abort(s);
	assert_int_equal(tmpdir_count(state), 0);
}

static void a_removed_directory_is_reported_by_the_commit(void **state)
{
	char *dir = tmpdir_at(state, "gone"), *path = tmpdir_at(state, "gone/out.folded");
	struct sink *s;
	struct err e;

	assert_int_equal(mkdir(dir, 0700), 0);
	s = open_sink(path, SINK_PLAIN);
	if (rmdir(dir)) {
		sink_abort(s);
		skip(); /* the file has a name here */
	}
	assert_int_equal(sink_commit(s, &e), ERR_OUTPUT);
	assert_int_equal(e.errno_value, ENOENT);
	assert_non_null(strstr(e.msg, path));
}

static void an_aborted_sink_leaves_nothing(void **state)
{
	char *path = tmpdir_at(state, "out.folded");
	struct sink *s = open_sink(path, SINK_ZSTD);

	sink_puts(s, "half of it");
	sink_abort(s);
	assert_int_equal(tmpdir_count(state), 0);
	sink_abort(NULL);
}

static void an_aborted_sink_leaves_the_old_file(void **state)
{
	char *path = tmpdir_at(state, "out.folded");
	struct sink *s;

	tmpdir_write(path, SPAN("old"));
	s = open_sink(path, SINK_PLAIN);
	sink_puts(s, "new");
	sink_abort(s);
	tmpdir_assert_content(path, SPAN("old"));
	assert_int_equal(tmpdir_count(state), 1);
}

static void a_new_file_has_the_mode_of_the_umask(void **state)
{
	char *path = tmpdir_at(state, "f");
	mode_t saved = umask(027);

	write_file(path, SINK_PLAIN, "x");
	umask(saved);
	assert_int_equal(mode_of(path), 0640);
}

static int open_private(struct sink **s, const char *path)
{
	struct err e;

	return sink_open_private(s, path, SINK_PLAIN, &e);
}

static void a_private_file_is_for_its_user_alone(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct sink *s;

	assert_int_equal(open_private(&s, path), OK);
	commit(s);
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(chmod(path, 0640), 0); /* whoever did that wants it */
	assert_int_equal(open_private(&s, path), OK);
	commit(s);
	assert_int_equal(mode_of(path), 0640);
}

/* Whose owner would read what is written. */
static void another_users_file_in_a_shared_directory_is_not_replaced(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct sink *s;
	struct err e;

	if (geteuid() != 0)
		skip(); /* only root can give files away */
	tmpdir_write(path, SPAN("old"));
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(chown(path, 65534, 65534), 0);
	assert_int_equal(chmod(*state, 01777), 0);
	assert_int_equal(sink_open(&s, path, SINK_PLAIN, &e), ERR_OUTPUT);
	assert_non_null(strstr(e.msg, "is another user's file in a shared directory"));
	tmpdir_assert_content(path, SPAN("old"));
	assert_int_equal(chmod(*state, 0755), 0);
	write_file(path, SINK_PLAIN, "new");
	assert_int_equal(mode_of(path), 0666);
}

static void a_replaced_file_keeps_its_mode_and_its_link(void **state)
{
	char *path = tmpdir_at(state, "f"), *link = tmpdir_at(state, "link");
	struct stat st;

	tmpdir_write(path, SPAN("old"));
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(symlink("f", link), 0);
	write_file(link, SINK_PLAIN, "new");
	tmpdir_assert_content(path, SPAN("new"));
	assert_int_equal(mode_of(path), 0600);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(tmpdir_count(state), 2);
}

static void two_sinks_in_one_directory_do_not_collide(void **state)
{
	char *a = tmpdir_at(state, "a"), *b = tmpdir_at(state, "b");
	struct sink *to_a, *to_b;

	to_a = open_sink(a, SINK_PLAIN);
	to_b = open_sink(b, SINK_PLAIN);
	sink_puts(to_a, "content of a");
	sink_puts(to_b, "content of b");
	commit(to_a);
	commit(to_b);
	tmpdir_assert_content(a, SPAN("content of a"));
	tmpdir_assert_content(b, SPAN("content of b"));
}

static void names_as_long_as_a_file_system_allows_are_fine(void **state)
{
	char name[256];
	char *path;

	memset(name, 'n', 255);
	name[255] = '\0';
	path = tmpdir_at(state, name);
	write_file(path, SINK_PLAIN, "x");
	tmpdir_assert_content(path, SPAN("x"));
}

static void a_missing_directory_is_named_in_the_error(void **state)
{
	char *path = tmpdir_at(state, "none/f.svg");
	struct sink *s;
	struct err e;

	assert_int_equal(sink_open(&s, path, SINK_PLAIN, &e), ERR_OUTPUT);
	assert_null(s);
	assert_non_null(strstr(e.msg, "none/f.svg: No such file or directory"));
}

static void a_directory_cannot_be_written_to(void **state)
{
	struct sink *s;
	struct err e;

	assert_int_equal(sink_open(&s, *state, SINK_PLAIN, &e), ERR_OUTPUT);
	assert_non_null(strstr(e.msg, "is a directory"));
}

/* Root may write everywhere but below /proc. */
static void a_directory_without_write_permission_is_an_error(void **state)
{
	const char *dir = geteuid() ? (const char *)*state : "/proc";
	char *path = xasprintf("%s/f.svg", dir);
	struct sink *s;
	struct err e;

	chmod(*state, 0500);
	assert_int_equal(sink_open(&s, path, SINK_PLAIN, &e), ERR_OUTPUT);
	assert_non_null(strstr(e.msg, "f.svg: "));
	chmod(*state, 0700);
	free(path);
}

static void a_full_disk_is_reported_by_the_commit(void **state)
{
	char big[1 << 16];
	struct sink *s;
	struct err e;

	(void)state;
	memset(big, 'x', sizeof(big));
	s = open_sink("/dev/full", SINK_PLAIN);
	sink_puts(s, "still in the buffer");
	assert_false(sink_failed(s));
	sink_put(s, big, sizeof(big));
	assert_true(sink_failed(s));
	sink_put(s, big, sizeof(big));
	assert_int_equal(sink_commit(s, &e), ERR_OUTPUT);
	assert_string_equal(e.msg, "/dev/full: No space left on device");
	assert_int_equal(write_text("/dev/full", SINK_GZIP, "x", &e), ERR_OUTPUT);
	assert_int_equal(write_text("/dev/full", SINK_ZSTD, "x", &e), ERR_OUTPUT);
}

static void a_failed_write_leaves_no_file(void **state)
{
	char *path = tmpdir_at(state, "f");
	struct err e;
	struct sink *s = open_sink(path, SINK_PLAIN);

	sink_puts(s, "x");
	assert_int_equal(mkdir(path, 0700), 0); /* a rename onto a directory fails */
	assert_int_equal(sink_commit(s, &e), ERR_OUTPUT);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(tmpdir_count(state), 0);
}

static void devices_are_written_to_and_stay(void **state)
{
	struct stat st;

	(void)state;
	write_file("/dev/null", SINK_PLAIN, "x");
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

struct reader {
	const char *path;
	int fd;
	struct buf got;
};

static void *read_fifo(void *arg)
{
	struct reader *r = arg;
	int fd = open(r->path, O_RDONLY);
	char c;

	while (read(fd, &c, 1) == 1)
		buf_putc(&r->got, c);
	close(fd);
	return NULL;
}

static void a_fifo_is_written_to_and_stays(void **state)
{
	char *path = tmpdir_at(state, "fifo");
	struct reader r = { .path = path };
	pthread_t thread;
	struct stat st;

	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, read_fifo, &r), 0);
	write_file(path, SINK_PLAIN, "through");
	pthread_join(thread, NULL);
	assert_true(span_eq(buf_span(&r.got), SPAN("through")));
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	buf_release(&r.got);
}

/* Runs write_text() with standard output at fd. */
static int write_to_stdout(int fd, const char *path, struct err *e)
{
	int saved, rc;

	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(fd, STDOUT_FILENO);
	rc = write_text(path, SINK_PLAIN, "more", e);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	return rc;
}

static void standard_output_is_continued_under_all_its_names(void **state)
{
	static const char *const names[] = { "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1" };
	char *path = tmpdir_at(state, "f");
	struct err e;
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		assert_int_equal(write(fd, "some ", 5), 5);
		assert_int_equal(write_to_stdout(fd, names[i], &e), OK);
		assert_int_equal(close(fd), 0);
		tmpdir_assert_content(path, SPAN("some more"));
		assert_int_equal(tmpdir_count(state), 1);
	}
}

static void a_closed_pipe_has_an_error_of_its_own(void **state)
{
	void (*saved)(int) = signal(SIGPIPE, SIG_IGN);
	struct err e;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	assert_int_equal(write_to_stdout(ends[1], "-", &e), ERR_OUTPUT);
	assert_int_equal(e.errno_value, EPIPE);
	assert_string_equal(e.msg, "standard output: Broken pipe");
	close(ends[1]);
	signal(SIGPIPE, saved);
}

static void *drain_later(void *arg)
{
	struct reader *r = arg;
	char b[4096];
	ssize_t n;

	usleep(20000);
	while ((n = read(r->fd, b, sizeof(b))) > 0)
		buf_put(&r->got, b, (size_t)n);
	return NULL;
}

static void a_pipe_that_does_not_block_is_waited_for(void **state)
{
	enum { BYTES = 1 << 20 };
	struct reader r = { 0 };
	char *text = xmalloc(BYTES + 1), *path;
	pthread_t thread;
	int ends[2];

	(void)state;
	memset(text, 'x', BYTES);
	text[BYTES] = '\0';
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	fcntl(ends[0], F_SETFL, 0);
	r.fd = ends[0];
	path = xasprintf("/dev/fd/%d", ends[1]);
	assert_int_equal(pthread_create(&thread, NULL, drain_later, &r), 0);
	write_file(path, SINK_PLAIN, text);
	close(ends[1]);
	pthread_join(thread, NULL);
	assert_int_equal(r.got.n, BYTES);
	close(ends[0]);
	buf_release(&r.got);
	free(path);
	free(text);
}

static void flushed_output_has_been_written(void **state)
{
	struct sink *s;
	char got[8];
	char *path;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	path = xasprintf("/dev/fd/%d", ends[1]);
	s = open_sink(path, SINK_PLAIN);
	sink_puts(s, "line\n");
	assert_int_equal(read(ends[0], got, sizeof(got)), -1);
	sink_flush(s);
	assert_int_equal(read(ends[0], got, sizeof(got)), 5);
	sink_flush(s);
	commit(s);
	assert_int_equal(read(ends[0], got, sizeof(got)), -1);
	close(ends[0]);
	close(ends[1]);
	free(path);
}

/* Bytes that neither compress to nothing nor stay as they are. */
static struct buf make_content(size_t n)
{
	struct buf b = { 0 };
	uint64_t i;

	for (i = 0; b.n < n; i++)
		buf_printf(&b, "main;f%u;g%u 1\n", (unsigned)(hash_u64(i) % 5000), (unsigned)i);
	return b;
}

static struct buf pack(
	void **state, const char *name, enum sink_compression packing, struct span from)
{
	char *path = tmpdir_at(state, name);
	struct buf packed = { 0 };
	struct err e;
	size_t at;
	struct sink *s = open_sink(path, packing);
	size_t piece = from.n > 1 << 20 ? 100000 : 1000; /* more than a block; as most writers do */

	for (at = 0; at < from.n; at += piece)
		sink_put(s, from.p + at, from.n - at < piece ? from.n - at : piece);
	commit(s);
	assert_int_equal(file_read_all(path, 1 << 30, &packed, &e), OK);
	return packed;
}

static void assert_gunzips(struct span packed, struct span to)
{
	unsigned char *out = xmalloc(to.n + 1);
	z_stream z = { .next_in = (unsigned char *)packed.p,
		.avail_in = (unsigned)packed.n,
		.next_out = out,
		.avail_out = (unsigned)to.n + 1 };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(z.total_out, to.n);
	assert_memory_equal(out, to.p, to.n);
	inflateEnd(&z);
	free(out);
}

static void gzip_output_unpacks_to_the_input(void **state)
{
	static const size_t sizes[] = { 1, 65536, 3000000 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		struct buf content = make_content(sizes[i]);
		struct buf packed = pack(state, "f.gz", SINK_GZIP, buf_span(&content));

		assert_gunzips(buf_span(&packed), buf_span(&content));
		buf_release(&packed);
		buf_release(&content);
	}
}

static void gzip_has_neither_name_nor_time(void **state)
{
	struct buf packed = pack(state, "f.gz", SINK_GZIP, SPAN("content"));

	assert_memory_equal(packed.p, "\x1f\x8b\x08\0\0\0\0\0", 8);
	buf_release(&packed);
}

static void zstd_output_unpacks_to_the_input(void **state)
{
	static const size_t sizes[] = { 1, 65536, 3000000 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		struct buf content = make_content(sizes[i]);
		struct buf packed = pack(state, "f.zst", SINK_ZSTD, buf_span(&content));
		char *out = xmalloc(content.n + 1);

		assert_int_equal(
			ZSTD_decompress(out, content.n + 1, packed.p, packed.n), content.n);
		assert_memory_equal(out, content.p, content.n);
		free(out);
		buf_release(&packed);
		buf_release(&content);
	}
}

static void empty_content_is_a_whole_file_too(void **state)
{
	struct buf plain = pack(state, "f", SINK_PLAIN, SPAN(""));
	struct buf gzip = pack(state, "f.gz", SINK_GZIP, SPAN(""));
	struct buf zstd = pack(state, "f.zst", SINK_ZSTD, SPAN(""));
	char out[1];

	assert_int_equal(plain.n, 0);
	assert_gunzips(buf_span(&gzip), SPAN(""));
	assert_int_equal(ZSTD_decompress(out, 1, zstd.p, zstd.n), 0);
	buf_release(&plain);
	buf_release(&gzip);
	buf_release(&zstd);
}

static void assert_number(double v, unsigned digits)
{
	struct buf b = { 0 };
	struct sink *s = sink_to_buf(&b);
	char expected[800];

	snprintf(expected, sizeof(expected), "%.*f %.10g", (int)digits, v, v);
	sink_put_fixed(s, v, digits);
	sink_putc(s, ' ');
	sink_put_double(s, v);
	commit(s);
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void numbers_are_those_of_printf(void **state)
{
	static const double odd[] = { 0, -0.0, 0.05, 0.25, 0.35, 0.5, 1.5, 2.5, 0.005, 0.995, 9.995,
		99.95, 0.045, 1e-9, 12345678.5, 499999999.5, 999999999999.95, 1e15, 1e300, -3.25,
		1.0 / 3 };
	uint64_t random = 5;
	unsigned i, digits;

	(void)state;
	for (digits = 0; digits <= 6; digits++) {
		for (i = 0; i < ARRAY_LEN(odd); i++)
			assert_number(odd[i], digits);
		assert_number(1.0 / (double)(i - i), digits);
		for (i = 0; i < 2000; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			assert_number((double)(random >> 40) / 8, digits);
			assert_number((double)(random >> 40) / 1000, digits);
			assert_number((double)(random >> 20) / 7e7, digits);
		}
	}
}

/* A file that is a terminal; what is written to it can be read from the descriptor. */
static int open_terminal(char **path)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char name[64];

	assert_true(fd >= 0);
	assert_int_equal(grantpt(fd) || unlockpt(fd) || ptsname_r(fd, name, sizeof(name)), 0);
	*path = xstrdup(name);
	return fd;
}

static void a_terminal_is_shown_control_characters_if_guarded(void **state)
{
	static const char *const text = "a\033[31mb\tc \xc2\x9b \xff\nλ ##[x]";
	static const char *const shown = "a\\x1b[31mb\tc \\u{9b} \\xff\r\nλ \\x23#[x]";
	char *path, got[256] = "";
	int fd = open_terminal(&path), keep = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct sink *s = open_sink(path, SINK_PLAIN);
	struct err e;
	size_t n = 0;

	(void)state;
	sink_guard_terminal(s);
	for (size_t i = 0; text[i]; i++) {
		sink_putc(s, text[i]);
		sink_flush(s); /* a character that is cut in two is joined */
	}
	assert_int_equal(sink_commit(s, &e), OK);
	while (n < strlen(shown)) { /* what one flush wrote may come alone */
		ssize_t more = read(fd, got + n, sizeof(got) - 1 - n);

		assert_true(more > 0);
		n += (size_t)more;
	}
	assert_string_equal(got, shown);
	close(keep);
	close(fd);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_of_all_kinds_follow_each_other),
		cmocka_unit_test(output_is_appended_to_a_buffer),
		cmocka_unit_test(memory_that_is_full_may_be_emptied),
		cmocka_unit_test(memory_that_cannot_be_emptied_keeps_nothing_more),
		cmocka_unit_test(numbers_are_those_of_printf),
		IN_TMPDIR(a_file_appears_with_the_commit),
		IN_TMPDIR(a_long_string_is_written_after_the_block_before_it),
		IN_TMPDIR(a_file_being_written_has_no_name),
		IN_TMPDIR(a_removed_directory_is_reported_by_the_commit),
		IN_TMPDIR(an_aborted_sink_leaves_nothing),
		IN_TMPDIR(an_aborted_sink_leaves_the_old_file),
		IN_TMPDIR(a_new_file_has_the_mode_of_the_umask),
		IN_TMPDIR(a_private_file_is_for_its_user_alone),
		IN_TMPDIR(another_users_file_in_a_shared_directory_is_not_replaced),
		IN_TMPDIR(a_replaced_file_keeps_its_mode_and_its_link),
		IN_TMPDIR(two_sinks_in_one_directory_do_not_collide),
		IN_TMPDIR(names_as_long_as_a_file_system_allows_are_fine),
		IN_TMPDIR(a_missing_directory_is_named_in_the_error),
		IN_TMPDIR(a_directory_cannot_be_written_to),
		IN_TMPDIR(a_directory_without_write_permission_is_an_error),
		cmocka_unit_test(a_full_disk_is_reported_by_the_commit),
		IN_TMPDIR(a_failed_write_leaves_no_file),
		cmocka_unit_test(devices_are_written_to_and_stay),
		IN_TMPDIR(a_fifo_is_written_to_and_stays),
		IN_TMPDIR(standard_output_is_continued_under_all_its_names),
		cmocka_unit_test(a_closed_pipe_has_an_error_of_its_own),
		cmocka_unit_test(a_pipe_that_does_not_block_is_waited_for),
		cmocka_unit_test(flushed_output_has_been_written),
		IN_TMPDIR(gzip_output_unpacks_to_the_input),
		IN_TMPDIR(gzip_has_neither_name_nor_time),
		IN_TMPDIR(zstd_output_unpacks_to_the_input),
		IN_TMPDIR(empty_content_is_a_whole_file_too),
		cmocka_unit_test(a_terminal_is_shown_control_characters_if_guarded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
