/*
 * Recordings that are damaged, odd or malicious, read from the file to the stacks: only the damaged
 * part is lost, and it is counted.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

static void put_samples(struct recording_writer *w, unsigned n)
{
	while (n--)
		put_user(w, 7, 100 + n, 0x1010);
}

/* ---- one bad record among good ones ------------------------------------------------------- */

/* A sample with one number of 4 or 8 bytes in it overwritten. */
static void put_bad_sample(
	struct recording_writer *w, size_t offset, const void *number, size_t n_bytes)
{
	size_t at = w->data.n;

	put_user(w, 7, 100, 0x1010);
	memcpy(w->data.p + at + offset, number, n_bytes);
}

static void a_damaged_sample_is_the_only_loss(void **state)
{
	/* Header, ip, pid, tid, time, cpu, period, n of the chain, chain. */
	static const struct {
		const char *what;
		size_t offset, n_bytes;
		uint64_t number;
		enum diag_kind counted;
	} cases[] = {
		{ "size 0", 6, 2, 0, DIAG_BAD_RECORD },
		{ "size 7", 6, 2, 7, DIAG_BAD_RECORD },
		{ "size 60000", 6, 2, 60000, DIAG_BAD_RECORD },
		{ "size less than the fixed part", 6, 2, 24, DIAG_BAD_RECORD },
		{ "unknown type", 0, 4, 200, DIAG_UNKNOWN_RECORD },
		{ "chain of 2^40", 48, 8, (uint64_t)1 << 40, DIAG_BAD_SAMPLE },
		{ "chain of 2^61 + 1", 48, 8, ((uint64_t)1 << 61) + 1, DIAG_BAD_SAMPLE },
		{ "chain of 3, of which 2 are there", 48, 8, 3, DIAG_BAD_SAMPLE },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer *w = bed_restart(state, usual);
		const struct recording *r;

		put_samples(w, 10);
		put_bad_sample(w, cases[i].offset, &cases[i].number, cases[i].n_bytes);
		put_samples(w, 9);
		r = bed_read(state, DEFAULTS, 1);
		if (strcmp(bed_stacks(state), "main /bin/a+10! =19") != 0 ||
			r->diag.count[cases[i].counted] != 1)
			fail_msg("%s: %s", cases[i].what, bed_stacks(state));
	}
}

static void a_truncated_recording_keeps_earlier_samples(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;

	put_samples(w, 10);
	w->data.n -= 20;
	w->say_data_size = w->data.n + 20;
	r = bed_expect(state, DEFAULTS, "main /bin/a+10! =9");
	assert_int_equal(r->diag.count[DIAG_CUT_SHORT], 20);
	assert_int_equal(r->diag.count[DIAG_BAD_RECORD], 0);
}

static void samples_without_any_event_are_counted(void **state)
{
	struct recording_writer *w = bed_reset(state);
	const struct recording *r;

	put_samples(w, 3);
	r = bed_expect(state, DEFAULTS, "");
	assert_int_equal(r->samples_read, 3);
	assert_int_equal(r->samples_kept, 0);
	assert_int_equal(r->diag.count[DIAG_UNKNOWN_ID], 3);
}

/* Of every type that there is, each alone: none may rely on the event that other recordings have.
 */
static void a_record_of_any_type_is_read_without_any_event(void **state)
{
	static const uint8_t body[120] = { 0 };
	uint32_t type;

	for (type = 1; type < 256; type++) {
		struct recording_writer *w = bed_reset(state);
		size_t at;

		if (!perfdata_record_kind(type)->name || type == RECORD_COMPRESSED)
			continue;
		at = writer_begin(w, type, CPUMODE_USER);
		buf_put(&w->data, body, sizeof(body));
		writer_end(w, at);
		bed_expect(state, DEFAULTS, "");
	}
}

/* ---- call chains -------------------------------------------------------------------------- */

static void a_chain_of_marks_alone_leaves_the_sampled_address(void **state)
{
	static const struct {
		uint32_t n;
		uint64_t chain[3];
		const char *expected;
	} cases[] = {
		{ 0, { 0 }, "main /bin/a+10! =1" },
		{ 1, { USER }, "main /bin/a+10! =1" },
		{ 2, { KERNEL, USER }, "main /bin/a+10! =1" },
		{ 3, { USER, 0x1020, KERNEL }, "main /bin/a+20! =1" },
		{ 3, { USER, USER, 0x1020 }, "main /bin/a+20! =1" },
		{ 2, { 0x1020, 0x1030 }, "main /bin/a+30 /bin/a+20! =1" },
		{ 2, { USER, 0 }, "main ?+0! =1" },
		{ 3, { USER, 0x1020, 0 }, "main /bin/a+20! =1" },
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct test_sample s = { 7, 7, 0, 100, 1, 0x1010, 0, cases[i].n, { 0 } };
		struct recording_writer *w = bed_restart(state, usual);

		memcpy(s.chain, cases[i].chain, sizeof(cases[i].chain));
		put_sample(w, &s);
		expect_stacks(w, DEFAULTS, cases[i].expected);
	}
}

static void a_chain_that_fills_its_record_is_one_stack(void **state)
{
	enum { FIXED_BYTES = 56, N = (65528 - FIXED_BYTES) / 8 };
	struct recording_writer *w = bed_writer(state);
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	const struct reading *g;
	unsigned i;

	put_sample_front(w, &(struct test_sample){ 7, 7, 0, 100, 1, 0x1010, 0, 0, { 0 } });
	w->data.n -= 8;
	put_u64(w, N);
	put_u64(w, USER);
	for (i = 1; i < N; i++)
		put_u64(w, i == 1 || i == N - 1 ? 0x1010 : 0x5000);
	writer_end(w, at);
	bed_read(state, DEFAULTS, 1);
	g = &((struct process_bed *)*state)->reading;
	assert_int_equal(g->n_lines, 1);
	assert_memory_equal(g->lines[0], "main /bin/a+10 ?+5000 ?+5000 ", 29);
	assert_int_equal(strlen(g->lines[0]),
		strlen("main /bin/a+10") + (N - 3) * strlen(" ?+5000") + strlen(" /bin/a+10! =1"));
}

/* A kernel thread, or a task that is ending: no user registers, no stack. */
static void a_sample_without_user_registers_keeps_its_kernel_part(void **state)
{
	struct recording_writer *w =
		bed_restart(state, usual | SAMPLE_REGS_USER | SAMPLE_STACK_USER);
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_KERNEL);

	put_sample_front(w,
		&(struct test_sample){ 7, 7, 0, 100, 1, 0, 0, 2, { KERNEL, 0xffffffff81000000 } });
	put_u64(w, REGS_ABI_NONE);
	put_u64(w, 0); /* bytes of stack */
	writer_end(w, at);
	expect_stacks(w, DEFAULTS, "main ?+ffffffff81000000! =1");
}

/* ---- names and paths ---------------------------------------------------------------------- */

static void names_of_any_length_and_bytes_are_kept(void **state)
{
	char name[4096], expected[4200];
	struct recording_writer *w = bed_writer(state);

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	put_name(w, 7, 7, 50, name);
	put_user(w, 7, 60, 0x1010);
	put_name(w, 7, 7, 70, "a b;c\n\x1b[31m\xff");
	put_user(w, 7, 80, 0x1010);
	put_name(w, 7, 7, 90, "");
	put_user(w, 7, 100, 0x1010);
	snprintf(expected, sizeof(expected), "%s%s /bin/a+10! =1",
		":7 /bin/a+10! =1\na b;c\n\x1b[31m\xff /bin/a+10! =1\n", name);
	expect_stacks(w, DEFAULTS, expected);
}

/* The path ends with its record, where the trailer begins. */
static void a_path_without_nul_is_read(void **state)
{
	struct recording_writer *w = bed_writer(state);
	size_t at = writer_begin(w, RECORD_MMAP, CPUMODE_USER);

	put_u32(w, 7), put_u32(w, 7);
	put_u64(w, 0x9000), put_u64(w, 0x1000), put_u64(w, 0);
	buf_puts(&w->data, "/lib/odd");
	put_trailer(w, 7, 7, 0);
	writer_end(w, at);
	put_user(w, 7, 100, 0x9010);
	expect_stacks(w, DEFAULTS, "main /lib/odd+10! =1");
}

/* ---- mappings ----------------------------------------------------------------------------- */

static void impossible_mappings_are_ignored(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_mmap(w, 7, 0, 0x2000, 0, "/nothing");
	put_mmap(w, 7, 0, UINT64_MAX - 0xfff, 0x2000, "/wraps");
	put_mmap(w, 7, 0, 0x8000000000000000, (uint64_t)1 << 63, "/half");
	put_user(w, 7, 100, 0x1010);
	put_user(w, 7, 100, 0x2000);
	put_user(w, 7, 100, 0);
	expect_stacks(w, DEFAULTS, "main /bin/a+10! =1\nmain ?+0! =1\nmain ?+2000! =1");
}

static void a_file_mapped_twice_is_one_file(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_mmap(w, 7, 0, 0x9000, 0x1000, "/bin/a");
	put_user(w, 7, 100, 0x1010);
	put_user(w, 7, 100, 0x9010);
	expect_stacks(w, DEFAULTS, "main /bin/a+10! =1\nmain /bin/a+10! =1");
}

/* Runtimes write code to memory of many kinds; a map names it anywhere. perf uses the map only for
 * memory without a file. */
static void jit_code_in_any_memory_is_named_by_its_map(void **state)
{
	static const struct {
		const char *path, *expected;
	} cases[] = {
		{ "//anon", "main (js)" },
		{ "[heap]", "main (js)" },
		{ "[anon:v8]", "main (js)" },
		{ "/anon_hugepage (deleted)", "main (js)" },
		{ "/memfd:doublemapper (deleted)", "main /memfd:doublemapper (deleted)+10!(js)" },
		{ "/dev/shm/code", "main /dev/shm/code+10!(js)" },
		{ "/tmp/gone (deleted)", "main /tmp/gone (deleted)+10!(js)" },
	};
	char *map = tmpdir_path(bed_dir(state), "7.map"), expected[80];
	struct files_perf_map one = { 7, map };
	struct files_opts where = { .perf_maps = &one, .n_perf_maps = 1, .no_system = true };
	size_t i;

	tmpdir_write(map, SPAN("90000 100 js\n"));
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct recording_writer *w = bed_restart(state, usual);

		put_mmap(w, 7, 0, 0x90000, 0x1000, cases[i].path);
		put_user(w, 7, 100, 0x90010);
		snprintf(expected, sizeof(expected), "%s =1", cases[i].expected);
		expect_stacks(w, (struct read_opts){ .files = &where }, expected);
	}
	free(map);
}

/* ---- totals ------------------------------------------------------------------------------- */

static void losses_never_wrap(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;
	unsigned i;
	size_t at;

	for (i = 0; i < 3; i++) {
		at = writer_begin(w, i ? RECORD_LOST_SAMPLES : RECORD_LOST, 0);
		if (!i)
			put_u64(w, 1);
		put_u64(w, UINT64_MAX - i);
		put_trailer(w, 7, 7, 50);
		writer_end(w, at);
	}
	put_user(w, 7, 100, 0x1010);
	r = bed_read(state, DEFAULTS, 1);
	assert_true(r->diag.count[DIAG_LOST] == UINT64_MAX);
	assert_int_equal(r->diag.count[DIAG_LOST_CHUNKS], 3);
}

static void throttling_is_counted(void **state)
{
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		size_t at = writer_begin(w, i % 2 ? RECORD_UNTHROTTLE : RECORD_THROTTLE, 0);

		put_u64(w, 50), put_u64(w, UINT64_MAX), put_u64(w, 0);
		put_trailer(w, 7, 7, 50);
		writer_end(w, at);
	}
	put_user(w, 7, 100, 0x1010);
	r = bed_expect(state, DEFAULTS, "main /bin/a+10! =1");
	assert_int_equal(r->diag.count[DIAG_THROTTLED], 500);
}

static void periods_never_wrap(void **state)
{
	struct test_sample s = { 7, 7, 0, 100, UINT64_MAX - 1, 0x1010, 0, 2, { USER, 0x1010 } };
	struct recording_writer *w = bed_writer(state);
	const struct recording *r;

	put_sample(w, &s);
	put_sample(w, &s);
	s.chain[1] = 0x1020;
	put_sample(w, &s);
	r = bed_expect(state, DEFAULTS,
		"main /bin/a+10! =18446744073709551615\nmain /bin/a+20! =18446744073709551614");
	assert_true(r->weight_kept == UINT64_MAX);
	assert_true(r->events[0].weight == UINT64_MAX);
	assert_true(r->threads[0].weight == UINT64_MAX);
}

/* ---- threads ------------------------------------------------------------------------------ */

static void samples_of_no_process_have_names(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_user(w, UINT32_MAX, 100, 0x10);
	put_user(w, 0, 100, 0x10);
	put_user(w, 9, 100, 0x10);
	expect_stacks(w, DEFAULTS, ":-1 ?+10! =1\n:9 ?+10! =1\nswapper ?+10! =1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_damaged_sample_is_the_only_loss),
		BED_TEST(a_truncated_recording_keeps_earlier_samples),
		BED_TEST(samples_without_any_event_are_counted),
		BED_TEST(a_record_of_any_type_is_read_without_any_event),
		BED_TEST(a_chain_of_marks_alone_leaves_the_sampled_address),
		BED_TEST(a_chain_that_fills_its_record_is_one_stack),
		BED_TEST(a_sample_without_user_registers_keeps_its_kernel_part),
		BED_TEST(names_of_any_length_and_bytes_are_kept),
		BED_TEST(a_path_without_nul_is_read),
		BED_TEST(impossible_mappings_are_ignored),
		BED_TEST(a_file_mapped_twice_is_one_file),
		BED_DIR_TEST(jit_code_in_any_memory_is_named_by_its_map),
		BED_TEST(losses_never_wrap),
		BED_TEST(throttling_is_counted),
		BED_TEST(periods_never_wrap),
		BED_TEST(samples_of_no_process_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
