/*
 * Copies of small recordings: the same stacks, without what they are not to have. Copied stacks are
 * in scripts/strip/check.sh, as unwinding them takes files.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "model/strip.h"

enum { COPY_MAX_BYTES = 1 << 20 };

/* A copy, and what is read from it. */
struct copy {
	struct strip strip;
	char *path;
	struct buf bytes;
	struct reading of;
};

static int try_copy(void **state, struct copy *c, uint32_t hidden, unsigned jobs)
{
	*c = (struct copy){ .path = tmpdir_at(bed_dir(state), "copy.data") };
	c->strip = (struct strip){ .path = c->path, .hidden = hidden };
	bed_read(state, (struct read_opts){ .strip = &c->strip, .block_bytes = 64 }, jobs);
	return OK;
}

static void make_copy(void **state, struct copy *c, uint32_t hidden)
{
	struct files_opts nowhere = { .no_system = true };
	struct read_opts o = { .files = &nowhere, .root_fields = 1u << ROOT_COMM };
	struct pool *pool = pool_new(1);
	struct process_kernel kernel;
	struct file f;
	struct err e;

	assert_int_equal(try_copy(state, c, hidden, 2), OK);
	assert_int_equal(file_read_all(c->path, COPY_MAX_BYTES, &c->bytes, &e), OK);
	reading_init(&c->of);
	assert_int_equal(file_open(&f, c->path, &e), OK);
	assert_int_equal(process_read_run(c->of.recording, &(struct process_part){ .file = &f }, 1,
				 &o, &kernel, pool, &c->of.err),
		OK);
	reading_take_stacks(&c->of);
	file_close(&f);
	pool_free(pool);
}

static void copy_release(struct copy *c)
{
	buf_release(&c->bytes);
	reading_release(&c->of);
}

static bool has(const struct copy *c, const char *text)
{
	return span_find(buf_span(&c->bytes), span_of(text)) >= 0;
}

static void put_data_mmap(struct recording_writer *w, const char *path)
{
	enum { MMAP_DATA = 1 << 13 };
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_USER | MMAP_DATA);

	put_u32(w, 7), put_u32(w, 7);
	put_u64(w, 0x9000), put_u64(w, 0x1000), put_u64(w, 0);
	put_string(w, path);
	put_trailer(w, 7, 7, 0);
	writer_end(w, at);
}

static void put_features(struct recording_writer *w)
{
	struct buf b = { 0 };

	writer_feature_string(w, FEATURE_HOSTNAME, "secret-host");
	writer_feature_string(w, FEATURE_OSRELEASE, "6.1.0");
	buf_u32(&b, w->swapped, 1);
	buf_section_string(&b, w->swapped, "--token=secret-word");
	writer_feature(w, FEATURE_CMDLINE, b.p, b.n);
	buf_release(&b);
}

static void put_all(struct recording_writer *w)
{
	put_mmap(w, 7, 0, 0x4000, 0x1000, "/home/ann/bin/program");
	put_data_mmap(w, "/home/ann/letters.txt");
	put_user(w, 7, 100, 0x1010);
	put_sample(w, &(struct test_sample){ 7, 7, 0, 110, 1, 0x1020, 0, 4,
			      { USER, 0x1020, 0x70617373776f7264, 0x4010 } });
	put_features(w);
}

static void a_copy_has_the_same_stacks_in_either_byte_order(void **state)
{
	unsigned swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer *w = bed_reset(state);
		struct copy c;

		start_as(w, swapped, usual, 0);
		put_all(w);
		make_copy(state, &c, STRIP_DEFAULT);
		assert_string_equal(buf_str(&c.of.text),
			"main /bin/a+10! =1\n"
			"main /home/ann/bin/program+10 ?+10 /bin/a+20! =1");
		assert_int_equal(c.strip.samples, 2);
		assert_int_equal(c.strip.left_out, 0);
		assert_int_equal(c.strip.bytes_after, c.bytes.n);
		copy_release(&c);
	}
}

static void names_are_hidden_as_asked(void **state)
{
	struct recording_writer *w = bed_writer(state);
	struct copy c;

	put_all(w);
	make_copy(state, &c, STRIP_DEFAULT);
	assert_false(has(&c, "secret-host"));
	assert_false(has(&c, "secret-word"));
	assert_false(has(&c, "letters"));
	assert_true(has(&c, "/home/ann/bin/program"));
	assert_true(has(&c, "6.1.0"));
	copy_release(&c);

	make_copy(state, &c, 0);
	assert_true(has(&c, "secret-host"));
	assert_true(has(&c, "secret-word"));
	assert_true(has(&c, "letters"));
	copy_release(&c);

	make_copy(state, &c, STRIP_USERS);
	assert_false(has(&c, "ann"));
	assert_true(has(&c, "/home/user/bin/program"));
	assert_true(has(&c, "/home/user/letters.txt"));
	copy_release(&c);

	make_copy(state, &c, STRIP_PATHS);
	assert_false(has(&c, "ann"));
	assert_true(has(&c, "/program"));
	copy_release(&c);
}

static void a_word_that_is_no_address_is_not_copied(void **state)
{
	struct recording_writer *w = bed_writer(state);
	struct copy c;

	put_all(w);
	make_copy(state, &c, 0);
	assert_false(has(&c, "drowssap"));
	copy_release(&c);
}

static void what_follows_the_end_of_a_string_is_not_copied(void **state)
{
	struct recording_writer *w = bed_writer(state);
	size_t at = writer_begin(w, RECORD_COMM, 0);
	struct copy c;

	put_u32(w, 7), put_u32(w, 7);
	buf_put(&w->data, "short\0rests of memory..", 24);
	put_trailer(w, 7, 7, 50);
	writer_end(w, at);
	put_user(w, 7, 100, 0x1010);
	make_copy(state, &c, 0);
	assert_true(has(&c, "short"));
	assert_false(has(&c, "rests"));
	assert_string_equal(buf_str(&c.of.text), "short /bin/a+10! =1");
	copy_release(&c);
}

static void a_raw_part_stays_unless_it_is_to_be_hidden(void **state)
{
	struct recording_writer *w = bed_restart(state, with_raw);
	struct copy c;
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_sample_front(
		w, &(struct test_sample){ 7, 7, 0, 100, 1, 0x1010, 0, 2, { USER, 0x1010 } });
	put_u32(w, 12);
	buf_put(&w->data, "raw-secret..", 12);
	writer_end(w, at);
	make_copy(state, &c, 0);
	assert_true(has(&c, "raw-secret"));
	copy_release(&c);
	make_copy(state, &c, STRIP_RAW);
	assert_false(has(&c, "raw-secret"));
	assert_string_equal(buf_str(&c.of.text), "main /bin/a+10! =1");
	copy_release(&c);
}

static void a_damaged_sample_is_left_out_and_counted(void **state)
{
	struct recording_writer *w = bed_writer(state);
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	struct copy c;

	put_u64(w, 0x1010);
	writer_end(w, at);
	put_user(w, 7, 100, 0x1010);
	make_copy(state, &c, 0);
	assert_int_equal(c.strip.left_out, 1);
	assert_int_equal(c.strip.samples, 1);
	assert_string_equal(buf_str(&c.of.text), "main /bin/a+10! =1");
	copy_release(&c);
}

/* "/home/a/" is longer as "/home/user/". */
static void a_path_that_outgrows_its_record_is_left_out_and_counted(void **state)
{
	enum { PATH_BYTES = RECORD_MAX_BYTES / 8 * 8 - 40 - 24 - 1 };
	struct recording_writer *w = bed_writer(state);
	char path[PATH_BYTES + 1];
	struct copy c;

	memset(path, 'x', PATH_BYTES);
	memcpy(path, "/home/a/", 8);
	path[PATH_BYTES] = 0;
	put_mmap(w, 7, 0, 0x9000, 0x1000, path);
	put_user(w, 7, 100, 0x1010);
	make_copy(state, &c, 0);
	assert_int_equal(c.strip.left_out, 0);
	copy_release(&c);
	make_copy(state, &c, STRIP_USERS);
	assert_int_equal(c.strip.left_out, 1);
	assert_false(has(&c, "/home/user/xxx"));
	assert_string_equal(buf_str(&c.of.text), "main /bin/a+10! =1");
	copy_release(&c);
}

static void the_number_of_workers_changes_no_byte(void **state)
{
	struct recording_writer *w = bed_writer(state);
	struct buf first = { 0 };
	struct copy c;
	struct err e;
	unsigned i;

	for (i = 0; i < 200; i++)
		put_user(w, 7, 100 + i, 0x1010 + i);
	for (i = 1; i <= 4; i++) {
		try_copy(state, &c, STRIP_DEFAULT, i);
		assert_int_equal(file_read_all(c.path, COPY_MAX_BYTES, &c.bytes, &e), OK);
		if (i == 1) {
			buf_put_span(&first, buf_span(&c.bytes));
		} else {
			assert_int_equal(first.n, c.bytes.n);
			assert_memory_equal(first.p, c.bytes.p, first.n);
		}
		buf_release(&c.bytes);
	}
	buf_release(&first);
}

static void a_copy_that_cannot_be_written_is_an_error(void **state)
{
	struct strip strip = { .path = "/nonexistent/copy.data" };

	put_user(bed_writer(state), 7, 100, 0x1010);
	bed_read_as(state, (struct read_opts){ .strip = &strip }, 2, ERR_OUTPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_DIR_TEST(a_copy_has_the_same_stacks_in_either_byte_order),
		BED_DIR_TEST(names_are_hidden_as_asked),
		BED_DIR_TEST(a_word_that_is_no_address_is_not_copied),
		BED_DIR_TEST(what_follows_the_end_of_a_string_is_not_copied),
		BED_DIR_TEST(a_raw_part_stays_unless_it_is_to_be_hidden),
		BED_DIR_TEST(a_damaged_sample_is_left_out_and_counted),
		BED_DIR_TEST(a_path_that_outgrows_its_record_is_left_out_and_counted),
		BED_DIR_TEST(the_number_of_workers_changes_no_byte),
		BED_DIR_TEST(a_copy_that_cannot_be_written_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
