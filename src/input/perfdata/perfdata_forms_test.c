/* The same recording in every form that perf writes: the same records in the same order. */
#include "input/perfdata/perfdata_bed_for_test.h"

#include <sys/stat.h>

static void expect_undamaged(const struct perfdata_bed *b)
{
	int k;

	for (k = 0; k < DIAG_KINDS; k++)
		if (b->o.diag.count[k])
			fail_msg("%s", diag_message(&b->o.diag, k));
}

/* What was read is the recording. */
static void expect_same(const struct perfdata_bed *b)
{
	expect_undamaged(b);
	expect_test_recording(b);
}

/* The records in w are those of the recording, as a file or in pipe mode. */
static void read_same(struct perfdata_bed *b, bool pipe)
{
	if (pipe)
		writer_finish_pipe(&b->w);
	bed_read(b);
	expect_same(b);
}

static const struct test_compression compressions[] = {
	{ .type = RECORD_COMPRESSED },
	{ .type = RECORD_COMPRESSED, .flush_bytes = 100, .payload_bytes = 7 },
	{ .type = RECORD_COMPRESSED, .flush_bytes = 13, .level = 19 },
	{ .type = RECORD_COMPRESSED, .payload_bytes = 1 },
	{ .type = RECORD_COMPRESSED2, .level = 3 },
	{ .type = RECORD_COMPRESSED2, .flush_bytes = 1000, .payload_bytes = 50 },
};

/* ------------------------------------------------------------------------------------------- */

static void a_pipe_is_the_same(void **state)
{
	struct perfdata_bed *b = *state;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		bed_reset_swapped(b, swapped);
		put_test_recording(&b->w);
		read_same(b, true);
	}
}

static void the_other_byte_order_is_the_same(void **state)
{
	struct perfdata_bed *b = *state;

	b->w.swapped = true;
	put_test_recording(&b->w);
	read_same(b, false);
}

static void compressed_records_are_the_same(void **state)
{
	struct perfdata_bed *b = *state;
	size_t i;
	int form;

	for (i = 0; i < ARRAY_LEN(compressions); i++) {
		for (form = 0; form < 4; form++) {
			bed_reset_swapped(b, form & 1);
			put_test_header(&b->w);
			writer_feature_compressed(&b->w, 1 << 20);
			put_test_records(&b->w, 0, TEST_RECORDS);
			writer_compress(&b->w, &compressions[i]);
			read_same(b, form & 2);
		}
	}
}

/* perf writes plain records at the start, the end, and between. */
static void compressed_records_among_plain_ones_keep_their_order(void **state)
{
	struct perfdata_bed *b = *state;
	size_t i;

	for (i = 0; i < ARRAY_LEN(compressions); i++) {
		ZSTD_CStream *stream = writer_stream(1);
		unsigned from;

		bed_reset(b);
		put_test_header(&b->w);
		put_test_records(&b->w, 0, 30);
		for (from = 30; from < 350; from += 80) {
			put_test_records(&b->part, from, from + 64);
			bed_put_packed(b, &compressions[i], stream);
			put_finished_round(&b->w);
			put_test_records(&b->w, from + 64, from + 80);
		}
		put_test_records(&b->w, from, TEST_RECORDS);
		read_same(b, false);
		ZSTD_freeCStream(stream);
	}
}

/* ---- directories -------------------------------------------------------------------------- */

static void write_part(struct perfdata_bed *b, const char *name, struct span bytes)
{
	char *path = tmpdir_path(&b->dir, name);

	tmpdir_write(path, bytes.n ? bytes : SPAN(""));
	free(path);
}

static void put_dir_version(struct recording_writer *w, uint64_t version)
{
	struct buf b = { 0 };

	buf_u64(&b, w->swapped, version);
	writer_feature(w, FEATURE_DIR_FORMAT, b.p, b.n);
	buf_release(&b);
}

/* The file `data` of the directory: the records up to `to`. */
static void write_data(struct perfdata_bed *b, unsigned to, uint64_t version)
{
	bed_reset(b);
	put_test_header(&b->w);
	put_dir_version(&b->w, version);
	put_test_records(&b->w, 0, to);
	writer_finish(&b->w);
	write_part(b, "data", buf_span(&b->w.file));
}

static void write_records(struct perfdata_bed *b, const char *name, unsigned from, unsigned to,
	const struct test_compression *c)
{
	writer_release(&b->part);
	put_test_records(&b->part, from, to);
	if (c)
		writer_compress(&b->part, c);
	write_part(b, name, buf_span(&b->part.data));
}

static int try_dir(struct perfdata_bed *b, size_t block_bytes)
{
	char *path = tmpdir_path(&b->dir, "data");
	struct file f;
	struct err e;

	assert_int_equal(file_open(&f, path, &e), OK);
	free(path);
	return bed_try_file(b, f, block_bytes);
}

static void read_dir(struct perfdata_bed *b)
{
	assert_int_equal(try_dir(b, 256), OK);
	record_list_both(&b->all, b->o.pd, &b->o.diag);
}

static void a_directory_is_the_same(void **state)
{
	struct perfdata_bed *b = *state;

	write_data(b, 100, 1);
	write_records(b, "data.0", 100, 150, NULL);
	write_records(b, "data.1", 150, 150, NULL);
	write_records(b, "data.2", 150, 390, NULL);
	write_records(b, "data.10", 390, TEST_RECORDS, NULL);
	for (unsigned i = 3; i < 10; i++) {
		char name[] = { 'd', 'a', 't', 'a', '.', (char)('0' + i), 0 };

		write_records(b, name, 0, 0, NULL);
	}
	read_dir(b);
	expect_same(b);
	assert_int_equal(try_dir(b, 0), OK);
	assert_true(perfdata_size_bytes(b->o.pd) > b->o.file.size_bytes);
}

/* Each file has a stream of its own. */
static void a_directory_of_compressed_files_is_the_same(void **state)
{
	struct perfdata_bed *b = *state;

	write_data(b, 100, 1);
	write_records(b, "data.0", 100, 200, &compressions[0]);
	write_records(b, "data.1", 200, 300, &compressions[1]);
	write_records(b, "data.2", 300, TEST_RECORDS, &compressions[4]);
	read_dir(b);
	expect_same(b);
}

static void other_files_in_the_directory_are_ignored(void **state)
{
	struct perfdata_bed *b = *state;
	static const char *const names[] = { "data.old", "data.", "data.01", "data.1x", "data.-1",
		"data.99999999999", "xdata.1", "data.0.old" };
	size_t i;

	write_data(b, 100, 1);
	write_records(b, "data.0", 100, TEST_RECORDS, NULL);
	for (i = 0; i < ARRAY_LEN(names); i++)
		write_records(b, names[i], 0, 10, NULL);
	read_dir(b);
	expect_same(b);
}

static void missing_files_of_the_directory_are_counted(void **state)
{
	struct perfdata_bed *b = *state;

	write_data(b, 10, 1);
	read_dir(b);
	expect_count(b, DIAG_MISSING_FILE, 1);
	write_records(b, "data.1", 100, 110, NULL);
	write_records(b, "data.4", 110, 120, NULL);
	read_dir(b);
	assert_int_equal(b->all.n, 30);
	expect_count(b, DIAG_MISSING_FILE, 3);
}

/* perf record --kcore: a directory with one file of records. */
static void a_directory_of_kcore_has_no_more_files(void **state)
{
	struct perfdata_bed *b = *state;

	write_data(b, 10, 0);
	write_records(b, "data.0", 100, 110, NULL);
	read_dir(b);
	assert_int_equal(b->all.n, 10);
	expect_undamaged(b);
}

static void files_beside_a_recording_of_a_killed_recorder_are_read(void **state)
{
	struct perfdata_bed *b = *state;

	b->w.say_data_size = 0;
	put_test_header(&b->w);
	b->w.n_features = 0;
	put_test_records(&b->w, 0, 10);
	writer_finish(&b->w);
	write_part(b, "data", (struct span){ b->w.file.p, b->w.data_at + b->w.data.n });
	write_records(b, "data.0", 10, 20, NULL);
	read_dir(b);
	expect_undamaged(b);
	assert_int_equal(b->all.n, 20);
}

static void a_fifo_in_the_directory_is_an_error(void **state)
{
	struct perfdata_bed *b = *state;
	char *path = tmpdir_path(&b->dir, "data.0");

	write_data(b, 10, 1);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(try_dir(b, 0), ERR_UNSUPPORTED);
	assert_non_null(strstr(b->o.err.msg, "data.0"));
	free(path);
}

static void the_other_files_of_a_lone_data_file_are_counted_as_missing(void **state)
{
	struct perfdata_bed *b = *state;

	put_test_header(&b->w);
	put_dir_version(&b->w, 1);
	put_test_records(&b->w, 0, 10);
	expect_records(b, 10);
	expect_count(b, DIAG_MISSING_FILE, 1);
}

/* ---- workers ------------------------------------------------------------------------------ */

static void workers_share_decompressed_blocks(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	put_test_recording(&b->w);
	writer_compress(&b->w, &compressions[1]);
	bed_open_blocks(b, 256);
	record_list_both(&b->all, b->o.pd, &b->o.diag);
	expect_test_recording(b);
	for (i = 0; i < 3; i++)
		expect_shared(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_pipe_is_the_same),
		BED_TEST(the_other_byte_order_is_the_same),
		BED_TEST(compressed_records_are_the_same),
		BED_TEST(compressed_records_among_plain_ones_keep_their_order),
		BED_DIR_TEST(a_directory_is_the_same),
		BED_DIR_TEST(a_directory_of_compressed_files_is_the_same),
		BED_DIR_TEST(other_files_in_the_directory_are_ignored),
		BED_DIR_TEST(missing_files_of_the_directory_are_counted),
		BED_DIR_TEST(a_directory_of_kcore_has_no_more_files),
		BED_DIR_TEST(files_beside_a_recording_of_a_killed_recorder_are_read),
		BED_DIR_TEST(a_fifo_in_the_directory_is_an_error),
		BED_TEST(the_other_files_of_a_lone_data_file_are_counted_as_missing),
		BED_TEST(workers_share_decompressed_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
