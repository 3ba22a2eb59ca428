#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

/* Recordings with user stack dumps. /bin/a is not here, so its code is left by frame
 * pointers. */

enum { EXCLUDE_CALLCHAIN_USER = 1u << 22, STACK_WORDS = 8 };

/* perf's numbers of x86-64: BP 6, SP 7, IP 8 */
enum { REGS = 1 << 6 | 1 << 7 | 1 << 8 };

#define STACK 0x7ff000ull

struct copy {
	uint64_t abi, ip, bp;
	uint64_t word[STACK_WORDS];
	unsigned words; /* that were there */
	uint64_t chain[2];
	unsigned n_chain;
};

static struct recording_writer *start_copies(void **state, bool swapped)
{
	struct recording_writer *w = bed_reset(state);

	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = usual | SAMPLE_REGS_USER | SAMPLE_STACK_USER,
			.flags = TRAILER | EXCLUDE_CALLCHAIN_USER,
			.regs_user = REGS,
			.stack_user = STACK_WORDS * 8 },
		NULL, 0);
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
	return w;
}

static void put_copy(struct recording_writer *w, const struct copy *c)
{
	struct test_sample s = { 7, 7, 0, 100, 1, c->ip, 0, c->n_chain,
		{ c->chain[0], c->chain[1] } };
	size_t at = writer_begin(w, RECORD_SAMPLE, c->n_chain ? CPUMODE_KERNEL : CPUMODE_USER);
	unsigned i;

	put_sample_front(w, &s);
	put_u64(w, c->abi);
	if (c->abi) {
		put_u64(w, c->bp);
		put_u64(w, STACK);
		put_u64(w, c->ip);
	}
	put_u64(w, STACK_WORDS * 8);
	for (i = 0; i < STACK_WORDS; i++)
		put_u64(w, c->word[i]);
	put_u64(w, c->words * 8);
	writer_end(w, at);
}

static const struct copy complete = { .abi = 2,
	.ip = 0x1010,
	.bp = STACK + 16,
	.word = { 0, 0, STACK + 32, 0x1020, 0, 0x1030, 0, 0 },
	.words = STACK_WORDS - 1 };

/* The frame of 0x1020 is beyond the dump. */
static const struct copy cut = { .abi = 2,
	.ip = 0x1010,
	.bp = STACK + 16,
	.word = { 0, 0, STACK + 512, 0x1020 },
	.words = STACK_WORDS };

static const struct recording *expect_stack(
	void **state, const struct copy *c, struct read_opts o, const char *stacks)
{
	put_copy(start_copies(state, false), c);
	return bed_expect(state, o, stacks);
}

static void expect_copy(void **state, const struct copy *c, struct read_opts o, const char *stacks,
	enum diag_kind counted)
{
	assert_int_equal(expect_stack(state, c, o, stacks)->diag.count[counted], 1);
}

static void copied_stacks_are_unwound(void **state)
{
	struct recording_writer *w;
	int swapped;

	for (swapped = 0; swapped < 2; swapped++) {
		struct copy c = complete;

		c.word[4] = STACK + 48;
		w = start_copies(state, swapped);
		put_copy(w, &c);
		expect_stacks(w, DEFAULTS, "main /bin/a+30 /bin/a+20 /bin/a+10! =1");
	}
}

static void the_kernel_part_is_on_top(void **state)
{
	struct copy c = complete;

	c.chain[0] = KERNEL;
	c.chain[1] = 0xffffffff81000000;
	c.n_chain = 2;
	expect_stack(
		state, &c, DEFAULTS, "main /bin/a+30 /bin/a+20 /bin/a+10! ?+ffffffff81000000! =1");
}

static void truncated_stacks_are_marked_or_dropped(void **state)
{
	expect_copy(state, &cut, DEFAULTS, "main ([truncated]) /bin/a+20 /bin/a+10! =1",
		DIAG_STACK_TRUNCATED);
	expect_copy(state, &cut, (struct read_opts){ .truncated = TRUNCATED_DROP }, "",
		DIAG_STACK_TRUNCATED);
}

static void compat_looks_up_the_byte_before_callers(void **state)
{
	expect_copy(state, &cut, (struct read_opts){ .compat_perf = true },
		"main ?+ffffffffffffffff! /bin/a+1f! /bin/a+10! =1", DIAG_STACK_TRUNCATED);
}

static void unwinding_into_nothing_keeps_the_frames_found(void **state)
{
	struct copy c = complete;

	c.word[3] = 0x9999; /* nothing is there */
	expect_copy(state, &c, DEFAULTS, "main /bin/a+10! =1", DIAG_STACK_NO_FILE);
}

static void stacks_of_32_bit_programs_have_shorter_words(void **state)
{
	struct copy c = { .abi = 1,
		.ip = 0x1010,
		.bp = STACK + 8,
		.word = { 0, 0x102000000000 | (STACK + 16), 0, 0 },
		.words = STACK_WORDS - 1 };

	expect_stack(state, &c, DEFAULTS, "main /bin/a+20 /bin/a+10! =1");
	expect_stack(state, &c, (struct read_opts){ .compat_perf = true }, "main =1");
}

static void a_cleared_frame_pointer_ends_the_stack_of_a_32_bit_program(void **state)
{
	struct copy c = { .abi = 1,
		.ip = 0x1010,
		.bp = STACK + 8,
		.word = { 0, 0x102000000000, 0, 0 },
		.words = STACK_WORDS - 1 };
	const struct recording *r;

	r = expect_stack(state, &c, DEFAULTS, "main /bin/a+20 /bin/a+10! =1");
	assert_int_equal(r->diag.count[DIAG_STACK_BROKEN], 0);
	assert_int_equal(r->diag.count[DIAG_STACK_NO_FILE], 0);
}

/* The registers of 32-bit RISC-V, in a recording that does not say so. */
static void stacks_of_another_architecture_are_not_unwound(void **state)
{
	struct recording_writer *w = bed_reset(state);
	struct test_sample s = { 7, 7, 0, 100, 1, 0x1010, 0, 0, { 0 } };
	const struct recording *r;
	size_t at;
	unsigned i;

	writer_attr(w,
		&(struct test_attr){ .type = 1,
			.sample_type = usual | SAMPLE_REGS_USER | SAMPLE_STACK_USER,
			.flags = TRAILER | EXCLUDE_CALLCHAIN_USER,
			.regs_user = 0xffffffff,
			.stack_user = STACK_WORDS * 8 },
		NULL, 0);
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
	at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	put_sample_front(w, &s);
	put_u64(w, 1);
	for (i = 0; i < 32; i++)
		put_u64(w, 0x9000 + i); /* number 8 would be the program counter of x86-64 */
	put_u64(w, STACK_WORDS * 8);
	for (i = 0; i < STACK_WORDS; i++)
		put_u64(w, 0x1020);
	put_u64(w, STACK_WORDS * 8);
	writer_end(w, at);
	r = bed_expect(state, DEFAULTS, "main /bin/a+10! =1");
	assert_int_equal(r->diag.count[DIAG_STACK_FOREIGN], 1);
}

static void truncated_stacks_are_stitched_to_complete_ones(void **state)
{
	struct recording_writer *w;
	struct copy model = complete, part = cut;
	const struct recording *r;
	unsigned jobs;

	model.word[4] = STACK + 48; /* 0x1030 calls 0x1020, which calls what was running */
	model.words = STACK_WORDS;  /* with the 0s that end it */
	part.ip = 0x1018;
	for (jobs = 1; jobs <= 2; jobs++) {
		w = start_copies(state, false);
		put_copy(w, &model);
		put_copy(w, &part);
		r = bed_read(state, (struct read_opts){ .truncated = TRUNCATED_MERGE }, jobs);
		assert_string_equal(bed_stacks(state), "main /bin/a+30 /bin/a+20 /bin/a+10! =1\n"
						       "main /bin/a+30 /bin/a+20 /bin/a+18! =1");
		assert_int_equal(r->diag.count[DIAG_STACK_JOINED], 1);
	}
}

static void stacks_without_a_match_stay_truncated(void **state)
{
	struct copy broken = complete;

	expect_copy(state, &cut, (struct read_opts){ .truncated = TRUNCATED_MERGE },
		"main ([truncated]) /bin/a+20 /bin/a+10! =1", DIAG_STACK_NOT_JOINED);
	broken.word[3] = 0x9999;
	expect_copy(state, &broken, (struct read_opts){ .truncated = TRUNCATED_MERGE },
		"main /bin/a+10! =1", DIAG_STACK_NO_FILE);
}

static void without_registers_the_sampled_address_is_used(void **state)
{
	struct copy c = complete;

	c.abi = 0;
	expect_stack(state, &c, DEFAULTS, "main /bin/a+10! =1");
}

static void an_empty_copy_has_the_address_of_the_registers(void **state)
{
	struct copy c = complete;

	c.words = 0;
	expect_stack(state, &c, DEFAULTS, "main ([truncated]) /bin/a+10! =1");
	expect_stack(state, &c, (struct read_opts){ .truncated = TRUNCATED_DROP }, "");
	expect_stack(state, &c, (struct read_opts){ .compat_perf = true }, "main =1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(copied_stacks_are_unwound),
		BED_TEST(the_kernel_part_is_on_top),
		BED_TEST(truncated_stacks_are_marked_or_dropped),
		BED_TEST(compat_looks_up_the_byte_before_callers),
		BED_TEST(unwinding_into_nothing_keeps_the_frames_found),
		BED_TEST(stacks_of_32_bit_programs_have_shorter_words),
		BED_TEST(a_cleared_frame_pointer_ends_the_stack_of_a_32_bit_program),
		BED_TEST(stacks_of_another_architecture_are_not_unwound),
		BED_TEST(truncated_stacks_are_stitched_to_complete_ones),
		BED_TEST(stacks_without_a_match_stay_truncated),
		BED_TEST(without_registers_the_sampled_address_is_used),
		BED_TEST(an_empty_copy_has_the_address_of_the_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
