/*
 * Samples of time spent blocked: the thread, its stack and the time are in the raw part.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/events/offcpu.h"
#include "process/process_for_test.h"

static void start_offcpu(struct recording_writer *w, bool swapped)
{
	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	writer_attr(w,
		&(struct test_attr){
			.type = 1, .config = 10, .sample_type = with_raw, .flags = TRAILER },
		NULL, 0);
	writer_feature_string(w, FEATURE_HOSTNAME, "here"); /* shows how bits are swapped */
	put_event_name(w, EVENT_SOFTWARE, SOFTWARE_BPF_OUTPUT, "offcpu-time");
	put_name(w, 7, 7, 0, "main");
	put_mmap(w, 7, 0, 0x1000, 0x1000, "/bin/a");
}

/* The sample around it is of another process. It claims n addresses: two are there. */
static void put_blocked(
	struct recording_writer *w, uint64_t time_ns, uint64_t period, uint64_t ip, uint64_t n)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_KERNEL);

	put_sample_front(w, &(struct test_sample){ 99, 99, 0, time_ns, 1, 0x5000, 0, 0, { 0 } });
	put_u32(w, 48 + 4); /* with 4 bytes up to the next multiple of 8 */
	put_u32(w, 7);
	put_u32(w, 7);
	put_u64(w, period);
	put_u64(w, n);
	put_u64(w, USER);
	put_u64(w, ip);
	put_u64(w, 1); /* cgroup */
	put_u32(w, 0);
	writer_end(w, at);
}

static const struct perfdata_attr bpf_output = { .type = EVENT_SOFTWARE, .config = 10 };

static void the_event_is_known_by_its_kind_and_name(void **state)
{
	const struct perfdata_attr clock = { .type = EVENT_SOFTWARE, .config = 0 };

	(void)state;
	assert_true(offcpu_is_event(&bpf_output, SPAN("offcpu-time")));
	assert_true(offcpu_is_event(&bpf_output, SPAN("offcpu-time:u")));
	assert_false(offcpu_is_event(&bpf_output, SPAN("bpf-output")));
	assert_false(offcpu_is_event(&clock, SPAN("offcpu-time")));
}

static void thread_stack_and_time_are_those_of_the_raw_part(void **state)
{
	unsigned swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w;
		struct reading g;

		start_offcpu(&w, swapped);
		put_blocked(&w, 10, 5000, 0x1010, 2);
		put_blocked(&w, 20, 7000, 0x1010, 2);
		assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
		assert_string_equal(buf_str(&g.text), "main /bin/a+10! =12000");
		assert_true(g.recording->events[0].time_ns_unit);
		reading_release(&g);
		writer_release(&w);
	}
}

static void sums_written_at_the_end_count_as_its_last_moment(void **state)
{
	struct sample_choice choice = { .to = { .how = TIME_PERCENT, .nano = 100000000000 } };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_offcpu(&w, false);
	put_blocked(&w, 10, 5000, 0x1010, 2);
	put_blocked(&w, 20, 6000, 0x1020, 2);
	put_blocked(&w, OFFCPU_TOTALS_NS + 1, 7000, 0x1030, 2);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .choice = &choice }, 1), OK);
	assert_int_equal(g.recording->facts.last_time_ns, 20);
	assert_string_equal(buf_str(&g.text),
		"main /bin/a+10! =5000\nmain /bin/a+20! =6000\nmain /bin/a+30! =7000");
	reading_release(&g);
	writer_release(&w);
}

static void a_raw_part_with_a_wrong_chain_length_is_damaged(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_offcpu(&w, false);
	put_blocked(&w, 10, 5000, 0x1010, 2);
	put_blocked(&w, 20, 5000, 0x1010, UINT64_MAX / 8);
	put_blocked(&w, 20, 5000, 0x1010, 4);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ 0 }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main /bin/a+10! =5000");
	assert_int_equal(g.recording->diag.count[DIAG_BAD_SAMPLE], 2);
	reading_release(&g);
	writer_release(&w);
}

static void a_sample_without_a_raw_part_stays_as_it_is(void **state)
{
	struct perfdata_sample s = { .pid = 3, .tid = 4, .period = 5, .time_ns = 6 };

	(void)state;
	assert_true(offcpu_decode(&s, 100));
	assert_int_equal(s.pid, 3);
	assert_int_equal(s.period, 5);
	assert_int_equal(s.time_ns, 6);
	assert_int_equal(s.has, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_event_is_known_by_its_kind_and_name),
		cmocka_unit_test(thread_stack_and_time_are_those_of_the_raw_part),
		cmocka_unit_test(sums_written_at_the_end_count_as_its_last_moment),
		cmocka_unit_test(a_raw_part_with_a_wrong_chain_length_is_damaged),
		cmocka_unit_test(a_sample_without_a_raw_part_stays_as_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
