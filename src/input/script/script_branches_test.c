#include "input/script/script_branches.h"

#include "input/input_for_test.h"
#include "input/script/script.h"
#include "input/script/script_maps.h"

#define MAPS                                                                                       \
	"PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 fd:01 5 0]: r-xp /bin/a\n"                     \
	"PERF_RECORD_MMAP2 7/7: [0x5000(0x1000) @ 0x400 fd:01 5 0]: r-xp /lib/b c\n"
/* One stack: a40 > a100, a180 > a200 (mispredicted), a300 > b600. */
#define BRANCHES "0x1300/0x5200/-/-/-/0  0x1180/0x1200/M/-/-/12  0x1040/0x1100/P/-/-/3/COND/- "
#define COUNTED                                                                                    \
	"branch  /bin/a+180 /bin/a+200-300 any 1 1\n"                                              \
	"branch  /bin/a+300 /lib/b c+600 any 1 0\n"                                                \
	"branch  /bin/a+40 /bin/a+100-180 any 1 0\n"                                               \
	"branches 3 of 1 samples, 0 empty\n"

static char *read_branches(const char *text, size_t block_bytes, unsigned jobs)
{
	struct input_bed t = { .format = &script_format, .text = span_of(text), .jobs = jobs };

	t.opts.branches = true;
	t.opts.root_fields = 1u << ROOT_COMM;
	t.opts.block_bytes = block_bytes;
	return input_read(&t);
}

static void check(const char *text, const char *want)
{
	static const size_t blocks[] = { 0, 1, 16, 64, 100, 256, 1024 };
	size_t i;

	for (i = 0; i < ARRAY_LEN(blocks) * 2; i++) {
		char *found = read_branches(text, blocks[i / 2], 1 + i % 2 * 2);

		assert_string_equal(found, want);
		free(found);
	}
}

static void a_branch_is_parsed(void **state)
{
	struct span s =
		SPAN("  0x1a/0xffffffff81000000/M/X/A/12/COND/-  0x1(/a b)/0x2([x])/PN/-/-/0 "
		     "0x3/0x4/-/-/-/0//  0x5/0x6");
	struct branch_record b;

	(void)state;
	assert_true(script_branches_next(&s, &b));
	assert_true(b.from == 0x1a && b.to == 0xffffffff81000000 && b.mispredicted && !b.predicted);
	assert_true(script_branches_next(&s, &b));
	assert_true(b.from == 1 && b.to == 2 && !b.mispredicted && b.predicted);
	assert_true(script_branches_next(&s, &b));
	assert_true(b.from == 3 && b.to == 4 && !b.mispredicted && !b.predicted);
	assert_false(script_branches_next(&s, &b));
	assert_true(span_eq(span_trim(s), SPAN("0x5/0x6")));
}

static void branches_end_a_line(void **state)
{
	static const char *const none[] = { "", "0x", "0x1", "a 1 1.0: 1 cycles: 0x10 0x1/0x2",
		"a 1 1.0: 1 cycles: 0x10", "x0x1/0x2/P/-/-/0", "0x1/0x2", "0x1/0x2/",
		"0x1/2/P/-/-/0", "f+0x1 (/a/0x1/0x2/P)", "0x1(/a/0x2/P/-/-/0" };
	size_t at, i;

	(void)state;
	assert_true(script_branches_find(SPAN(" 10 0x12 0x1/0x2/P"), &at));
	assert_int_equal(at, 9);
	assert_true(script_branches_find(SPAN("0x1/0x2/P"), &at));
	assert_int_equal(at, 0);
	for (i = 0; i < ARRAY_LEN(none); i++)
		assert_false(script_branches_are_there(span_of(none[i])));
	assert_true(script_branches_are_there(SPAN(" 10 0x12 0x1/0x2/P")));
}

static void a_mapping_is_parsed(void **state)
{
	static const char *const bad[] = { "", "PERF_RECORD_MMAP3 7/7: [0x1(0x2) @ 0]: x /a",
		"PERF_RECORD_MMAP 7: [0x1(0x2) @ 0]: x /a", "PERF_RECORD_MMAP 7/7: [0x1(0x2) @ 0",
		"PERF_RECORD_MMAP 7/7: [0xffffffffffffffff(0x2) @ 0]: x /a",
		"PERF_RECORD_MMAP 4294967296/7: [0x1(0x2) @ 0]: x /a",
		"PERF_RECORD_MMAP 7/7: [g(0x2) @ 0]: x /a",
		"PERF_RECORD_MMAP 7/7: [1(0x2) @ 0]: " };
	struct script_mapping m;
	char hex[41];
	size_t i;

	(void)state;
	assert_true(script_maps_parse(
		SPAN("PERF_RECORD_MMAP2 7/8: [0x1000(0x20) @ 0x300 <00ff10>]: r-xp /a b "), &m));
	assert_true(m.pid == 7 && m.start == 0x1000 && m.length == 0x20 && m.file_offset == 0x300);
	assert_true(m.executable && span_eq(m.path, SPAN("/a b")));
	assert_string_equal(build_id_hex(&m.build_id, hex), "00ff10");
	assert_true(script_maps_parse(
		SPAN("PERF_RECORD_MMAP2 7/7: [0x1(0x2) @ 0 fd:01 212 0]: r--p /a]: x"), &m));
	assert_true(!m.executable && !m.build_id.n && span_eq(m.path, SPAN("/a]: x")));
	assert_true(script_maps_parse(SPAN("PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0xe00000) @ "
					   "0]: x [kernel.kallsyms]_text"),
		&m));
	assert_true(m.pid == -1 && m.start == 0xffffffff81000000 && m.executable);
	for (i = 0; i < ARRAY_LEN(bad); i++)
		if (script_maps_parse(span_of(bad[i]), &m))
			fail_msg("%s", bad[i]);
}

static void each_form_of_a_sample_has_its_branches(void **state)
{
	(void)state;
	check(MAPS "            1300 " BRANCHES "\n",
		"stack |[unknown] 1 1\n" COUNTED "event  1 chosen\nthread -1/-1  1\n");
	check(MAPS "            1300 f+0x1 (/bin/a) " BRANCHES "\n",
		"stack |f 1 1\n" COUNTED "event  1 chosen\nthread -1/-1  1\n");
	check(MAPS " " BRANCHES "\n", "stack  1 1\n" COUNTED "event  1 chosen\nthread -1/-1  1\n");
	check(MAPS "\t            1300 f\n\t            1400 main\n " BRANCHES "\n\n",
		"stack |main|f 1 1\n" COUNTED "event  1 chosen\nthread -1/-1  1\n");
	check(MAPS " 7             1300 " BRANCHES "\n",
		"stack |[unknown] 1 1\n" COUNTED "event  1 chosen\nthread -1/7  1\n");
	check(MAPS "     7/9     " BRANCHES "\n",
		"stack  1 1\n" COUNTED "event  1 chosen\nthread 7/9  1\n");
	check(MAPS "a 7/9  1.5: 3 cycles:u:             1300 " BRANCHES "\n",
		"stack a|[unknown] 3 1\n" COUNTED "event cycles:u 1 chosen\nthread 7/9 a 1\n");
	check(MAPS "a 7/9  1.5: 3 cycles:u: \n\t            1300 f (/bin/a)\n " BRANCHES "\n\n",
		"stack a|f 3 1\n" COUNTED "event cycles:u 1 chosen\nthread 7/9 a 1\n");
}

static void branches_belong_to_samples_that_are_wanted(void **state)
{
	(void)state;
	check(MAPS "a 7/9  1.5: 3 cycles:u:             1300 " BRANCHES "\n"
		   "a 7/9  1.6: 3 faults:             1300 " BRANCHES "\n",
		"stack a|[unknown] 3 1\n" COUNTED
		"event cycles:u 1 chosen\nevent faults 1\nthread 7/9 a 1\n");
}

static void samples_without_branches_are_empty(void **state)
{
	(void)state;
	check(MAPS "      4000001300 " BRANCHES
		   "\n      4000001300 \n      4000001300 0x0/0x0/-/-/-/0 \n",
		"stack |[unknown] 3 3\n"
		"branch  /bin/a+180 /bin/a+200-300 any 1 1\n"
		"branch  /bin/a+300 /lib/b c+600 any 1 0\n"
		"branch  /bin/a+40 /bin/a+100-180 any 1 0\n"
		"branches 3 of 1 samples, 2 empty\n"
		"event  3 chosen\nthread -1/-1  3\n");
}

/* The mapping of the moment, of the sample's process, then of any; what is mapped only later. */
static void maps_hold_from_their_line_on(void **state)
{
	(void)state;
	check("PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 fd:01 5 0]: r-xp /old\n"
	      " 7             1300 0x1300/0x1200/P/-/-/0 \n"
	      "PERF_RECORD_MMAP2 8/8: [0x1000(0x1000) @ 0 fd:01 5 0]: r-xp /other\n"
	      " 7             1300 0x1300/0x1200/P/-/-/0 \n"
	      " 8             1300 0x1300/0x1200/P/-/-/0 \n"
	      " 9             1300 0x1300/0x1200/P/-/-/0 0x9000/0x9100/P/-/-/0 \n"
	      "PERF_RECORD_MMAP2 7/7: [0x1000(0x1000) @ 0 fd:01 5 0]: r-xp /new\n"
	      "PERF_RECORD_MMAP2 7/7: [0x9000(0x1000) @ 0 fd:01 5 0]: r-xp /late\n"
	      " 7             1300 0x1300/0x1200/P/-/-/0 \n",
		"stack |[unknown] 5 5\n"
		"branch  /late+0 /late+100 any 1 0\n"
		"branch  /new+300 /new+200 any 1 0\n"
		"branch  /old+300 /old+200 any 2 0\n"
		"branch  /other+300 /other+200 any 2 0\n"
		"branches 6 of 5 samples, 0 empty\n"
		"event  5 chosen\nthread -1/7  3\nthread -1/8  1\nthread -1/9  1\n"
		"bad MAPS_OF_ALL 1 6\n");
}

static void the_kernel_has_maps_of_its_own(void **state)
{
	(void)state;
	check("PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x1000) @ 0xffffffff81000000]: x "
	      "[kernel.kallsyms]_text\n" MAPS
	      " 7             1300 0xffffffff81000010/0x1100/-/-/-/0 "
	      "0x1040/0xffffffff81000000/-/-/-/0 \n",
		"stack |[unknown] 1 1\n"
		"branch  /bin/a+40 [kernel.kallsyms]+ffffffff81000000-ffffffff81000010 any 1 0\n"
		"branch  [kernel.kallsyms]+ffffffff81000010 /bin/a+100 interrupted 1 0\n"
		"branches 2 of 1 samples, 0 empty\n"
		"event  1 chosen\nthread -1/7  1\n");
}

static void damage_is_counted_with_its_line(void **state)
{
	(void)state;
	check(MAPS "            1300 " BRANCHES "\n            1300 0x1300/0x1400/P/-/-/0 0x13\n"
		   "PERF_RECORD_MMAP2 7/7: [0x9000(0x\n",
		"stack |[unknown] 2 2\n"
		"branch  /bin/a+180 /bin/a+200-300 any 1 1\n"
		"branch  /bin/a+300 /lib/b c+600 any 1 0\n"
		"branch  /bin/a+40 /bin/a+100-180 any 1 0\n"
		"branches 3 of 1 samples, 1 empty\n"
		"event  2 chosen\nthread -1/-1  2\nbad BAD_LINE 2 4\n");
}

/* Where each line may be a block. */
static void damage_in_a_line_of_branches_alone_ends_with_it(void **state)
{
	(void)state;
	check(MAPS "0x1300/0x5200/-/-/-/0\n\tx y\n0x1300/0x5200/-/-/-/0\n",
		"stack  2 2\nbranch  /bin/a+300 /lib/b c+600 any 2 0\n"
		"branches 2 of 2 samples, 0 empty\nevent  2 chosen\nthread -1/-1  2\nbad BAD_LINE "
		"1 4\n");
}

/* Blocks may be cut before it. */
static void a_line_of_branches_is_not_the_source_line_of_a_frame(void **state)
{
	static const char text[] = MAPS "a 7/7 1.0: cycles:\n\t1300 f (/bin/a)\n"
					"  :            1300 0x1300/0x5200/-/-/-/0\n\n";
	char *whole = read_branches(text, 0, 1), *blocks;
	size_t i;

	(void)state;
	for (i = 1; i < sizeof(text); i++) {
		blocks = read_branches(text, i, 1);
		assert_string_equal(blocks, whole);
		free(blocks);
	}
	free(whole);
}

static void a_stream_is_refused(void **state)
{
	struct input_bed t = { .format = &script_format,
		.text = SPAN(MAPS "            1300 " BRANCHES "\n"),
		.stream_bytes = 10 };
	char *found;

	(void)state;
	t.opts.branches = true;
	found = input_read(&t);
	assert_string_equal(
		found, "error: branches are counted in a text that is a file: it is read twice\n");
	free(found);
	t.opts.branches = false;
	found = input_read(&t);
	assert_string_equal(found, "stack |[unknown] 1 1\nevent  1 chosen\nthread -1/-1  1\n");
	free(found);
}

static void branches_between_symbols_are_refused(void **state)
{
	char *found = read_branches(
		"     7ffff7fe5c05_dl_start+0x4/_dl_start+0x47/P/-/-/0/ f+0x9/f+0x3/M/-/-/0/ \n", 0,
		1);

	(void)state;
	assert_string_equal(found,
		"error: text: its branches are between symbols, not addresses: make the text by "
		"perf script -F pid,ip,brstack --show-mmap-events\n");
	free(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_branch_is_parsed),
		cmocka_unit_test(branches_end_a_line),
		cmocka_unit_test(a_mapping_is_parsed),
		cmocka_unit_test(each_form_of_a_sample_has_its_branches),
		cmocka_unit_test(branches_belong_to_samples_that_are_wanted),
		cmocka_unit_test(samples_without_branches_are_empty),
		cmocka_unit_test(maps_hold_from_their_line_on),
		cmocka_unit_test(the_kernel_has_maps_of_its_own),
		cmocka_unit_test(damage_is_counted_with_its_line),
		cmocka_unit_test(damage_in_a_line_of_branches_alone_ends_with_it),
		cmocka_unit_test(a_line_of_branches_is_not_the_source_line_of_a_frame),
		cmocka_unit_test(a_stream_is_refused),
		cmocka_unit_test(branches_between_symbols_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
