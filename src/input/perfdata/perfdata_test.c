#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/mem.h"
#include "input/perfdata/file_header.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct test_attr plain = { .type = EVENT_SOFTWARE, .sample_type = SAMPLE_IP };

static void set_u64(struct recording_writer *w, size_t at, uint64_t v)
{
	memcpy(w->file.p + at, &v, sizeof(v));
}

static int count(void *ctx, const struct perfdata_record *r, struct err *e)
{
	(void)r;
	(void)e;
	++*(size_t *)ctx;
	return OK;
}

static const char *name_of(const struct opened *o, const struct perfdata_attr *a)
{
	return strtab_str(o->strings, a->name);
}

/* ---- the header --------------------------------------------------------------------------- */

static void files_that_are_no_recording_are_refused_by_name(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		int code;
		const char *message;
	} cases[] = {
		{ "", 0, ERR_FORMAT, "is empty" },
		{ "PERF", 4, ERR_FORMAT, "is not a perf.data file" },
		{ "\x1f\x8b\x08\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, ERR_FORMAT,
			"is not a perf.data file" },
		{ "# ========\n# captured on", 24, ERR_FORMAT, "is not a perf.data file" },
		{ "PERFILE2", 8, ERR_FORMAT, "ends in its header" },
		{ "PERFILE2\x68\0\0\0\0\0\0", 15, ERR_FORMAT, "ends in its header" },
		{ "PERFILE2\x68\0\0\0\0\0\0\0", 16, ERR_FORMAT, "ends in its header" },
		{ "PERFILE2\x67\0\0\0\0\0\0\0", 16, ERR_FORMAT, "header of 103 bytes" },
		{ "2ELIFREP\0\0\0\0\0\0\0\x67", 16, ERR_FORMAT, "header of 103 bytes" },
		{ "PERFFILE\x67\0\0\0\0\0\0\0", 16, ERR_FORMAT, "header of 103 bytes" },
		{ "PERFFILE\0\0\0\0\0\0\0\x67", 16, ERR_FORMAT, "header of 103 bytes" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct opened o = { .strings = strtab_new() };

		assert_true(memory_file_open(cases[i].bytes, cases[i].n, &o.file));
		assert_int_equal(perfdata_open(&o.pd, &o.file, o.strings, 0, &o.diag, &o.err),
			cases[i].code);
		if (!strstr(o.err.msg, cases[i].message))
			fail_msg("case %zu: %s", i, o.err.msg);
		assert_null(o.pd);
		opened_release(&o);
	}
}

static void every_cut_of_the_header_is_an_error_or_a_recording_without_end(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t n;

	(void)state;
	writer_attr(&w, &plain, (uint64_t[]){ 5 }, 1);
	put_comm(&w, 1, 1, "a");
	writer_finish(&w);
	for (n = 0; n <= w.data_at; n++) {
		struct opened o;

		w.file.n = n ? n : 1;
		assert_int_equal(opened_from(&o, &w, 0), n < w.data_at ? ERR_FORMAT : OK);
		opened_release(&o);
	}
	writer_release(&w);
}

static void the_header_of_old_perf_has_no_features(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	writer_feature_string(&w, FEATURE_HOSTNAME, "there");
	w.say_header_size = 72;
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_features(o.pd)->hostname, 0);
	opened_release(&o);
	writer_release(&w);
}

static void a_header_that_points_nowhere_is_an_error(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
		const char *message;
	} cases[] = {
		{ 16, 0, "fewer than 80" },
		{ 16, 79, "fewer than 80" },
		{ 24, (uint64_t)1 << 40, "end beyond the file" },
		{ 32, (uint64_t)1 << 40, "end beyond the file" },
		{ 32, UINT64_MAX, "end beyond the file" },
		{ 40, 24, "inside the header" },
		{ 40, 0, "inside the header" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;

		writer_attr(&w, &plain, NULL, 0);
		put_comm(&w, 1, 1, "a");
		writer_finish(&w);
		set_u64(&w, cases[i].at, cases[i].value);
		assert_int_equal(opened_from(&o, &w, 0), ERR_FORMAT);
		if (!strstr(o.err.msg, cases[i].message))
			fail_msg("case %zu: %s", i, o.err.msg);
		opened_release(&o);
		writer_release(&w);
	}
}

static void a_recorder_killed_at_once_leaves_an_empty_recording(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t n;

	(void)state;
	writer_finish(&w);
	set_u64(&w, 40, 0);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	perfdata_attrs(o.pd, &n);
	assert_int_equal(n, 0);
	assert_true(perfdata_features(o.pd)->unfinished);
	opened_release(&o);
	writer_release(&w);
}

/* ---- attributes --------------------------------------------------------------------------- */

static void attributes_of_any_size_are_read(void **state)
{
	static const struct {
		uint32_t size, extra_bytes;
		unsigned bad;
		uint64_t regs; /* what is read of regs_user, at 80 */
	} cases[] = {
		{ 0, 0, 0, 0 },  /* the first version, by a writer that did not set it */
		{ 56, 0, 1, 0 }, /* cannot be */
		{ 64, 0, 0, 0 }, { 72, 0, 0, 0 }, { 88, 0, 0, 0xff }, { 136, 0, 0, 0xff },
		{ 144, 8, 0, 0xff },                            /* newer than ours */
		{ 4096, 3960, 0, 0xff }, { 65535, 0, 0, 0xff }, /* larger than its entry */
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		const struct perfdata_attr *a;
		struct opened o;
		uint32_t n;

		writer_attr(&w,
			&(struct test_attr){ .size = cases[i].size,
				.config = 3,
				.sample_type = SAMPLE_IP,
				.regs_user = 0xff,
				.extra_bytes = cases[i].extra_bytes },
			(uint64_t[]){ 7 }, 1);
		if (!cases[i].size)
			memset(w.attrs[0].p + 4, 0, 4);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		a = perfdata_attrs(o.pd, &n);
		assert_int_equal(n, 1);
		assert_int_equal(a->config, 3);
		assert_int_equal(a->sample_type, SAMPLE_IP);
		assert_int_equal(a->regs_user, cases[i].regs);
		assert_int_equal(a->n_ids, 1);
		assert_int_equal(a->ids[0], 7);
		assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], cases[i].bad);
		opened_release(&o);
		writer_release(&w);
	}
}

static void the_flags_of_an_attribute_have_names(void **state)
{
	struct recording_writer w = WRITER_INIT;
	const struct perfdata_attr *a;
	struct opened o;
	uint32_t n;

	(void)state;
	writer_attr(&w,
		&(struct test_attr){ .period = 99,
			.sample_type = SAMPLE_IP,
			.flags = 1 << 5 | 1 << 10 | 2 << 15 | 1 << 18 | 1 << 24 },
		NULL, 0);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	a = perfdata_attrs(o.pd, &n);
	assert_true(a->exclude_kernel);
	assert_false(a->exclude_user);
	assert_int_equal(a->frequency_hz, 99);
	assert_int_equal(a->period, 0);
	assert_int_equal(a->precise_ip, 2);
	assert_true(a->sample_id_all);
	assert_true(a->comm_exec);
	assert_false(a->mmap2);
	opened_release(&o);
	writer_release(&w);
}

/* A foreign compiler fills bit fields from the other end of each byte. */
static void the_flags_are_found_in_the_other_byte_order_too(void **state)
{
	uint8_t bytes[ATTR_BYTES] = { 0 };
	struct perfdata_attr a;

	(void)state;
	bytes[7] = 64;              /* size */
	bytes[40] = 1 << (7 - 5);   /* exclude_kernel is flag 5 */
	bytes[42] = 1 << (23 - 18); /* sample_id_all is flag 18 */
	bytes[31] = SAMPLE_TIME;
	assert_true(perfdata_attr_parse(&a, bytes, sizeof(bytes), true));
	assert_true(a.exclude_kernel);
	assert_true(a.sample_id_all);
	assert_false(a.exclude_user);
	assert_int_equal(a.sample_type, SAMPLE_TIME);
	assert_int_equal(a.offsets.trailer.bytes, 8);
}

static void ids_outside_the_file_are_ignored(void **state)
{
	static const struct file_section ids[] = { { (uint64_t)1 << 40, 8 },
		{ 104, (uint64_t)1 << 60 }, { 104, 7 }, { UINT64_MAX, UINT64_MAX } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(ids); i++) {
		struct recording_writer w = WRITER_INIT;
		const struct perfdata_attr *a;
		struct opened o;
		uint32_t n;

		writer_attr(&w, &plain, (uint64_t[]){ 5 }, 1);
		writer_finish(&w);
		set_u64(&w, w.attrs_at + ATTR_BYTES, ids[i].offset);
		set_u64(&w, w.attrs_at + ATTR_BYTES + 8, ids[i].size_bytes);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		a = perfdata_attrs(o.pd, &n);
		assert_int_equal(n, 1);
		assert_int_equal(a->n_ids, 0);
		assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 1);
		opened_release(&o);
		writer_release(&w);
	}
}

/* ---- which event a sample is of ----------------------------------------------------------- */

static bool event_of(const struct perfdata *pd, uint64_t first, uint64_t second, uint32_t *attr)
{
	uint64_t bytes[3] = { 0, first, second };
	struct perfdata_record r = { RECORD_SAMPLE, 0, sizeof(bytes), (const uint8_t *)bytes, 0 };

	return perfdata_sample_event(pd, &r, attr);
}

static void a_sample_is_of_the_event_that_has_its_id(void **state)
{
	static const uint64_t first[] = { 30, 10, 20 }, second[] = { 25, 15 };
	struct test_attr attr = { .sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP };
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t a, id, hits[3] = { 0 };

	(void)state;
	writer_attr(&w, &attr, first, 3);
	writer_attr(&w, &attr, second, 2);
	writer_attr(&w, &attr, (uint64_t[]){ UINT64_MAX }, 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	for (id = 1; id < 40; id++)
		if (event_of(o.pd, id, 0, &a))
			hits[a] += id;
	assert_int_equal(hits[0], 60);
	assert_int_equal(hits[1], 40);
	assert_int_equal(hits[2], 0);
	assert_true(event_of(o.pd, UINT64_MAX, 0, &a));
	assert_int_equal(a, 2);
	assert_true(event_of(o.pd, 0, 0, &a)); /* made up by perf */
	assert_int_equal(a, 0);
	opened_release(&o);
	writer_release(&w);
}

static void without_identifier_the_id_is_after_the_parts_before_it(void **state)
{
	struct test_attr attr = { .sample_type = SAMPLE_IP | SAMPLE_ID };
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t a;

	(void)state;
	writer_attr(&w, &attr, (uint64_t[]){ 1 }, 1);
	writer_attr(&w, &attr, (uint64_t[]){ 2 }, 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_true(event_of(o.pd, 1, 2, &a));
	assert_int_equal(a, 1);
	assert_false(event_of(o.pd, 1, 3, &a));
	opened_release(&o);
	writer_release(&w);
}

static void an_only_event_needs_no_id(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t a = 9;

	(void)state;
	writer_attr(&w, &plain, (uint64_t[]){ 1 }, 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_true(event_of(o.pd, 99, 99, &a));
	assert_int_equal(a, 0);
	opened_release(&o);
	writer_release(&w);
}

static void samples_without_any_event_have_no_event(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t a;

	(void)state;
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_false(event_of(o.pd, 0, 0, &a));
	opened_release(&o);
	writer_release(&w);
}

static void an_id_of_several_events_is_the_first_ones(void **state)
{
	struct test_attr attr = { .sample_type = SAMPLE_IDENTIFIER };
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	uint32_t a;

	(void)state;
	writer_attr(&w, &attr, (uint64_t[]){ 1 }, 1);
	writer_attr(&w, &attr, (uint64_t[]){ 7 }, 1);
	writer_attr(&w, &attr, (uint64_t[]){ 7 }, 1);
	writer_attr(&w, &attr, (uint64_t[]){ 7, 8 }, 2);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_true(event_of(o.pd, 7, 0, &a));
	assert_int_equal(a, 1);
	assert_true(event_of(o.pd, 8, 0, &a));
	assert_int_equal(a, 3);
	opened_release(&o);
	writer_release(&w);
}

static void a_hundred_thousand_ids_are_found(void **state)
{
	enum { N = 100000 };
	struct test_attr attr = { .sample_type = SAMPLE_IDENTIFIER };
	struct recording_writer w = WRITER_INIT;
	uint64_t *ids = xcalloc(N, sizeof(*ids));
	struct opened o;
	uint32_t a, i;

	(void)state;
	for (i = 0; i < N; i++)
		ids[i] = 3 + 2 * (uint64_t)i;
	writer_attr(&w, &attr, (uint64_t[]){ 1 }, 1);
	writer_attr(&w, &attr, ids, N);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	for (i = 0; i < N; i++) {
		assert_true(event_of(o.pd, ids[i], 0, &a) && a == 1);
		assert_false(event_of(o.pd, ids[i] + 1, 0, &a));
	}
	opened_release(&o);
	free(ids);
	writer_release(&w);
}

static void events_that_cannot_be_distinguished_are_an_error(void **state)
{
	static const struct {
		uint64_t first, second;
		int code;
	} cases[] = {
		{ SAMPLE_IP | SAMPLE_ID, SAMPLE_IP | SAMPLE_TID | SAMPLE_ID, ERR_FORMAT },
		{ SAMPLE_IDENTIFIER, SAMPLE_ID | SAMPLE_IP, ERR_FORMAT },
		{ SAMPLE_IP, SAMPLE_IP | SAMPLE_TIME, ERR_FORMAT },
		{ SAMPLE_IP, SAMPLE_IP, OK },
		{ SAMPLE_IDENTIFIER, SAMPLE_IDENTIFIER | SAMPLE_CALLCHAIN, OK },
		{ SAMPLE_IP | SAMPLE_ID, SAMPLE_IP | SAMPLE_ID | SAMPLE_RAW, OK },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;

		writer_attr(&w, &(struct test_attr){ .sample_type = cases[i].first }, NULL, 0);
		writer_attr(&w, &(struct test_attr){ .sample_type = cases[i].second }, NULL, 0);
		assert_int_equal(opened_from(&o, &w, 0), cases[i].code);
		opened_release(&o);
		writer_release(&w);
	}
}

/* ---- features of a file ------------------------------------------------------------------- */

static void features_are_found_after_the_data(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct buf section = { 0 };
	struct opened o;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "a");
	writer_feature(&w, FEATURE_TRACING_DATA, "tracing", 7);
	writer_feature_string(&w, FEATURE_HOSTNAME, "there");
	writer_feature_string(&w, FEATURE_ARCH, "x86_64");
	writer_feature(&w, 200, "from the future", 15);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_string_equal(strtab_str(o.strings, perfdata_features(o.pd)->hostname), "there");
	assert_string_equal(strtab_str(o.strings, perfdata_features(o.pd)->arch), "x86_64");
	assert_true(perfdata_features_has(perfdata_features(o.pd), 200));
	assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 0);
	assert_int_equal(perfdata_read_section(o.pd, FEATURE_TRACING_DATA, &section, &o.err), OK);
	assert_int_equal(section.n, 7);
	assert_memory_equal(section.p, "tracing", 7);
	assert_int_equal(perfdata_read_section(o.pd, FEATURE_CPUID, &section, &o.err), END);
	assert_int_equal(perfdata_read_section(o.pd, 1000, &section, &o.err), END);
	buf_release(&section);
	opened_release(&o);
	writer_release(&w);
}

static void a_section_outside_the_file_costs_only_itself(void **state)
{
	static const struct file_section wrong[] = { { (uint64_t)1 << 40, 8 }, { 104, 68 },
		{ UINT64_MAX, UINT64_MAX }, { 0, 0 } };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(wrong); i++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;

		writer_attr(&w, &plain, NULL, 0);
		put_comm(&w, 1, 1, "a");
		writer_feature_string(&w, FEATURE_HOSTNAME, "there");
		writer_feature_string(&w, FEATURE_ARCH, "x86_64");
		writer_finish(&w);
		set_u64(&w, w.table_at, wrong[i].offset);
		set_u64(&w, w.table_at + 8, wrong[i].size_bytes);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		assert_int_equal(perfdata_features(o.pd)->hostname, 0);
		assert_int_not_equal(perfdata_features(o.pd)->arch, 0);
		assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 1);
		opened_release(&o);
		writer_release(&w);
	}
}

/* The table is not where it should be: then it is where the records end. */
static void a_wrong_size_of_the_data_is_corrected(void **state)
{
	static const uint64_t sizes[] = { 24, 5 * 24, 5 * 24 + 8, 20 * 24 + 8, 20 * 24 + 40 };
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		struct recording_writer w = WRITER_INIT;
		struct opened o;

		writer_attr(&w, &plain, NULL, 0);
		for (k = 0; k < 20; k++)
			put_comm(&w, 1, 1, "a name");
		writer_feature_string(&w, FEATURE_HOSTNAME, "there");
		writer_feature_string(&w, FEATURE_ARCH, "x86_64");
		w.say_data_size = sizes[i];
		assert_int_equal(opened_from(&o, &w, 0), OK);
		assert_int_not_equal(perfdata_features(o.pd)->hostname, 0);
		assert_int_not_equal(perfdata_features(o.pd)->arch, 0);
		assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 0);
		assert_int_equal(o.diag.count[DIAG_WRONG_SIZE], 1);
		assert_int_equal(
			perfdata_scan_records(o.pd, count, (k = 0, &k), &o.diag, &o.err), OK);
		assert_int_equal(k, 20);
		opened_release(&o);
		writer_release(&w);
	}
}

static void without_a_table_the_size_in_the_header_is_used(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;
	size_t n = 0;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	for (n = 0; n < 20; n++)
		put_comm(&w, 1, 1, "a name");
	writer_feature_string(&w, FEATURE_HOSTNAME, "there");
	w.say_data_size = 5 * 24;
	writer_finish(&w);
	set_u64(&w, w.table_at, 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_features(o.pd)->hostname, 0);
	assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 1);
	assert_int_equal(o.diag.count[DIAG_WRONG_SIZE], 0);
	assert_int_equal(perfdata_scan_records(o.pd, count, (n = 0, &n), &o.diag, &o.err), OK);
	assert_int_equal(n, 5);
	opened_release(&o);
	writer_release(&w);
}

static void counts_of_perf_stat_are_refused(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "a");
	writer_feature(&w, FEATURE_STAT, "", 0);
	assert_int_equal(opened_from(&o, &w, 0), ERR_UNSUPPORTED);
	assert_non_null(strstr(o.err.msg, "perf stat"));
	opened_release(&o);
	writer_release(&w);
}

/* Machines with a long of 4 bytes: its halves are in the order of such a machine. */
static void the_bits_of_features_may_be_words_of_either_size(void **state)
{
	static const struct {
		bool halves, hostname;
		unsigned n_features;
	} cases[] = { { false, true, 2 }, { true, true, 2 }, { true, false, 1 } };
	size_t i, k;

	(void)state;
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer w = WRITER_INIT;
		const struct perfdata_features *f;
		struct opened o;
		unsigned bit, n = 0;

		w.swapped = true;
		writer_attr(&w, &plain, NULL, 0);
		put_comm(&w, 1, 1, "a");
		if (cases[i].hostname)
			writer_feature_string(&w, FEATURE_HOSTNAME, "there");
		writer_feature_string(&w, 40, "beyond the first 32");
		writer_finish(&w);
		for (k = 72; cases[i].halves && k < 104; k += 8) {
			char first[4];

			memcpy(first, w.file.p + k, 4);
			memcpy(w.file.p + k, w.file.p + k + 4, 4);
			memcpy(w.file.p + k + 4, first, 4);
		}
		assert_int_equal(opened_from(&o, &w, 0), OK);
		f = perfdata_features(o.pd);
		for (bit = 0; bit < FEATURE_BITS; bit++)
			n += perfdata_features_has(f, bit);
		assert_int_equal(n, cases[i].n_features);
		assert_int_equal(f->hostname != 0, cases[i].hostname);
		assert_int_equal(perfdata_features_has(f, FEATURE_BUILD_ID), !cases[i].hostname);
		opened_release(&o);
		writer_release(&w);
	}
}

static void the_first_version_is_read_with_a_warning(void **state)
{
	int form;

	(void)state;
	for (form = 0; form < 4; form++) {
		struct recording_writer w = WRITER_INIT;
		const struct perfdata_attr *a;
		struct opened o;
		size_t n = 0;
		uint32_t n_attrs;

		w.swapped = form & 1;
		writer_attr(&w, &(struct test_attr){ .config = 4 }, NULL, 0);
		put_comm(&w, 1, 1, "a");
		writer_feature_string(&w, FEATURE_HOSTNAME, "there");
		if (form & 2)
			writer_finish_pipe(&w);
		else
			writer_finish(&w);
		memcpy(w.file.p, "PERFFILE", 8);
		assert_int_equal(opened_from(&o, &w, 0), OK);
		a = perfdata_attrs(o.pd, &n_attrs);
		assert_int_equal(n_attrs, 1);
		assert_int_equal(a->config, 4);
		assert_int_equal(o.diag.count[DIAG_FIRST_VERSION], 1);
		assert_int_not_equal(perfdata_features(o.pd)->hostname, 0);
		assert_int_equal(perfdata_scan_records(o.pd, count, &n, &o.diag, &o.err), OK);
		assert_true(n > 0);
		opened_release(&o);
		writer_release(&w);
	}
}

static void simpleperf_names_its_events_in_a_list(void **state)
{
	static const char info[] = "simpleperf_version\0001.build.7\0"
				   "event_type_info\0cpu-cycles,0,0\nnothing\n,5,5\nodd,x,1\n"
				   "sched:sched_switch,2,91\0"
				   "clockid\0monotonic";
	struct recording_writer w = WRITER_INIT;
	const struct perfdata_attr *a;
	struct opened o;
	uint32_t n;

	(void)state;
	writer_attr(&w, &(struct test_attr){ .type = EVENT_TRACEPOINT, .config = 91 }, NULL, 0);
	writer_attr(&w, &(struct test_attr){ .type = EVENT_HARDWARE, .config = 0 }, NULL, 0);
	writer_attr(&w, &(struct test_attr){ .type = EVENT_HARDWARE, .config = 1 }, NULL, 0);
	put_comm(&w, 1, 1, "a");
	writer_feature(&w, FEATURE_META_INFO, info, sizeof(info));
	assert_int_equal(opened_from(&o, &w, 0), OK);
	a = perfdata_attrs(o.pd, &n);
	assert_string_equal(name_of(&o, &a[0]), "sched:sched_switch");
	assert_string_equal(name_of(&o, &a[1]), "cpu-cycles");
	assert_string_equal(name_of(&o, &a[2]), "instructions");
	assert_true(perfdata_features(o.pd)->simpleperf);
	assert_int_equal(perfdata_features(o.pd)->n_events, 2);
	assert_int_equal(o.diag.count[DIAG_SIMPLEPERF], 1);
	opened_release(&o);
	writer_release(&w);
}

static void put_event_desc(
	struct recording_writer *w, uint64_t config, const char *first, const char *second)
{
	struct buf b = { 0 };
	unsigned i;

	buf_u32(&b, false, 2), buf_u32(&b, false, 64);
	for (i = 0; i < 2; i++) {
		size_t end = b.n + 64;

		buf_u32(&b, false, EVENT_SOFTWARE), buf_u32(&b, false, 64);
		buf_u64(&b, false, config);
		while (b.n < end)
			buf_putc(&b, '\0');
		buf_u32(&b, false, 0);
		buf_section_string(&b, false, i ? second : first);
	}
	writer_feature(w, FEATURE_EVENT_DESC, b.p, b.n);
	buf_release(&b);
}

static void events_have_the_names_recorded_for_them_or_those_perf_would_give(void **state)
{
	struct recording_writer w = WRITER_INIT;
	const struct perfdata_attr *a;
	struct opened o;
	uint32_t n;

	(void)state;
	writer_attr(&w, &(struct test_attr){ .type = EVENT_SOFTWARE, .config = 1 }, NULL, 0);
	writer_attr(&w, &(struct test_attr){ .type = EVENT_SOFTWARE, .config = 2 }, NULL, 0);
	writer_attr(&w, &(struct test_attr){ .type = EVENT_SOFTWARE, .config = 1 }, NULL, 0);
	put_comm(&w, 1, 1, "a");
	put_event_desc(&w, 1, "my clock", "not of this event");
	/* Equal sample types: the events need no ids. */
	assert_int_equal(opened_from(&o, &w, 0), OK);
	a = perfdata_attrs(o.pd, &n);
	assert_int_equal(n, 3);
	assert_string_equal(name_of(&o, &a[0]), "my clock");
	assert_string_equal(name_of(&o, &a[1]), "page-faults");
	assert_string_equal(name_of(&o, &a[2]), "task-clock");
	opened_release(&o);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_that_are_no_recording_are_refused_by_name),
		cmocka_unit_test(every_cut_of_the_header_is_an_error_or_a_recording_without_end),
		cmocka_unit_test(the_header_of_old_perf_has_no_features),
		cmocka_unit_test(a_header_that_points_nowhere_is_an_error),
		cmocka_unit_test(a_recorder_killed_at_once_leaves_an_empty_recording),
		cmocka_unit_test(attributes_of_any_size_are_read),
		cmocka_unit_test(the_flags_of_an_attribute_have_names),
		cmocka_unit_test(the_flags_are_found_in_the_other_byte_order_too),
		cmocka_unit_test(ids_outside_the_file_are_ignored),
		cmocka_unit_test(a_sample_is_of_the_event_that_has_its_id),
		cmocka_unit_test(without_identifier_the_id_is_after_the_parts_before_it),
		cmocka_unit_test(an_only_event_needs_no_id),
		cmocka_unit_test(samples_without_any_event_have_no_event),
		cmocka_unit_test(an_id_of_several_events_is_the_first_ones),
		cmocka_unit_test(a_hundred_thousand_ids_are_found),
		cmocka_unit_test(events_that_cannot_be_distinguished_are_an_error),
		cmocka_unit_test(features_are_found_after_the_data),
		cmocka_unit_test(a_section_outside_the_file_costs_only_itself),
		cmocka_unit_test(a_wrong_size_of_the_data_is_corrected),
		cmocka_unit_test(without_a_table_the_size_in_the_header_is_used),
		cmocka_unit_test(counts_of_perf_stat_are_refused),
		cmocka_unit_test(the_bits_of_features_may_be_words_of_either_size),
		cmocka_unit_test(the_first_version_is_read_with_a_warning),
		cmocka_unit_test(simpleperf_names_its_events_in_a_list),
		cmocka_unit_test(events_have_the_names_recorded_for_them_or_those_perf_would_give),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
