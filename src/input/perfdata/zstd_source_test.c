#include "input/perfdata/perfdata_bed_for_test.h"

enum { RECORDS = 200 };

static const struct test_compression plainly = { .type = RECORD_COMPRESSED };

/* Where the compressed records are in w.data. */
struct packed {
	size_t at[256];
	unsigned n;
};

/* Write a recording with its test records in compressed records of 500 bytes each. */
static struct packed put_packed(struct perfdata_bed *b, uint32_t type)
{
	struct packed p = { 0 };
	size_t at;

	put_test_header(&b->w);
	put_test_records(&b->w, 0, RECORDS);
	writer_compress(&b->w, &(struct test_compression){ .type = type, .flush_bytes = 500 });
	for (at = 0; at < b->w.data.n; at += bytes_u16((uint8_t *)b->w.data.p + at + 6, 0))
		p.at[p.n++] = at;
	assert_true(p.n > 20);
	return p;
}

static void read_front(struct perfdata_bed *b, size_t at_least, size_t at_most, size_t more)
{
	bed_read(b);
	expect_front(b, at_least, at_most, more);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void damage_in_the_stream_costs_what_follows_in_it(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);

	memset(b->w.data.p + p.at[10] + 8, 0xff, 16);
	put_test_records(&b->w, 300, 310);
	read_front(b, 20, RECORDS / 2, 10);
	expect_count(b, DIAG_BAD_STREAM, p.n - 10);
	assert_int_equal(b->o.diag.first_at[DIAG_BAD_STREAM], b->w.data_at + p.at[10]);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

/* What was skipped can have been a part of the stream. */
static void a_lost_compressed_record_costs_those_after_it(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED2);

	memset(b->w.data.p + p.at[10], 0, p.at[11] - p.at[10]);
	put_test_records(&b->w, 300, 310);
	read_front(b, 20, RECORDS / 2, 10);
	expect_count(b, DIAG_BAD_STREAM, p.n - 11);
	expect_count(b, DIAG_BAD_RECORD, 1);
}

/* Records of odd sizes begin anywhere. */
static void plain_records_are_found_after_damage_among_records_of_odd_sizes(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);

	memset(b->w.data.p + p.at[10], 0, b->w.data.n - p.at[10]);
	put_test_records(&b->w, 300, 310);
	read_front(b, 20, RECORDS / 2, 10);
}

static void damage_before_the_stream_does_not_hurt_it(void **state)
{
	struct perfdata_bed *b = *state;
	ZSTD_CStream *stream = writer_stream(1);

	put_test_header(&b->w);
	put_test_records(&b->w, 0, 10);
	put_zeros(&b->w, 64);
	put_test_records(&b->w, 10, 20);
	put_test_records(&b->part, 20, RECORDS);
	bed_put_packed(b, &plainly, stream);
	read_front(b, RECORDS, RECORDS, 0);
	expect_count(b, DIAG_BAD_STREAM, 0);
	expect_count(b, DIAG_DAMAGED_BYTES, 64);
	ZSTD_freeCStream(stream);
}

static void a_new_frame_is_read_after_damage(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);

	memset(b->w.data.p + p.at[10] + 8, 0xff, 16);
	put_test_records(&b->part, 300, 350);
	writer_compress(&b->part, &plainly);
	buf_put(&b->w.data, b->part.data.p, b->part.data.n);
	read_front(b, 20, RECORDS / 2, 50);
	expect_count(b, DIAG_BAD_STREAM, p.n - 10);
}

static void consecutive_frames_are_one_stream(void **state)
{
	struct perfdata_bed *b = *state;
	char frame[4096];
	size_t n, half;

	put_test_header(&b->w);
	put_test_records(&b->part, 0, 20);
	half = b->part.data.n / 2;
	n = ZSTD_compress(frame, sizeof(frame), b->part.data.p, half, 1);
	put_compressed(&b->w, RECORD_COMPRESSED, frame, n);
	n = ZSTD_compress(frame, sizeof(frame), b->part.data.p + half, b->part.data.n - half, 1);
	put_compressed(&b->w, RECORD_COMPRESSED, frame, n);
	read_front(b, 20, 20, 0);
	expect_count(b, DIAG_BAD_STREAM, 0);
}

static void damage_in_decompressed_records_costs_only_itself(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_test_header(&b->w);
	put_test_records(&b->w, 0, 50);
	at = writer_begin(&b->w, RECORD_COMM, 0);
	put_zeros(&b->w, 40);
	writer_end_as(&b->w, at, 0);
	put_test_records(&b->w, 50, 100);
	writer_compress(
		&b->w, &(struct test_compression){ .type = RECORD_COMPRESSED, .flush_bytes = 300 });
	read_front(b, 100, 100, 0);
	expect_count(b, DIAG_BAD_RECORD, 1);
	expect_count(b, DIAG_DAMAGED_BYTES, 48);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void a_cut_in_a_compressed_record_keeps_all_before(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);

	writer_finish(&b->w);
	b->w.file.n = b->w.data_at + p.at[p.n - 1] + 20;
	read_front(b, RECORDS - 20, RECORDS - 1, 0);
	assert_true(b->o.diag.count[DIAG_CUT_SHORT] > 0);
	expect_count(b, DIAG_BAD_STREAM, 0);
}

/* Then the header does not say that it is compressed either. */
static void a_recorder_that_was_killed_leaves_compressed_records(void **state)
{
	struct perfdata_bed *b = *state;

	put_packed(b, RECORD_COMPRESSED);
	b->w.n_features = 0;
	b->w.say_data_size = 0;
	read_front(b, RECORDS, RECORDS, 0);
	expect_count(b, DIAG_CUT_SHORT, 0);
}

static void the_front_of_a_record_at_the_end_is_counted(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);

	b->w.data.n = p.at[p.n - 1];
	read_front(b, RECORDS - 20, RECORDS - 1, 0);
	assert_true(b->o.diag.count[DIAG_CUT_SHORT] > 0);
}

/* ---- lies --------------------------------------------------------------------------------- */

static void compressed_records_inside_of_others_are_refused(void **state)
{
	struct perfdata_bed *b = *state;
	static const uint32_t types[] = { RECORD_COMPRESSED, RECORD_COMPRESSED2 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(types); i++) {
		bed_reset(b);
		put_test_records(&b->part, 300, 320);
		writer_compress(&b->part, &(struct test_compression){ .type = types[i] });
		put_test_header(&b->w);
		put_test_records(&b->w, 0, 10);
		buf_put(&b->w.data, b->part.data.p, b->part.data.n);
		put_zeros(&b->w, -b->w.data.n & 7);
		put_test_records(&b->w, 10, 20);
		writer_compress(&b->w, &(struct test_compression){ .type = types[i] });
		read_front(b, 20, 20, 0);
		assert_true(b->o.diag.count[DIAG_BAD_RECORD] > 0);
	}
}

static void compressed_records_that_hold_nothing_do_no_harm(void **state)
{
	struct perfdata_bed *b = *state;
	ZSTD_CStream *stream = writer_stream(1);
	size_t at;

	put_test_header(&b->w);
	put_compressed(&b->w, RECORD_COMPRESSED, "", 0);
	put_compressed(&b->w, RECORD_COMPRESSED2, "", 0);
	put_test_records(&b->part, 0, 20);
	bed_put_packed(b, &(struct test_compression){ .type = RECORD_COMPRESSED2 }, stream);
	/* Too small to have a length. */
	at = writer_begin(&b->w, RECORD_COMPRESSED2, 0);
	writer_end(&b->w, at);
	put_compressed(&b->w, RECORD_COMPRESSED, "", 0);
	put_test_records(&b->part, 20, 40);
	bed_put_packed(b, &plainly, stream);
	read_front(b, 40, 40, 0);
	expect_count(b, DIAG_BAD_STREAM, 0);
	expect_count(b, DIAG_BAD_RECORD, 1);
	ZSTD_freeCStream(stream);
}

static void padding_may_be_anything(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED2);
	unsigned i;

	for (i = 0; i < p.n; i++) {
		uint8_t *r = (uint8_t *)b->w.data.p + p.at[i];
		uint64_t n = bytes_u64(r + 8, false);

		memset(r + 16 + n, 0xab, bytes_u16(r + 6, false) - 16 - n);
	}
	read_front(b, RECORDS, RECORDS, 0);
}

/* The padding is then read as content. */
static void a_length_larger_than_its_record_is_that_of_the_record(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED2);
	uint64_t wrong = UINT64_MAX - 3;

	memcpy(b->w.data.p + p.at[5] + 8, &wrong, sizeof(wrong));
	put_test_records(&b->w, 300, 310);
	read_front(b, 5, RECORDS, 10);
}

/* Zeros in a frame: 4 bytes for each 128 KiB. */
static size_t make_bomb(struct buf *b, size_t blocks)
{
	/* Magic, a descriptor with a window of 128 KiB, blocks of one repeated byte. */
	static const uint8_t front[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38 };
	uint32_t block = 131072u << 3 | 1 << 1;
	size_t i;

	b->n = 0;
	buf_put(b, front, sizeof(front));
	for (i = 0; i < blocks; i++) {
		buf_put(b, &block, 3);
		buf_putc(b, '\0');
	}
	return b->n;
}

static void a_bomb_is_given_up_at_what_the_recorder_can_have_held(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		uint32_t buffer_bytes;
		size_t blocks;
		bool lost;
	} cases[] = {
		{ 1 << 20, 7, false },
		{ 1 << 20, 9, true },
		{ 0, 15000, true },
		{ UINT32_MAX, 15000, true },
	};
	struct buf bomb = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		put_test_header(&b->w);
		writer_feature_compressed(&b->w, cases[i].buffer_bytes);
		put_test_records(&b->w, 0, 10);
		make_bomb(&bomb, cases[i].blocks);
		put_compressed(&b->w, RECORD_COMPRESSED, bomb.p, bomb.n);
		put_zeros(&b->w, -b->w.data.n & 7);
		put_test_records(&b->w, 300, 310);
		bed_open(b);
		bed_list(b);
		expect_front(b, 10, 10, 10);
		expect_count(b, DIAG_BAD_STREAM, cases[i].lost);
		assert_true(b->o.diag.count[DIAG_DAMAGED_BYTES] < 70 << 20);
	}
	buf_release(&bomb);
}

/* Each record alone is within its bound. */
static void many_small_bombs_are_given_up_together(void **state)
{
	struct perfdata_bed *b = *state;
	struct buf bomb = { 0 };
	unsigned i;

	put_test_header(&b->w);
	make_bomb(&bomb, 60);
	for (i = 0; i < 100; i++)
		put_compressed(
			&b->w, RECORD_COMPRESSED2, bomb.p + (i ? 6 : 0), bomb.n - (i ? 6 : 0));
	put_test_records(&b->w, 300, 310);
	bed_open(b);
	bed_list(b);
	assert_int_equal(b->all.n, 10);
	assert_in_range(b->o.diag.count[DIAG_BAD_STREAM], 1, 99);
	assert_true(b->o.diag.count[DIAG_DAMAGED_BYTES] < (size_t)200 << 20);
	buf_release(&bomb);
}

static void a_file_that_changes_while_it_is_read_is_an_error(void **state)
{
	struct perfdata_bed *b = *state;
	struct packed p = put_packed(b, RECORD_COMPRESSED);
	struct perfdata_block block = { 0 };
	int rc;

	bed_open_blocks(b, 256);
	bed_list(b);
	assert_int_equal(
		pwrite(b->o.file.fd, "\0\0\0\0\0\0\0\0", 8, (off_t)(b->w.data_at + p.at[10])), 8);
	while ((rc = perfdata_pop_block(b->o.pd, &block, &b->o.err)) == OK)
		;
	assert_int_equal(rc, ERR_IO);
	assert_non_null(strstr(b->o.err.msg, "changed"));
	perfdata_block_release(&block);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(damage_in_the_stream_costs_what_follows_in_it),
		BED_TEST(a_lost_compressed_record_costs_those_after_it),
		BED_TEST(plain_records_are_found_after_damage_among_records_of_odd_sizes),
		BED_TEST(damage_before_the_stream_does_not_hurt_it),
		BED_TEST(a_new_frame_is_read_after_damage),
		BED_TEST(consecutive_frames_are_one_stream),
		BED_TEST(damage_in_decompressed_records_costs_only_itself),
		BED_TEST(a_cut_in_a_compressed_record_keeps_all_before),
		BED_TEST(a_recorder_that_was_killed_leaves_compressed_records),
		BED_TEST(the_front_of_a_record_at_the_end_is_counted),
		BED_TEST(compressed_records_inside_of_others_are_refused),
		BED_TEST(compressed_records_that_hold_nothing_do_no_harm),
		BED_TEST(padding_may_be_anything),
		BED_TEST(a_length_larger_than_its_record_is_that_of_the_record),
		BED_TEST(a_bomb_is_given_up_at_what_the_recorder_can_have_held),
		BED_TEST(many_small_bombs_are_given_up_together),
		BED_TEST(a_file_that_changes_while_it_is_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
