#include "input/perfdata/perfdata_bed_for_test.h"

/* perf's own records, too. */
static int list_all(void **state)
{
	int rc = bed_setup(state);

	((struct perfdata_bed *)*state)->all.with_tools = true;
	return rc;
}

#define SCAN_TEST(t) cmocka_unit_test_setup_teardown(t, list_all, bed_teardown)

static void put_comms(struct recording_writer *w, unsigned n)
{
	while (n--)
		put_comm(w, 1, 1, "worker");
}

static void every_record_is_seen_in_both_passes_whatever_the_size_of_blocks(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		put_comms(&b->w, 1);
		put_finished_round(&b->w);
	}
	expect_records(b, 2000);
	assert_int_equal(b->all.list[0].position, b->w.data_at);
	assert_int_equal(b->all.list[1999].position, b->w.data_at + b->w.data.n - 8);
	assert_int_equal(b->all.list[1999].type, RECORD_FINISHED_ROUND);
}

static void a_record_larger_than_a_block_is_whole(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_comms(&b->w, 1);
	at = writer_begin(&b->w, RECORD_SAMPLE, 0);
	put_zeros(&b->w, 65520);
	writer_end(&b->w, at);
	put_comms(&b->w, 1);
	expect_records(b, 3);
	assert_int_equal(b->all.list[1].size, 65528);
}

static void a_recording_without_records_has_no_blocks(void **state)
{
	struct perfdata_bed *b = *state;

	writer_attr(&b->w, &plain_event, NULL, 0);
	expect_records(b, 0);
	expect_count(b, DIAG_BAD_RECORD, 0);
	expect_count(b, DIAG_CUT_SHORT, 0);
}

static void blocks_are_handed_out_again_after_a_rewind(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 100);
	bed_open_blocks(b, 256);
	bed_list(b);
	assert_true(perfdata_block_count(b->o.pd) > 5);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 100);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 0);
	perfdata_rewind(b->o.pd);
	record_list_blocks(&b->all, b->o.pd);
	assert_int_equal(b->all.n, 100);
}

/* One begins at the beginning, the other in the middle; the one that is done first helps the other.
 */
static void a_worker_gets_neighbouring_blocks(void **state)
{
	struct perfdata_bed *b = *state;
	struct perfdata_block one = { 0 }, other = { 0 };
	uint64_t middle, end, until, n;

	put_comms(&b->w, 4000);
	bed_open_blocks(b, 4096);
	bed_list(b);
	assert_int_equal(perfdata_pop_block(b->o.pd, &one, &b->o.err), OK);
	assert_int_equal(perfdata_pop_block(b->o.pd, &other, &b->o.err), OK);
	middle = other.position;
	until = other.position + other.n_bytes;
	assert_true(middle > perfdata_size_bytes(b->o.pd) * 2 / 5);
	assert_true(middle < perfdata_size_bytes(b->o.pd) * 3 / 5);
	assert_int_equal(perfdata_pop_block(b->o.pd, &other, &b->o.err), OK);
	assert_int_equal(other.position, until);
	end = other.position + other.n_bytes;
	until = one.position + one.n_bytes;
	for (n = 3; perfdata_pop_block(b->o.pd, &one, &b->o.err) == OK; n++) {
		assert_int_equal(one.position, until == middle ? end : until);
		until = one.position + one.n_bytes;
	}
	assert_int_equal(n, perfdata_block_count(b->o.pd));
	assert_int_equal(perfdata_pop_block(b->o.pd, &other, &b->o.err), END);
	perfdata_block_release(&one);
	perfdata_block_release(&other);
}

static void workers_share_the_blocks(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 4000);
	bed_open_blocks(b, 64);
	bed_list(b);
	assert_int_equal(b->all.n, 4000);
	expect_shared(b);
}

static int stop_at_third(void *ctx, const struct perfdata_record *r, struct err *e)
{
	(void)r;
	return ++*(int *)ctx == 3 ? err_set(e, ERR_LIMIT, "enough") : OK;
}

static void a_visitor_can_stop_the_scan(void **state)
{
	struct perfdata_bed *b = *state;
	int n = 0;

	put_comms(&b->w, 10);
	bed_open(b);
	assert_int_equal(perfdata_scan_records(b->o.pd, stop_at_third, &n, &b->o.diag, &b->o.err),
		ERR_LIMIT);
	assert_int_equal(n, 3);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void size_0_of_the_data_means_all_there_is(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 5);
	b->w.say_data_size = 0;
	expect_records(b, 5);
	expect_count(b, DIAG_CUT_SHORT, 0);
	expect_count(b, DIAG_BAD_FEATURE, 0);
}

static void data_that_ends_beyond_the_file_is_read_and_missing_bytes_are_counted(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 5);
	b->w.say_data_size = b->w.data.n + 1000;
	expect_records(b, 5);
	expect_count(b, DIAG_CUT_SHORT, 1000);
}

/* A copy that is not complete, cut after any byte: all records before are kept. */
static void a_cut_costs_only_the_record_it_is_in(void **state)
{
	struct perfdata_bed *b = *state;
	size_t whole, size, cut;

	put_comms(&b->w, 4);
	size = b->w.data.n / 4;
	writer_finish(&b->w);
	whole = b->w.file.n;
	for (cut = 1; cut < 2 * size; cut++) {
		b->w.file.n = whole - cut;
		expect_records(b, 4 - (cut + size - 1) / size);
		expect_count(b, DIAG_CUT_SHORT, cut);
		expect_count(b, DIAG_BAD_RECORD, 0);
	}
}

static void a_recorder_that_was_killed_leaves_a_part_of_a_record(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 3);
	b->w.say_data_size = 0;
	writer_finish(&b->w);
	b->w.file.n -= 5;
	expect_records(b, 2);
	expect_count(b, DIAG_CUT_SHORT, 5);
	b->w.file.n = b->w.data_at + 2 * b->w.data.n / 3 + 3;
	expect_records(b, 2);
	expect_count(b, DIAG_CUT_SHORT, 5);
}

static void a_record_that_passes_the_end_of_the_data_is_damage(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_comms(&b->w, 3);
	at = writer_begin(&b->w, RECORD_COMM, 0);
	put_zeros(&b->w, 16);
	writer_end_as(&b->w, at, 4000);
	writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
	expect_records(b, 3);
	expect_count(b, DIAG_CUT_SHORT, 0);
	expect_count(b, DIAG_BAD_RECORD, 1);
	expect_count(b, DIAG_DAMAGED_BYTES, 24);
}

static void a_file_that_shrinks_while_it_is_read_is_an_error(void **state)
{
	struct perfdata_bed *b = *state;
	struct perfdata_block block = { 0 };

	put_comms(&b->w, 10);
	bed_open(b);
	bed_list(b);
	assert_int_equal(ftruncate(b->o.file.fd, (off_t)(b->w.data_at + 10)), 0);
	assert_int_equal(perfdata_pop_block(b->o.pd, &block, &b->o.err), ERR_IO);
	assert_int_equal(
		perfdata_scan_records(b->o.pd, record_list_add, &b->all, &b->o.diag, &b->o.err),
		ERR_IO);
	assert_non_null(strstr(b->o.err.msg, "shrank"));
	perfdata_block_release(&block);
}

/* ---- damage ------------------------------------------------------------------------------- */

/* One record with a header that is wrong, among good ones. The good ones are kept. */
static void one_damaged_record_costs_itself_only(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		const char *what;
		uint32_t type;
		uint16_t size; /* of 48 bytes that are there */
		unsigned lost; /* records not seen, of 20 */
		unsigned bad, unknown;
	} cases[] = {
		{ "size 0", RECORD_COMM, 0, 1, 1, 0 },
		{ "size 7", RECORD_COMM, 7, 1, 1, 0 },
		{ "size not a multiple of 8", RECORD_COMM, 44, 1, 1, 0 },
		{ "size of many records", RECORD_COMM, 48 + 2 * 24 + 8, 1, 1, 0 },
		{ "size past the end", RECORD_COMM, 60000, 1, 1, 0 },
		{ "type 0", 0, 48, 1, 1, 0 },
		{ "type of a future kernel", 23, 48, 1, 0, 1 },
		{ "type below perf's own", 63, 48, 1, 0, 1 },
		{ "type of a future perf", 87, 48, 1, 0, 1 },
		{ "type of simpleperf", 32769, 48, 0, 0, 0 },
		{ "type of a future simpleperf", 32778, 48, 1, 0, 1 },
		{ "type that nobody has", 0xffffffff, 48, 1, 1, 0 },
		{ "too small for its type", RECORD_MMAP2, 48, 1, 1, 0 },
		{ "good", RECORD_COMM, 48, 0, 0, 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		size_t at;

		bed_reset(b);
		put_comms(&b->w, 10);
		at = writer_begin(&b->w, cases[i].type, 0);
		put_zeros(&b->w, 40);
		writer_end_as(&b->w, at, cases[i].size);
		put_comms(&b->w, 9);
		if (bed_read(b) != 20 - cases[i].lost)
			fail_msg("%s: %zu records", cases[i].what, b->all.n);
		if (b->o.diag.count[DIAG_BAD_RECORD] != cases[i].bad ||
			b->o.diag.count[DIAG_UNKNOWN_RECORD] != cases[i].unknown)
			fail_msg("%s: counted differently", cases[i].what);
	}
}

static void damage_says_where_it_is_and_how_long(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 10);
	put_zeros(&b->w, 200);
	put_comms(&b->w, 10);
	expect_records(b, 20);
	expect_count(b, DIAG_DAMAGED_BYTES, 200);
	assert_int_equal(b->o.diag.first_at[DIAG_BAD_RECORD], b->w.data_at + 240);
}

static void damage_at_both_ends_is_left_out(void **state)
{
	struct perfdata_bed *b = *state;

	put_zeros(&b->w, 4096);
	put_comms(&b->w, 10);
	put_zeros(&b->w, 70000);
	expect_records(b, 10);
	expect_count(b, DIAG_BAD_RECORD, 2);
	expect_count(b, DIAG_DAMAGED_BYTES, 74096);
}

static void nothing_but_damage_is_no_error(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	for (i = 0; i < 30000; i++)
		put_u64(&b->w, 0x0001000000000000u * (i % 7));
	expect_records(b, 0);
	expect_count(b, DIAG_DAMAGED_BYTES, b->w.data.n);
}

/* The first record of odd size is damaged: nothing shows that those after it are not at multiples
 * of 8. Some are skipped before they are looked for at other positions. */
static void records_that_damage_has_moved_are_found(void **state)
{
	struct perfdata_bed *b = *state;
	size_t n;

	put_comms(&b->w, 10);
	put_zeros(&b->w, 101);
	put_comms(&b->w, 8000);
	n = bed_read(b);
	assert_in_range(n, 10 + 8000 - 131072 / 24 - 10, 8000);
	expect_count(b, DIAG_BAD_RECORD, 1);
	expect_count(b, DIAG_DAMAGED_BYTES, 101 + (8010 - n) * 24);
}

/* ---- bytes behind a record ---------------------------------------------------------------- */

static void put_auxtrace(struct recording_writer *w, uint64_t payload_bytes)
{
	size_t at = writer_begin(w, RECORD_AUXTRACE, 0);

	put_u64(w, payload_bytes);
	put_zeros(w, 32);
	writer_end(w, at);
}

static void auxtrace_data_is_passed_over(void **state)
{
	struct perfdata_bed *b = *state;
	size_t i;

	put_comms(&b->w, 2);
	put_auxtrace(&b->w, 200003);
	for (i = 0; i < 200003; i++)
		buf_putc(&b->w.data, (char)(i * 7));
	put_comms(&b->w, 2);
	put_auxtrace(&b->w, 0);
	put_comms(&b->w, 2);
	expect_records(b, 8);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

static void auxtrace_data_larger_than_the_file_is_ignored(void **state)
{
	struct perfdata_bed *b = *state;

	put_comms(&b->w, 2);
	put_auxtrace(&b->w, UINT64_MAX - 100);
	put_comms(&b->w, 2);
	expect_records(b, 5);
}

static void tracing_data_may_have_any_size(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_comms(&b->w, 2);
	at = writer_begin(&b->w, RECORD_HEADER_TRACING_DATA, 0);
	put_u32(&b->w, 16);
	writer_end(&b->w, at);
	put_zeros(&b->w, 16);
	put_comms(&b->w, 2);
	expect_records(b, 5);
	assert_int_equal(b->all.list[2].size, 12);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

/* As old versions of simpleperf write it. */
static void tracing_data_may_be_inside_its_record(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_comms(&b->w, 2);
	at = writer_begin(&b->w, RECORD_HEADER_TRACING_DATA, 0);
	put_u32(&b->w, 17);
	put_zeros(&b->w, 20);
	writer_end(&b->w, at);
	put_comms(&b->w, 2);
	expect_records(b, 5);
	assert_int_equal(b->all.list[2].size, 32);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCAN_TEST(every_record_is_seen_in_both_passes_whatever_the_size_of_blocks),
		SCAN_TEST(a_record_larger_than_a_block_is_whole),
		SCAN_TEST(a_recording_without_records_has_no_blocks),
		SCAN_TEST(blocks_are_handed_out_again_after_a_rewind),
		SCAN_TEST(a_worker_gets_neighbouring_blocks),
		SCAN_TEST(workers_share_the_blocks),
		SCAN_TEST(a_visitor_can_stop_the_scan),
		SCAN_TEST(size_0_of_the_data_means_all_there_is),
		SCAN_TEST(data_that_ends_beyond_the_file_is_read_and_missing_bytes_are_counted),
		SCAN_TEST(a_cut_costs_only_the_record_it_is_in),
		SCAN_TEST(a_recorder_that_was_killed_leaves_a_part_of_a_record),
		SCAN_TEST(a_record_that_passes_the_end_of_the_data_is_damage),
		SCAN_TEST(a_file_that_shrinks_while_it_is_read_is_an_error),
		SCAN_TEST(one_damaged_record_costs_itself_only),
		SCAN_TEST(damage_says_where_it_is_and_how_long),
		SCAN_TEST(damage_at_both_ends_is_left_out),
		SCAN_TEST(nothing_but_damage_is_no_error),
		SCAN_TEST(records_that_damage_has_moved_are_found),
		SCAN_TEST(auxtrace_data_is_passed_over),
		SCAN_TEST(auxtrace_data_larger_than_the_file_is_ignored),
		SCAN_TEST(tracing_data_may_have_any_size),
		SCAN_TEST(tracing_data_may_be_inside_its_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
