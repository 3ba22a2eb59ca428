/*
 * Context switches of recordings that have records SWITCH, and neither sched:sched_switch nor
 * stacks of threads that leave.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "trace/trace_format_for_test.h"
#include "process/events/switch_events_for_test.h"

enum { CLOCK = 201, SWITCH_OUT_FLAG = 1 << 13, PREEMPTED_FLAG = 1 << 14 };

static void end_record(
	struct recording_writer *w, size_t at, uint32_t pid, uint32_t tid, uint64_t ns)
{
	put_trailer(w, pid, tid, ns);
	put_u64(w, CLOCK);
	writer_end(w, at);
}

static void put_comm_of(struct recording_writer *w, uint32_t pid, uint32_t tid, const char *name)
{
	size_t at = writer_begin(w, RECORD_COMM, 0);

	put_u32(w, pid);
	put_u32(w, tid);
	put_string(w, name);
	end_record(w, at, pid, tid, 1);
}

static void put_switch(struct recording_writer *w, uint16_t flags, uint32_t tid, uint64_t ns)
{
	end_record(w, writer_begin(w, RECORD_SWITCH, flags), 7, tid, ns);
}

static void begin(struct recording_writer *w)
{
	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w,
		&(struct test_attr){ .type = EVENT_SOFTWARE,
			.config = SOFTWARE_CPU_CLOCK,
			.period = 1,
			.sample_type = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME |
				       SAMPLE_CPU,
			.flags = TRAILER | FLAG_CONTEXT_SWITCH },
		(uint64_t[]){ CLOCK }, 1);
	put_comm_of(w, 7, 7, "main");
	put_comm_of(w, 7, 8, "pool");
}

static void records_alone_give_times_without_stacks(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	begin(&w);
	put_switch(&w, SWITCH_OUT_FLAG, 7, 1000);
	put_switch(&w, SWITCH_OUT_FLAG | PREEMPTED_FLAG, 8, 2000);
	put_switch(&w, 0, 8, 2500);
	put_switch(&w, 0, 7, 4000);
	assert_int_equal(
		read_stacks(&g, &w, (struct read_opts){ .off_cpu = OFF_CPU_ALONE }, 1), OK);
	assert_int_equal(g.n_lines, 2);
	assert_string_equal(g.lines[0], "main =3000");
	assert_string_equal(g.lines[1], "pool =500");
	reading_release(&g);
	writer_release(&w);
}

static void times_of_threads_that_are_not_chosen_are_left_out(void **state)
{
	struct sample_choice choice = { 0 };
	struct recording_writer w;
	struct reading g;
	struct err e;

	(void)state;
	begin(&w);
	put_switch(&w, SWITCH_OUT_FLAG, 7, 1000);
	put_switch(&w, SWITCH_OUT_FLAG, 8, 2000);
	put_switch(&w, 0, 8, 2500);
	put_switch(&w, 0, 7, 4000);
	assert_int_equal(number_list_parse(&choice.tids, "8", &e), OK);
	assert_int_equal(
		read_stacks(&g, &w,
			(struct read_opts){ .off_cpu = OFF_CPU_ALONE, .choice = &choice }, 1),
		OK);
	assert_int_equal(g.n_lines, 1);
	assert_string_equal(g.lines[0], "pool =500");
	reading_release(&g);
	writer_release(&w);
	number_list_release(&choice.tids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_alone_give_times_without_stacks),
		cmocka_unit_test(times_of_threads_that_are_not_chosen_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
