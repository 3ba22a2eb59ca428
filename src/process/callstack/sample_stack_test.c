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

static void start_copies(struct recording_writer *w, bool swapped)
{
	*w = (struct recording_writer)WRITER_INIT;
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

static void copied_stacks_are_unwound(void **state)
{
	struct recording_writer w;
	int swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct copy c = complete;

		c.word[4] = STACK + 48;
		start_copies(&w, swapped);
		put_copy(&w, &c);
		expect_stacks(
			&w, (struct read_opts){ 0 }, "main /bin/a+30 /bin/a+20 /bin/a+10! =1");
		writer_release(&w);
	}
}

static void the_kernel_part_is_on_top(void **state)
{
	struct recording_writer w;
	struct copy c = complete;

	(void)state;
	c.chain[0] = KERNEL;
	c.chain[1] = 0xffffffff81000000;
	c.n_chain = 2;
	start_copies(&w, false);
	put_copy(&w, &c);
	expect_stacks(&w, (struct read_opts){ 0 },
		"main /bin/a+30 /bin/a+20 /bin/a+10! ?+ffffffff81000000! =1");
	writer_release(&w);
}

static void read_copy(struct reading *g, const struct copy *c, struct read_opts o)
{
	struct recording_writer w;

	start_copies(&w, false);
	put_copy(&w, c);
	assert_int_equal(read_stacks(g, &w, o, 1), OK);
	writer_release(&w);
}

static void expect_copy(
	const struct copy *c, struct read_opts o, const char *stacks, enum diag_kind counted)
{
	struct reading g;

	read_copy(&g, c, o);
	assert_string_equal(buf_str(&g.text), stacks);
	assert_int_equal(g.recording->diag.count[counted], 1);
	reading_release(&g);
}

static void truncated_stacks_are_marked_or_dropped(void **state)
{
	(void)state;
	expect_copy(&cut, (struct read_opts){ 0 }, "main ([truncated]) /bin/a+20 /bin/a+10! =1",
		DIAG_STACK_TRUNCATED);
	expect_copy(
		&cut, (struct read_opts){ .truncated = TRUNCATED_DROP }, "", DIAG_STACK_TRUNCATED);
}

static void compat_looks_up_the_byte_before_callers(void **state)
{
	(void)state;
	expect_copy(&cut, (struct read_opts){ .compat_perf = true },
		"main ?+ffffffffffffffff! /bin/a+1f! /bin/a+10! =1", DIAG_STACK_TRUNCATED);
}

static void unwinding_into_nothing_keeps_the_frames_found(void **state)
{
	struct copy c = complete;

	(void)state;
	c.word[3] = 0x9999; /* nothing is there */
	expect_copy(&c, (struct read_opts){ 0 }, "main /bin/a+10! =1", DIAG_STACK_NO_FILE);
}

static void stacks_of_32_bit_programs_have_shorter_words(void **state)
{
	struct copy c = { .abi = 1,
		.ip = 0x1010,
		.bp = STACK + 8,
		.word = { 0, 0x102000000000 | (STACK + 16), 0, 0 },
		.words = STACK_WORDS - 1 };

	(void)state;
	expect_copy(&c, (struct read_opts){ 0 }, "main /bin/a+20 /bin/a+10! =1", DIAG_STACK_32_BIT);
	expect_copy(&c, (struct read_opts){ .compat_perf = true }, "main =1", DIAG_STACK_32_BIT);
}

static void a_cleared_frame_pointer_ends_the_stack_of_a_32_bit_program(void **state)
{
	struct copy c = { .abi = 1,
		.ip = 0x1010,
		.bp = STACK + 8,
		.word = { 0, 0x102000000000, 0, 0 },
		.words = STACK_WORDS - 1 };
	struct reading g;

	(void)state;
	read_copy(&g, &c, (struct read_opts){ 0 });
	assert_string_equal(buf_str(&g.text), "main /bin/a+20 /bin/a+10! =1");
	assert_int_equal(g.recording->diag.count[DIAG_STACK_BROKEN], 0);
	assert_int_equal(g.recording->diag.count[DIAG_STACK_NO_FILE], 0);
	reading_release(&g);
}

static void truncated_stacks_are_stitched_to_complete_ones(void **state)
{
	struct recording_writer w;
	struct copy model = complete, part = cut;
	struct reading g;
	unsigned jobs;

	(void)state;
	model.word[4] = STACK + 48; /* 0x1030 calls 0x1020, which calls what was running */
	model.words = STACK_WORDS;  /* with the 0s that end it */
	part.ip = 0x1018;
	for (jobs = 1; jobs <= 2; jobs++) {
		start_copies(&w, false);
		put_copy(&w, &model);
		put_copy(&w, &part);
		assert_int_equal(read_stacks(&g, &w,
					 (struct read_opts){ .truncated = TRUNCATED_MERGE }, jobs),
			OK);
		assert_string_equal(buf_str(&g.text), "main /bin/a+30 /bin/a+20 /bin/a+10! =1\n"
						      "main /bin/a+30 /bin/a+20 /bin/a+18! =1");
		assert_int_equal(g.recording->diag.count[DIAG_STACK_JOINED], 1);
		reading_release(&g);
		writer_release(&w);
	}
}

static void stacks_without_a_match_stay_truncated(void **state)
{
	struct copy broken = complete;

	(void)state;
	expect_copy(&cut, (struct read_opts){ .truncated = TRUNCATED_MERGE },
		"main ([truncated]) /bin/a+20 /bin/a+10! =1", DIAG_STACK_NOT_JOINED);
	broken.word[3] = 0x9999;
	expect_copy(&broken, (struct read_opts){ .truncated = TRUNCATED_MERGE },
		"main /bin/a+10! =1", DIAG_STACK_NO_FILE);
}

static void without_registers_the_sampled_address_is_used(void **state)
{
	struct copy c = complete;
	struct reading g;

	(void)state;
	c.abi = 0;
	read_copy(&g, &c, (struct read_opts){ 0 });
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =1");
	reading_release(&g);
}

static void an_empty_copy_has_the_address_of_the_registers(void **state)
{
	struct copy c = complete;
	struct reading g;

	(void)state;
	c.words = 0;
	read_copy(&g, &c, (struct read_opts){ 0 });
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =1");
	reading_release(&g);
	read_copy(&g, &c, (struct read_opts){ .compat_perf = true });
	assert_string_equal(buf_str(&g.text), "main =1");
	reading_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copied_stacks_are_unwound),
		cmocka_unit_test(the_kernel_part_is_on_top),
		cmocka_unit_test(truncated_stacks_are_marked_or_dropped),
		cmocka_unit_test(compat_looks_up_the_byte_before_callers),
		cmocka_unit_test(unwinding_into_nothing_keeps_the_frames_found),
		cmocka_unit_test(stacks_of_32_bit_programs_have_shorter_words),
		cmocka_unit_test(a_cleared_frame_pointer_ends_the_stack_of_a_32_bit_program),
		cmocka_unit_test(truncated_stacks_are_stitched_to_complete_ones),
		cmocka_unit_test(stacks_without_a_match_stay_truncated),
		cmocka_unit_test(without_registers_the_sampled_address_is_used),
		cmocka_unit_test(an_empty_copy_has_the_address_of_the_registers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
