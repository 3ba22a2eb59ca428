#include "input/spill.h"

#include "base/tmpdir_for_test.h"

#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>
#include <lzma.h>
#include <zstd.h>

enum { TEXT_BYTES = 700 * 1000 };

/* Neither all the same nor all different, larger than what is read at once. */
static void put_lines(struct buf *b)
{
	uint32_t x = 1;

	while (b->n < TEXT_BYTES) {
		x = x * 1103515245 + 12345;
		buf_printf(b, "main;worker;step_%u %u\n", x >> 20 & 7, x >> 8);
	}
}

static void put_gzip(struct buf *b, struct span text)
{
	z_stream z = { .next_in = (uint8_t *)(uintptr_t)text.p, .avail_in = (uInt)text.n };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
	buf_reserve(b, deflateBound(&z, text.n));
	z.next_out = (uint8_t *)b->p + b->n;
	z.avail_out = (uInt)(b->cap - b->n);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	b->n += z.total_out;
	deflateEnd(&z);
}

static void put_zstd(struct buf *b, struct span text)
{
	size_t n = ZSTD_compressBound(text.n);

	buf_reserve(b, n);
	n = ZSTD_compress(b->p + b->n, n, text.p, text.n, 1);
	assert_false(ZSTD_isError(n));
	b->n += n;
}

static void put_xz(struct buf *b, struct span text)
{
	size_t n = lzma_stream_buffer_bound(text.n), to = 0;

	buf_reserve(b, n);
	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text.p,
				 text.n, (uint8_t *)b->p + b->n, &to, n),
		LZMA_OK);
	b->n += to;
}

typedef void (*packer)(struct buf *b, struct span text);
static const packer packers[] = { put_gzip, put_zstd, put_xz };

static void assert_holds(const struct file *f, struct span text)
{
	char *p = xmalloc(text.n + 1);
	size_t got;
	struct err e;

	assert_int_equal(f->size_bytes, text.n);
	assert_int_equal(file_read_some_at(f, p, text.n + 1, 0, &got, &e), OK);
	assert_int_equal(got, text.n);
	assert_memory_equal(p, text.p, text.n);
	free(p);
}

/* Decompress bytes as a file in the directory of the test. */
static int decompress_bytes(void **state, struct span packed, uint64_t limit_bytes,
	struct file *out, struct diag *d, struct err *e)
{
	char *path = tmpdir_path(state, "packed");
	struct file f;
	int rc;

	tmpdir_write(path, packed);
	assert_int_equal(file_open(&f, path, e), OK);
	assert_true(spill_is_compressed(packed));
	rc = spill_decompress(out, &f, packed, limit_bytes, d, e);
	if (!rc)
		assert_string_equal(out->path, path);
	file_close(&f);
	free(path);
	return rc;
}

/* All of it, as a file in the directory of the test; the bytes are freed. */
static void assert_decompresses_to(void **state, struct buf *packed, struct span text)
{
	struct diag d = { 0 };
	struct file out;
	struct err e;

	assert_int_equal(decompress_bytes(state, buf_span(packed), 0, &out, &d, &e), OK);
	assert_holds(&out, text);
	assert_int_equal(d.count[DIAG_BAD_PACKING], 0);
	file_close(&out);
	buf_release(packed);
}

/* A pipe into which a child writes: more than a pipe holds. */
static struct file pipe_of(struct span bytes)
{
	struct file f;
	struct err e;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	if (fork() == 0) {
		size_t at = 0;
		ssize_t k = 1;

		close(ends[0]);
		for (; at < bytes.n && k > 0; at += (size_t)k)
			k = write(ends[1], bytes.p + at, bytes.n - at);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(file_adopt(&f, ends[0], "standard input", &e), OK);
	return f;
}

/* ------------------------------------------------------------------------------------------- */

static void a_pipe_is_copied_with_the_head_read_before(void **state)
{
	struct buf text = { 0 };
	struct file in, out;
	char head[1000];
	struct err e;

	(void)state;
	put_lines(&text);
	in = pipe_of(buf_span(&text));
	assert_int_equal(read(in.fd, head, sizeof(head)), sizeof(head));
	assert_int_equal(spill_pipe(&out, &in, (struct span){ head, sizeof(head) }, 0, &e), OK);
	assert_holds(&out, buf_span(&text));
	assert_string_equal(out.path, "standard input");
	file_close(&out);
	file_close(&in);
	buf_release(&text);
}

static void a_head_larger_than_a_chunk_is_copied_whole(void **state)
{
	struct buf text = { 0 };
	struct file in, out;
	struct err e;

	(void)state;
	put_lines(&text);
	in = pipe_of((struct span){ 0 });
	assert_int_equal(spill_pipe(&out, &in, buf_span(&text), 0, &e), OK);
	assert_holds(&out, buf_span(&text));
	file_close(&out);
	file_close(&in);
	buf_release(&text);
}

static void a_copy_leaves_nothing_behind(void **state)
{
	char *before = tmpdir_set_env(*state);
	struct file in, out;
	struct err e;

	in = pipe_of(SPAN("text"));
	assert_int_equal(spill_pipe(&out, &in, (struct span){ 0 }, 0, &e), OK);
	assert_int_equal(out.st.st_nlink, 0);
	assert_int_equal(tmpdir_count(state), 0);
	file_close(&out);
	file_close(&in);
	tmpdir_restore_env(before);
}

static void a_small_copy_needs_no_disk(void **state)
{
	char *before = tmpdir_set_env("/nowhere/at/all");
	struct file in = pipe_of(SPAN("text")), out;
	struct err e;

	(void)state;
	assert_int_equal(spill_pipe(&out, &in, (struct span){ 0 }, 0, &e), OK);
	assert_holds(&out, SPAN("text"));
	file_close(&out);
	file_close(&in);
	tmpdir_restore_env(before);
}

/* More than stays in memory, each line another one. */
static void put_large(struct buf *text)
{
	uint32_t i;

	for (i = 0; text->n <= (size_t)20 << 20; i++)
		buf_printf(text, "%u\n", i);
}

static void a_large_copy_moves_to_the_disk(void **state)
{
	char *before = tmpdir_set_env(*state);
	struct buf text = { 0 };
	struct file in, out;
	struct stat dir;
	struct err e;

	put_large(&text);
	in = pipe_of(buf_span(&text));
	assert_int_equal(spill_pipe(&out, &in, (struct span){ 0 }, 0, &e), OK);
	assert_holds(&out, buf_span(&text));
	assert_int_equal(stat(*state, &dir), 0);
	assert_int_equal(out.st.st_dev, dir.st_dev);
	assert_int_equal(tmpdir_count(state), 0);
	file_close(&out);
	file_close(&in);
	buf_release(&text);
	tmpdir_restore_env(before);
}

static void without_a_disk_the_copy_stays_in_memory(void **state)
{
	char *before = tmpdir_set_env("/nowhere/at/all");
	struct buf text = { 0 };
	struct file in, out;
	struct err e;

	(void)state;
	put_large(&text);
	in = pipe_of(buf_span(&text));
	assert_int_equal(spill_pipe(&out, &in, (struct span){ 0 }, 0, &e), OK);
	assert_int_equal(out.fd, -1);
	assert_true(S_ISREG(out.st.st_mode));
	assert_holds(&out, buf_span(&text));
	file_close(&out);
	file_close(&in);
	buf_release(&text);
	tmpdir_restore_env(before);
}

static void a_limit_is_held_to_the_byte(void **state)
{
	struct buf text = { 0 };
	struct file in, out;
	struct err e;
	int more;

	(void)state;
	put_lines(&text);
	for (more = 0; more < 2; more++) {
		in = pipe_of(buf_span(&text));
		assert_int_equal(
			spill_pipe(&out, &in, (struct span){ 0 }, text.n - (unsigned)more, &e),
			more ? ERR_LIMIT : OK);
		if (!more)
			file_close(&out);
		file_close(&in);
	}
	assert_non_null(strstr(e.msg, "limit"));
	buf_release(&text);
}

/* As a full disk would: there is no room after the first 100 kB. */
static void no_room_for_the_copy_is_an_error_that_says_where(void **state)
{
	struct rlimit before, small;
	struct buf text = { 0 };
	struct file in, out;
	struct err e;
	int rc;

	(void)state;
	put_lines(&text);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 100 * 1000;
	in = pipe_of(buf_span(&text));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	rc = spill_pipe(&out, &in, (struct span){ 0 }, 0, &e);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(rc, ERR_OUTPUT);
	assert_non_null(strstr(e.msg, "after 100000 bytes"));
	file_close(&in);
	buf_release(&text);
}

/* ---- packed files ------------------------------------------------------------------------- */

static void compressed_files_are_recognized_by_their_first_bytes(void **state)
{
	(void)state;
	assert_true(spill_is_compressed(SPAN("\x1f\x8b\x08\0")));
	assert_true(spill_is_compressed(SPAN("\x28\xb5\x2f\xfd\0")));
	assert_false(spill_is_compressed(SPAN("\x1f\x8b")));
	assert_false(spill_is_compressed(SPAN("PERFILE2")));
	assert_false(spill_is_compressed((struct span){ 0 }));
}

static void compressed_files_are_decompressed(void **state)
{
	struct buf text = { 0 };
	size_t i;

	put_lines(&text);
	for (i = 0; i < ARRAY_LEN(packers); i++) {
		struct buf packed = { 0 };

		packers[i](&packed, buf_span(&text));
		assert_decompresses_to(state, &packed, buf_span(&text));
	}
	buf_release(&text);
}

static void a_compressed_pipe_is_decompressed(void **state)
{
	struct buf text = { 0 };
	size_t i;

	(void)state;
	put_lines(&text);
	for (i = 0; i < ARRAY_LEN(packers); i++) {
		struct buf packed = { 0 };
		struct file in, out;
		struct diag d = { 0 };
		char head[10];
		struct err e;

		packers[i](&packed, buf_span(&text));
		in = pipe_of(buf_span(&packed));
		assert_int_equal(read(in.fd, head, sizeof(head)), sizeof(head));
		assert_int_equal(
			spill_decompress(&out, &in, (struct span){ head, sizeof(head) }, 0, &d, &e),
			OK);
		assert_holds(&out, buf_span(&text));
		file_close(&out);
		file_close(&in);
		buf_release(&packed);
	}
	buf_release(&text);
}

static void concatenated_compressed_files_are_one(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(packers); i++) {
		struct buf packed = { 0 };

		packers[i](&packed, SPAN("first "));
		packers[i](&packed, SPAN(""));
		packers[i](&packed, SPAN("second"));
		assert_decompresses_to(state, &packed, SPAN("first second"));
	}
}

static void padding_after_a_gzip_file_is_no_damage(void **state)
{
	struct buf packed = { 0 };
	int i;

	put_gzip(&packed, SPAN("text"));
	for (i = 0; i < 512; i++)
		buf_putc(&packed, '\0');
	assert_decompresses_to(state, &packed, SPAN("text"));
}

static void a_compressed_file_cut_off_is_used_and_counted(void **state)
{
	struct buf text = { 0 };
	size_t i;

	put_lines(&text);
	for (i = 0; i < ARRAY_LEN(packers); i++) {
		struct buf packed = { 0 };
		struct diag d = { 0 };
		struct file out;
		struct err e;

		packers[i](&packed, buf_span(&text));
		packed.n -= packed.n / 3;
		assert_int_equal(decompress_bytes(state, buf_span(&packed), 0, &out, &d, &e), OK);
		assert_in_range(out.size_bytes, text.n / 4, text.n - 1);
		assert_holds(&out, (struct span){ text.p, (size_t)out.size_bytes });
		assert_int_equal(d.count[DIAG_BAD_PACKING], 1);
		file_close(&out);
		buf_release(&packed);
	}
	buf_release(&text);
}

static void a_compressed_file_without_content_is_an_error(void **state)
{
	static const struct span files[] = { { "\x1f\x8b\x08\0\0\0\0\0\0\0\xff\xff\xff", 13 },
		{ "\x1f\x8b\x08", 3 }, { "\x28\xb5\x2f\xfd\xff\xff\xff", 7 },
		{ "\x28\xb5\x2f\xfd", 4 } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		struct diag d = { 0 };
		struct file out;
		struct err e;

		assert_int_equal(decompress_bytes(state, files[i], 0, &out, &d, &e), ERR_FORMAT);
		assert_non_null(strstr(e.msg, "damaged"));
	}
}

static void the_limit_is_on_the_decompressed_size(void **state)
{
	struct buf text = { 0 };
	size_t i;

	put_lines(&text);
	for (i = 0; i < ARRAY_LEN(packers); i++) {
		struct buf packed = { 0 };
		struct diag d = { 0 };
		struct file out;
		struct err e;

		packers[i](&packed, buf_span(&text));
		assert_true(packed.n < text.n / 2);
		assert_int_equal(
			decompress_bytes(state, buf_span(&packed), text.n - 1, &out, &d, &e),
			ERR_LIMIT);
		buf_release(&packed);
	}
	buf_release(&text);
}

/* Frames of zeros, as many as fit into a small file. */
static void put_bomb(struct buf *b, uint64_t unpacked_bytes)
{
	enum { FRAME_BYTES = 4 << 20 };
	char *zeros = xcalloc(1, FRAME_BYTES);

	for (; unpacked_bytes; unpacked_bytes -= FRAME_BYTES)
		put_zstd(b, (struct span){ zeros, FRAME_BYTES });
	free(zeros);
}

static void a_decompression_bomb_is_refused(void **state)
{
	enum { FREE_BYTES = 64 << 20 };
	uint64_t size;

	for (size = FREE_BYTES; size <= 2 * (uint64_t)FREE_BYTES; size += FREE_BYTES) {
		struct buf packed = { 0 };
		struct diag d = { 0 };
		struct file out;
		struct err e;
		int rc;

		put_bomb(&packed, size);
		assert_true(packed.n < size / 5000);
		rc = decompress_bytes(state, buf_span(&packed), 0, &out, &d, &e);
		assert_int_equal(rc, size > FREE_BYTES ? ERR_LIMIT : OK);
		if (rc)
			assert_non_null(strstr(e.msg, "packed: unpacks to more than 1000 times"));
		else
			file_close(&out);
		buf_release(&packed);
	}
}

static void a_refused_file_leaves_nothing_behind(void **state)
{
	char *before = tmpdir_set_env(*state);
	struct buf packed = { 0 };
	struct diag d = { 0 };
	struct file out;
	struct err e;

	put_bomb(&packed, 8 << 20);
	assert_int_equal(
		decompress_bytes(state, buf_span(&packed), 1 << 20, &out, &d, &e), ERR_LIMIT);
	assert_int_equal(tmpdir_count(state), 1); /* the packed file itself */
	assert_int_equal(out.fd, -1);
	buf_release(&packed);
	tmpdir_restore_env(before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_pipe_is_copied_with_the_head_read_before),
		TEST(a_head_larger_than_a_chunk_is_copied_whole),
		TEST(a_copy_leaves_nothing_behind),
		TEST(a_small_copy_needs_no_disk),
		TEST(a_large_copy_moves_to_the_disk),
		TEST(without_a_disk_the_copy_stays_in_memory),
		TEST(a_limit_is_held_to_the_byte),
		TEST(no_room_for_the_copy_is_an_error_that_says_where),
		TEST(compressed_files_are_recognized_by_their_first_bytes),
		TEST(compressed_files_are_decompressed),
		TEST(a_compressed_pipe_is_decompressed),
		TEST(concatenated_compressed_files_are_one),
		TEST(padding_after_a_gzip_file_is_no_damage),
		TEST(a_compressed_file_cut_off_is_used_and_counted),
		TEST(a_compressed_file_without_content_is_an_error),
		TEST(the_limit_is_on_the_decompressed_size),
		TEST(a_decompression_bomb_is_refused),
		TEST(a_refused_file_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
