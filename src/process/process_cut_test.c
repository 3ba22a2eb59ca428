/*
 * A real recording that is cut off anywhere gives every sample that is whole before the cut, and a
 * record that is damaged costs itself alone.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

enum {
	PIPE_HEADER_BYTES = 16,
	CUTS = 200,
	FIRST_OF_PERF = 64, /* types of records that perf makes up */
	/* Where a sample of this recording has its parts: ip, tid, time, cpu before them. */
	PERIOD_AT = 40,
	CHAIN_AT = 48,
};

static const struct form {
	const char *path;
	bool pipe, swapped;
} forms[] = {
	{ "testdata/perfdata/forms/input.perf.data", false, false },
	{ "testdata/perfdata/forms/input.pipe.data", true, false },
	{ "testdata/perfdata/forms/input.swapped.data", false, true },
};

struct real {
	const struct form *form;
	struct buf bytes;
	size_t data_at, data_end;
	struct place {
		size_t at, size;
		uint32_t type;
		uint64_t period; /* of a sample */
	} * record;
	uint32_t n, cap;
	uint32_t n_samples;
	uint64_t weight;
};

static const uint8_t *at(const struct real *r, size_t offset)
{
	return (const uint8_t *)r->bytes.p + offset;
}

static void find_records(struct real *r)
{
	bool swapped = r->form->swapped;
	size_t i;

	r->n = r->n_samples = 0;
	r->weight = 0;
	for (i = r->data_at; i < r->data_end; i += r->record[r->n++].size) {
		struct place *p;

		ARRAY_GROW(r->record, r->n, r->cap);
		p = &r->record[r->n];
		*p = (struct place){ .at = i,
			.size = bytes_u16(at(r, i + 6), swapped),
			.type = bytes_u32(at(r, i), swapped) };
		assert_true(p->size >= 8);
		if (p->type != RECORD_SAMPLE)
			continue;
		p->period = bytes_u64(at(r, i + PERIOD_AT), swapped);
		r->n_samples++;
		r->weight += p->period;
	}
	assert_int_equal(i, r->data_end);
}

static void real_load(struct real *r, const struct form *form)
{
	struct err e;

	*r = (struct real){ .form = form };
	assert_int_equal(file_read_all(form->path, 1 << 20, &r->bytes, &e), OK);
	r->data_at = PIPE_HEADER_BYTES;
	r->data_end = r->bytes.n;
	if (!form->pipe) {
		r->data_at = bytes_u64(at(r, 40), form->swapped);
		r->data_end = r->data_at + bytes_u64(at(r, 48), form->swapped);
	}
	find_records(r);
	assert_true(r->n_samples > 50);
}

static void real_release(struct real *r)
{
	buf_release(&r->bytes);
	free(r->record);
}

/* What the program makes of bytes; false where it refuses them. */
static bool read_bytes(
	const char *p, size_t n, size_t block_bytes, uint64_t *kept, uint64_t *weight)
{
	static const char *const all[] = { "*", NULL };
	struct recording_writer w = WRITER_INIT;
	struct read_opts o = { .events = all, .block_bytes = block_bytes };
	struct reading g;
	int rc;

	buf_put(&w.file, p, n);
	rc = read_stacks(&g, &w, o, 1);
	*kept = g.recording->samples_kept;
	*weight = g.recording->weight_kept;
	reading_release(&g);
	writer_release(&w);
	return rc == OK;
}

/* ---- cuts --------------------------------------------------------------------------------- */

static void expect_cut(const struct real *r, size_t cut)
{
	uint64_t kept, weight, expected = 0, expected_weight = 0;
	uint32_t i;

	for (i = 0; i < r->n && r->record[i].at + r->record[i].size <= cut; i++)
		if (r->record[i].type == RECORD_SAMPLE) {
			expected++;
			expected_weight += r->record[i].period;
		}
	if (!read_bytes(r->bytes.p, cut, cut & 1 ? 4096 : 0, &kept, &weight) && expected)
		fail_msg("%s cut at %zu: refused", r->form->path, cut);
	if (kept != expected || weight != expected_weight)
		fail_msg("%s cut at %zu: %" PRIu64 " samples, not %" PRIu64, r->form->path, cut,
			kept, expected);
}

static void cut_between_records_all_earlier_samples_are_kept(void **state)
{
	struct real r;
	size_t k;
	uint32_t i;

	(void)state;
	for (k = 0; k < ARRAY_LEN(forms); k++) {
		real_load(&r, &forms[k]);
		for (i = 0; i < r.n; i++)
			expect_cut(&r, r.record[i].at);
		expect_cut(&r, r.data_end);
		real_release(&r);
	}
}

static void cut_anywhere_all_earlier_samples_are_kept(void **state)
{
	struct real r;
	uint64_t x = 1;
	size_t k, i;

	(void)state;
	for (k = 0; k < ARRAY_LEN(forms); k++) {
		real_load(&r, &forms[k]);
		for (i = 0; i < CUTS; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			expect_cut(&r, (x >> 33) % r.bytes.n);
		}
		real_release(&r);
	}
}

/* What is lost is not the samples: names of events, the host, build-ids. */
static void a_cut_in_the_sections_after_the_records_is_damage(void **state)
{
	struct real r;
	size_t cut;

	(void)state;
	real_load(&r, &forms[0]);
	for (cut = r.data_end + 1; cut < r.bytes.n; cut += 97) {
		struct recording_writer w = WRITER_INIT;
		struct read_opts o = { 0 };
		enum diag_kind which;
		struct reading g;

		buf_put(&w.file, r.bytes.p, cut);
		assert_int_equal(read_stacks(&g, &w, o, 1), OK);
		if (!diag_strict_failure(&g.recording->diag, &which))
			fail_msg("cut at %zu of %zu: no damage", cut, r.bytes.n);
		reading_release(&g);
		writer_release(&w);
	}
	real_release(&r);
}

/* ---- damage ------------------------------------------------------------------------------- */

static void set_size(struct real *r, const struct place *p, uint64_t size)
{
	uint16_t v = (uint16_t)size;

	v = r->form->swapped ? __builtin_bswap16(v) : v;
	memcpy(r->bytes.p + p->at + 6, &v, sizeof(v));
}

static void set_chain(struct real *r, const struct place *p, uint64_t n)
{
	n = r->form->swapped ? __builtin_bswap64(n) : n;
	memcpy(r->bytes.p + p->at + CHAIN_AT, &n, sizeof(n));
}

static const struct lie {
	const char *what;
	void (*tell)(struct real *r, const struct place *p, uint64_t n);
	uint64_t n;
	bool of_samples_alone;
} lies[] = {
	{ "size 0", set_size, 0, false },
	{ "size 4", set_size, 4, false },
	{ "size 60000", set_size, 60000, false },
	{ "2000 addresses", set_chain, 2000, true },
	{ "2^60 addresses", set_chain, (uint64_t)1 << 60, true },
};

/* The record is damaged, read, and mended. */
static void expect_lie(struct real *r, const struct place *p, const struct lie *lie)
{
	char *before = xmemdup(r->bytes.p + p->at, p->size);
	bool sample = p->type == RECORD_SAMPLE;
	uint64_t kept, weight;

	lie->tell(r, p, lie->n);
	if (!read_bytes(r->bytes.p, r->bytes.n, p->at & 8 ? 4096 : 0, &kept, &weight))
		fail_msg("%s, %s at %zu: refused", r->form->path, lie->what, p->at);
	if (kept != r->n_samples - sample || weight != r->weight - (sample ? p->period : 0))
		fail_msg("%s, %s at %zu: %" PRIu64 " of %u samples", r->form->path, lie->what,
			p->at, kept, r->n_samples);
	memcpy(r->bytes.p + p->at, before, p->size);
	free(before);
}

static void expect_lies(struct real *r, uint32_t step)
{
	uint32_t i;
	size_t k;

	for (i = 0; i < r->n; i += step)
		for (k = 0; k < ARRAY_LEN(lies); k++) {
			bool fits = r->record[i].type < FIRST_OF_PERF && !lies[k].of_samples_alone;

			if (fits || r->record[i].type == RECORD_SAMPLE)
				expect_lie(r, &r->record[i], &lies[k]);
		}
}

static void a_damaged_record_is_the_only_loss(void **state)
{
	struct real r;
	size_t k;

	(void)state;
	for (k = 0; k < ARRAY_LEN(forms); k++) {
		real_load(&r, &forms[k]);
		expect_lies(&r, 1);
		real_release(&r);
	}
}

/* All records five times over, so that a false size of 60000 bytes ends within the file. */
static void a_damaged_record_with_a_possible_size_is_the_only_loss(void **state)
{
	enum { TIMES = 5 };
	struct buf long_one = { 0 };
	struct real r;
	uint64_t size;
	unsigned i;

	(void)state;
	real_load(&r, &forms[0]);
	size = TIMES * (r.data_end - r.data_at);
	buf_put(&long_one, r.bytes.p, r.data_at);
	for (i = 0; i < TIMES; i++)
		buf_put(&long_one, r.bytes.p + r.data_at, r.data_end - r.data_at);
	memcpy(long_one.p + 48, &size, sizeof(size));
	memset(long_one.p + 72, 0, 32); /* and no sections */
	buf_release(&r.bytes);
	r.bytes = long_one;
	r.data_end = long_one.n;
	find_records(&r);
	assert_true(size > 61000);
	expect_lies(&r, 7);
	real_release(&r);
}

#define TEST cmocka_unit_test

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(cut_between_records_all_earlier_samples_are_kept),
		TEST(a_cut_in_the_sections_after_the_records_is_damage),
		TEST(cut_anywhere_all_earlier_samples_are_kept),
		TEST(a_damaged_record_is_the_only_loss),
		TEST(a_damaged_record_with_a_possible_size_is_the_only_loss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
