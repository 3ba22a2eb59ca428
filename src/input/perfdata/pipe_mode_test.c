#include "input/perfdata/perfdata_bed_for_test.h"

/* A recording in pipe mode: 16 bytes, then w.data. */
static void finish_bare(struct recording_writer *w)
{
	w->file.n = 0;
	buf_put(&w->file, w->swapped == HOST_IS_BIG_ENDIAN ? "PERFILE2" : "2ELIFREP", 8);
	buf_u64(&w->file, w->swapped, 16);
	buf_put(&w->file, w->data.p, w->data.n);
}

static void put_attr(struct recording_writer *w, unsigned i)
{
	size_t at = writer_begin(w, RECORD_HEADER_ATTR, 0);

	buf_put(&w->data, w->attrs[i].p, w->attrs[i].n);
	buf_put(&w->data, w->ids[i].p, w->ids[i].n);
	writer_end(w, at);
}

static void put_feature(struct recording_writer *w, uint64_t bit, const char *text)
{
	size_t at = writer_begin(w, RECORD_HEADER_FEATURE, 0);

	put_u64(w, bit);
	if (text)
		buf_section_string(&w->data, w->swapped, text);
	writer_end(w, at);
}

static void put_event_name(struct recording_writer *w, uint64_t what, uint64_t id, const char *s)
{
	size_t at = writer_begin(w, RECORD_EVENT_UPDATE, 0);

	put_u64(w, what);
	put_u64(w, id);
	put_string(w, s);
	writer_end(w, at);
}

/* The records of both events of put_test_header(). */
static void put_both_attrs(struct recording_writer *w)
{
	put_test_header(w);
	put_attr(w, 0);
	put_attr(w, 1);
}

/* ------------------------------------------------------------------------------------------- */

static void events_and_features_come_in_records(void **state)
{
	struct perfdata_bed *b = *state;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		bed_reset_swapped(b, swapped);
		put_test_header(&b->w);
		put_test_records(&b->w, 0, 10);
		writer_finish_pipe(&b->w);
		bed_open(b);
		assert_int_equal(b->n_attrs, 2);
		assert_int_equal(b->attrs[0].frequency_hz, 99);
		assert_true(b->attrs[0].sample_id_all);
		assert_int_equal(b->attrs[0].n_ids, 1);
		assert_int_equal(b->attrs[1].n_ids, 2);
		assert_int_equal(b->attrs[1].ids[1], 202);
		expect_event_name(b, 1, "cpu-clock");
		assert_string_equal(bed_str(b, b->features->hostname), "there");
		assert_false(b->features->unfinished);
		/* The mark after the last feature, with a number that means nothing. */
		assert_false(perfdata_features_has(b->features, 32));
	}
}

/* perf record --tail-synthesize */
static void events_may_come_after_their_samples(void **state)
{
	struct perfdata_bed *b = *state;
	struct record_list front;

	put_test_header(&b->w);
	put_test_records(&b->w, 0, 100);
	bed_read(b);
	front = b->all;
	b->all = (struct record_list){ 0 };
	put_attr(&b->w, 0);
	put_feature(&b->w, FEATURE_ARCH, "aarch64");
	put_attr(&b->w, 1);
	finish_bare(&b->w);
	bed_read(b);
	record_list_assert_same(&b->all, &front);
	record_list_release(&front);
}

static void a_pipe_without_events_has_records_all_the_same(void **state)
{
	struct perfdata_bed *b = *state;

	put_test_records(&b->w, 0, 100);
	finish_bare(&b->w);
	expect_records(b, 100);
	assert_int_equal(b->n_attrs, 0);
}

static void a_pipe_that_ends_at_once_is_empty(void **state)
{
	struct perfdata_bed *b = *state;
	size_t cut, whole;

	put_test_header(&b->w);
	writer_finish_pipe(&b->w);
	whole = b->w.file.n;
	for (cut = 16; cut < whole; cut += 11) {
		b->w.file.n = cut;
		expect_records(b, 0);
	}
}

static void attributes_of_any_size_are_read(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		uint32_t size, extra_bytes, n_ids;
	} cases[] = {
		{ 0, 0, 9 + 2 }, /* the first version; the rest are read as ids */
		{ 136, 0, 2 },
		{ 144, 8, 2 },     /* newer than ours */
		{ 1000000, 0, 0 }, /* larger than its record */
		{ 56, 0, 9 + 2 },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		writer_attr(&b->w,
			&(struct test_attr){ .size = cases[i].size,
				.config = 3,
				.extra_bytes = cases[i].extra_bytes },
			(uint64_t[]){ 7, 8 }, 2);
		if (!cases[i].size)
			memset(b->w.attrs[0].p + 4, 0, 4);
		writer_finish_pipe(&b->w);
		bed_open(b);
		assert_int_equal(b->n_attrs, 1);
		assert_int_equal(b->attrs->config, 3);
		assert_int_equal(b->attrs->n_ids, cases[i].n_ids);
	}
}

static void events_are_renamed_by_their_id(void **state)
{
	struct perfdata_bed *b = *state;

	put_both_attrs(&b->w);
	put_event_name(&b->w, 2, 202, "ticks");
	put_event_name(&b->w, 2, 999, "of nobody");
	put_event_name(&b->w, 0, 101, "unit");
	put_event_name(&b->w, 2, 101, "");
	finish_bare(&b->w);
	bed_open(b);
	expect_event_name(b, 0, "cycles");
	expect_event_name(b, 1, "ticks");
}

static void features_with_numbers_of_no_meaning_are_left_out(void **state)
{
	struct perfdata_bed *b = *state;

	put_test_header(&b->w);
	put_attr(&b->w, 0);
	put_feature(&b->w, 256, "a");
	put_feature(&b->w, UINT64_MAX, "b");
	put_feature(&b->w, 64, NULL);
	put_feature(&b->w, FEATURE_ARCH, "first");
	put_feature(&b->w, FEATURE_ARCH, "x86_64");
	finish_bare(&b->w);
	bed_open(b);
	assert_false(perfdata_features_has(b->features, 64));
	assert_string_equal(bed_str(b, b->features->arch), "x86_64");
}

/* Records after it begin anywhere, and so do those after damage. */
static void a_feature_of_odd_size_shifts_everything_after_it(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_both_attrs(&b->w);
	at = writer_begin(&b->w, RECORD_HEADER_FEATURE, 0);
	put_u64(&b->w, FEATURE_CPUID);
	buf_put(&b->w.data, "\3\0\0\0ab", 7);
	writer_end(&b->w, at);
	put_test_records(&b->w, 0, 20);
	put_zeros(&b->w, 101);
	put_test_records(&b->w, 20, 40);
	finish_bare(&b->w);
	expect_records(b, 40);
	expect_count(b, DIAG_DAMAGED_BYTES, 101);
}

static void tracing_data_follows_its_record(void **state)
{
	struct perfdata_bed *b = *state;
	struct buf section = { 0 };
	size_t at;

	put_both_attrs(&b->w);
	at = writer_begin(&b->w, RECORD_HEADER_TRACING_DATA, 0);
	put_u32(&b->w, 24);
	writer_end(&b->w, at); /* of 12 bytes, as old perf did */
	buf_put(&b->w.data, "\x17\x08\x44tracing, 24 bytes!!!", 24);
	put_test_records(&b->w, 0, 20);
	finish_bare(&b->w);
	expect_records(b, 20);
	expect_count(b, DIAG_BAD_RECORD, 0);
	assert_int_equal(
		perfdata_read_section(b->o.pd, FEATURE_TRACING_DATA, &section, &b->o.err), OK);
	assert_int_equal(section.n, 24);
	assert_memory_equal(section.p, "\x17\x08\x44tracing", 10);
	buf_release(&section);
}

static void put_build_id(struct recording_writer *w, const char *path)
{
	size_t at = writer_begin(w, RECORD_HEADER_BUILD_ID, 1 << 15 | CPUMODE_USER);
	unsigned i;

	put_u32(w, UINT32_MAX);
	for (i = 0; i < 20; i++)
		buf_putc(&w->data, (char)(i + 1));
	put_u32(w, 0);
	w->data.p[w->data.n - 4] = 20;
	put_string(w, path);
	writer_end(w, at);
}

/* perf inject -b puts them before the first sample of their file. */
static void build_ids_may_be_records(void **state)
{
	struct perfdata_bed *b = *state;
	int again;

	put_test_header(&b->w);
	put_test_records(&b->w, 0, 10);
	put_build_id(&b->w, "/usr/bin/node");
	put_test_records(&b->w, 10, 20);
	put_build_id(&b->w, "/usr/lib/libm.so.6");
	writer_finish_pipe(&b->w);
	bed_open(b);
	assert_int_equal(b->features->n_build_ids, 0);
	for (again = 0; again < 2; again++) {
		record_list_both(&b->all, b->o.pd, &b->o.diag);
		assert_int_equal(b->features->n_build_ids, 2);
		assert_string_equal(
			bed_str(b, b->features->build_ids[1].path), "/usr/lib/libm.so.6");
		assert_int_equal(b->features->build_ids[1].id.n, 20);
		assert_int_equal(b->features->build_ids[1].id.byte[19], 20);
	}
	expect_count(b, DIAG_BAD_FEATURE, 0);
}

static void counts_of_perf_stat_are_refused(void **state)
{
	struct perfdata_bed *b = *state;
	size_t at;

	put_test_header(&b->w);
	put_attr(&b->w, 0);
	at = writer_begin(&b->w, RECORD_STAT_CONFIG, 0);
	put_u64(&b->w, 0);
	writer_end(&b->w, at);
	finish_bare(&b->w);
	expect_refused(b, ERR_UNSUPPORTED, "perf stat");
}

static void too_many_events_are_refused(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	writer_attr(&b->w, &(struct test_attr){ .config = 1 }, NULL, 0);
	for (i = 0; i <= 1 << 16; i++)
		put_attr(&b->w, 0);
	finish_bare(&b->w);
	assert_int_equal(bed_try_blocks(b, 0), ERR_LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(events_and_features_come_in_records),
		BED_TEST(events_may_come_after_their_samples),
		BED_TEST(a_pipe_without_events_has_records_all_the_same),
		BED_TEST(a_pipe_that_ends_at_once_is_empty),
		BED_TEST(attributes_of_any_size_are_read),
		BED_TEST(events_are_renamed_by_their_id),
		BED_TEST(features_with_numbers_of_no_meaning_are_left_out),
		BED_TEST(a_feature_of_odd_size_shifts_everything_after_it),
		BED_TEST(tracing_data_follows_its_record),
		BED_TEST(build_ids_may_be_records),
		BED_TEST(counts_of_perf_stat_are_refused),
		BED_TEST(too_many_events_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
