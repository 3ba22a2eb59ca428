/*
 * When threads were away: from records SWITCH, and from samples of context-switches.
 */
#include "input/perfdata/recording_writer.h"
#include "process/recording_fixture.h"

enum { FLAG_CONTEXT_SWITCH = 1u << 26, CLOCK_ID = 1, SWITCH_ID = 2 };

static void put_switch(struct recording_writer *w, uint64_t time_ns, uint32_t tid, bool out)
{
	size_t at = writer_begin(w, RECORD_SWITCH, out ? 1 << 13 : 0);

	put_trailer(w, 7, tid, time_ns);
	writer_end(w, at);
}

static void start_with_records(struct recording_writer *w)
{
	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w,
		&(struct test_attr){
			.type = 1, .sample_type = usual, .flags = TRAILER | FLAG_CONTEXT_SWITCH },
		NULL, 0);
	put_sample(w, &(struct test_sample){ 7, 7, 0, 1000, 1, 0x1010, 0, 0, { 0 } });
	put_switch(w, 1100, 7, true);
	put_switch(w, 1900, 7, false);
	put_switch(w, 1500, 8, true);
}

/* Samples of a clock, and of a counter of switches with this period. */
static void start_with_counter(struct recording_writer *w, uint64_t period, uint64_t flags)
{
	static const uint64_t ids[] = { CLOCK_ID, SWITCH_ID };
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

/* The stretches as "TID:FROM-UNTIL ", with "..." for an end that is not known. */
static void check(
	struct recording_writer *w, struct process_opts o, bool complete, const char *expected)
{
	struct buf b = { 0 };
	struct reading g;
	size_t i;

	assert_int_equal(read_stacks(&g, w, o, 1), OK);
	for (i = 0; i < g.recording->away.n; i++) {
		const struct away_stretch *s = &g.recording->away.stretch[i];

		buf_printf(&b, "%d:%u-", s->tid, (unsigned)s->from_ns);
		if (s->until_ns == UINT64_MAX)
			buf_puts(&b, "... ");
		else
			buf_printf(&b, "%u ", (unsigned)s->until_ns);
	}
	assert_string_equal(buf_str(&b), expected);
	assert_int_equal(g.recording->away.complete, complete);
	buf_release(&b);
	reading_release(&g);
	writer_release(w);
}

static void records_tell_of_both_ends(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_records(&w);
	check(&w, (struct process_opts){ .timeline = true }, true, "7:1100-1900 8:1500-... ");
}

static void nothing_is_read_where_nobody_wants_order(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_records(&w);
	check(&w, (struct process_opts){ 0 }, false, "");
}

static void after_a_loss_a_thread_that_did_not_leave_may_have(void **state)
{
	struct recording_writer w;
	size_t at;

	(void)state;
	start_with_records(&w);
	at = writer_begin(&w, RECORD_LOST, 0);
	put_u64(&w, 0);
	put_u64(&w, 3);
	put_trailer(&w, 7, 7, 2000);
	writer_end(&w, at);
	check(&w, (struct process_opts){ .timeline = true }, false, "7:1100-1900 8:1500-... ");
}

static void a_counter_tells_who_leaves(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 1, 0);
	check(&w, (struct process_opts){ .timeline = true }, true, "7:1100-... ");
}

static void a_counter_that_misses_some_tells_nothing(void **state)
{
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 2, 0);
	check(&w, (struct process_opts){ .timeline = true }, false, "");
	start_with_counter(&w, 1, 1u << FLAG_FREQ_BIT);
	check(&w, (struct process_opts){ .timeline = true }, false, "");
}

static void samples_of_switches_that_are_shown_are_no_idle_time(void **state)
{
	static const char *const all[] = { "*", NULL };
	struct recording_writer w;

	(void)state;
	start_with_counter(&w, 1, 0);
	check(&w, (struct process_opts){ .timeline = true, .events = all }, false, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_tell_of_both_ends),
		cmocka_unit_test(nothing_is_read_where_nobody_wants_order),
		cmocka_unit_test(after_a_loss_a_thread_that_did_not_leave_may_have),
		cmocka_unit_test(a_counter_tells_who_leaves),
		cmocka_unit_test(a_counter_that_misses_some_tells_nothing),
		cmocka_unit_test(samples_of_switches_that_are_shown_are_no_idle_time),
	};

	return cmocka_run_group_tests_name("leaves", tests, NULL, NULL);
}
