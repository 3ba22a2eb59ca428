/*
 * perfdata_bed_for_test.h - a recording that a test writes, and what is read of it
 *
 * For *_test.c. Each test has a bed, which is empty at first:
 *
 *	static void a_test(void **state)
 *	{
 *		struct perfdata_bed *b = *state;
 *
 *		bed_start(b);				an event and a record
 *		b->w.say_data_size = 0;
 *		bed_open(b);				now b->attrs and b->features are set
 *		assert_true(b->features->unfinished);
 *		expect_count(b, DIAG_CUT_SHORT, 0);
 *	}
 *	...	BED_TEST(a_test),
 *
 * A test of several cases empties the bed between them with bed_reset().
 *
 * Owns: the bed, made by bed_setup(), freed by bed_teardown(). Threads: one.
 */
#ifndef PERFOLD_INPUT_PERFDATA_PERFDATA_BED_FOR_TEST_H
#define PERFOLD_INPUT_PERFDATA_PERFDATA_BED_FOR_TEST_H

#include "input/perfdata/record_list_for_test.h"

#include "base/tmpdir_for_test.h"

struct perfdata_bed {
	struct recording_writer w;
	struct recording_writer part; /* records to be packed into w, or for a file beside it */
	struct opened o;              /* as it was opened last */
	const struct perfdata_attr *attrs; /* of o, as are those below */
	uint32_t n_attrs;
	const struct perfdata_features *features;
	struct record_list all; /* what bed_read() saw */
	/* Of bed_sample(): */
	struct perfdata_attr attr;
	struct perfdata_record record; /* a copy of exactly its size */
	struct perfdata_sample sample;
	void *dir; /* of BED_DIR_TEST(): the state of base/tmpdir_for_test.h */
};

#define BED_TEST(t)     cmocka_unit_test_setup_teardown(t, bed_setup, bed_teardown)
#define BED_DIR_TEST(t) cmocka_unit_test_setup_teardown(t, bed_setup_dir, bed_teardown_dir)

WRITER_FN const struct test_attr plain_event = { .type = EVENT_SOFTWARE, .sample_type = SAMPLE_IP };

/* ---- setup and teardown ------------------------------------------------------------------- */

WRITER_FN int bed_setup(void **state)
{
	struct perfdata_bed *b = xcalloc(1, sizeof(*b));

	b->w = b->part = (struct recording_writer)WRITER_INIT;
	*state = b;
	return 0;
}

WRITER_FN void bed_close(struct perfdata_bed *b)
{
	if (b->o.strings)
		opened_release(&b->o);
	b->o = (struct opened){ 0 };
}

/* Empty it, for the next case of the test. */
WRITER_FN void bed_reset(struct perfdata_bed *b)
{
	bed_close(b);
	writer_release(&b->w);
	writer_release(&b->part);
	free((void *)b->record.p);
	b->record = (struct perfdata_record){ 0 };
}

/* The same, and it will be written in our byte order or in the other one. */
WRITER_FN void bed_reset_swapped(struct perfdata_bed *b, bool swapped)
{
	bed_reset(b);
	b->w.swapped = swapped;
}

WRITER_FN int bed_teardown(void **state)
{
	struct perfdata_bed *b = *state;

	bed_reset(b);
	record_list_release(&b->all);
	free(b);
	return 0;
}

WRITER_FN int bed_setup_dir(void **state)
{
	return bed_setup(state) || tmpdir_setup(&((struct perfdata_bed *)*state)->dir);
}

WRITER_FN int bed_teardown_dir(void **state)
{
	return tmpdir_teardown(&((struct perfdata_bed *)*state)->dir) || bed_teardown(state);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* One event and one record. */
WRITER_FN void bed_start(struct perfdata_bed *b)
{
	writer_attr(&b->w, &plain_event, NULL, 0);
	put_comm(&b->w, 1, 1, "a name");
}

/* Overwrite a number of a recording that is finished. */
WRITER_FN void bed_set_u64(struct perfdata_bed *b, size_t at, uint64_t v)
{
	memcpy(b->w.file.p + at, &v, sizeof(v));
}

/* Compress the records of the part, as what follows in the stream; they are appended to w. */
WRITER_FN void bed_put_packed(
	struct perfdata_bed *b, const struct test_compression *c, ZSTD_CStream *stream)
{
	writer_put_packed(&b->w, c, stream, b->part.data.p, b->part.data.n);
	b->part.data.n = 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Open a file in place of what is open; what perfdata_open() returned. */
WRITER_FN int bed_try_file(struct perfdata_bed *b, struct file f, size_t block_bytes)
{
	struct opened *o = &b->o;
	int rc;

	bed_close(b);
	*o = (struct opened){ .file = f, .strings = strtab_new() };
	rc = perfdata_open(&o->pd, &o->file, o->strings, block_bytes, &o->diag, &o->err);
	b->n_attrs = 0;
	b->attrs = rc ? NULL : perfdata_attrs(o->pd, &b->n_attrs);
	b->features = rc ? NULL : perfdata_features(o->pd);
	return rc;
}

/* Finish the recording, unless the test has done so, and open it. */
WRITER_FN int bed_try_blocks(struct perfdata_bed *b, size_t block_bytes)
{
	struct file f;

	if (!b->w.file.n)
		writer_finish(&b->w);
	assert_true(writer_open(&b->w, &f));
	return bed_try_file(b, f, block_bytes);
}

WRITER_FN void bed_open_blocks(struct perfdata_bed *b, size_t block_bytes)
{
	if (bed_try_blocks(b, block_bytes))
		fail_msg("%s", b->o.err.msg);
}

WRITER_FN void bed_open(struct perfdata_bed *b)
{
	bed_open_blocks(b, 0);
}

WRITER_FN void bed_scan(struct perfdata_bed *b, perfdata_visit visit, void *ctx)
{
	if (perfdata_scan_records(b->o.pd, visit, ctx, &b->o.diag, &b->o.err))
		fail_msg("%s", b->o.err.msg);
}

/* The first pass alone. */
WRITER_FN void bed_list(struct perfdata_bed *b)
{
	record_list_scan(&b->all, b->o.pd, &b->o.diag);
}

/* Both passes, with blocks of several sizes: all must see the same. It is then open. */
WRITER_FN size_t bed_read(struct perfdata_bed *b)
{
	static const size_t block_bytes[] = { 0, 64, 4096 };
	struct record_list first = { .with_tools = b->all.with_tools };
	struct diag d = { 0 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(block_bytes); i++) {
		bed_open_blocks(b, block_bytes[i]);
		record_list_both(i ? &b->all : &first, b->o.pd, &b->o.diag);
		if (!i)
			d = b->o.diag;
		else
			record_list_assert_same_places(&b->all, &first);
		assert_memory_equal(&d, &b->o.diag, sizeof(d));
	}
	record_list_release(&first);
	return b->all.n;
}

WRITER_FN const char *bed_str(const struct perfdata_bed *b, str_id id)
{
	return strtab_str(b->o.strings, id);
}

/* ---- what is expected --------------------------------------------------------------------- */

WRITER_FN void expect_count(const struct perfdata_bed *b, enum diag_kind kind, uint64_t n)
{
	assert_int_equal(b->o.diag.count[kind], n);
}

/* bed_read() sees so many records. */
WRITER_FN void expect_records(struct perfdata_bed *b, size_t n)
{
	assert_int_equal(bed_read(b), n);
}

/* What was seen is the front of put_test_recording(), and then `more` records. */
WRITER_FN void expect_front(
	const struct perfdata_bed *b, size_t at_least, size_t at_most, size_t more)
{
	struct perfdata_bed plain = { .w = WRITER_INIT, .part = WRITER_INIT };

	put_test_recording(&plain.w);
	expect_records(&plain, TEST_RECORDS);
	expect_count(&plain, DIAG_BAD_RECORD, 0);
	assert_in_range(b->all.n, at_least + more, at_most + more);
	plain.all.n = b->all.n - more;
	record_list_assert_front(&b->all, &plain.all);
	bed_reset(&plain);
	record_list_release(&plain.all);
}

/* It is the whole. */
WRITER_FN void expect_test_recording(const struct perfdata_bed *b)
{
	expect_front(b, TEST_RECORDS, TEST_RECORDS, 0);
}

struct shared_blocks {
	struct perfdata *pd;
	bool with_tools;
	_Atomic uint64_t n, sum; /* of records, and of what they say and where */
};

WRITER_FN uint64_t bed_sum(const struct record_list *s)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		sum += hash_pair(s->list[i].hash, s->list[i].position);
	return sum;
}

WRITER_FN int bed_share(void *ctx, unsigned worker, struct err *e)
{
	struct shared_blocks *s = ctx;
	struct record_list mine = { .with_tools = s->with_tools };

	(void)worker;
	(void)e;
	record_list_blocks(&mine, s->pd);
	s->n += mine.n;
	s->sum += bed_sum(&mine);
	record_list_release(&mine);
	return OK;
}

/* Workers that share the blocks get the records of b->all, each of them once. */
WRITER_FN void expect_shared(struct perfdata_bed *b)
{
	struct shared_blocks s = { .pd = b->o.pd, .with_tools = b->all.with_tools };
	struct pool *pool = pool_new(4);

	perfdata_rewind(b->o.pd);
	assert_int_equal(pool_run(pool, bed_share, &s, &b->o.err), OK);
	assert_int_equal(s.n, b->all.n);
	assert_true(s.sum == bed_sum(&b->all));
	pool_free(pool);
}

/* The recording that was written is refused. */
WRITER_FN void expect_refused(struct perfdata_bed *b, int code, const char *message)
{
	assert_int_equal(bed_try_blocks(b, 0), code);
	if (!strstr(b->o.err.msg, message))
		fail_msg("\"%s\" is not in: %s", message, b->o.err.msg);
}

WRITER_FN void expect_event_name(const struct perfdata_bed *b, uint32_t i, const char *name)
{
	assert_in_range(b->n_attrs, i + 1, UINT32_MAX);
	assert_string_equal(bed_str(b, b->attrs[i].name), name);
}

/* ---- one sample --------------------------------------------------------------------------- */

/* Begin a sample of such an event, in place of what was there. */
WRITER_FN void bed_sample_swapped(
	struct perfdata_bed *b, const struct test_attr *event, bool swapped)
{
	bed_reset_swapped(b, swapped);
	writer_attr(&b->w, event, NULL, 0);
	assert_true(perfdata_attr_parse(
		&b->attr, (const uint8_t *)b->w.attrs[0].p, b->w.attrs[0].n, swapped));
	writer_begin(&b->w, RECORD_SAMPLE, 0);
}

WRITER_FN void bed_sample(struct perfdata_bed *b, const struct test_attr *event)
{
	bed_sample_swapped(b, event, false);
}

/* Decode the first bytes: a copy that ends with them, so that reading past it is seen. */
WRITER_FN bool bed_decode_front(struct perfdata_bed *b, size_t size)
{
	free((void *)b->record.p);
	b->record.type = RECORD_SAMPLE;
	b->record.size = (uint32_t)size;
	b->record.p = xmemdup(b->w.data.p, size);
	return perfdata_sample_decode(&b->attr, &b->record, &b->sample);
}

WRITER_FN bool bed_decode(struct perfdata_bed *b)
{
	return bed_decode_front(b, b->w.data.n);
}

#endif
