#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/mem.h"
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* What one pass saw: type and position of each record. */
struct seen {
	struct {
		uint32_t type, size;
		uint64_t position;
	} list[8192];
	unsigned n;
};

static int see(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct seen *s = ctx;

	(void)e;
	assert_true(s->n < ARRAY_LEN(s->list));
	s->list[s->n].type = r->type;
	s->list[s->n].size = r->size;
	s->list[s->n++].position = r->position;
	return OK;
}

static void read_blocks(struct perfdata *pd, struct seen *s)
{
	struct perfdata_block b = { 0 };
	struct perfdata_record r;
	struct err e;

	s->n = 0;
	while (perfdata_pop_block(pd, &b, &e) == OK)
		while (perfdata_block_next(&b, &r))
			see(s, &r, &e);
	perfdata_block_release(&b);
}

/* Scan and read the blocks, with several sizes of block: all must see the same. */
static unsigned read_all(struct recording_writer *w, struct seen *first, struct diag *d)
{
	static const size_t block_bytes[] = { 0, 64, 4096 };
	static struct seen scan, blocks;
	size_t i;

	for (i = 0; i < ARRAY_LEN(block_bytes); i++) {
		struct opened o;

		assert_int_equal(opened_from(&o, w, block_bytes[i]), OK);
		scan.n = 0;
		assert_int_equal(perfdata_scan_records(o.pd, see, &scan, &o.diag, &o.err), OK);
		read_blocks(o.pd, &blocks);
		assert_int_equal(blocks.n, scan.n);
		assert_memory_equal(blocks.list, scan.list, scan.n * sizeof(scan.list[0]));
		if (i == 0) {
			*first = scan;
			*d = o.diag;
		}
		assert_int_equal(first->n, scan.n);
		assert_memory_equal(first->list, scan.list, scan.n * sizeof(scan.list[0]));
		assert_memory_equal(d, &o.diag, sizeof(*d));
		opened_release(&o);
	}
	return first->n;
}

static struct seen all;
static struct diag diag;

static void put_comms(struct recording_writer *w, unsigned n)
{
	while (n--)
		put_comm(w, 1, 1, "worker");
}

static void every_record_is_seen_in_both_passes_whatever_the_size_of_blocks(void **state)
{
	struct recording_writer w = WRITER_INIT;
	unsigned i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		put_comms(&w, 1);
		put_finished_round(&w);
	}
	assert_int_equal(read_all(&w, &all, &diag), 2000);
	assert_int_equal(all.list[0].position, w.data_at);
	assert_int_equal(all.list[1999].position, w.data_at + w.data.n - 8);
	assert_int_equal(all.list[1999].type, RECORD_FINISHED_ROUND);
	writer_release(&w);
}

static void a_record_larger_than_a_block_is_whole(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;

	(void)state;
	put_comms(&w, 1);
	at = writer_begin(&w, RECORD_SAMPLE, 0);
	put_zeros(&w, 65520);
	writer_end(&w, at);
	put_comms(&w, 1);
	assert_int_equal(read_all(&w, &all, &diag), 3);
	assert_int_equal(all.list[1].size, 65528);
	writer_release(&w);
}

static void a_recording_without_records_has_no_blocks(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	writer_attr(&w, &(struct test_attr){ .sample_type = SAMPLE_IP }, NULL, 0);
	assert_int_equal(read_all(&w, &all, &diag), 0);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 0);
	writer_release(&w);
}

static void blocks_are_handed_out_again_after_a_rewind(void **state)
{
	struct recording_writer w = WRITER_INIT;
	static struct seen again;
	struct opened o;

	(void)state;
	put_comms(&w, 100);
	assert_int_equal(opened_from(&o, &w, 256), OK);
	all.n = 0;
	assert_int_equal(perfdata_scan_records(o.pd, see, &all, &o.diag, &o.err), OK);
	assert_true(perfdata_block_count(o.pd) > 5);
	read_blocks(o.pd, &again);
	assert_int_equal(again.n, 100);
	read_blocks(o.pd, &again);
	assert_int_equal(again.n, 0);
	perfdata_rewind(o.pd);
	read_blocks(o.pd, &again);
	assert_int_equal(again.n, 100);
	opened_release(&o);
	writer_release(&w);
}

struct shared {
	struct perfdata *pd;
	uint64_t positions[4]; /* sum over the records of each worker */
	unsigned records[4];
};

static int read_blocks_in_turn(void *ctx, unsigned worker, struct err *e)
{
	struct shared *s = ctx;
	struct perfdata_block b = { 0 };
	struct perfdata_record r;
	int rc;

	while ((rc = perfdata_pop_block(s->pd, &b, e)) == OK) {
		while (perfdata_block_next(&b, &r)) {
			s->positions[worker] += r.position;
			s->records[worker]++;
		}
	}
	perfdata_block_release(&b);
	return rc == END ? OK : rc;
}

/* One begins at the beginning, the other in the middle; the one that is done first helps the other.
 */
static void a_worker_gets_neighbouring_blocks(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct perfdata_block one = { 0 }, other = { 0 };
	uint64_t middle, end, until, n;
	struct opened o;

	(void)state;
	put_comms(&w, 4000);
	assert_int_equal(opened_from(&o, &w, 4096), OK);
	all.n = 0;
	assert_int_equal(perfdata_scan_records(o.pd, see, &all, &o.diag, &o.err), OK);
	assert_int_equal(perfdata_pop_block(o.pd, &one, &o.err), OK);
	assert_int_equal(perfdata_pop_block(o.pd, &other, &o.err), OK);
	middle = other.position;
	until = other.position + other.n_bytes;
	assert_true(middle > perfdata_size_bytes(o.pd) * 2 / 5);
	assert_true(middle < perfdata_size_bytes(o.pd) * 3 / 5);
	assert_int_equal(perfdata_pop_block(o.pd, &other, &o.err), OK);
	assert_int_equal(other.position, until);
	end = other.position + other.n_bytes;
	until = one.position + one.n_bytes;
	for (n = 3; perfdata_pop_block(o.pd, &one, &o.err) == OK; n++) {
		assert_int_equal(one.position, until == middle ? end : until);
		until = one.position + one.n_bytes;
	}
	assert_int_equal(n, perfdata_block_count(o.pd));
	assert_int_equal(perfdata_pop_block(o.pd, &other, &o.err), END);
	perfdata_block_release(&one);
	perfdata_block_release(&other);
	opened_release(&o);
	writer_release(&w);
}

static void workers_share_the_blocks(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct pool *pool = pool_new(4);
	struct shared s = { 0 };
	uint64_t expected = 0, got = 0;
	unsigned i, records = 0;
	struct opened o;

	(void)state;
	put_comms(&w, 4000);
	assert_int_equal(opened_from(&o, &w, 64), OK);
	all.n = 0;
	assert_int_equal(perfdata_scan_records(o.pd, see, &all, &o.diag, &o.err), OK);
	s.pd = o.pd;
	assert_int_equal(pool_run(pool, read_blocks_in_turn, &s, &o.err), OK);
	for (i = 0; i < all.n; i++)
		expected += all.list[i].position;
	for (i = 0; i < 4; i++) {
		got += s.positions[i];
		records += s.records[i];
	}
	assert_int_equal(records, 4000);
	assert_int_equal(got, expected);
	pool_free(pool);
	opened_release(&o);
	writer_release(&w);
}

static int stop_at_third(void *ctx, const struct perfdata_record *r, struct err *e)
{
	(void)r;
	return ++*(int *)ctx == 3 ? err_set(e, ERR_LIMIT, "enough") : OK;
}

static void a_visitor_can_stop_the_scan(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	int n = 0;

	(void)state;
	put_comms(&w, 10);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(
		perfdata_scan_records(o.pd, stop_at_third, &n, &o.diag, &o.err), ERR_LIMIT);
	assert_int_equal(n, 3);
	opened_release(&o);
	writer_release(&w);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void size_0_of_the_data_means_all_there_is(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_comms(&w, 5);
	w.say_data_size = 0;
	assert_int_equal(read_all(&w, &all, &diag), 5);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 0);
	assert_int_equal(diag.count[DIAG_BAD_FEATURE], 0);
	writer_release(&w);
}

static void data_that_ends_beyond_the_file_is_read_and_missing_bytes_are_counted(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_comms(&w, 5);
	w.say_data_size = w.data.n + 1000;
	assert_int_equal(read_all(&w, &all, &diag), 5);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 1000);
	writer_release(&w);
}

/* A copy that is not complete, cut after any byte: all records before are kept. */
static void a_cut_costs_only_the_record_it_is_in(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t whole, size, cut;

	(void)state;
	put_comms(&w, 4);
	size = w.data.n / 4;
	writer_finish(&w);
	whole = w.file.n;
	for (cut = 1; cut < 2 * size; cut++) {
		w.file.n = whole - cut;
		assert_int_equal(read_all(&w, &all, &diag), 4 - (cut + size - 1) / size);
		assert_int_equal(diag.count[DIAG_CUT_SHORT], cut);
		assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	}
	writer_release(&w);
}

static void a_recorder_that_was_killed_leaves_a_part_of_a_record(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_comms(&w, 3);
	w.say_data_size = 0;
	writer_finish(&w);
	w.file.n -= 5;
	assert_int_equal(read_all(&w, &all, &diag), 2);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 5);
	w.file.n = w.data_at + 2 * w.data.n / 3 + 3;
	assert_int_equal(read_all(&w, &all, &diag), 2);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 5);
	writer_release(&w);
}

static void a_record_that_passes_the_end_of_the_data_is_damage(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;

	(void)state;
	put_comms(&w, 3);
	at = writer_begin(&w, RECORD_COMM, 0);
	put_zeros(&w, 16);
	writer_end_as(&w, at, 4000);
	writer_feature_string(&w, FEATURE_HOSTNAME, "there");
	assert_int_equal(read_all(&w, &all, &diag), 3);
	assert_int_equal(diag.count[DIAG_CUT_SHORT], 0);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 1);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 24);
	writer_release(&w);
}

static void a_file_that_shrinks_while_it_is_read_is_an_error(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct perfdata_block b = { 0 };
	struct opened o;

	(void)state;
	put_comms(&w, 10);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	all.n = 0;
	assert_int_equal(perfdata_scan_records(o.pd, see, &all, &o.diag, &o.err), OK);
	assert_int_equal(ftruncate(o.file.fd, (off_t)(w.data_at + 10)), 0);
	assert_int_equal(perfdata_pop_block(o.pd, &b, &o.err), ERR_IO);
	assert_int_equal(perfdata_scan_records(o.pd, see, &all, &o.diag, &o.err), ERR_IO);
	assert_non_null(strstr(o.err.msg, "shrank"));
	perfdata_block_release(&b);
	opened_release(&o);
	writer_release(&w);
}

/* ---- damage ------------------------------------------------------------------------------- */

/* One record with a header that is wrong, among good ones. The good ones are kept. */
static void one_damaged_record_costs_itself_only(void **state)
{
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

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		size_t at;

		put_comms(&w, 10);
		at = writer_begin(&w, cases[i].type, 0);
		put_zeros(&w, 40);
		writer_end_as(&w, at, cases[i].size);
		put_comms(&w, 9);
		if (read_all(&w, &all, &diag) != 20 - cases[i].lost)
			fail_msg("%s: %u records", cases[i].what, all.n);
		if (diag.count[DIAG_BAD_RECORD] != cases[i].bad ||
			diag.count[DIAG_UNKNOWN_RECORD] != cases[i].unknown)
			fail_msg("%s: counted differently", cases[i].what);
		writer_release(&w);
	}
}

static void damage_says_where_it_is_and_how_long(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_comms(&w, 10);
	put_zeros(&w, 200);
	put_comms(&w, 10);
	assert_int_equal(read_all(&w, &all, &diag), 20);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 200);
	assert_int_equal(diag.first_at[DIAG_BAD_RECORD], w.data_at + 240);
	writer_release(&w);
}

static void damage_at_both_ends_is_left_out(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_zeros(&w, 4096);
	put_comms(&w, 10);
	put_zeros(&w, 70000);
	assert_int_equal(read_all(&w, &all, &diag), 10);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 2);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 74096);
	writer_release(&w);
}

static void nothing_but_damage_is_no_error(void **state)
{
	struct recording_writer w = WRITER_INIT;
	unsigned i;

	(void)state;
	for (i = 0; i < 30000; i++)
		put_u64(&w, 0x0001000000000000u * (i % 7));
	assert_int_equal(read_all(&w, &all, &diag), 0);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], w.data.n);
	writer_release(&w);
}

/* The first record of odd size is damaged: nothing shows that those after it are not at multiples
 * of 8. Some are skipped before they are looked for at other positions. */
static void records_that_damage_has_moved_are_found(void **state)
{
	struct recording_writer w = WRITER_INIT;
	unsigned n;

	(void)state;
	put_comms(&w, 10);
	put_zeros(&w, 101);
	put_comms(&w, 8000);
	n = read_all(&w, &all, &diag);
	assert_in_range(n, 10 + 8000 - 131072 / 24 - 10, 8000);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 1);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 101 + (8010 - n) * 24);
	writer_release(&w);
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
	struct recording_writer w = WRITER_INIT;
	size_t i;

	(void)state;
	put_comms(&w, 2);
	put_auxtrace(&w, 200003);
	for (i = 0; i < 200003; i++)
		buf_putc(&w.data, (char)(i * 7));
	put_comms(&w, 2);
	put_auxtrace(&w, 0);
	put_comms(&w, 2);
	assert_int_equal(read_all(&w, &all, &diag), 8);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	writer_release(&w);
}

static void auxtrace_data_larger_than_the_file_is_ignored(void **state)
{
	struct recording_writer w = WRITER_INIT;

	(void)state;
	put_comms(&w, 2);
	put_auxtrace(&w, UINT64_MAX - 100);
	put_comms(&w, 2);
	assert_int_equal(read_all(&w, &all, &diag), 5);
	writer_release(&w);
}

static void tracing_data_may_have_any_size(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;

	(void)state;
	put_comms(&w, 2);
	at = writer_begin(&w, RECORD_HEADER_TRACING_DATA, 0);
	put_u32(&w, 16);
	writer_end(&w, at);
	put_zeros(&w, 16);
	put_comms(&w, 2);
	assert_int_equal(read_all(&w, &all, &diag), 5);
	assert_int_equal(all.list[2].size, 12);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_is_seen_in_both_passes_whatever_the_size_of_blocks),
		cmocka_unit_test(a_record_larger_than_a_block_is_whole),
		cmocka_unit_test(a_recording_without_records_has_no_blocks),
		cmocka_unit_test(blocks_are_handed_out_again_after_a_rewind),
		cmocka_unit_test(a_worker_gets_neighbouring_blocks),
		cmocka_unit_test(workers_share_the_blocks),
		cmocka_unit_test(a_visitor_can_stop_the_scan),
		cmocka_unit_test(size_0_of_the_data_means_all_there_is),
		cmocka_unit_test(
			data_that_ends_beyond_the_file_is_read_and_missing_bytes_are_counted),
		cmocka_unit_test(a_cut_costs_only_the_record_it_is_in),
		cmocka_unit_test(a_recorder_that_was_killed_leaves_a_part_of_a_record),
		cmocka_unit_test(a_record_that_passes_the_end_of_the_data_is_damage),
		cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_an_error),
		cmocka_unit_test(one_damaged_record_costs_itself_only),
		cmocka_unit_test(damage_says_where_it_is_and_how_long),
		cmocka_unit_test(damage_at_both_ends_is_left_out),
		cmocka_unit_test(nothing_but_damage_is_no_error),
		cmocka_unit_test(records_that_damage_has_moved_are_found),
		cmocka_unit_test(auxtrace_data_is_passed_over),
		cmocka_unit_test(auxtrace_data_larger_than_the_file_is_ignored),
		cmocka_unit_test(tracing_data_may_have_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
