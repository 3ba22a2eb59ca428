/* The same recording in every form that perf writes: the same records in the same order. */
#include "input/perfdata/record_list_for_test.h"

#include "base/tmpdir_for_test.h"
#include "base/pool.h"

#include <sys/stat.h>

static struct record_list plain, other;
static struct diag diag;

static int make_plain(void **state)
{
	(void)state;
	record_list_plain(&plain);
	return 0;
}

static int release_lists(void **state)
{
	(void)state;
	record_list_release(&plain);
	record_list_release(&other);
	return 0;
}

static void assert_undamaged(const struct diag *d)
{
	int k;

	for (k = 0; k < DIAG_KINDS; k++)
		if (d->count[k])
			fail_msg("%s", diag_message(d, k));
}

/* The records in w are those of the recording, as a file or in pipe mode. */
static void assert_same(struct recording_writer *w, bool pipe)
{
	w->file.n = 0;
	if (pipe)
		writer_finish_pipe(w);
	record_list_written(&other, w, &diag);
	assert_undamaged(&diag);
	record_list_assert_same(&other, &plain);
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
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w = WRITER_INIT;

		w.swapped = swapped;
		put_test_header(&w);
		put_test_records(&w, 0, TEST_RECORDS);
		assert_same(&w, true);
		writer_release(&w);
	}
}

static void the_other_byte_order_is_the_same(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	w.swapped = true;
	put_test_header(&w);
	put_test_records(&w, 0, TEST_RECORDS);
	assert_same(&w, false);
	writer_release(&w);
}

static void compressed_records_are_the_same(void **state)
{
	size_t i;
	int form;

	(void)state;
	for (i = 0; i < ARRAY_LEN(compressions); i++) {
		for (form = 0; form < 4; form++) {
			struct recording_writer w = WRITER_INIT;

			w.swapped = form & 1;
			put_test_header(&w);
			writer_feature_compressed(&w, 1 << 20);
			put_test_records(&w, 0, TEST_RECORDS);
			writer_compress(&w, &compressions[i]);
			assert_same(&w, form & 2);
			writer_release(&w);
		}
	}
}

/* perf writes plain records at the start, the end, and between. */
static void compressed_records_among_plain_ones_keep_their_order(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(compressions); i++) {
		struct recording_writer w = WRITER_INIT, part = WRITER_INIT;
		ZSTD_CStream *stream = writer_stream(1);
		unsigned from;

		put_test_header(&w);
		put_test_records(&w, 0, 30);
		for (from = 30; from < 350; from += 80) {
			part.data.n = 0;
			put_test_records(&part, from, from + 64);
			writer_put_packed(&w, &compressions[i], stream, part.data.p, part.data.n);
			put_finished_round(&w);
			put_test_records(&w, from + 64, from + 80);
		}
		put_test_records(&w, from, TEST_RECORDS);
		assert_same(&w, false);
		ZSTD_freeCStream(stream);
		writer_release(&part);
		writer_release(&w);
	}
}

/* ---- directories -------------------------------------------------------------------------- */

static void write_part(void **state, const char *name, struct span bytes)
{
	char *path = tmpdir_path(state, name);

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
static void write_data(void **state, unsigned to, uint64_t version)
{
	struct recording_writer w = WRITER_INIT;

	put_test_header(&w);
	put_dir_version(&w, version);
	put_test_records(&w, 0, to);
	writer_finish(&w);
	write_part(state, "data", buf_span(&w.file));
	writer_release(&w);
}

static void write_records(void **state, const char *name, unsigned from, unsigned to,
	const struct test_compression *c)
{
	struct recording_writer w = WRITER_INIT;

	put_test_records(&w, from, to);
	if (c)
		writer_compress(&w, c);
	write_part(state, name, buf_span(&w.data));
	writer_release(&w);
}

static int open_dir(void **state, struct opened *o, size_t block_bytes)
{
	char *path = tmpdir_path(state, "data");

	*o = (struct opened){ .strings = strtab_new() };
	assert_int_equal(file_open(&o->file, path, &o->err), OK);
	free(path);
	return perfdata_open(&o->pd, &o->file, o->strings, block_bytes, &o->diag, &o->err);
}

static void see_dir(void **state, struct diag *d)
{
	struct opened o;

	assert_int_equal(open_dir(state, &o, 256), OK);
	record_list_both(&other, o.pd, &o.diag);
	*d = o.diag;
	opened_release(&o);
}

static void a_directory_is_the_same(void **state)
{
	struct opened o;

	write_data(state, 100, 1);
	write_records(state, "data.0", 100, 150, NULL);
	write_records(state, "data.1", 150, 150, NULL);
	write_records(state, "data.2", 150, 390, NULL);
	write_records(state, "data.10", 390, TEST_RECORDS, NULL);
	for (unsigned i = 3; i < 10; i++) {
		char name[] = { 'd', 'a', 't', 'a', '.', (char)('0' + i), 0 };

		write_records(state, name, 0, 0, NULL);
	}
	see_dir(state, &diag);
	assert_undamaged(&diag);
	record_list_assert_same(&other, &plain);
	assert_int_equal(open_dir(state, &o, 0), OK);
	assert_true(perfdata_size_bytes(o.pd) > o.file.size_bytes);
	opened_release(&o);
}

/* Each file has a stream of its own. */
static void a_directory_of_compressed_files_is_the_same(void **state)
{
	write_data(state, 100, 1);
	write_records(state, "data.0", 100, 200, &compressions[0]);
	write_records(state, "data.1", 200, 300, &compressions[1]);
	write_records(state, "data.2", 300, TEST_RECORDS, &compressions[4]);
	see_dir(state, &diag);
	assert_undamaged(&diag);
	record_list_assert_same(&other, &plain);
}

static void other_files_in_the_directory_are_ignored(void **state)
{
	static const char *const names[] = { "data.old", "data.", "data.01", "data.1x", "data.-1",
		"data.99999999999", "xdata.1", "data.0.old" };
	size_t i;

	write_data(state, 100, 1);
	write_records(state, "data.0", 100, TEST_RECORDS, NULL);
	for (i = 0; i < ARRAY_LEN(names); i++)
		write_records(state, names[i], 0, 10, NULL);
	see_dir(state, &diag);
	assert_undamaged(&diag);
	record_list_assert_same(&other, &plain);
}

static void missing_files_of_the_directory_are_counted(void **state)
{
	write_data(state, 10, 1);
	see_dir(state, &diag);
	assert_int_equal(diag.count[DIAG_MISSING_FILE], 1);
	write_records(state, "data.1", 100, 110, NULL);
	write_records(state, "data.4", 110, 120, NULL);
	see_dir(state, &diag);
	assert_int_equal(other.n, 30);
	assert_int_equal(diag.count[DIAG_MISSING_FILE], 3);
}

/* perf record --kcore: a directory with one file of records. */
static void a_directory_of_kcore_has_no_more_files(void **state)
{
	write_data(state, 10, 0);
	write_records(state, "data.0", 100, 110, NULL);
	see_dir(state, &diag);
	assert_int_equal(other.n, 10);
	assert_undamaged(&diag);
}

static void files_beside_a_recording_of_a_killed_recorder_are_read(void **state)
{
	struct recording_writer w = WRITER_INIT;

	w.say_data_size = 0;
	put_test_header(&w);
	w.n_features = 0;
	put_test_records(&w, 0, 10);
	writer_finish(&w);
	write_part(state, "data", (struct span){ w.file.p, w.data_at + w.data.n });
	write_records(state, "data.0", 10, 20, NULL);
	see_dir(state, &diag);
	assert_undamaged(&diag);
	assert_int_equal(other.n, 20);
	writer_release(&w);
}

static void a_fifo_in_the_directory_is_an_error(void **state)
{
	struct opened o;
	char *path = tmpdir_path(state, "data.0");

	write_data(state, 10, 1);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(open_dir(state, &o, 0), ERR_UNSUPPORTED);
	assert_non_null(strstr(o.err.msg, "data.0"));
	opened_release(&o);
	free(path);
}

static void the_other_files_of_a_lone_data_file_are_counted_as_missing(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_test_header(&w);
	put_dir_version(&w, 1);
	put_test_records(&w, 0, 10);
	record_list_written(&other, &w, &diag);
	assert_int_equal(other.n, 10);
	assert_int_equal(diag.count[DIAG_MISSING_FILE], 1);
	writer_release(&w);
}

/* ---- workers ------------------------------------------------------------------------------ */

struct shared {
	struct perfdata *pd;
	_Atomic uint64_t sum, n;
};

static int add_up(void *ctx, unsigned worker, struct err *e)
{
	struct shared *s = ctx;
	struct perfdata_block b = { 0 };
	struct record_list mine = { .pd = s->pd };
	struct perfdata_record r;
	size_t i;
	int rc;

	(void)worker;
	while ((rc = perfdata_pop_block(s->pd, &b, e)) == OK)
		while (perfdata_block_next(&b, &r))
			record_list_add(&mine, &r, e);
	for (i = 0; i < mine.n; i++)
		s->sum += mine.list[i].hash;
	s->n += mine.n;
	record_list_release(&mine);
	perfdata_block_release(&b);
	return rc == END ? OK : rc;
}

static void workers_share_decompressed_blocks(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct pool *pool = pool_new(4);
	struct shared s = { 0 };
	struct opened o;
	uint64_t sum = 0;
	size_t i;

	(void)state;
	put_test_header(&w);
	put_test_records(&w, 0, TEST_RECORDS);
	writer_compress(&w, &compressions[1]);
	assert_int_equal(opened_from(&o, &w, 256), OK);
	record_list_both(&other, o.pd, &o.diag);
	for (i = 0; i < plain.n; i++)
		sum += plain.list[i].hash;
	for (i = 0; i < 3; i++) {
		perfdata_rewind(o.pd);
		s.pd = o.pd;
		s.sum = s.n = 0;
		assert_int_equal(pool_run(pool, add_up, &s, &o.err), OK);
		assert_int_equal(s.n, TEST_RECORDS);
		assert_true(s.sum == sum);
	}
	pool_free(pool);
	opened_release(&o);
	writer_release(&w);
}

#define IN_DIR(name) cmocka_unit_test_setup_teardown(name, tmpdir_setup, tmpdir_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pipe_is_the_same),
		cmocka_unit_test(the_other_byte_order_is_the_same),
		cmocka_unit_test(compressed_records_are_the_same),
		cmocka_unit_test(compressed_records_among_plain_ones_keep_their_order),
		IN_DIR(a_directory_is_the_same),
		IN_DIR(a_directory_of_compressed_files_is_the_same),
		IN_DIR(other_files_in_the_directory_are_ignored),
		IN_DIR(missing_files_of_the_directory_are_counted),
		IN_DIR(a_directory_of_kcore_has_no_more_files),
		IN_DIR(files_beside_a_recording_of_a_killed_recorder_are_read),
		IN_DIR(a_fifo_in_the_directory_is_an_error),
		cmocka_unit_test(the_other_files_of_a_lone_data_file_are_counted_as_missing),
		cmocka_unit_test(workers_share_decompressed_blocks),
	};

	return cmocka_run_group_tests(tests, make_plain, release_lists);
}
