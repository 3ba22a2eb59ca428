#include "input/perfdata/record_list_for_test.h"

static struct record_list all;
static struct diag diag;

/* A recording in pipe mode: 16 bytes, then w.data. */
static void finish_bare(struct recording_writer *w)
{
	w->file.n = 0;
	buf_put(&w->file, w->swapped ? "2ELIFREP" : "PERFILE2", 8);
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

static const char *event_name(const struct opened *o, uint32_t i)
{
	uint32_t n;
	const struct perfdata_attr *a = perfdata_attrs(o->pd, &n);

	assert_true(i < n);
	return strtab_str(o->strings, a[i].name);
}

/* ------------------------------------------------------------------------------------------- */

static void events_and_features_come_in_records(void **state)
{
	const struct perfdata_attr *a;
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;
		uint32_t n;

		w.swapped = swapped;
		put_test_header(&w);
		put_test_records(&w, 0, 10);
		writer_finish_pipe(&w);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		a = perfdata_attrs(o.pd, &n);
		assert_int_equal(n, 2);
		assert_int_equal(a[0].frequency_hz, 99);
		assert_true(a[0].sample_id_all);
		assert_int_equal(a[0].n_ids, 1);
		assert_int_equal(a[1].n_ids, 2);
		assert_int_equal(a[1].ids[1], 202);
		assert_string_equal(event_name(&o, 1), "cpu-clock");
		assert_string_equal(
			strtab_str(o.strings, perfdata_features(o.pd)->hostname), "there");
		assert_false(perfdata_features(o.pd)->unfinished);
		/* The mark after the last feature, with a number that means nothing. */
		assert_false(perfdata_features_has(perfdata_features(o.pd), 32));
		opened_release(&o);
		writer_release(&w);
	}
}

/* perf record --tail-synthesize */
static void events_may_come_after_their_samples(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct record_list front = { 0 };

	(void)state;
	put_test_header(&w);
	put_test_records(&w, 0, 100);
	record_list_written(&front, &w, &diag);
	put_attr(&w, 0);
	put_feature(&w, FEATURE_ARCH, "aarch64");
	put_attr(&w, 1);
	finish_bare(&w);
	record_list_written(&all, &w, &diag);
	record_list_assert_same(&all, &front);
	record_list_release(&front);
	writer_release(&w);
}

static void a_pipe_without_events_has_records_all_the_same(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t n;

	(void)state;
	put_test_records(&w, 0, 100);
	finish_bare(&w);
	record_list_written(&all, &w, &diag);
	assert_int_equal(all.n, 100);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	perfdata_attrs(o.pd, &n);
	assert_int_equal(n, 0);
	opened_release(&o);
	writer_release(&w);
}

static void a_pipe_that_ends_at_once_is_empty(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t cut;

	(void)state;
	put_test_header(&w);
	writer_finish_pipe(&w);
	for (cut = 16; cut < w.file.n; cut += 11) {
		struct recording_writer part = WRITER_INIT;

		buf_put(&part.file, w.file.p, cut);
		record_list_written(&all, &part, &diag);
		assert_int_equal(all.n, 0);
		writer_release(&part);
	}
	writer_release(&w);
}

static void attributes_of_any_size_are_read(void **state)
{
	static const struct {
		uint32_t hash, extra_bytes, n_ids;
	} cases[] = {
		{ 0, 0, 9 + 2 }, /* the first version; the rest are read as ids */
		{ 136, 0, 2 },
		{ 144, 8, 2 },     /* newer than ours */
		{ 1000000, 0, 0 }, /* larger than its record */
		{ 56, 0, 9 + 2 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		const struct perfdata_attr *a;
		struct opened o;
		uint32_t n;

		writer_attr(&w,
			&(struct test_attr){ .size = cases[i].hash,
				.config = 3,
				.extra_bytes = cases[i].extra_bytes },
			(uint64_t[]){ 7, 8 }, 2);
		if (!cases[i].hash)
			memset(w.attrs[0].p + 4, 0, 4);
		writer_finish_pipe(&w);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		a = perfdata_attrs(o.pd, &n);
		assert_int_equal(n, 1);
		assert_int_equal(a->config, 3);
		assert_int_equal(a->n_ids, cases[i].n_ids);
		opened_release(&o);
		writer_release(&w);
	}
}

static void events_are_renamed_by_their_id(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	put_test_header(&w);
	put_attr(&w, 0);
	put_attr(&w, 1);
	put_event_name(&w, 2, 202, "ticks");
	put_event_name(&w, 2, 999, "of nobody");
	put_event_name(&w, 0, 101, "unit");
	put_event_name(&w, 2, 101, "");
	finish_bare(&w);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_string_equal(event_name(&o, 0), "cycles");
	assert_string_equal(event_name(&o, 1), "ticks");
	opened_release(&o);
	writer_release(&w);
}

static void features_with_numbers_of_no_meaning_are_left_out(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	put_test_header(&w);
	put_attr(&w, 0);
	put_feature(&w, 256, "a");
	put_feature(&w, UINT64_MAX, "b");
	put_feature(&w, 64, NULL);
	put_feature(&w, FEATURE_ARCH, "first");
	put_feature(&w, FEATURE_ARCH, "x86_64");
	finish_bare(&w);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_false(perfdata_features_has(perfdata_features(o.pd), 64));
	assert_string_equal(strtab_str(o.strings, perfdata_features(o.pd)->arch), "x86_64");
	opened_release(&o);
	writer_release(&w);
}

/* Records after it begin anywhere, and so do those after damage. */
static void a_feature_of_odd_size_shifts_everything_after_it(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;

	(void)state;
	put_test_header(&w);
	put_attr(&w, 0);
	put_attr(&w, 1);
	at = writer_begin(&w, RECORD_HEADER_FEATURE, 0);
	put_u64(&w, FEATURE_CPUID);
	buf_put(&w.data, "\3\0\0\0ab", 7);
	writer_end(&w, at);
	put_test_records(&w, 0, 20);
	put_zeros(&w, 101);
	put_test_records(&w, 20, 40);
	finish_bare(&w);
	record_list_written(&all, &w, &diag);
	assert_int_equal(all.n, 40);
	assert_int_equal(diag.count[DIAG_DAMAGED_BYTES], 101);
	writer_release(&w);
}

static void tracing_data_follows_its_record(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct buf section = { 0 };
	struct opened o;
	size_t at;

	(void)state;
	put_test_header(&w);
	put_attr(&w, 0);
	put_attr(&w, 1);
	at = writer_begin(&w, RECORD_HEADER_TRACING_DATA, 0);
	put_u32(&w, 24);
	writer_end(&w, at); /* of 12 bytes, as old perf did */
	buf_put(&w.data, "\x17\x08\x44tracing, 24 bytes!!!", 24);
	put_test_records(&w, 0, 20);
	finish_bare(&w);
	record_list_written(&all, &w, &diag);
	assert_int_equal(all.n, 20);
	assert_int_equal(diag.count[DIAG_BAD_RECORD], 0);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_read_section(o.pd, FEATURE_TRACING_DATA, &section, &o.err), OK);
	assert_int_equal(section.n, 24);
	assert_memory_equal(section.p, "\x17\x08\x44tracing", 10);
	buf_release(&section);
	opened_release(&o);
	writer_release(&w);
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
	const struct perfdata_features *f;
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	int again;

	(void)state;
	put_test_header(&w);
	put_test_records(&w, 0, 10);
	put_build_id(&w, "/usr/bin/node");
	put_test_records(&w, 10, 20);
	put_build_id(&w, "/usr/lib/libm.so.6");
	writer_finish_pipe(&w);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	f = perfdata_features(o.pd);
	assert_int_equal(f->n_build_ids, 0);
	for (again = 0; again < 2; again++) {
		record_list_both(&all, o.pd, &o.diag);
		assert_int_equal(f->n_build_ids, 2);
		assert_string_equal(
			strtab_str(o.strings, f->build_ids[1].path), "/usr/lib/libm.so.6");
		assert_int_equal(f->build_ids[1].id.n, 20);
		assert_int_equal(f->build_ids[1].id.byte[19], 20);
	}
	assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 0);
	opened_release(&o);
	writer_release(&w);
}

static void counts_of_perf_stat_are_refused(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	size_t at;

	(void)state;
	put_test_header(&w);
	put_attr(&w, 0);
	at = writer_begin(&w, RECORD_STAT_CONFIG, 0);
	put_u64(&w, 0);
	writer_end(&w, at);
	finish_bare(&w);
	assert_int_equal(opened_from(&o, &w, 0), ERR_UNSUPPORTED);
	assert_non_null(strstr(o.err.msg, "perf stat"));
	opened_release(&o);
	writer_release(&w);
}

static void too_many_events_are_refused(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	unsigned i;

	(void)state;
	writer_attr(&w, &(struct test_attr){ .config = 1 }, NULL, 0);
	for (i = 0; i <= 1 << 16; i++)
		put_attr(&w, 0);
	finish_bare(&w);
	assert_int_equal(opened_from(&o, &w, 0), ERR_LIMIT);
	opened_release(&o);
	writer_release(&w);
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
		cmocka_unit_test(events_and_features_come_in_records),
		cmocka_unit_test(events_may_come_after_their_samples),
		cmocka_unit_test(a_pipe_without_events_has_records_all_the_same),
		cmocka_unit_test(a_pipe_that_ends_at_once_is_empty),
		cmocka_unit_test(attributes_of_any_size_are_read),
		cmocka_unit_test(events_are_renamed_by_their_id),
		cmocka_unit_test(features_with_numbers_of_no_meaning_are_left_out),
		cmocka_unit_test(a_feature_of_odd_size_shifts_everything_after_it),
		cmocka_unit_test(tracing_data_follows_its_record),
		cmocka_unit_test(build_ids_may_be_records),
		cmocka_unit_test(counts_of_perf_stat_are_refused),
		cmocka_unit_test(too_many_events_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, release_all);
}
