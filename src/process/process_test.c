#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

/* ---- tests -------------------------------------------------------------------------------- */

static void stacks_are_outermost_first_with_exact_and_return_addresses(void **state)
{
	struct recording_writer w;

	(void)state;
	start(&w, usual, 0);
	put_sample(&w,
		&(struct test_sample){ 7, 7, 0, 100, 3, 0x1010, 0, 3, { USER, 0x1010, 0x1020 } });
	put_sample(&w,
		&(struct test_sample){ 7, 7, 0, 200, 4, 0x1010, 0, 3, { USER, 0x1010, 0x1020 } });
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 300, 0, 0x1010, 0, 2, { USER, 0x1010 } });
	expect_stacks(
		&w, (struct read_opts){ 0 }, "main /bin/a+10! =1\nmain /bin/a+20 /bin/a+10! =7");
	expect_stacks(&w, (struct read_opts){ .weight_by_samples = true },
		"main /bin/a+10! =1\nmain /bin/a+20 /bin/a+10! =2");
	writer_release(&w);
}

static void libraries_that_take_turns_at_one_address_are_told_apart(void **state)
{
	struct recording_writer w;
	unsigned i;

	(void)state;
	start(&w, usual, 0);
	for (i = 0; i < 6; i++) {
		put_mmap(&w, 7, 100 + i * 100, 0x9000, 0x1000, i % 2 ? "/lib/odd" : "/lib/even");
		put_sample(&w, &(struct test_sample){
				       7, 7, 0, 150 + i * 100, 1, 0x9010, 0, 2, { USER, 0x9010 } });
	}
	expect_stacks(&w, (struct read_opts){ 0 },
		"main /lib/even+10! =1\nmain /lib/even+10! =1\nmain /lib/even+10! =1\n"
		"main /lib/odd+10! =1\nmain /lib/odd+10! =1\nmain /lib/odd+10! =1");
	writer_release(&w);
}

static void branch_records_give_the_user_part_of_lbr_stacks(void **state)
{
	struct recording_writer w;
	struct test_sample s = { 7, 7, 0, 100, 5, 0x1010, 0, 4,
		{ KERNEL, 0xffffffff81000000, USER, 0x1010 } };
	size_t at;

	(void)state;
	start(&w, usual | SAMPLE_BRANCH_STACK, BRANCH_CALL_STACK);
	at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_KERNEL);
	put_sample_front(&w, &s);
	put_u64(&w, 2); /* {from, to, flags}: the newest call first */
	put_u64(&w, 0x1100);
	put_u64(&w, 0x1010);
	put_u64(&w, 0);
	put_u64(&w, 0x1200);
	put_u64(&w, 0x1110);
	put_u64(&w, 0);
	writer_end(&w, at);
	expect_stacks(&w, (struct read_opts){ 0 },
		"main /bin/a+200! /bin/a+100! /bin/a+10! ?+ffffffff81000000! =5");
	writer_release(&w);
}

static void guests_are_left_out_and_bad_marks_leave_the_sampled_address(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start(&w, usual, 0);
	put_sample(
		&w, &(struct test_sample){ 7, 7, 0, 100, 1, 0x1010, CPUMODE_GUEST_USER, 0, { 0 } });
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 100, 2, 0x1010, 0, 2, { GUEST, 0x1020 } });
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 100, 4, 0x1018, 0, 0, { 0 } });
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =2\nmain /bin/a+18! =4");
	assert_int_equal(g.recording->diag.count[DIAG_GUEST_SAMPLE], 1);
	assert_int_equal(g.recording->diag.count[DIAG_BAD_MARK], 1);
	reading_release(&g);
	expect_stacks(&w, (struct read_opts){ .compat_perf = true }, "main =6");
	writer_release(&w);
}

static void what_is_before_a_bad_mark_stays(void **state)
{
	struct recording_writer w;

	(void)state;
	start(&w, usual, 0);
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 100, 1, 0xffffffff81000010, 0, 5,
			       { KERNEL, 0xffffffff81000010, USER, 0x1010, (uint64_t)-1 } });
	expect_stacks(&w, (struct read_opts){ 0 }, "main /bin/a+10! ?+ffffffff81000010! =1");
	expect_stacks(&w, (struct read_opts){ .compat_perf = true }, "main =1");
	writer_release(&w);
}

static void samples_are_chosen_by_process_thread_processor_name_and_time(void **state)
{
	static const struct {
		const char *option, *value, *expected;
	} cases[] = {
		{ "pid", "8", "other ?+1010! =2" },
		{ "tid", "9", "main /bin/a+10! =4" },
		{ "cpu", "1-2", "main /bin/a+10! =4\nother ?+1010! =2" },
		{ "comm", "^oth", "other ?+1010! =2" },
		{ "time", "0,0.0000001", "main /bin/a+10! =1\nother ?+1010! =2" },
		{ "time", "@0.0000003,", "main /bin/a+10! =4" },
	};
	struct recording_writer w;
	size_t i;

	(void)state;
	start(&w, usual, 0);
	put_name(&w, 8, 8, 0, "other");
	put_name(&w, 7, 9, 0, "main");
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 100, 1, 0, 0, 2, { USER, 0x1010 } });
	put_sample(&w, &(struct test_sample){ 8, 8, 1, 200, 2, 0, 0, 2, { USER, 0x1010 } });
	put_sample(&w, &(struct test_sample){ 7, 9, 2, 300, 4, 0, 0, 2, { USER, 0x1010 } });
	for (i = 0; i < ARRAY_LEN(cases); i++) {
		struct sample_choice c = { 0 };
		const char *option = cases[i].option, *value = cases[i].value;
		struct err e;
		int rc;

		if (!strcmp(option, "pid"))
			rc = number_list_parse(&c.pids, value, &e);
		else if (!strcmp(option, "tid"))
			rc = number_list_parse(&c.tids, value, &e);
		else if (!strcmp(option, "cpu"))
			rc = number_list_parse(&c.cpus, value, &e);
		else if (!strcmp(option, "comm"))
			rc = name_pattern_new(&c.comm, value, &e);
		else
			rc = sample_choice_parse_time(&c, value, &e);
		assert_int_equal(rc, OK);
		expect_stacks(&w, (struct read_opts){ .choice = &c }, cases[i].expected);
		sample_choice_release(&c);
	}
	writer_release(&w);
}

static void the_event_of_the_earliest_sample_is_used_unless_one_is_named(void **state)
{
	static const uint64_t ids[] = { 11, 22 };
	static const char *const second[] = { "task-clock*", NULL }, *const none[] = { "x", NULL };
	struct recording_writer w = WRITER_INIT;
	struct reading g;
	unsigned i;

	(void)state;
	for (i = 0; i < 2; i++)
		writer_attr(&w,
			&(struct test_attr){ .type = 1,
				.config = i,
				.period = 1,
				.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID |
					       SAMPLE_TIME | (i ? SAMPLE_PERIOD : 0),
				.flags = TRAILER },
			&ids[i], 1);
	for (i = 0; i < 3; i++) { /* task-clock, cpu-clock (the earliest), unknown */
		size_t at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(&w, i == 0 ? 22 : i == 1 ? 11 : 33);
		put_u64(&w, 0x1000 + i);
		put_u32(&w, 7);
		put_u32(&w, 7);
		put_u64(&w, 200 - i * 100);
		if (i != 1)
			put_u64(&w, 50);
		writer_end(&w, at);
	}
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
	assert_string_equal(buf_str(&g.text), ":7 ?+1001! =1");
	assert_int_equal(g.recording->diag.count[DIAG_UNKNOWN_ID], 1);
	assert_int_equal(g.recording->samples_read, 3);
	assert_int_equal(g.recording->samples_kept, 1);
	reading_release(&g);
	expect_stacks(&w, (struct read_opts){ .events = second }, ":7 ?+1000! =50");
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = none }, 1), ERR_USAGE);
	reading_release(&g);
	writer_release(&w);
}

static void recordings_without_times_go_by_the_order_of_the_file(void **state)
{
	struct recording_writer w = WRITER_INIT;
	size_t at;
	unsigned i;

	(void)state;
	writer_attr(&w,
		&(struct test_attr){
			.type = 1, .period = 1, .sample_type = SAMPLE_IP | SAMPLE_TID },
		NULL, 0);
	for (i = 0; i < 2; i++) {
		at = writer_begin(&w, RECORD_MMAP, CPUMODE_USER);
		put_u32(&w, 7);
		put_u32(&w, 7);
		put_u64(&w, 0x1000);
		put_u64(&w, 0x1000);
		put_u64(&w, 0);
		put_string(&w, i ? "/second" : "/first");
		writer_end(&w, at);
		at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);
		put_u64(&w, 0x1010);
		put_u32(&w, 7);
		put_u32(&w, 7);
		writer_end(&w, at);
	}
	expect_stacks(&w, (struct read_opts){ 0 }, ":7 /first+10! =1\n:7 /second+10! =1");
	writer_release(&w);
}

static void workers_and_block_sizes_change_nothing(void **state)
{
	struct recording_writer w;
	struct reading one, other;
	unsigned i, jobs;

	(void)state;
	start(&w, usual, 0);
	for (i = 0; i < 500; i++)
		put_sample(&w, &(struct test_sample){ 7, 7, i % 2, 100 + i, i, 0, 0, 4,
				       { USER, 0x1000 + i % 3, 0x1010 + i % 5, 0x1020 } });
	assert_int_equal(
		read_stacks(&one, &w, (struct read_opts){ .weight_by_samples = true }, 1), OK);
	for (jobs = 1; jobs <= 3; jobs++) {
		uint64_t samples = 0;
		uint32_t k;

		assert_int_equal(read_stacks(&other, &w,
					 (struct read_opts){ .block_bytes = 4096,
						 .weight_by_samples = true,
						 .timeline = true },
					 jobs),
			OK);
		assert_int_equal(other.recording->samples_kept, 500);
		for (k = 0; k < jobs; k++)
			samples += other.recording->timelines[k]->n;
		assert_int_equal(samples, 500);
		assert_int_equal(other.recording->n_threads, 1);
		assert_int_equal(other.recording->threads[0].samples, 500);
		if (jobs == 1) /* with more, a stack may be in several logs */
			assert_string_equal(buf_str(&other.text), buf_str(&one.text));
		reading_release(&other);
	}
	reading_release(&one);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_are_outermost_first_with_exact_and_return_addresses),
		cmocka_unit_test(libraries_that_take_turns_at_one_address_are_told_apart),
		cmocka_unit_test(branch_records_give_the_user_part_of_lbr_stacks),
		cmocka_unit_test(guests_are_left_out_and_bad_marks_leave_the_sampled_address),
		cmocka_unit_test(what_is_before_a_bad_mark_stays),
		cmocka_unit_test(samples_are_chosen_by_process_thread_processor_name_and_time),
		cmocka_unit_test(the_event_of_the_earliest_sample_is_used_unless_one_is_named),
		cmocka_unit_test(recordings_without_times_go_by_the_order_of_the_file),
		cmocka_unit_test(workers_and_block_sizes_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
