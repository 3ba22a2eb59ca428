/* Headers, sections and records that contradict themselves: nothing is read that is not there. */
#include "input/perfdata/perfdata_writer_for_test.h"

#include "base/tmpdir_for_test.h"

static const struct test_attr plain = { .type = EVENT_SOFTWARE, .sample_type = SAMPLE_IP };

struct counted {
	unsigned comms, samples, others;
	uint32_t last_pid; /* of a COMM */
	uint64_t last_position;
};

static int count(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct counted *c = ctx;

	(void)e;
	c->comms += r->type == RECORD_COMM;
	c->samples += r->type == RECORD_SAMPLE;
	c->others += r->type != RECORD_COMM && r->type != RECORD_SAMPLE;
	c->last_position = r->position;
	if (r->type == RECORD_COMM)
		c->last_pid = bytes_u32(r->p + RECORD_HEADER_BYTES, false);
	return OK;
}

static void set_u64(struct recording_writer *w, size_t at, uint64_t v)
{
	memcpy(w->file.p + at, &v, sizeof(v));
}

/* ---- the header --------------------------------------------------------------------------- */

/* The offset of the attributes is that of the records: both are read, and nothing beyond them. */
static void attributes_that_overlap_the_records_do_no_harm(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct counted c = { 0 };
	struct opened o;
	unsigned i;
	uint32_t n;

	(void)state;
	writer_attr(&w, &plain, (uint64_t[]){ 5 }, 1);
	for (i = 0; i < 20; i++)
		put_comm(&w, i, 0xffffffff, "worker");
	writer_finish(&w);
	set_u64(&w, 24, w.data_at);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	perfdata_attrs(o.pd, &n);
	assert_int_equal(n, 1);
	assert_int_equal(perfdata_scan_records(o.pd, count, &c, &o.diag, &o.err), OK);
	assert_int_equal(c.comms, 20);
	opened_release(&o);
	writer_release(&w);
}

/* The recorder was killed: after the header there are records, up to the end of the file. */
static void an_unfinished_recording_has_no_features(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "worker");
	writer_feature_string(&w, FEATURE_HOSTNAME, "there");
	w.say_data_size = 0;
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_features(o.pd)->hostname, 0);
	assert_true(perfdata_features(o.pd)->unfinished);
	opened_release(&o);
	writer_release(&w);
}

static void an_empty_section_has_no_string(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct opened o;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "worker");
	writer_feature(&w, FEATURE_HOSTNAME, "", 0);
	writer_feature(&w, FEATURE_NRCPUS, "", 0);
	writer_feature(&w, FEATURE_EVENT_DESC, "", 0);
	writer_feature_string(&w, FEATURE_CMDLINE + 100, "unknown");
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_features(o.pd)->hostname, 0);
	assert_int_equal(o.diag.count[DIAG_BAD_FEATURE], 3);
	opened_release(&o);
	writer_release(&w);
}

/* A hole of 5 GiB, as tracing hardware can fill it: positions have 64 bits. */
static void records_beyond_four_gigabytes_are_read(void **state)
{
	static const uint64_t hole = (uint64_t)5 << 30;
	struct recording_writer w = WRITER_INIT;
	struct counted c = { 0 };
	struct opened o;
	size_t at, front;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "before");
	at = writer_begin(&w, RECORD_AUXTRACE, 0);
	put_u64(&w, hole);
	put_zeros(&w, 32);
	writer_end(&w, at);
	front = w.data.n;
	put_comm(&w, 1, 1, "behind");
	put_comm(&w, 1, 1, "the hole");
	w.say_data_size = w.data.n + hole;
	writer_finish(&w);
	o = (struct opened){ .strings = strtab_new() };
	assert_true(memory_file_open(w.file.p, w.data_at + front, &o.file));
	assert_int_equal(pwrite(o.file.fd, w.data.p + front, w.data.n - front,
				 (off_t)(w.data_at + front + hole)),
		w.data.n - front);
	o.file.size_bytes = w.data_at + w.data.n + hole;
	assert_int_equal(perfdata_open(&o.pd, &o.file, o.strings, 0, &o.diag, &o.err), OK);
	assert_int_equal(perfdata_scan_records(o.pd, count, &c, &o.diag, &o.err), OK);
	assert_int_equal(c.comms, 3);
	assert_true(c.last_position > hole);
	assert_int_equal(o.diag.count[DIAG_BAD_RECORD], 0);
	opened_release(&o);
	writer_release(&w);
}

/* ---- records ------------------------------------------------------------------------------ */

static void features_in_the_stream_may_have_any_size(void **state)
{
	struct recording_writer w = WRITER_INIT;
	struct counted c = { 0 };
	struct opened o;
	size_t at;

	(void)state;
	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "before");
	at = writer_begin(&w, RECORD_HEADER_FEATURE, 0);
	put_u64(&w, FEATURE_CPUDESC);
	put_zeros(&w, 13);
	writer_end(&w, at);
	put_comm(&w, 1, 1, "behind");
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_scan_records(o.pd, count, &c, &o.diag, &o.err), OK);
	assert_int_equal(c.comms, 2);
	assert_int_equal(c.others, 1);
	assert_int_equal(o.diag.count[DIAG_BAD_RECORD], 0);
	opened_release(&o);
	writer_release(&w);
}

/* ---- compressed records ------------------------------------------------------------------- */

/* A wrong checksum at the end of the stream: the records after it are found all the same. */
static void a_stream_with_a_wrong_checksum_is_counted(void **state)
{
	struct recording_writer w = WRITER_INIT, inner = WRITER_INIT;
	struct counted c = { 0 };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	struct opened o;
	char frame[4096];
	unsigned i;
	size_t n;

	(void)state;
	for (i = 0; i < 20; i++)
		put_comm(&inner, i, i, "worker");
	assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)));
	n = ZSTD_compress2(zstd, frame, sizeof(frame), inner.data.p, inner.data.n);
	assert_false(ZSTD_isError(n));
	frame[n - 1] ^= 1;
	writer_attr(&w, &plain, NULL, 0);
	writer_feature_compressed(&w, 1 << 20);
	put_compressed(&w, RECORD_COMPRESSED2, frame, n);
	put_comm(&w, 100, 100, "behind");
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_scan_records(o.pd, count, &c, &o.diag, &o.err), OK);
	assert_in_range(c.comms, 1, 21);
	assert_int_equal(c.last_pid, 100);
	assert_int_equal(o.diag.count[DIAG_BAD_STREAM], 1);
	ZSTD_freeCCtx(zstd);
	opened_release(&o);
	writer_release(&inner);
	writer_release(&w);
}

/* ---- directories -------------------------------------------------------------------------- */

/* Of perf record --threads: the parts may be links, and there may be other files. */
static void a_directory_may_have_links_and_a_copy_of_the_kernel(void **state)
{
	static const uint64_t version = 1;
	struct recording_writer w = WRITER_INIT, part = WRITER_INIT;
	char *data = tmpdir_path(state, "data"), *elsewhere = tmpdir_path(state, "elsewhere"),
	     *link = tmpdir_path(state, "data.0"), *kernel = tmpdir_path(state, "kcore_dir");
	struct opened o = { .strings = strtab_new() };
	struct counted c = { 0 };

	writer_attr(&w, &plain, NULL, 0);
	put_comm(&w, 1, 1, "first");
	writer_feature(&w, FEATURE_DIR_FORMAT, &version, sizeof(version));
	writer_finish(&w);
	tmpdir_write(data, buf_span(&w.file));
	put_comm(&part, 2, 2, "second");
	tmpdir_write(elsewhere, buf_span(&part.data));
	assert_int_equal(symlink("elsewhere", link), 0);
	assert_int_equal(mkdir(kernel, 0700), 0);
	assert_int_equal(file_open(&o.file, data, &o.err), OK);
	assert_int_equal(perfdata_open(&o.pd, &o.file, o.strings, 0, &o.diag, &o.err), OK);
	assert_int_equal(perfdata_scan_records(o.pd, count, &c, &o.diag, &o.err), OK);
	assert_int_equal(c.comms, 2);
	assert_int_equal(o.diag.count[DIAG_MISSING_FILE], 0);
	opened_release(&o);
	writer_release(&part);
	writer_release(&w);
	free(data), free(elsewhere), free(link), free(kernel);
}

/* ---- samples ------------------------------------------------------------------------------ */

struct decoding {
	struct recording_writer w;
	struct opened o;
	size_t at;
};

static void begin(struct decoding *d, const struct test_attr *attr)
{
	*d = (struct decoding){ .w = WRITER_INIT };
	writer_attr(&d->w, attr, NULL, 0);
	d->at = writer_begin(&d->w, RECORD_SAMPLE, CPUMODE_USER);
}

/* From a copy of exactly its size, so that reading past it is seen. */
static bool decode(struct decoding *d, struct perfdata_sample *s)
{
	struct perfdata_record r = { RECORD_SAMPLE, CPUMODE_USER, 0, NULL, 0 };
	uint8_t *copy;
	uint32_t n;
	bool ok;

	writer_end(&d->w, d->at);
	r.size = (uint16_t)(d->w.data.n - d->at);
	r.p = copy = xmemdup(d->w.data.p + d->at, r.size);
	assert_int_equal(opened_from(&d->o, &d->w, 0), OK);
	ok = perfdata_sample_decode(perfdata_attrs(d->o.pd, &n), &r, s);
	free(copy);
	opened_release(&d->o);
	writer_release(&d->w);
	return ok;
}

/* The event says that an index of the branch hardware is there, and it is not; or the reverse. */
static void a_branch_index_that_is_missing_is_damage(void **state)
{
	struct perfdata_sample s;
	struct decoding d;
	unsigned i;

	(void)state;
	begin(&d, &(struct test_attr){ .sample_type = SAMPLE_BRANCH_STACK | SAMPLE_WEIGHT,
			  .branch_sample_type = BRANCH_HW_INDEX });
	put_u64(&d.w, 1);
	for (i = 0; i < 3; i++) /* from, to, flags; no index before them */
		put_u64(&d.w, 0x1000 + i);
	put_u64(&d.w, 7);
	assert_false(decode(&d, &s));

	begin(&d, &(struct test_attr){ .sample_type = SAMPLE_BRANCH_STACK });
	put_u64(&d.w, 2);
	put_u64(&d.w, UINT64_MAX); /* the index */
	for (i = 0; i < 5; i++)
		put_u64(&d.w, 0x1000 + i);
	assert_true(decode(&d, &s));
	assert_int_equal(s.n_branches, 2);
}

static void a_stack_of_an_odd_size_is_accepted(void **state)
{
	struct perfdata_sample s;
	struct decoding d;

	(void)state;
	begin(&d, &(struct test_attr){ .sample_type = SAMPLE_STACK_USER });
	put_u64(&d.w, 13);
	put_zeros(&d.w, 13);
	put_u64(&d.w, 9);
	put_zeros(&d.w, 3);
	assert_true(decode(&d, &s));
	assert_int_equal(s.stack_requested_bytes, 13);
	assert_int_equal(s.stack_bytes, 9);

	begin(&d, &(struct test_attr){ .sample_type = SAMPLE_STACK_USER });
	put_u64(&d.w, 13);
	put_zeros(&d.w, 16);
	assert_false(decode(&d, &s));
}

/* The registers of a sample are those requested by its own event. */
static void events_have_register_masks_of_their_own(void **state)
{
	static const uint64_t ids[] = { 11, 22 }, masks[] = { 0x101, 0xff0fff };
	struct recording_writer w = WRITER_INIT;
	const struct perfdata_attr *attrs;
	struct opened o;
	unsigned i, k;
	uint32_t n;

	(void)state;
	for (i = 0; i < 2; i++)
		writer_attr(&w,
			&(struct test_attr){
				.sample_type = SAMPLE_IDENTIFIER | SAMPLE_REGS_USER | SAMPLE_WEIGHT,
				.regs_user = masks[i] },
			&ids[i], 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	attrs = perfdata_attrs(o.pd, &n);
	for (i = 0; i < 2; i++) {
		struct perfdata_record r = { .type = RECORD_SAMPLE };
		struct perfdata_sample s;
		uint64_t words[32] = { 0, ids[i], REGS_ABI_64 };
		unsigned n_regs = (unsigned)__builtin_popcountll(masks[i]);
		uint32_t attr;

		for (k = 0; k < n_regs; k++)
			words[3 + k] = 100 + k;
		words[3 + n_regs] = 4711; /* read right only where the registers were */
		r.p = (const uint8_t *)words;
		r.size = (uint16_t)(8 * (4 + n_regs));
		assert_true(perfdata_sample_event(o.pd, &r, &attr));
		assert_int_equal(attr, i);
		assert_true(perfdata_sample_decode(&attrs[attr], &r, &s));
		assert_int_equal(s.weight, 4711);
		assert_int_equal(s.regs_user.mask, masks[i]);
		assert_int_equal(bytes_u64(s.regs_user.values, s.swapped), 100);
	}
	opened_release(&o);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_that_overlap_the_records_do_no_harm),
		cmocka_unit_test(an_unfinished_recording_has_no_features),
		cmocka_unit_test(an_empty_section_has_no_string),
		cmocka_unit_test(records_beyond_four_gigabytes_are_read),
		cmocka_unit_test(features_in_the_stream_may_have_any_size),
		cmocka_unit_test(a_stream_with_a_wrong_checksum_is_counted),
		cmocka_unit_test_setup_teardown(a_directory_may_have_links_and_a_copy_of_the_kernel,
			tmpdir_setup, tmpdir_teardown),
		cmocka_unit_test(a_branch_index_that_is_missing_is_damage),
		cmocka_unit_test(a_stack_of_an_odd_size_is_accepted),
		cmocka_unit_test(events_have_register_masks_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
