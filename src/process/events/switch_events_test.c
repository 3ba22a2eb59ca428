/*
 * Blocked time of recordings: of sched:sched_switch with and without records SWITCH, of a counter
 * of context switches, of the records alone.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "trace/trace_format_for_test.h"
#include "process/events/switch_events_for_test.h"

static void start_switches_of(struct recording_writer *w, bool swapped, uint64_t flags, bool named)
{
	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_TRACEPOINT,
			.config = SWITCH_ID,
			.period = 1,
			.sample_type = with_raw,
			.flags = TRAILER | flags },
		NULL, 0);
	put_formats_of(w, named);
	put_name(w, 7, 7, 1, "main");
	put_name(w, 7, 8, 1, "pool");
	put_mmap(w, 7, 1, 0x1000, 0x1000, "/bin/a");
}

static void start_switches(struct recording_writer *w, bool swapped, uint64_t flags)
{
	start_switches_of(w, swapped, flags, true);
}

static void put_switch(struct recording_writer *w, uint64_t ns, uint32_t tid, uint64_t ip,
	uint64_t state, uint32_t next)
{
	put_switch_of(w, ns, tid, ip, state, next, tid);
}

static const struct read_opts off_cpu = { .off_cpu = OFF_CPU_ALONE };

/* Pipes of old versions of perf have no other name of it. */
static void a_tracepoint_has_the_name_of_its_format(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches_of(&w, false, 0, false);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	put_switch(&w, 1500, 8, 0x1020, 2, 7);
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), OK);
	assert_string_equal(
		strtab_str(g.strings, g.recording->events[0].name), "sched:sched_switch");
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =500");
	reading_release(&g);
	writer_release(&w);
}

static void the_next_thread_of_a_switch_has_returned(void **state)
{
	unsigned swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w;

		start_switches(&w, swapped, 0);
		put_switch(&w, 1000, 7, 0x1010, 1, 8);
		put_switch(&w, 1500, 8, 0x1020, 2, 7);
		put_switch(&w, 1700, 7, 0x1010, 1, 8);
		put_switch(&w, 1900, 8, 0x1030, 0, 7);
		expect_stacks(&w, off_cpu,
			"main /bin/a+10! =700\n"
			"pool /bin/a+20! =200");
		writer_release(&w);
	}
}

static void switch_records_show_returns_without_samples(void **state)
{
	struct recording_writer w;

	(void)state;
	start_switches(&w, false, FLAG_CONTEXT_SWITCH);
	put_switch(&w, 1000, 7, 0x1010, 1, 99);
	put_switch_record(&w, 1001, 7, true);
	put_switch_record(&w, 1400, 7, false);
	put_switch(&w, 1500, 7, 0x1020, 2, 99);
	put_switch_record(&w, 1501, 7, true);
	put_switch_record(&w, 1600, 7, false);
	expect_stacks(&w, off_cpu,
		"main /bin/a+10! =400\n"
		"main /bin/a+20! =100");
	writer_release(&w);
}

static void a_time_with_losses_is_counted_and_left_out(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, FLAG_CONTEXT_SWITCH);
	put_switch(&w, 1000, 7, 0x1010, 1, 99);
	put_switch_record(&w, 1400, 7, false);
	put_switch(&w, 1500, 7, 0x1020, 1, 99);
	put_lost(&w, 2000);
	put_switch_record(&w, 2100, 7, false);
	put_switch(&w, 2200, 7, 0x1030, 1, 99);
	put_switch_record(&w, 2300, 7, false);
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), OK);
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =400\nmain /bin/a+30! =100");
	assert_int_equal(g.recording->diag.count[DIAG_BLOCK_LOST], 1);
	assert_int_equal(g.recording->samples_kept, 2);
	assert_int_equal(g.recording->weight_kept, 500);
	reading_release(&g);
	writer_release(&w);
}

/* In a container the kernel's numbers are not those of the samples. */
static void thread_ids_of_another_namespace_are_nobody(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, 0);
	put_switch_of(&w, 1000, 7, 0x1010, 1, 4008, 4007);
	put_switch_of(&w, 1500, 8, 0x1020, 1, 7, 4008); /* another's 7 */
	put_switch_of(&w, 1700, 7, 0x1010, 1, 4008, 4007);
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), OK);
	assert_string_equal(buf_str(&g.text), "");
	assert_int_equal(g.recording->diag.count[DIAG_BLOCK_UNENDED], 1);
	reading_release(&g);
	writer_release(&w);
}

static void a_frequency_leaves_switches_out_and_is_refused(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, 1u << FLAG_FREQ_BIT);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "sched:sched_switch was recorded with a frequency"));
	reading_release(&g);
	writer_release(&w);
}

static void switch_records_alone_give_times_without_stacks(void **state)
{
	struct recording_writer w;

	(void)state;
	*(&w) = (struct recording_writer)WRITER_INIT;
	writer_attr(&w,
		&(struct test_attr){
			.type = 1, .sample_type = usual, .flags = TRAILER | FLAG_CONTEXT_SWITCH },
		NULL, 0);
	put_name(&w, 7, 7, 1, "main");
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 900, 5, 0x1010, 0, 0, { 0 } });
	put_switch_record(&w, 1000, 7, true);
	put_switch_record(&w, 1800, 7, false);
	expect_stacks(&w, off_cpu, "main =800");
	writer_release(&w);
}

static void what_ran_must_have_been_sampled_to_be_shown(void **state)
{
	struct read_opts wall = { .off_cpu = OFF_CPU_WALL };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, 0);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	assert_int_equal(read_stacks(&g, &w, wall, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "no samples of running threads"));
	reading_release(&g);
	writer_release(&w);
}

static void who_woke_must_have_been_recorded_to_be_shown(void **state)
{
	struct read_opts wakers = { .off_cpu = OFF_CPU_ALONE, .wakers = true };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, 0);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	assert_int_equal(read_stacks(&g, &w, wakers, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "-e sched:sched_waking"));
	reading_release(&g);
	writer_release(&w);
}

static void a_recording_without_switches_is_refused(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start(&w, usual, 0);
	put_sample(&w, &(struct test_sample){ 7, 7, 0, 900, 5, 0x1010, 0, 0, { 0 } });
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "--off-cpu: "));
	assert_non_null(strstr(g.err.msg, "--switch-events"));
	reading_release(&g);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .off_cpu = OFF_CPU_WALL }, 1),
		ERR_UNSUPPORTED);
	assert_non_null(strstr(g.err.msg, "--wall: "));
	reading_release(&g);
	writer_release(&w);
}

static void fields_choose_and_weigh_samples(void **state)
{
	struct recording_writer w;
	struct sample_choice choice = { 0 };
	struct read_opts o = { .choice = &choice, .weight_field = "next_pid" };
	struct err e;

	(void)state;
	start_switches(&w, true, 0);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	put_switch(&w, 1500, 8, 0x1020, 2, 7);
	put_switch(&w, 1700, 7, 0x1030, 1, 5);
	put_switch(&w, 1800, 7, 0x1030, 1, (uint32_t)-1);
	assert_int_equal(where_list_add(&choice.where, "prev_state = S", &e), OK);
	assert_int_equal(where_list_add(&choice.where, "common_pid<8", &e), OK);
	expect_stacks(&w, o,
		"main /bin/a+10! =8\n"
		"main /bin/a+30! =5");
	sample_choice_release(&choice);
	writer_release(&w);
}

static void a_field_that_no_event_has_is_a_mistake(void **state)
{
	struct read_opts o = { .weight_field = "bytes" };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_switches(&w, false, 0);
	put_switch(&w, 1000, 7, 0x1010, 1, 8);
	assert_int_equal(read_stacks(&g, &w, o, 1), ERR_USAGE);
	assert_non_null(strstr(g.err.msg, "no chosen event has a field \"bytes\"; there are: "
					  "sched:sched_switch: common_type"));
	reading_release(&g);
	writer_release(&w);
}

/* Threads 7 and 8 in turn, each for 5 ns, n times from ns on. */
static void put_turns(struct recording_writer *w, uint64_t ns, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		put_switch(w, ns + 10 * i, 7, 0x1010, 1, 8);
		put_switch(w, ns + 10 * i + 5, 8, 0x1010, i % 2 ? 2 : 1, 7);
	}
}

static void a_stack_seen_before_means_what_is_there_now(void **state)
{
	struct recording_writer w;

	(void)state;
	start_switches(&w, false, 0);
	put_turns(&w, 1000, 40);
	put_mmap(&w, 7, 1400, 0x1000, 0x1000, "/bin/b");
	put_turns(&w, 1400, 30);
	put_name(&w, 7, 7, 1700, "other");
	put_turns(&w, 1700, 20);
	/* Thread 8 does not come back from its last turn. */
	expect_stacks(&w, off_cpu,
		"main /bin/a+10! =200\n"
		"main /bin/b+10! =150\n"
		"other /bin/b+10! =100\n"
		"pool /bin/a+10! =100\n"
		"pool /bin/a+10! =100\n"
		"pool /bin/b+10! =120\n"
		"pool /bin/b+10! =125");
	writer_release(&w);
}

static void a_damaged_chain_seen_before_is_damaged(void **state)
{
	struct recording_writer w;
	struct reading g;
	unsigned i;

	(void)state;
	start_switches(&w, false, 0);
	for (i = 0; i < 50; i++) {
		size_t at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);

		put_sample_front(&w, &(struct test_sample){ 7, 7, 0, 1000 + i, 1, 0x1010, 0, 2,
					     { GUEST, 0x1010 } });
		put_u32(&w, 4);
		put_u32(&w, 0);
		writer_end(&w, at);
	}
	assert_int_equal(read_stacks(&g, &w, off_cpu, 1), OK);
	assert_int_equal(g.recording->diag.count[DIAG_BAD_MARK], 50);
	reading_release(&g);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tracepoint_has_the_name_of_its_format),
		cmocka_unit_test(the_next_thread_of_a_switch_has_returned),
		cmocka_unit_test(switch_records_show_returns_without_samples),
		cmocka_unit_test(a_stack_seen_before_means_what_is_there_now),
		cmocka_unit_test(a_damaged_chain_seen_before_is_damaged),
		cmocka_unit_test(a_time_with_losses_is_counted_and_left_out),
		cmocka_unit_test(thread_ids_of_another_namespace_are_nobody),
		cmocka_unit_test(a_frequency_leaves_switches_out_and_is_refused),
		cmocka_unit_test(switch_records_alone_give_times_without_stacks),
		cmocka_unit_test(what_ran_must_have_been_sampled_to_be_shown),
		cmocka_unit_test(who_woke_must_have_been_recorded_to_be_shown),
		cmocka_unit_test(a_recording_without_switches_is_refused),
		cmocka_unit_test(fields_choose_and_weigh_samples),
		cmocka_unit_test(a_field_that_no_event_has_is_a_mistake),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
