#include "input/perfdata/perfdata_bed_for_test.h"

#include "input/perfdata/file_header.h"

static void put_hostname_and_arch(struct recording_writer *w)
{
	writer_feature_string(w, FEATURE_HOSTNAME, "there");
	writer_feature_string(w, FEATURE_ARCH, "x86_64");
}

/* ---- the header --------------------------------------------------------------------------- */

static void files_that_are_no_recording_are_refused_by_name(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		struct span bytes;
		const char *message;
	} cases[] = {
		{ SPAN("PERF"), "is not a perf.data file" },
		{ SPAN("\x1f\x8b\x08\0\0\0\0\0\0\0\0\0\0\0\0\0"), "is not a perf.data file" },
		{ SPAN("# ========\n# captured on"), "is not a perf.data file" },
		{ SPAN("PERFILE2"), "ends in its header" },
		{ SPAN("PERFILE2\x68\0\0\0\0\0\0"), "ends in its header" },
		{ SPAN("PERFILE2\x68\0\0\0\0\0\0\0"), "ends in its header" },
		{ SPAN("PERFILE2\x67\0\0\0\0\0\0\0"), "header of 103 bytes" },
		{ SPAN("2ELIFREP\0\0\0\0\0\0\0\x67"), "header of 103 bytes" },
		{ SPAN("PERFFILE\x67\0\0\0\0\0\0\0"), "header of 103 bytes" },
		{ SPAN("PERFFILE\0\0\0\0\0\0\0\x67"), "header of 103 bytes" },
	};
	struct file empty;
	size_t i;

	assert_true(memory_file_open("", 0, &empty));
	assert_int_equal(bed_try_file(b, empty, 0), ERR_FORMAT);
	assert_non_null(strstr(b->o.err.msg, "is empty"));
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		buf_put_span(&b->w.file, cases[i].bytes);
		expect_refused(b, ERR_FORMAT, cases[i].message);
		assert_null(b->o.pd);
	}
}

static void every_cut_of_the_header_is_an_error_or_a_recording_without_end(void **state)
{
	struct perfdata_bed *b = *state;
	size_t n;

	writer_attr(&b->w, &plain_event, (uint64_t[]){ 5 }, 1);
	put_comm(&b->w, 1, 1, "a");
	writer_finish(&b->w);
	for (n = 1; n <= b->w.data_at; n++) {
		b->w.file.n = n;
		assert_int_equal(bed_try_blocks(b, 0), n < b->w.data_at ? ERR_FORMAT : OK);
	}
}

static void the_header_of_old_perf_has_no_features(void **state)
{
	struct perfdata_bed *b = *state;

	writer_attr(&b->w, &plain_event, NULL, 0);
	writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
	b->w.say_header_size = 72;
	bed_open(b);
	assert_int_equal(b->features->hostname, 0);
}

static void a_header_that_points_nowhere_is_an_error(void **state)
{
	struct perfdata_bed *b = *state;
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

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		bed_start(b);
		writer_finish(&b->w);
		bed_set_u64(b, cases[i].at, cases[i].value);
		expect_refused(b, ERR_FORMAT, cases[i].message);
	}
}

static void a_recorder_killed_at_once_leaves_an_empty_recording(void **state)
{
	struct perfdata_bed *b = *state;

	writer_finish(&b->w);
	bed_set_u64(b, 40, 0);
	bed_open(b);
	assert_int_equal(b->n_attrs, 0);
	assert_true(b->features->unfinished);
}

/* ---- attributes --------------------------------------------------------------------------- */

static void attributes_of_any_size_are_read(void **state)
{
	struct perfdata_bed *b = *state;
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

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		writer_attr(&b->w,
			&(struct test_attr){ .size = cases[i].size,
				.config = 3,
				.sample_type = SAMPLE_IP,
				.regs_user = 0xff,
				.extra_bytes = cases[i].extra_bytes },
			(uint64_t[]){ 7 }, 1);
		if (!cases[i].size)
			memset(b->w.attrs[0].p + 4, 0, 4);
		bed_open(b);
		assert_int_equal(b->n_attrs, 1);
		assert_int_equal(b->attrs->config, 3);
		assert_int_equal(b->attrs->sample_type, SAMPLE_IP);
		assert_int_equal(b->attrs->regs_user, cases[i].regs);
		assert_int_equal(b->attrs->n_ids, 1);
		assert_int_equal(b->attrs->ids[0], 7);
		expect_count(b, DIAG_BAD_FEATURE, cases[i].bad);
	}
}

static void the_flags_of_an_attribute_have_names(void **state)
{
	struct perfdata_bed *b = *state;

	writer_attr(&b->w,
		&(struct test_attr){ .period = 99,
			.sample_type = SAMPLE_IP,
			.flags = 1 << 5 | 1 << 10 | 2 << 15 | 1 << 18 | 1 << 24 },
		NULL, 0);
	bed_open(b);
	assert_true(b->attrs->exclude_kernel);
	assert_false(b->attrs->exclude_user);
	assert_int_equal(b->attrs->frequency_hz, 99);
	assert_int_equal(b->attrs->period, 0);
	assert_int_equal(b->attrs->precise_ip, 2);
	assert_true(b->attrs->sample_id_all);
	assert_true(b->attrs->comm_exec);
	assert_false(b->attrs->mmap2);
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
	struct perfdata_bed *b = *state;
	static const struct file_section ids[] = { { (uint64_t)1 << 40, 8 },
		{ 104, (uint64_t)1 << 60 }, { 104, 7 }, { UINT64_MAX, UINT64_MAX } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(ids); i++) {
		bed_reset(b);
		writer_attr(&b->w, &plain_event, (uint64_t[]){ 5 }, 1);
		writer_finish(&b->w);
		bed_set_u64(b, b->w.attrs_at + ATTR_BYTES, ids[i].offset);
		bed_set_u64(b, b->w.attrs_at + ATTR_BYTES + 8, ids[i].size_bytes);
		bed_open(b);
		assert_int_equal(b->n_attrs, 1);
		assert_int_equal(b->attrs->n_ids, 0);
		expect_count(b, DIAG_BAD_FEATURE, 1);
	}
}

/* ---- which event a sample is of ----------------------------------------------------------- */

/* The event of a sample that begins with these two numbers; -1: none. */
static int64_t event_of(const struct perfdata_bed *b, uint64_t first, uint64_t second)
{
	uint64_t bytes[3] = { 0, first, second };
	struct perfdata_record r = { RECORD_SAMPLE, 0, sizeof(bytes), (const uint8_t *)bytes, 0 };
	uint32_t attr;

	return perfdata_sample_event(b->o.pd, &r, &attr) ? (int64_t)attr : -1;
}

/* An event of a sample type and two ids; 0: fewer. */
static void put_event(struct perfdata_bed *b, uint64_t sample_type, uint64_t id, uint64_t another)
{
	const uint64_t ids[] = { id, another };

	writer_attr(&b->w, &(struct test_attr){ .sample_type = sample_type }, ids,
		(size_t)(id != 0) + (another != 0));
}

static void a_sample_is_of_the_event_that_has_its_id(void **state)
{
	static const uint64_t first[] = { 30, 10, 20 }, second[] = { 25, 15 };
	struct test_attr attr = { .sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP };
	struct perfdata_bed *b = *state;
	uint64_t id, sums[2] = { 0 };

	writer_attr(&b->w, &attr, first, 3);
	writer_attr(&b->w, &attr, second, 2);
	writer_attr(&b->w, &attr, (uint64_t[]){ UINT64_MAX }, 1);
	bed_open(b);
	for (id = 1; id < 40; id++) {
		int64_t event = event_of(b, id, 0);

		assert_in_range(event + 1, 0, 2);
		if (event >= 0)
			sums[event] += id;
	}
	assert_int_equal(sums[0], 60);
	assert_int_equal(sums[1], 40);
	assert_int_equal(event_of(b, UINT64_MAX, 0), 2);
	assert_int_equal(event_of(b, 0, 0), 0); /* made up by perf */
}

static void without_identifier_the_id_is_after_the_parts_before_it(void **state)
{
	struct perfdata_bed *b = *state;

	put_event(b, SAMPLE_IP | SAMPLE_ID, 1, 0);
	put_event(b, SAMPLE_IP | SAMPLE_ID, 2, 0);
	bed_open(b);
	assert_int_equal(event_of(b, 1, 2), 1);
	assert_int_equal(event_of(b, 1, 3), -1);
}

static void an_only_event_needs_no_id(void **state)
{
	struct perfdata_bed *b = *state;

	writer_attr(&b->w, &plain_event, (uint64_t[]){ 1 }, 1);
	bed_open(b);
	assert_int_equal(event_of(b, 99, 99), 0);
}

static void samples_without_any_event_have_no_event(void **state)
{
	struct perfdata_bed *b = *state;

	bed_open(b);
	assert_int_equal(event_of(b, 0, 0), -1);
}

static void an_id_of_several_events_is_the_first_ones(void **state)
{
	struct perfdata_bed *b = *state;

	put_event(b, SAMPLE_IDENTIFIER, 1, 0);
	put_event(b, SAMPLE_IDENTIFIER, 7, 0);
	put_event(b, SAMPLE_IDENTIFIER, 7, 0);
	put_event(b, SAMPLE_IDENTIFIER, 7, 8);
	bed_open(b);
	assert_int_equal(event_of(b, 7, 0), 1);
	assert_int_equal(event_of(b, 8, 0), 3);
}

static void a_hundred_thousand_ids_are_found(void **state)
{
	enum { N = 100000 };
	struct test_attr attr = { .sample_type = SAMPLE_IDENTIFIER };
	struct perfdata_bed *b = *state;
	uint64_t *ids = xcalloc(N, sizeof(*ids));
	size_t i;

	for (i = 0; i < N; i++)
		ids[i] = 3 + 2 * i;
	writer_attr(&b->w, &attr, (uint64_t[]){ 1 }, 1);
	writer_attr(&b->w, &attr, ids, N);
	bed_open(b);
	for (i = 0; i < N; i++) {
		assert_int_equal(event_of(b, ids[i], 0), 1);
		assert_int_equal(event_of(b, ids[i] + 1, 0), -1);
	}
	free(ids);
}

static void events_that_cannot_be_distinguished_are_an_error(void **state)
{
	struct perfdata_bed *b = *state;
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

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		bed_reset(b);
		put_event(b, cases[i].first, 0, 0);
		put_event(b, cases[i].second, 0, 0);
		assert_int_equal(bed_try_blocks(b, 0), cases[i].code);
	}
}

/* ---- features of a file ------------------------------------------------------------------- */

static void features_are_found_after_the_data(void **state)
{
	struct perfdata_bed *b = *state;
	struct buf section = { 0 };

	bed_start(b);
	writer_feature(&b->w, FEATURE_TRACING_DATA, "tracing", 7);
	put_hostname_and_arch(&b->w);
	writer_feature(&b->w, 200, "from the future", 15);
	bed_open(b);
	assert_string_equal(bed_str(b, b->features->hostname), "there");
	assert_string_equal(bed_str(b, b->features->arch), "x86_64");
	assert_true(perfdata_features_has(b->features, 200));
	expect_count(b, DIAG_BAD_FEATURE, 0);
	assert_int_equal(
		perfdata_read_section(b->o.pd, FEATURE_TRACING_DATA, &section, &b->o.err), OK);
	assert_int_equal(section.n, 7);
	assert_memory_equal(section.p, "tracing", 7);
	assert_int_equal(perfdata_read_section(b->o.pd, FEATURE_CPUID, &section, &b->o.err), END);
	assert_int_equal(perfdata_read_section(b->o.pd, 1000, &section, &b->o.err), END);
	buf_release(&section);
}

static void a_section_outside_the_file_costs_only_itself(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct file_section wrong[] = { { (uint64_t)1 << 40, 8 }, { 104, 68 },
		{ UINT64_MAX, UINT64_MAX }, { 0, 0 } };
	size_t i;

	for (i = 0; i < ARRAY_LEN(wrong); i++) {
		bed_reset(b);
		bed_start(b);
		put_hostname_and_arch(&b->w);
		writer_finish(&b->w);
		bed_set_u64(b, b->w.table_at, wrong[i].offset);
		bed_set_u64(b, b->w.table_at + 8, wrong[i].size_bytes);
		bed_open(b);
		assert_int_equal(b->features->hostname, 0);
		assert_int_not_equal(b->features->arch, 0);
		expect_count(b, DIAG_BAD_FEATURE, 1);
	}
}

/* The table is not where it should be: then it is where the records end. */
static void a_wrong_size_of_the_data_is_corrected(void **state)
{
	struct perfdata_bed *b = *state;
	static const uint64_t sizes[] = { 24, 5 * 24, 5 * 24 + 8, 20 * 24 + 8, 20 * 24 + 40 };
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(sizes); i++) {
		bed_reset(b);
		writer_attr(&b->w, &plain_event, NULL, 0);
		for (k = 0; k < 20; k++)
			put_comm(&b->w, 1, 1, "a name");
		put_hostname_and_arch(&b->w);
		b->w.say_data_size = sizes[i];
		bed_open(b);
		assert_int_not_equal(b->features->hostname, 0);
		assert_int_not_equal(b->features->arch, 0);
		expect_count(b, DIAG_BAD_FEATURE, 0);
		expect_count(b, DIAG_WRONG_SIZE, 1);
		expect_records(b, 20);
	}
}

static void without_a_table_the_size_in_the_header_is_used(void **state)
{
	struct perfdata_bed *b = *state;
	size_t n;

	writer_attr(&b->w, &plain_event, NULL, 0);
	for (n = 0; n < 20; n++)
		put_comm(&b->w, 1, 1, "a name");
	writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
	b->w.say_data_size = 5 * 24;
	writer_finish(&b->w);
	bed_set_u64(b, b->w.table_at, 1);
	bed_open(b);
	assert_int_equal(b->features->hostname, 0);
	expect_count(b, DIAG_BAD_FEATURE, 1);
	expect_count(b, DIAG_WRONG_SIZE, 0);
	expect_records(b, 5);
}

static void counts_of_perf_stat_are_refused(void **state)
{
	struct perfdata_bed *b = *state;

	bed_start(b);
	writer_feature(&b->w, FEATURE_STAT, "", 0);
	expect_refused(b, ERR_UNSUPPORTED, "perf stat");
}

/* Machines with a long of 4 bytes: its halves are in the order of such a machine. */
static void the_bits_of_features_may_be_words_of_either_size(void **state)
{
	struct perfdata_bed *b = *state;
	static const struct {
		bool halves, hostname;
		unsigned n_features;
	} cases[] = { { false, true, 2 }, { true, true, 2 }, { true, false, 1 } };
	size_t i, k;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned bit, n = 0;

		bed_reset_swapped(b, true);
		bed_start(b);
		if (cases[i].hostname)
			writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
		writer_feature_string(&b->w, 40, "beyond the first 32");
		writer_finish(&b->w);
		for (k = 72; cases[i].halves && k < 104; k += 8) {
			char first[4];

			memcpy(first, b->w.file.p + k, 4);
			memcpy(b->w.file.p + k, b->w.file.p + k + 4, 4);
			memcpy(b->w.file.p + k + 4, first, 4);
		}
		bed_open(b);
		for (bit = 0; bit < FEATURE_BITS; bit++)
			n += perfdata_features_has(b->features, bit);
		assert_int_equal(n, cases[i].n_features);
		assert_int_equal(b->features->hostname != 0, cases[i].hostname);
		assert_int_equal(
			perfdata_features_has(b->features, FEATURE_BUILD_ID), !cases[i].hostname);
	}
}

static void the_first_version_is_read_with_a_warning(void **state)
{
	struct perfdata_bed *b = *state;
	int form;

	for (form = 0; form < 4; form++) {
		bed_reset_swapped(b, form & 1);
		writer_attr(&b->w, &(struct test_attr){ .config = 4 }, NULL, 0);
		put_comm(&b->w, 1, 1, "a");
		writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
		if (form & 2)
			writer_finish_pipe(&b->w);
		else
			writer_finish(&b->w);
		memcpy(b->w.file.p, "PERFFILE", 8);
		bed_open(b);
		assert_int_equal(b->n_attrs, 1);
		assert_int_equal(b->attrs->config, 4);
		expect_count(b, DIAG_FIRST_VERSION, 1);
		assert_int_not_equal(b->features->hostname, 0);
		assert_true(bed_read(b) > 0);
	}
}

static void put_event_of(struct perfdata_bed *b, uint32_t type, uint64_t config)
{
	writer_attr(&b->w, &(struct test_attr){ .type = type, .config = config }, NULL, 0);
}

static void simpleperf_names_its_events_in_a_list(void **state)
{
	static const char info[] = "simpleperf_version\0001.build.7\0"
				   "event_type_info\0cpu-cycles,0,0\nnothing\n,5,5\nodd,x,1\n"
				   "sched:sched_switch,2,91\0"
				   "clockid\0monotonic";
	struct perfdata_bed *b = *state;

	put_event_of(b, EVENT_TRACEPOINT, 91);
	put_event_of(b, EVENT_HARDWARE, 0);
	put_event_of(b, EVENT_HARDWARE, 1);
	put_comm(&b->w, 1, 1, "a");
	writer_feature(&b->w, FEATURE_META_INFO, info, sizeof(info));
	bed_open(b);
	expect_event_name(b, 0, "sched:sched_switch");
	expect_event_name(b, 1, "cpu-cycles");
	expect_event_name(b, 2, "instructions");
	assert_true(b->features->simpleperf);
	assert_int_equal(b->features->n_events, 2);
	expect_count(b, DIAG_SIMPLEPERF, 1);
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
	struct perfdata_bed *b = *state;

	put_event_of(b, EVENT_SOFTWARE, 1);
	put_event_of(b, EVENT_SOFTWARE, 2);
	put_event_of(b, EVENT_SOFTWARE, 1);
	put_comm(&b->w, 1, 1, "a");
	put_event_desc(&b->w, 1, "my clock", "not of this event");
	/* Equal sample types: the events need no ids. */
	bed_open(b);
	assert_int_equal(b->n_attrs, 3);
	expect_event_name(b, 0, "my clock");
	expect_event_name(b, 1, "page-faults");
	expect_event_name(b, 2, "task-clock");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(files_that_are_no_recording_are_refused_by_name),
		BED_TEST(every_cut_of_the_header_is_an_error_or_a_recording_without_end),
		BED_TEST(the_header_of_old_perf_has_no_features),
		BED_TEST(a_header_that_points_nowhere_is_an_error),
		BED_TEST(a_recorder_killed_at_once_leaves_an_empty_recording),
		BED_TEST(attributes_of_any_size_are_read),
		BED_TEST(the_flags_of_an_attribute_have_names),
		BED_TEST(the_flags_are_found_in_the_other_byte_order_too),
		BED_TEST(ids_outside_the_file_are_ignored),
		BED_TEST(a_sample_is_of_the_event_that_has_its_id),
		BED_TEST(without_identifier_the_id_is_after_the_parts_before_it),
		BED_TEST(an_only_event_needs_no_id),
		BED_TEST(samples_without_any_event_have_no_event),
		BED_TEST(an_id_of_several_events_is_the_first_ones),
		BED_TEST(a_hundred_thousand_ids_are_found),
		BED_TEST(events_that_cannot_be_distinguished_are_an_error),
		BED_TEST(features_are_found_after_the_data),
		BED_TEST(a_section_outside_the_file_costs_only_itself),
		BED_TEST(a_wrong_size_of_the_data_is_corrected),
		BED_TEST(without_a_table_the_size_in_the_header_is_used),
		BED_TEST(counts_of_perf_stat_are_refused),
		BED_TEST(the_bits_of_features_may_be_words_of_either_size),
		BED_TEST(the_first_version_is_read_with_a_warning),
		BED_TEST(simpleperf_names_its_events_in_a_list),
		BED_TEST(events_have_the_names_recorded_for_them_or_those_perf_would_give),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
