/*
 * When threads were off_cpu: from records SWITCH, from samples of sched:sched_switch and of
 * context-switches.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"
#include "trace/trace_format_for_test.h"
#include "process/events/switch_events_for_test.h"

enum { CLOCK_ID = 1, COUNTER_ID = 2 };

static void start_with_records(struct recording_writer *w)
{
	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w,
		&(struct test_attr){
			.type = 1, .sample_type = usual, .flags = TRAILER | FLAG_CONTEXT_SWITCH },
		NULL, 0);
	put_sample(w, &(struct test_sample){ 7, 7, 0, 1000, 1, 0x1010, 0, 0, { 0 } });
	put_switch_record(w, 1100, 7, true);
	put_switch_record(w, 1900, 7, false);
	put_switch_record(w, 1500, 8, true);
}

/* Samples of a clock, and of a counter of switches with this period. */
static void start_with_counter(struct recording_writer *w, uint64_t period, uint64_t flags)
{
	static const uint64_t ids[] = { CLOCK_ID, COUNTER_ID };
	const uint64_t type = SAMPLE_IDENTIFIER | usual;
	unsigned i;

	*w = (struct recording_writer)WRITER_INIT;
	for (i = 0; i < 2; i++)
		writer_attr(w,
			&(struct test_attr){ .type = 1,
				.config = i ? 3 : 0,
				.period = i ? period : 1000,
				.sample_type = type,
				.flags = TRAILER | (i ? flags : 0) },
			&ids[i], 1);
	for (i = 0; i < 2; i++) {
		size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(w, ids[i]);
		put_sample_front(w,
			&(struct test_sample){ 7, 7, 0, 1000 + 100 * i, 1, 0x1010, 0, 0, { 0 } });
		writer_end(w, at);
	}
}

/* The intervals as "TID:FROM-UNTIL ", with "..." for an end that is not known. */
static void check(
	struct recording_writer *w, struct read_opts o, bool complete, const char *expected)
{
	struct buf b = { 0 };
	struct reading g;
	size_t i;

	assert_int_equal(read_stacks(&g, w, o, 1), OK);
	for (i = 0; i < g.recording->off_cpu.n; i++) {
		const struct off_cpu_interval *s = &g.recording->off_cpu.interval[i];

		buf_printf(&b, "%d:%u-", s->tid, (unsigned)s->from_ns);
		if (s->until_ns == UINT64_MAX)
			buf_puts(&b, "... ");
		else
			buf_printf(&b, "%u ", (unsigned)s->until_ns);
	}
	assert_string_equal(buf_str(&b), expected);
	assert_int_equal(g.recording->off_cpu.complete, complete);
	buf_release(&b);
	reading_release(&g);
	writer_release(w);
}

static void records_show_departure_and_return(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_records(&w);
	check(&w, (struct read_opts){ .timeline = true }, true, "7:1100-1900 8:1500-... ");
}

static void without_a_timeline_no_departures_are_kept(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_records(&w);
	check(&w, (struct read_opts){ 0 }, false, "");
}

static void after_a_loss_departures_are_incomplete(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_records(&w);
	put_lost(&w, 2000);
	check(&w, (struct read_opts){ .timeline = true }, false, "7:1100-1900 8:1500-... ");
}

static void counter_samples_are_departures(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 1, 0);
	check(&w, (struct read_opts){ .timeline = true }, true, "7:1100-... ");
}

/* A clock and the tracepoint, with samples of process 7. */
static void start_with_tracepoint(struct recording_writer *w, bool swapped, uint64_t period)
{
	static const uint64_t ids[] = { COUNTER_ID, CLOCK_ID };
	const uint64_t type = SAMPLE_IDENTIFIER | with_raw;
	size_t at;
	unsigned i;

	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	for (i = 0; i < 2; i++)
		writer_attr(w,
			&(struct test_attr){ .type = i ? EVENT_SOFTWARE : EVENT_TRACEPOINT,
				.config = i ? 0 : SWITCH_ID,
				.period = i ? 1000 : period,
				.sample_type = type,
				.flags = TRAILER },
			&ids[i], 1);
	put_formats(w);
	at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);
	put_u64(w, CLOCK_ID);
	put_sample_front(w, &(struct test_sample){ 7, 7, 0, 1000, 1, 0x1010, 0, 0, { 0 } });
	put_u32(w, 4);
	put_u32(w, 0);
	writer_end(w, at);
}

/* At ns thread tid leaves, which the kernel calls prev, and next comes. */
static void put_leave(
	struct recording_writer *w, uint64_t ns, uint32_t tid, uint32_t prev, uint32_t next)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_u64(w, COUNTER_ID);
	put_switch_rest(w, ns, tid, 0x1010, 1, next, prev);
	writer_end(w, at);
}

static void tracepoint_samples_are_departures_and_returns(void **state)
{
	unsigned swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w;

		start_with_tracepoint(&w, swapped, 1);
		put_leave(&w, 1100, 7, 7, 8);
		put_leave(&w, 1400, 8, 8, 7);
		put_leave(&w, 1600, 7, 7, 8);
		check(&w, (struct read_opts){ .timeline = true }, true,
			"7:1100-1400 7:1600-... 8:1400-1600 ");
	}
}

static void in_a_container_tracepoint_samples_are_departures_only(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_tracepoint(&w, false, 1);
	put_leave(&w, 1100, 7, 4007, 8);
	put_leave(&w, 1400, 8, 4008, 7);
	check(&w, (struct read_opts){ .timeline = true }, true, "7:1100-... 8:1400-... ");
}

static void a_sampled_tracepoint_gives_no_departures(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_tracepoint(&w, false, 3);
	put_leave(&w, 1100, 7, 7, 8);
	put_leave(&w, 1400, 8, 8, 7);
	check(&w, (struct read_opts){ .timeline = true }, false, "");
}

static void a_sample_with_truncated_fields_is_a_departure(void **state)
{
	struct recording_writer w;
	size_t at;

	(void)state;
	start_with_tracepoint(&w, false, 1);
	at = writer_begin(&w, RECORD_SAMPLE, CPUMODE_USER);
	put_u64(&w, COUNTER_ID);
	put_sample_front(&w, &(struct test_sample){ 7, 7, 0, 1100, 1, 0x1010, 0, 0, { 0 } });
	put_u32(&w, 4);
	put_u32(&w, 0);
	writer_end(&w, at);
	put_leave(&w, 1400, 8, 8, 7);
	check(&w, (struct read_opts){ .timeline = true }, true, "7:1100-1400 8:1400-... ");
}

static void a_sampled_counter_gives_no_departures(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 2, 0);
	check(&w, (struct read_opts){ .timeline = true }, false, "");
	start_with_counter(&w, 1, 1u << FLAG_FREQ_BIT);
	check(&w, (struct read_opts){ .timeline = true }, false, "");
}

static void a_chosen_switch_event_gives_no_departures(void **state)
{
	static const char *const all[] = { "*", NULL };
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 1, 0);
	check(&w, (struct read_opts){ .timeline = true, .events = all }, false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_show_departure_and_return),
		cmocka_unit_test(without_a_timeline_no_departures_are_kept),
		cmocka_unit_test(after_a_loss_departures_are_incomplete),
		cmocka_unit_test(counter_samples_are_departures),
		cmocka_unit_test(tracepoint_samples_are_departures_and_returns),
		cmocka_unit_test(in_a_container_tracepoint_samples_are_departures_only),
		cmocka_unit_test(a_sampled_tracepoint_gives_no_departures),
		cmocka_unit_test(a_sample_with_truncated_fields_is_a_departure),
		cmocka_unit_test(a_sampled_counter_gives_no_departures),
		cmocka_unit_test(a_chosen_switch_event_gives_no_departures),
	};

	return cmocka_run_group_tests_name("leaves", tests, NULL, NULL);
}
