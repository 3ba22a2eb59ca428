#include "input/script/script.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&script_format, ROOT_COMM, (text))
#define CHECK(text, want) input_check(&script_format, ROOT_COMM, (text), (want))

static void frames_are_reversed_to_outermost_first(void **state)
{
	(void)state;
	CHECK("node 7/9 [001]  1.500000:    250 cycles: \n"
	      "\tffffffff8158c71a filemap_map_pages+0x13a ([kernel.kallsyms])\n"
	      "\t          7a7f6d main+0x8ecd (/usr/bin/node)\n"
	      "\t               0 [unknown] (/lib/libfoo.so)\n"
	      "\n",
		"stack node|[/lib/libfoo.so]|main|filemap_map_pages_[k] 250 1\n"
		"event cycles 1 chosen\n"
		"thread 7/9 node 1\n");
}

static void lines_that_differ_in_offset_are_one_frame(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \n\t 10 f+0x1 (/x)\n\n"
	      "a 1  2.0: 1 cycles: \n\t 20 f+0x2 (/x)\n\n",
		"stack a|f 2 2\n"
		"event cycles 2 chosen\n"
		"thread -1/1 a 2\n");
}

static void the_last_sample_needs_no_blank_line(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \n\t 10 f (/x)\n\na 1  2.0: 1 cycles: \n\t 20 g (/x)",
		"stack a|f 1 1\nstack a|g 1 1\n"
		"event cycles 2 chosen\n"
		"thread -1/1 a 2\n");
}

static void samples_need_no_blank_lines_between_them(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \n\t 10 f (/x)\na 1  2.0: 1 cycles: \n\t 20 g (/x)\n",
		"stack a|f 1 1\nstack a|g 1 1\n"
		"event cycles 2 chosen\n"
		"thread -1/1 a 2\n");
}

static void a_line_of_blanks_and_cr_separates_samples(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \r\n\t 10 f (/x)\r\n \t \r\n"
	      "a 1  2.0: 1 cycles: \r\n\t 20 f (/x)\r\n\r\n",
		"stack a|f 2 2\n"
		"event cycles 2 chosen\n"
		"thread -1/1 a 2\n");
}

static void a_sample_without_frames_counts(void **state)
{
	(void)state;
	CHECK("spin 8  1.0:    3 cpu-clock:ppp: \n\nspin 8  2.0:    3 cpu-clock:ppp: \n\n",
		"stack spin 6 2\n"
		"event cpu-clock:ppp 2 chosen\n"
		"thread -1/8 spin 2\n");
}

/* The placeholder of a deferred chain may be the first frame of all. */
static void a_text_may_begin_with_a_placeholder(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \n\t 5 (cookie) (x)\n\t 10 f (/x)\n\n", "stack a|f 1 1\n"
									   "event cycles 1 chosen\n"
									   "thread -1/1 a 1\n");
}

static void a_sample_may_be_one_line(void **state)
{
	(void)state;
	CHECK("            node 9  1.0:    4 cycles:  ffffffff8158c71a a+0x13a "
	      "([kernel.kallsyms])\n"
	      "  pool worker 10 9  2.0:    4 cycles:           1bd4395 do name+0x5 "
	      "(/usr/bin/node)\n"
	      "  file.c:12\n"
	      "            node 9  3.0:    4 cycles:                 0 [unknown] ([unknown])\n",
		"stack node|[unknown] 4 1\n"
		"stack node|a_[k] 4 1\n"
		"stack pool worker 10|do name 4 1\n"
		"event cycles 3 chosen\n"
		"thread -1/9 node 3\n");
}

static void tracepoints_have_frames_or_none(void **state)
{
	(void)state;
	CHECK("node 9 [000]  1.0: sched:sched_switch: prev_comm=a b ==> next_comm=c\n"
	      "\tffffffff8158c71a __schedule+0x13a ([kernel.kallsyms])\n\n"
	      "node 9 [000]  2.0: sched:sched_switch: prev_comm=a b\n"
	      "node 9 [000]  3.0: sched:sched_switch: x: 1      7fc0aa912340 write+0x1 (/libc)\n",
		"stack node 1 1\n"
		"stack node|__schedule_[k] 1 1\n"
		"stack node|write 1 1\n"
		"event sched:sched_switch 3 chosen\n"
		"thread -1/9 node 3\n");
}

static void header_and_other_records_are_skipped(void **state)
{
	(void)state;
	CHECK("# ========\n# hostname : vm\n# ========\n#\n"
	      "swapper 0  0.0: PERF_RECORD_MMAP -1/0: [0xff(0x1) @ 0xff]: x "
	      "[kernel.kallsyms]_text\n"
	      "a 1  0.5: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 7\n"
	      "\t\t[0/net: 3/0xf0, 1/uts: 3/0xef]\n"
	      "a 1  1.0: 1 cycles: \n\t 10 f (/x)\n# a comment\n\t 20 g (/x)\n\n"
	      "a 1  1.1: PERF_RECORD_LOST lost 5\n"
	      "a 1  1.2: DEFERRED CALLCHAIN [cookie: 1]\n\t 30 h (/x)\n\n",
		"stack a|g|f 1 1\n"
		"event cycles 1 chosen\n"
		"thread -1/1 a 1\n"
		"bad LOST 5 13\n"
		"bad LOST_CHUNKS 1 13\n"
		"bad SPLIT_STACK 1 14\n");
}

static void frames_before_the_first_event_are_bad(void **state)
{
	(void)state;
	CHECK("\n\t 10 f (/x)\n\t 20 g (/x)\n\na 1  1.0: 1 cycles: \n\t 10 f (/x)\n\n",
		"stack a|f 1 1\n"
		"event cycles 1 chosen\n"
		"thread -1/1 a 1\n"
		"bad BAD_LINE 2 2\n");
}

/* report_sample.py of simpleperf, before it wrote what perf script does. */
static void addresses_may_end_with_a_tab(void **state)
{
	(void)state;
	CHECK("Gecko\t25122 [007] 115539.936601:\t\t1000000 task-clock:u:\n"
	      "        b3cea6c4\tLock::unlock() (/system/lib/libc.so)\n"
	      "        b3cea535\tshould_trace() (/system/lib/libc.so)\n\n",
		"stack Gecko|should_trace()|Lock::unlock() 1000000 1\n"
		"event task-clock:u 1 chosen\n"
		"thread -1/25122 Gecko 1\n");
}

static void lines_below_one_that_is_no_event_are_bad(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cycles: \n\t 10 f (/x)\n\nb ? has no event in it\n\t 10 g (/x)\n\t 20 h "
	      "(/x)\n\n",
		"stack a|f 1 1\n"
		"event cycles 1 chosen\n"
		"thread -1/1 a 1\n"
		"bad BAD_LINE 3 4\n");
}

static void unparsed_lines_are_counted_with_their_number(void **state)
{
	(void)state;
	CHECK("Warning: this and that\na 1  1.0: 1 cycles: \n\t 10 f (/x)\n\t!!\nfoo bar\n"
	      "\t 20 g (/x)\n",
		"stack a|g|f 1 1\n"
		"event cycles 1 chosen\n"
		"thread -1/1 a 1\n"
		"bad BAD_LINE 3 1\n");
}

static void texts_may_have_few_fields(void **state)
{
	(void)state;
	/* -F ip,sym */
	CHECK("\n\t ffffffff8158c71a f\n\t 20 g\n\n\n\t 30 h\n\n",
		"stack |g|f 1 1\nstack |h 1 1\nevent  2 chosen\nthread -1/-1  2\n");
	/* -F comm,ip,sym */
	CHECK("node \n\t 20 operator()(int)\n\n",
		"stack node|operator()(int) 1 1\nevent  1 chosen\nthread -1/-1 node 1\n");
	/* -F comm,tid,ip,sym */
	CHECK("node 29504 \n\t 20 g\n\t 30 std::f (int)\n\t 40 h\n\n",
		"stack node|h|std::f (int)|g 1 1\nevent  1 chosen\nthread -1/29504 node 1\n");
	/* -F comm,pid,tid,time,event,ip */
	CHECK("node 1/2  3.5: cycles: \n\tffffffff8158c71a\n\t            4395\n\n",
		"stack node|[unknown]|[unknown] 1 1\nevent cycles 1 chosen\nthread 1/2 node 1\n");
	/* -F tid,time,ip,sym,symoff,dso */
	CHECK("29504  3.5: \n\t 20 g+0x1 (/x)\n\n",
		"stack |g 1 1\nevent  1 chosen\nthread -1/29504  1\n");
	/* Tabs lost on the way through a mail. */
	CHECK("java 19983 cycles:\nffffffff8103d0ca native_write ([kernel.kallsyms])\n"
	      "       13a80b608e0a RegExp:[&<>] (/tmp/perf-7539.map)\n\n",
		"stack java|RegExp:[&<>]_[j]|native_write_[k] 1 1\nevent cycles 1 chosen\n"
		"thread -1/19983 java 1\n");
}

static void source_lines_belong_to_the_frame_above(void **state)
{
	struct input_bed t = BED("a 1  1.0: 1 cycles: \n"
				 "\t 10 f+0x1 (/x)\n  queue.h:190\n"
				 "\t 20 g+0x1\n  b c.h:7 (inlined)\n"
				 "\t 30 h+0x1 (/x)\n\n");

	(void)state;
	t.detail = true;
	input_expect(&t, "stack a|h{/x}|g_[i]{ b c.h:7:0}|f{/x queue.h:190:0} 1 1\n"
			 "event cycles 1 chosen\nthread -1/1 a 1\n");
}

static void addresses_are_kept_for_frames_without_a_name(void **state)
{
	struct input_bed t = BED("a 1  1.0: 1 cycles: \n"
				 "\t 10 f+0x1 (/x)\n\t abc [unknown] (/x)\n\t def [unknown] (/x)\n"
				 "\t abc [unknown] (/x)\n");

	(void)state;
	t.detail = t.opts.addresses = true;
	input_expect(&t, "stack a|[/x]{/x abc}|[/x]{/x def}|[/x]{/x abc}|f{/x} 1 1\n"
			 "event cycles 1 chosen\nthread -1/1 a 1\n");
}

static const char two_events[] = "a 1  1.0: 100 cycles:u: \n\t 10 f (/x)\n\n"
				 "a 1  2.0: 7 faults: \n\t 10 g (/x)\n\n"
				 "a 1  3.0: 100 cycles:u: \n\t 10 f (/x)\n\n";

static void the_first_event_counts_and_others_are_listed(void **state)
{
	(void)state;
	CHECK(two_events, "stack a|f 200 2\n"
			  "event cycles:u 2 chosen\nevent faults 1\n"
			  "thread -1/1 a 2\n");
}

static void events_are_chosen_by_name(void **state)
{
	static const char *const faults[] = { "fau*", NULL }, *const all[] = { "all", NULL };
	static const char *const cycles[] = { "cycles", NULL };
	struct input_bed t = BED(two_events);

	(void)state;
	t.opts.events = faults;
	input_expect(&t, "stack a|g 7 1\nevent cycles:u 2\nevent faults 1 chosen\n"
			 "thread -1/1 a 1\n");
	t.opts.events = cycles;
	input_expect(&t, "stack a|f 200 2\nevent cycles:u 2 chosen\nevent faults 1\n"
			 "thread -1/1 a 2\n");
	t.opts.events = all;
	t.opts.weight_by_samples = true;
	input_expect(&t, "stack a|f 2 2\nstack a|g 1 1\n"
			 "event cycles:u 2 chosen\nevent faults 1 chosen\nthread -1/1 a 3\n");
}

static void both_kinds_of_cores_are_one_event(void **state)
{
	(void)state;
	CHECK("a 1  1.0: 1 cpu_core/cycles/P: \n\t 10 f (/x)\n\n"
	      "a 1  2.0: 2 cpu_atom/cycles/P: \n\t 10 f (/x)\n\n",
		"stack a|f 3 2\nevent cpu_core/cycles/P 1 chosen\n"
		"event cpu_atom/cycles/P 1 chosen\nthread -1/1 a 2\n");
}

static void a_period_of_zero_weighs_one(void **state)
{
	(void)state;
	CHECK("a 1  1.0:          0 cycles: \n\t 10 f (/x)\n\n",
		"stack a|f 1 1\nevent cycles 1 chosen\nthread -1/1 a 1\n");
}

static const char some_threads[] = "a 1/1 [000]  1.0: 1 cycles: \n\t 10 f (/x)\n\n"
				   "b 1/2 [001]  2.0: 1 cycles: \n\t 10 f (/x)\n\n"
				   "c 3/3 [000]  3.0: 1 cycles: \n\t 10 f (/x)\n\n"
				   "d 3/4 [002]  4.0: 1 cycles: \n\t 10 f (/x)\n\n";

static void check_choice(struct sample_choice *c, const char *stacks)
{
	struct input_bed t = BED(some_threads);
	struct buf want = { 0 };
	char *found;

	t.opts.choice = c;
	found = input_read(&t);
	*strstr(found, "event") = 0;
	for (; *stacks; stacks++)
		buf_printf(&want, "stack %c|f 1 1\n", *stacks);
	assert_string_equal(found, buf_str(&want));
	buf_release(&want);
	free(found);
	sample_choice_release(c);
}

static void samples_are_chosen_by_fields_of_the_text(void **state)
{
	struct sample_choice c = { 0 };
	struct err e;

	(void)state;
	number_list_parse(&c.pids, "3", &e);
	check_choice(&c, "cd");
	number_list_parse(&c.tids, "1-2,4", &e);
	check_choice(&c, "abd");
	number_list_parse(&c.cpus, "0", &e);
	check_choice(&c, "ac");
	name_pattern_new(&c.comm, "^[bc]$", &e);
	check_choice(&c, "bc");
	sample_choice_parse_time(&c, "1,2", &e);
	check_choice(&c, "bc");
	sample_choice_parse_time(&c, "@2,", &e);
	check_choice(&c, "bcd");
	sample_choice_parse_time(&c, "50%,", &e);
	check_choice(&c, "cd");
}

static void choosing_by_a_missing_field_is_an_error(void **state)
{
	struct input_bed t = BED("a 1  1.0: 1 cycles: \n\t 10 f (/x)\n\n");
	struct sample_choice c = { 0 };
	struct err e;

	(void)state;
	t.opts.choice = &c;
	number_list_parse(&c.pids, "1", &e);
	input_expect(&t, "error: the text has no processes (perf script -F +pid) to select by\n");
	sample_choice_release(&c);
	sample_choice_parse_time(&c, "10%,", &e);
	t.stream_bytes = 100;
	input_expect(
		&t, "error: --time in percent needs a file: the end of a stream is not known\n");
}

static void root_frames_have_the_chosen_parts(void **state)
{
	struct input_bed t = BED(some_threads);

	(void)state;
	t.opts.root_fields = 1u << ROOT_COMM_PID_TID | 1u << ROOT_CPU | 1u << ROOT_EVENT;
	input_expect(&t, "stack a-1/1<cycles>@0|f 1 1\nstack b-1/2<cycles>@1|f 1 1\n"
			 "stack c-3/3<cycles>@0|f 1 1\nstack d-3/4<cycles>@2|f 1 1\n"
			 "event cycles 4 chosen\n"
			 "thread 1/1 a 1\nthread 1/2 b 1\nthread 3/3 c 1\nthread 3/4 d 1\n");
	t.opts.root_fields = 0;
	input_expect(&t, "stack |f 4 4\nevent cycles 4 chosen\n"
			 "thread 1/1 a 1\nthread 1/2 b 1\nthread 3/3 c 1\nthread 3/4 d 1\n");
}

static void the_timeline_has_a_row_for_each_sample(void **state)
{
	static const char *const all[] = { "all", NULL };
	struct input_bed t = BED("b 2 [001]  2.5: 5 faults: \n\t 10 f (/x)\n\n"
				 "a 1  1.5: 4 cycles: \n\t 20 g (/x)\n\n");

	(void)state;
	t.opts.timeline = t.rows = true;
	t.opts.events = all;
	input_expect(&t, "stack a|g 4 1\nstack b|f 5 1\n"
			 "row 00000000001500000000 a/1 cycles cpu -1 a|g 4 1\n"
			 "row 00000000002500000000 b/2 faults cpu 1 b|f 5 1\n"
			 "event faults 1 chosen\nevent cycles 1 chosen\n"
			 "thread -1/1 a 1\nthread -1/2 b 1\n");
}

/* About 200 lines of all kinds of samples. */
static char *varied_text(void)
{
	struct buf b = { 0 };
	char *text;
	int i;

	buf_puts(&b, "# ========\n# hostname : vm\n# ========\n#\n");
	for (i = 0; i < 25; i++) {
		buf_printf(&b, "worker %d   %d/%d [%03d]  %d.%06d:   %d cycles:u: \n", i % 3,
			10 + i % 3, 20 + i % 4, i % 2, i, i * 7, 1 + i % 5);
		buf_printf(&b, "\tffffffff8158c71a k%d+0x13a ([kernel.kallsyms])\n", i % 7);
		if (i % 4 == 0)
			buf_puts(&b, "\t          7a7f6d [unknown] (/lib/a b.so (deleted))\n");
		buf_printf(&b, "\t          7a7f6d La->Lb%d+0x%x (/tmp/perf-10.map)\n", i % 2, i);
		if (i % 5 == 0)
			buf_puts(&b, "  queue.h:190\n");
		buf_puts(&b, "\t          7a7f6d main+0x8ecd (/usr/bin/node)\n");
		if (i % 6 != 5)
			buf_puts(&b, i % 6 ? "\n" : " \r\n");
		if (i % 8 == 3)
			buf_printf(&b, "x 1  %d.5: PERF_RECORD_COMM exec: y:1/1\n", i);
		if (i % 8 == 5)
			buf_printf(&b,
				"   one %d 33 [001]  %d.6: sched:sched_switch: prev_pid=%d "
				"           1bd4395 sw (/usr/bin/node)\n",
				i, i, i);
		if (i == 13)
			buf_puts(&b, "what is this\n\t!!\n\n");
	}
	text = xstrdup(buf_str(&b));
	buf_release(&b);
	return text;
}

static void blocks_streams_and_workers_change_nothing(void **state)
{
	static const char *const all[] = { "all", NULL };
	char *text = varied_text(), *shown;
	struct input_bed t = BED(text);

	(void)state;
	t.opts.events = all;
	t.opts.timeline = t.rows = t.detail = t.opts.addresses = true;
	shown = input_read(&t);
	assert_non_null(strstr(shown, "bad BAD_LINE 2 "));
	input_expect_no_change(t);
	free(shown);
	free(text);
}

static void a_text_without_any_sample_is_empty(void **state)
{
	(void)state;
	CHECK("", "");
	CHECK("\n\n\n", "");
	CHECK("# only a comment\n", "");
}

static int bid(const char *text)
{
	struct input_head head = { span_of(text), true };

	return script_format.bid(&head);
}

static void the_format_is_recognized(void **state)
{
	(void)state;
	assert_true(bid("a 1  1.0: 1 cycles: \n\t 10 f (/x)\n\n") >= 90);
	assert_true(bid("# ========\n# captured on: Thu\n# ========\n#\n") >= 90);
	assert_true(bid("  node 9 [000]  2.0: sched:sched_switch: prev_comm=a b\n") >= 60);
	assert_true(bid("node 29504 \n\t 20 g\n\t 30 f\n\n") >= 50);
	assert_true(bid("\n\t ffffffff8158c71a f\n\t 20 g\n\n") > 20);
	assert_int_equal(bid("a;b;c 12\na;b 3\n"), 0);
	assert_int_equal(bid("PERFILE2\0\0\0"), 0);
	assert_int_equal(bid("hello world\n"), 0);
	assert_int_equal(bid(""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_are_reversed_to_outermost_first),
		cmocka_unit_test(lines_that_differ_in_offset_are_one_frame),
		cmocka_unit_test(the_last_sample_needs_no_blank_line),
		cmocka_unit_test(samples_need_no_blank_lines_between_them),
		cmocka_unit_test(a_line_of_blanks_and_cr_separates_samples),
		cmocka_unit_test(a_sample_without_frames_counts),
		cmocka_unit_test(a_text_may_begin_with_a_placeholder),
		cmocka_unit_test(a_sample_may_be_one_line),
		cmocka_unit_test(tracepoints_have_frames_or_none),
		cmocka_unit_test(header_and_other_records_are_skipped),
		cmocka_unit_test(frames_before_the_first_event_are_bad),
		cmocka_unit_test(addresses_may_end_with_a_tab),
		cmocka_unit_test(lines_below_one_that_is_no_event_are_bad),
		cmocka_unit_test(unparsed_lines_are_counted_with_their_number),
		cmocka_unit_test(texts_may_have_few_fields),
		cmocka_unit_test(source_lines_belong_to_the_frame_above),
		cmocka_unit_test(addresses_are_kept_for_frames_without_a_name),
		cmocka_unit_test(the_first_event_counts_and_others_are_listed),
		cmocka_unit_test(events_are_chosen_by_name),
		cmocka_unit_test(both_kinds_of_cores_are_one_event),
		cmocka_unit_test(a_period_of_zero_weighs_one),
		cmocka_unit_test(samples_are_chosen_by_fields_of_the_text),
		cmocka_unit_test(choosing_by_a_missing_field_is_an_error),
		cmocka_unit_test(root_frames_have_the_chosen_parts),
		cmocka_unit_test(the_timeline_has_a_row_for_each_sample),
		cmocka_unit_test(blocks_streams_and_workers_change_nothing),
		cmocka_unit_test(a_text_without_any_sample_is_empty),
		cmocka_unit_test(the_format_is_recognized),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
