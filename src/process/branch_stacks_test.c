#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

/* /bin/a is at 0x1000, /lib/b at 0x5000, the kernel's addresses have bit 63. */
#define IN_KERNEL 0xffffffff81000000

enum { MISPREDICTED = 1, PREDICTED = 2 };

struct test_branch {
	uint64_t from, to, flags;
};

#define BRANCHES(...)                                                                              \
	(const struct test_branch[]){ __VA_ARGS__ },                                               \
		ARRAY_LEN(((const struct test_branch[]){ __VA_ARGS__ }))

/* The newest first. */
static void put_branches(
	struct recording_writer *w, uint64_t time_ns, const struct test_branch *b, size_t n)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER), i;
	struct test_sample s = { 7, 7, 0, time_ns, 5, 0x1010, 0, 2, { USER, 0x1010 } };

	put_sample_front(w, &s);
	put_u64(w, n);
	for (i = 0; i < n; i++) {
		put_u64(w, b[i].from);
		put_u64(w, b[i].to);
		put_u64(w, b[i].flags);
	}
	writer_end(w, at);
}

static struct recording_writer *start_branches(void **state)
{
	struct recording_writer *w = bed_reset(state);

	start(w, usual | SAMPLE_BRANCH_STACK, 0);
	put_mmap(w, 7, 0, 0x5000, 0x1000, "/lib/b");
	return w;
}

static void put_place(
	struct buf *b, const struct recording *r, module_id module, uint64_t rel, const char *none)
{
	if (module)
		buf_printf(b, "%c%" PRIx64,
			strtab_str(r->strings, modules_get(r->modules, module)->path)[5], rel);
	else
		buf_puts(b, none);
}

/* A line for each trace: "a10>a20-30 x2 m1 resumed"; "?" where nothing is mapped. */
static const char *lines(struct buf *b, const struct recording *r)
{
	static const char *const readings[] = { "", " resumed", " interrupted", " sample" };
	uint32_t i;

	b->n = 0;
	for (i = 0; i < r->branches->n; i++) {
		const struct branch_trace *t = &r->branches->row[i];

		put_place(b, r, t->from_module, t->from, "?");
		buf_putc(b, '>');
		put_place(b, r, t->to_module, t->to, "?");
		if (t->next != BRANCH_NO_NEXT)
			buf_printf(b, "-%" PRIx64, t->next);
		buf_printf(b, " x%" PRIu64, t->count);
		if (t->mispredicted)
			buf_printf(b, " m%" PRIu64, t->mispredicted);
		buf_printf(b, "%s\n", readings[t->reading]);
	}
	return buf_str(b);
}

static const struct recording *expect(void **state, const char *expected)
{
	unsigned jobs;
	const struct recording *r = NULL;
	struct buf b = { 0 };

	for (jobs = 1; jobs <= 3; jobs++) {
		r = bed_read(state,
			(struct read_opts){ .branches = true,
				.branch_samples = true,
				.block_bytes = jobs == 3 ? 256 : 0 },
			jobs);
		assert_string_equal(lines(&b, r), expected);
	}
	buf_release(&b);
	return r;
}

static void a_trace_is_a_branch_and_the_range_up_to_the_next_one(void **state)
{
	struct recording_writer *w = start_branches(state);
	const struct recording *r;

	put_branches(w, 100,
		BRANCHES({ 0x1300, 0x1400, PREDICTED }, { 0x1180, 0x1200, MISPREDICTED },
			{ 0x1040, 0x1100, 0 }));
	r = expect(state, "a40>a100-180 x1\na180>a200-300 x1 m1\na300>a400 x1\n");
	assert_int_equal(r->branches->totals.samples, 1);
	assert_int_equal(r->branches->totals.entries, 3);
	assert_int_equal(r->branches->totals.predictions, 2);
	assert_int_equal(r->branches->totals.mispredicted, 1);
}

static void nothing_is_counted_unless_somebody_asks(void **state)
{
	struct recording_writer *w = start_branches(state);

	put_branches(w, 100, BRANCHES({ 0x1300, 0x1400, 0 }));
	assert_null(bed_read(state, DEFAULTS, 1)->branches);
}

static void equal_traces_of_all_samples_are_added_up(void **state)
{
	struct recording_writer *w = start_branches(state);
	int i;

	for (i = 0; i < 40; i++)
		put_branches(w, 100 + (uint64_t)i,
			BRANCHES({ 0x1300, 0x1400, i % 4 == 0 }, { 0x1180, 0x1200, 0 }));
	expect(state, "a180>a200-300 x40\na300>a400 x40 m10\n");
}

static void a_range_ends_in_the_module_in_which_it_begins(void **state)
{
	struct recording_writer *w = start_branches(state);

	/* A call into the library, whose return is not recorded. */
	put_branches(w, 100, BRANCHES({ 0x1300, 0x1400, 0 }, { 0x1180, 0x5200, 0 }));
	expect(state, "a300>a400 x1\na180>b200 x1\n");
}

static void places_are_those_of_the_moment(void **state)
{
	struct recording_writer *w = start_branches(state);

	put_branches(w, 100, BRANCHES({ 0x5000, 0x5010, 0 }));
	put_mmap(w, 7, 200, 0x5000, 0x1000, "/lib/c");
	put_branches(w, 300, BRANCHES({ 0x5000, 0x5010, 0 }));
	expect(state, "b0>b10 x1\nc0>c10 x1\n");
}

static void an_interrupt_is_read_in_two_ways(void **state)
{
	struct recording_writer *w = start_branches(state);

	put_branches(w, 100,
		BRANCHES({ 0x1300, 0x1400, 0 }, { IN_KERNEL, 0x1280, 0 }, { 0x1180, 0x1200, 0 }));
	expect(state, "a180>a200-300 x1 resumed\na180>a200 x1 interrupted\n"
		      "?>a280-300 x1 interrupted\na300>a400 x1\n");
}

static void an_interrupt_seen_from_both_sides_ends_a_range(void **state)
{
	struct recording_writer *w = start_branches(state);

	put_branches(w, 100,
		BRANCHES({ 0x1300, 0x1400, 0 }, { IN_KERNEL + 8, 0x1280, 0 },
			{ IN_KERNEL, IN_KERNEL + 4, 0 }, { 0x1280, IN_KERNEL, 0 },
			{ 0x1180, 0x1200, 0 }));
	expect(state, "?>? x1\na280>? x1 interrupted\na180>a200-280 x1 interrupted\n"
		      "a180>a200-300 x1 resumed\n?>a280-300 x1 interrupted\na300>a400 x1\n");
}

static void entries_outside_of_a_module_are_a_gap_in_one_reading(void **state)
{
	struct recording_writer *w = start_branches(state);

	put_branches(w, 100,
		BRANCHES({ 0x1300, 0x1400, 0 }, { 0x5040, 0x5080, 0 }, { 0x1180, 0x1200, 0 }));
	expect(state, "a180>a200-300 x1 interrupted\na180>a200 x1 resumed\na300>a400 x1\n"
		      "b40>b80 x1\n");
}

static void backward_ranges_and_empty_entries_are_kept_and_left_out(void **state)
{
	struct recording_writer *w = start_branches(state);
	const struct recording *r;

	put_branches(w, 100,
		BRANCHES({ 0x1100, 0x1400, 0 }, { 0, 0, 0 }, { 0x1180, 0x1200, 0 },
			{ 0, 0x1210, 0 }));
	put_branches(w, 200, NULL, 0);
	r = expect(state, "a180>a200-100 x1\n?>a210-180 x1\na100>a400 x1\n");
	assert_int_equal(r->branches->totals.empty, 1);
}

static void call_stacks_are_no_history(void **state)
{
	struct recording_writer *w = bed_reset(state);

	start(w, usual | SAMPLE_BRANCH_STACK, BRANCH_CALL_STACK);
	put_branches(w, 100, BRANCHES({ 0x1300, 0x1400, 0 }));
	assert_int_equal(expect(state, "?>a10 x1 sample\n")->branches->totals.sampled, 1);
}

static void without_branch_stacks_samples_are_counted_by_address(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_user(w, 7, 100, 0x1010);
	put_user(w, 7, 200, 0x1010);
	put_user(w, 7, 300, 0x9999);
	expect(state, "?>? x1 sample\n?>a10 x2 sample\n");
}

static void samples_are_not_counted_unless_somebody_asks(void **state)
{
	struct recording_writer *w = bed_writer(state);

	put_user(w, 7, 100, 0x1010);
	assert_null(bed_read(state, (struct read_opts){ .branches = true }, 1)->branches);
}

/* The search for the next entry is bounded. */
static void a_stack_of_thousands_is_read(void **state)
{
	enum { N = 2000 };
	static struct test_branch b[N];
	struct recording_writer *w = start_branches(state);
	int i;

	for (i = 0; i < N; i++)
		b[i] = (struct test_branch){ IN_KERNEL, IN_KERNEL, 0 };
	b[0] = b[N - 1] = (struct test_branch){ 0x1180, 0x1200, 0 };
	put_branches(w, 100, b, N);
	expect(state, "?>? x1998\na180>a200 x2\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(a_trace_is_a_branch_and_the_range_up_to_the_next_one),
		BED_TEST(nothing_is_counted_unless_somebody_asks),
		BED_TEST(equal_traces_of_all_samples_are_added_up),
		BED_TEST(a_range_ends_in_the_module_in_which_it_begins),
		BED_TEST(places_are_those_of_the_moment),
		BED_TEST(an_interrupt_is_read_in_two_ways),
		BED_TEST(an_interrupt_seen_from_both_sides_ends_a_range),
		BED_TEST(entries_outside_of_a_module_are_a_gap_in_one_reading),
		BED_TEST(backward_ranges_and_empty_entries_are_kept_and_left_out),
		BED_TEST(call_stacks_are_no_history),
		BED_TEST(without_branch_stacks_samples_are_counted_by_address),
		BED_TEST(samples_are_not_counted_unless_somebody_asks),
		BED_TEST(a_stack_of_thousands_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
