#include "input/perfdata/record_list_for_test.h"

static struct record_list all;
static struct diag diag;

enum { RECORDS = 200 };

/* A recording with its test records in compressed records of 500 bytes each. */
struct packed {
	struct recording_writer w;
	size_t at[256]; /* of each compressed record in w.data */
	unsigned n;
};

static void find_compressed(struct packed *p)
{
	size_t at;

	for (at = 0, p->n = 0; at < p->w.data.n;
		at += bytes_u16((uint8_t *)p->w.data.p + at + 6, 0))
		p->at[p->n++] = at;
}

static void packed_init(struct packed *p, uint32_t type)
{
	*p = (struct packed){ .w = WRITER_INIT };
	put_test_header(&p->w);
	put_test_records(&p->w, 0, RECORDS);
	writer_compress(&p->w, &(struct test_compression){ .type = type, .flush_bytes = 500 });
	find_compressed(p);
	assert_true(p->n > 20);
}

/* What is seen is the front of the recording, and then `more` records. */
static void assert_front(size_t at_least, size_t at_most, size_t more)
{
	struct record_list plain = { 0 };
	size_t i;

	record_list_plain(&plain);
	assert_in_range(all.n, at_least + more, at_most + more);
	for (i = 0; i < all.n - more; i++)
		assert_true(all.list[i].hash == plain.list[i].hash);
	record_list_release(&plain);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void damage_in_the_stream_costs_what_follows_in_it(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	memset(p.w.data.p + p.at[10] + 8, 0xff, 16);
	put_test_records(&p.w, 300, 310);
	record_list_written(&all, &p.w, &diag);
	assert_front(20, RECORDS / 2, 10);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], p.n - 10);
	assert_int_equal(diag.first_at[DIAG_BAD_STREAM], p.w.data_at + p.at[10]);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	writer_release(&p.w);
}

/* What was skipped can have been a part of the stream. */
static void a_lost_compressed_record_costs_those_after_it(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED2);
	memset(p.w.data.p + p.at[10], 0, p.at[11] - p.at[10]);
	put_test_records(&p.w, 300, 310);
	record_list_written(&all, &p.w, &diag);
	assert_front(20, RECORDS / 2, 10);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], p.n - 11);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 1);
	writer_release(&p.w);
}

/* Records of odd sizes begin anywhere. */
static void plain_records_are_found_after_damage_among_records_of_odd_sizes(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	memset(p.w.data.p + p.at[10], 0, p.w.data.n - p.at[10]);
	put_test_records(&p.w, 300, 310);
	record_list_written(&all, &p.w, &diag);
	assert_front(20, RECORDS / 2, 10);
	writer_release(&p.w);
}

static void damage_before_the_stream_does_not_hurt_it(void **state)
{
	struct recording_writer w = WRITER_INIT, part = WRITER_INIT;
	ZSTD_CStream *stream = writer_stream(1);

	(void)state;
	put_test_header(&w);
	put_test_records(&w, 0, 10);
	put_zeros(&w, 64);
	put_test_records(&w, 10, 20);
	put_test_records(&part, 20, RECORDS);
	writer_put_packed(&w, &(struct test_compression){ .type = RECORD_COMPRESSED }, stream,
		part.data.p, part.data.n);
	record_list_written(&all, &w, &diag);
	assert_front(RECORDS, RECORDS, 0);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], 0);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 64);
	ZSTD_freeCStream(stream);
	writer_release(&part);
	writer_release(&w);
}

static void a_new_frame_is_read_after_damage(void **state)
{
	struct packed p;
	struct recording_writer second = WRITER_INIT;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	memset(p.w.data.p + p.at[10] + 8, 0xff, 16);
	put_test_records(&second, 300, 350);
	writer_compress(&second, &(struct test_compression){ .type = RECORD_COMPRESSED });
	buf_put(&p.w.data, second.data.p, second.data.n);
	record_list_written(&all, &p.w, &diag);
	assert_front(20, RECORDS / 2, 50);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], p.n - 10);
	writer_release(&second);
	writer_release(&p.w);
}

static void consecutive_frames_are_one_stream(void **state)
{
	struct recording_writer w = WRITER_INIT, second = WRITER_INIT;
	char frame[4096];
	size_t n, half;

	(void)state;
	put_test_header(&w);
	put_test_records(&second, 0, 20);
	half = second.data.n / 2;
	n = ZSTD_compress(frame, sizeof(frame), second.data.p, half, 1);
	put_compressed(&w, RECORD_COMPRESSED, frame, n);
	n = ZSTD_compress(frame, sizeof(frame), second.data.p + half, second.data.n - half, 1);
	put_compressed(&w, RECORD_COMPRESSED, frame, n);
	record_list_written(&all, &w, &diag);
	assert_front(20, 20, 0);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], 0);
	writer_release(&second);
	writer_release(&w);
}

static void damage_in_decompressed_records_costs_only_itself(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;

	(void)state;
	put_test_header(&w);
	put_test_records(&w, 0, 50);
	at = writer_begin(&w, RECORD_COMM, 0);
	put_zeros(&w, 40);
	writer_end_as(&w, at, 0);
	put_test_records(&w, 50, 100);
	writer_compress(
		&w, &(struct test_compression){ .type = RECORD_COMPRESSED, .flush_bytes = 300 });
	record_list_written(&all, &w, &diag);
	assert_front(100, 100, 0);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 1);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 48);
	writer_release(&w);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void a_cut_in_a_compressed_record_keeps_all_before(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	writer_finish(&p.w);
	p.w.file.n = p.w.data_at + p.at[p.n - 1] + 20;
	record_list_written(&all, &p.w, &diag);
	assert_front(RECORDS - 20, RECORDS - 1, 0);
	assert_true(diag.count[DIAG_CUT_SHORT] > 0);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], 0);
	writer_release(&p.w);
}

/* Then the header does not say that it is compressed either. */
static void a_recorder_that_was_killed_leaves_compressed_records(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	p.w.n_features = 0;
	p.w.say_data_size = 0;
	record_list_written(&all, &p.w, &diag);
	assert_front(RECORDS, RECORDS, 0);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 0);
	writer_release(&p.w);
}

static void the_front_of_a_record_at_the_end_is_counted(void **state)
{
	struct packed p;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	p.w.data.n = p.at[p.n - 1];
	record_list_written(&all, &p.w, &diag);
	assert_front(RECORDS - 20, RECORDS - 1, 0);
	assert_true(diag.count[DIAG_CUT_SHORT] > 0);
	writer_release(&p.w);
}

/* ---- lies --------------------------------------------------------------------------------- */

static void compressed_records_inside_of_others_are_refused(void **state)
{
	static const uint32_t types[] = { RECORD_COMPRESSED, RECORD_COMPRESSED2 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(types); i++) {
		struct recording_writer w = WRITER_INIT, inner = WRITER_INIT;

		put_test_records(&inner, 300, 320);
		writer_compress(&inner, &(struct test_compression){ .type = types[i] });
		put_test_header(&w);
		put_test_records(&w, 0, 10);
		buf_put(&w.data, inner.data.p, inner.data.n);
		put_zeros(&w, -w.data.n & 7);
		put_test_records(&w, 10, 20);
		writer_compress(&w, &(struct test_compression){ .type = types[i] });
		record_list_written(&all, &w, &diag);
		assert_front(20, 20, 0);
		assert_true(diag.count[DIAG_BAD_RECORD] > 0);
		writer_release(&inner);
		writer_release(&w);
	}
}

static void compressed_records_that_hold_nothing_do_no_harm(void **state)
{
	struct recording_writer w = WRITER_INIT, part = WRITER_INIT;
	ZSTD_CStream *stream = writer_stream(1);
	size_t at;

	(void)state;
	put_test_header(&w);
	put_compressed(&w, RECORD_COMPRESSED, "", 0);
	put_compressed(&w, RECORD_COMPRESSED2, "", 0);
	put_test_records(&part, 0, 20);
	writer_put_packed(&w, &(struct test_compression){ .type = RECORD_COMPRESSED2 }, stream,
		part.data.p, part.data.n);
	/* Too small to have a length. */
	at = writer_begin(&w, RECORD_COMPRESSED2, 0);
	writer_end(&w, at);
	put_compressed(&w, RECORD_COMPRESSED, "", 0);
	part.data.n = 0;
	put_test_records(&part, 20, 40);
	writer_put_packed(&w, &(struct test_compression){ .type = RECORD_COMPRESSED }, stream,
		part.data.p, part.data.n);
	record_list_written(&all, &w, &diag);
	assert_front(40, 40, 0);
	assert_int_equal(diag.count[DIAG_BAD_STREAM], 0);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 1);
	ZSTD_freeCStream(stream);
	writer_release(&part);
	writer_release(&w);
}

static void padding_may_be_anything(void **state)
{
	struct packed p;
	unsigned i;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED2);
	for (i = 0; i < p.n; i++) {
		uint8_t *r = (uint8_t *)p.w.data.p + p.at[i];
		uint64_t n = bytes_u64(r + 8, false);

		memset(r + 16 + n, 0xab, bytes_u16(r + 6, false) - 16 - n);
	}
	record_list_written(&all, &p.w, &diag);
	assert_front(RECORDS, RECORDS, 0);
	writer_release(&p.w);
}

/* The padding is then read as content. */
static void a_length_larger_than_its_record_is_that_of_the_record(void **state)
{
	struct packed p;
	uint64_t wrong = UINT64_MAX - 3;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED2);
	memcpy(p.w.data.p + p.at[5] + 8, &wrong, sizeof(wrong));
	put_test_records(&p.w, 300, 310);
	record_list_written(&all, &p.w, &diag);
	assert_front(5, RECORDS, 10);
	writer_release(&p.w);
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
	static const struct {
		uint32_t hash;
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

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;

		put_test_header(&w);
		writer_feature_compressed(&w, cases[i].hash);
		put_test_records(&w, 0, 10);
		make_bomb(&bomb, cases[i].blocks);
		put_compressed(&w, RECORD_COMPRESSED, bomb.p, bomb.n);
		put_zeros(&w, -w.data.n & 7);
		put_test_records(&w, 300, 310);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		record_list_scan(&all, o.pd, &o.diag);
		assert_front(10, 10, 10);
		assert_int_equal(o.diag.count[DIAG_BAD_STREAM], cases[i].lost);
		assert_true(o.diag.count[DIAG_DAMAGED_BYTES] < 70 << 20);
		opened_release(&o);
		writer_release(&w);
	}
	buf_release(&bomb);
}

/* Each record alone is within its bound. */
static void many_small_bombs_are_given_up_together(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct buf bomb = { 0 };
	struct opened o;
	unsigned i;

	(void)state;
	put_test_header(&w);
	make_bomb(&bomb, 60);
	for (i = 0; i < 100; i++)
		put_compressed(&w, RECORD_COMPRESSED2, bomb.p + (i ? 6 : 0), bomb.n - (i ? 6 : 0));
	put_test_records(&w, 300, 310);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	record_list_scan(&all, o.pd, &o.diag);
	assert_int_equal(all.n, 10);
	assert_in_range(o.diag.count[DIAG_BAD_STREAM], 1, 99);
	assert_true(o.diag.count[DIAG_DAMAGED_BYTES] < (size_t)200 << 20);
	opened_release(&o);
	writer_release(&w);
	buf_release(&bomb);
}

static void a_file_that_changes_while_it_is_read_is_an_error(void **state)
{
	struct perfdata_block b = { 0 };
	struct packed p;
	struct opened o;
	int rc;

	(void)state;
	packed_init(&p, RECORD_COMPRESSED);
	assert_int_equal(opened_from(&o, &p.w, 256), OK);
	record_list_scan(&all, o.pd, &o.diag);
	assert_int_equal(
		pwrite(o.file.fd, "\0\0\0\0\0\0\0\0", 8, (off_t)(p.w.data_at + p.at[10])), 8);
	while ((rc = perfdata_pop_block(o.pd, &b, &o.err)) == OK)
		;
	assert_int_equal(rc, ERR_IO);
	assert_non_null(strstr(o.err.msg, "changed"));
	perfdata_block_release(&b);
	opened_release(&o);
	writer_release(&p.w);
}

static int release_all(void **state)
{
	(void)state;
	record_list_release(&all);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damage_in_the_stream_costs_what_follows_in_it),
		cmocka_unit_test(a_lost_compressed_record_costs_those_after_it),
		cmocka_unit_test(plain_records_are_found_after_damage_among_records_of_odd_sizes),
		cmocka_unit_test(damage_before_the_stream_does_not_hurt_it),
		cmocka_unit_test(a_new_frame_is_read_after_damage),
		cmocka_unit_test(consecutive_frames_are_one_stream),
		cmocka_unit_test(damage_in_decompressed_records_costs_only_itself),
		cmocka_unit_test(a_cut_in_a_compressed_record_keeps_all_before),
		cmocka_unit_test(a_recorder_that_was_killed_leaves_compressed_records),
		cmocka_unit_test(the_front_of_a_record_at_the_end_is_counted),
		cmocka_unit_test(compressed_records_inside_of_others_are_refused),
		cmocka_unit_test(compressed_records_that_hold_nothing_do_no_harm),
		cmocka_unit_test(padding_may_be_anything),
		cmocka_unit_test(a_length_larger_than_its_record_is_that_of_the_record),
		cmocka_unit_test(a_bomb_is_given_up_at_what_the_recorder_can_have_held),
		cmocka_unit_test(many_small_bombs_are_given_up_together),
		cmocka_unit_test(a_file_that_changes_while_it_is_read_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, release_all);
}
