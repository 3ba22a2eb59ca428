/* Headers, sections and records that contradict themselves: nothing is read that is not there. */
#include "input/perfdata/perfdata_bed_for_test.h"

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

/* ---- the header --------------------------------------------------------------------------- */

/* The offset of the attributes is that of the records: both are read, and nothing beyond them. */
static void attributes_that_overlap_the_records_do_no_harm(void **state)
{
	struct perfdata_bed *b = *state;
	struct counted c = { 0 };
	unsigned i;

	writer_attr(&b->w, &plain_event, (uint64_t[]){ 5 }, 1);
	for (i = 0; i < 20; i++)
		put_comm(&b->w, i, 0xffffffff, "worker");
	writer_finish(&b->w);
	bed_set_u64(b, 24, b->w.data_at);
	bed_open(b);
	assert_int_equal(b->n_attrs, 1);
	bed_scan(b, count, &c);
	assert_int_equal(c.comms, 20);
}

/* The recorder was killed: after the header there are records, up to the end of the file. */
static void an_unfinished_recording_has_no_features(void **state)
{
	struct perfdata_bed *b = *state;

	bed_start(b);
	writer_feature_string(&b->w, FEATURE_HOSTNAME, "there");
	b->w.say_data_size = 0;
	bed_open(b);
	assert_int_equal(b->features->hostname, 0);
	assert_true(b->features->unfinished);
}

static void an_empty_section_has_no_string(void **state)
{
	struct perfdata_bed *b = *state;

	bed_start(b);
	writer_feature(&b->w, FEATURE_HOSTNAME, "", 0);
	writer_feature(&b->w, FEATURE_NRCPUS, "", 0);
	writer_feature(&b->w, FEATURE_EVENT_DESC, "", 0);
	writer_feature_string(&b->w, FEATURE_CMDLINE + 100, "unknown");
	bed_open(b);
	assert_int_equal(b->features->hostname, 0);
	expect_count(b, DIAG_BAD_FEATURE, 3);
}

/* A hole of 5 GiB, as tracing hardware can fill it: positions have 64 bits. */
static void records_beyond_four_gigabytes_are_read(void **state)
{
	static const uint64_t hole = (uint64_t)5 << 30;
	struct perfdata_bed *b = *state;
	struct counted c = { 0 };
	struct file f;
	size_t at, front;

	bed_start(b);
	at = writer_begin(&b->w, RECORD_AUXTRACE, 0);
	put_u64(&b->w, hole);
	put_zeros(&b->w, 32);
	writer_end(&b->w, at);
	front = b->w.data.n;
	put_comm(&b->w, 1, 1, "behind");
	put_comm(&b->w, 1, 1, "the hole");
	b->w.say_data_size = b->w.data.n + hole;
	writer_finish(&b->w);
	assert_true(memory_file_open(b->w.file.p, b->w.data_at + front, &f));
	assert_int_equal(pwrite(f.fd, b->w.data.p + front, b->w.data.n - front,
				 (off_t)(b->w.data_at + front + hole)),
		b->w.data.n - front);
	f.size_bytes = b->w.data_at + b->w.data.n + hole;
	assert_int_equal(bed_try_file(b, f, 0), OK);
	bed_scan(b, count, &c);
	assert_int_equal(c.comms, 3);
	assert_true(c.last_position > hole);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

/* ---- records ------------------------------------------------------------------------------ */

static void features_in_the_stream_may_have_any_size(void **state)
{
	struct perfdata_bed *b = *state;
	struct counted c = { 0 };
	size_t at;

	bed_start(b);
	at = writer_begin(&b->w, RECORD_HEADER_FEATURE, 0);
	put_u64(&b->w, FEATURE_CPUDESC);
	put_zeros(&b->w, 13);
	writer_end(&b->w, at);
	put_comm(&b->w, 1, 1, "behind");
	bed_open(b);
	bed_scan(b, count, &c);
	assert_int_equal(c.comms, 2);
	assert_int_equal(c.others, 1);
	expect_count(b, DIAG_BAD_RECORD, 0);
}

/* ---- compressed records ------------------------------------------------------------------- */

/* A wrong checksum at the end of the stream: the records after it are found all the same. */
static void a_stream_with_a_wrong_checksum_is_counted(void **state)
{
	struct perfdata_bed *b = *state;
	struct counted c = { 0 };
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	char frame[4096];
	unsigned i;
	size_t n;

	for (i = 0; i < 20; i++)
		put_comm(&b->part, i, i, "worker");
	assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1)));
	n = ZSTD_compress2(zstd, frame, sizeof(frame), b->part.data.p, b->part.data.n);
	assert_false(ZSTD_isError(n));
	frame[n - 1] ^= 1;
	writer_attr(&b->w, &plain_event, NULL, 0);
	writer_feature_compressed(&b->w, 1 << 20);
	put_compressed(&b->w, RECORD_COMPRESSED2, frame, n);
	put_comm(&b->w, 100, 100, "behind");
	bed_open(b);
	bed_scan(b, count, &c);
	assert_in_range(c.comms, 1, 21);
	assert_int_equal(c.last_pid, 100);
	expect_count(b, DIAG_BAD_STREAM, 1);
	ZSTD_freeCCtx(zstd);
}

/* ---- directories -------------------------------------------------------------------------- */

/* Of perf record --threads: the parts may be links, and there may be other files. */
static void a_directory_may_have_links_and_a_copy_of_the_kernel(void **state)
{
	static const uint64_t version = 1;
	struct perfdata_bed *b = *state;
	char *data = tmpdir_path(&b->dir, "data"), *elsewhere = tmpdir_path(&b->dir, "elsewhere"),
	     *link = tmpdir_path(&b->dir, "data.0"), *kernel = tmpdir_path(&b->dir, "kcore_dir");
	struct counted c = { 0 };
	struct file f;
	struct err e;

	bed_start(b);
	writer_feature(&b->w, FEATURE_DIR_FORMAT, &version, sizeof(version));
	writer_finish(&b->w);
	tmpdir_write(data, buf_span(&b->w.file));
	put_comm(&b->part, 2, 2, "second");
	tmpdir_write(elsewhere, buf_span(&b->part.data));
	assert_int_equal(symlink("elsewhere", link), 0);
	assert_int_equal(mkdir(kernel, 0700), 0);
	assert_int_equal(file_open(&f, data, &e), OK);
	assert_int_equal(bed_try_file(b, f, 0), OK);
	bed_scan(b, count, &c);
	assert_int_equal(c.comms, 2);
	expect_count(b, DIAG_MISSING_FILE, 0);
	free(data), free(elsewhere), free(link), free(kernel);
}

/* Somebody else's directory must not make a file of this machine a part of the recording. */
static void no_link_leads_out_of_a_directory(void **state)
{
	static const uint64_t version = 1;
	struct perfdata_bed *b = *state;
	char *dir = tmpdir_path(&b->dir, "recording"),
	     *data = tmpdir_path(&b->dir, "recording/data"),
	     *link = tmpdir_path(&b->dir, "recording/data.0"),
	     *outside = tmpdir_path(&b->dir, "outside");
	struct file f;
	struct err e;

	bed_start(b);
	writer_feature(&b->w, FEATURE_DIR_FORMAT, &version, sizeof(version));
	writer_finish(&b->w);
	assert_int_equal(mkdir(dir, 0700), 0);
	tmpdir_write(data, buf_span(&b->w.file));
	put_comm(&b->part, 2, 2, "second");
	tmpdir_write(outside, buf_span(&b->part.data));
	assert_int_equal(symlink("../outside", link), 0);
	assert_int_equal(file_open(&f, data, &e), OK);
	assert_int_equal(bed_try_file(b, f, 0), ERR_UNSUPPORTED);
	assert_non_null(strstr(b->o.err.msg, "data.0: is a link that leads out of its directory"));
	free(dir), free(data), free(link), free(outside);
}

/* ---- samples ------------------------------------------------------------------------------ */

/* The event says that an index of the branch hardware is there, and it is not; or the reverse. */
static void a_branch_index_that_is_missing_is_damage(void **state)
{
	struct perfdata_bed *b = *state;
	unsigned i;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_BRANCH_STACK | SAMPLE_WEIGHT,
			      .branch_sample_type = BRANCH_HW_INDEX });
	put_u64(&b->w, 1);
	for (i = 0; i < 3; i++) /* from, to, flags; no index before them */
		put_u64(&b->w, 0x1000 + i);
	put_u64(&b->w, 7);
	assert_false(bed_decode(b));

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_BRANCH_STACK });
	put_u64(&b->w, 2);
	put_u64(&b->w, UINT64_MAX); /* the index */
	for (i = 0; i < 5; i++)
		put_u64(&b->w, 0x1000 + i);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.n_branches, 2);
}

static void a_stack_of_an_odd_size_is_accepted(void **state)
{
	struct perfdata_bed *b = *state;

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_STACK_USER });
	put_u64(&b->w, 13);
	put_zeros(&b->w, 13);
	put_u64(&b->w, 9);
	put_zeros(&b->w, 3);
	assert_true(bed_decode(b));
	assert_int_equal(b->sample.stack_requested_bytes, 13);
	assert_int_equal(b->sample.stack_bytes, 9);

	bed_sample(b, &(struct test_attr){ .sample_type = SAMPLE_STACK_USER });
	put_u64(&b->w, 13);
	put_zeros(&b->w, 16);
	assert_false(bed_decode(b));
}

/* The registers of a sample are those requested by its own event. */
static void events_have_register_masks_of_their_own(void **state)
{
	static const uint64_t ids[] = { 11, 22 }, masks[] = { 0x101, 0xff0fff };
	struct perfdata_bed *b = *state;
	unsigned i, k;

	for (i = 0; i < 2; i++)
		writer_attr(&b->w,
			&(struct test_attr){
				.sample_type = SAMPLE_IDENTIFIER | SAMPLE_REGS_USER | SAMPLE_WEIGHT,
				.regs_user = masks[i] },
			&ids[i], 1);
	bed_open(b);
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
		assert_true(perfdata_sample_event(b->o.pd, &r, &attr));
		assert_int_equal(attr, i);
		assert_true(perfdata_sample_decode(&b->attrs[attr], &r, &s));
		assert_int_equal(s.weight, 4711);
		assert_int_equal(s.regs_user.mask, masks[i]);
		assert_int_equal(bytes_u64(s.regs_user.values, s.swapped), 100);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(attributes_that_overlap_the_records_do_no_harm),
		BED_TEST(an_unfinished_recording_has_no_features),
		BED_TEST(an_empty_section_has_no_string),
		BED_TEST(records_beyond_four_gigabytes_are_read),
		BED_TEST(features_in_the_stream_may_have_any_size),
		BED_TEST(a_stream_with_a_wrong_checksum_is_counted),
		BED_DIR_TEST(a_directory_may_have_links_and_a_copy_of_the_kernel),
		BED_DIR_TEST(no_link_leads_out_of_a_directory),
		BED_TEST(a_branch_index_that_is_missing_is_damage),
		BED_TEST(a_stack_of_an_odd_size_is_accepted),
		BED_TEST(events_have_register_masks_of_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
