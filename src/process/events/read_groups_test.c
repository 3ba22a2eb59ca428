/*
 * Samples that read counters count for each counter what it has gone up by.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/events/read_groups.h"
#include "process/process_for_test.h"

enum { FLAG_INHERIT_BIT = 1, LEADER = 100, MEMBER = 200 };

static const uint64_t reading =
	SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_PERIOD | SAMPLE_READ;
static const char *const all[] = { "*", NULL };

/* Events of the ids 100 and 200, the first leads; and process 7, "main". */
static void start_group_as(
	struct recording_writer *w, bool swapped, uint64_t read_format, uint64_t flags)
{
	static const uint64_t ids[] = { LEADER, MEMBER };
	struct test_attr a = {
		.type = 1, .sample_type = reading, .read_format = read_format, .flags = flags
	};

	*w = (struct recording_writer)WRITER_INIT;
	w->swapped = swapped;
	writer_attr(w, &a, &ids[0], 1);
	a.config = 2;
	writer_attr(w, &a, &ids[1], 1);
	put_comm(w, 7, 7, "main");
}

static void start_group(struct recording_writer *w)
{
	start_group_as(w, false, READ_GROUP | READ_ID, 0);
}

/* All of a sample before its values. Its own period is never that of a counter. */
static size_t begin_reading(struct recording_writer *w, uint32_t tid, uint64_t time_ns, uint64_t ip)
{
	size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

	put_u64(w, LEADER);
	put_u64(w, ip);
	put_u32(w, 7);
	put_u32(w, tid);
	put_u64(w, time_ns);
	put_u64(w, 9999);
	return at;
}

static void put_group_of(struct recording_writer *w, uint32_t tid, uint64_t time_ns, uint64_t ip,
	uint64_t leader, uint64_t member)
{
	size_t at = begin_reading(w, tid, time_ns, ip);

	put_u64(w, 2);
	put_u64(w, leader);
	put_u64(w, LEADER);
	put_u64(w, member);
	put_u64(w, MEMBER);
	writer_end(w, at);
}

static void put_group(
	struct recording_writer *w, uint64_t time_ns, uint64_t ip, uint64_t leader, uint64_t member)
{
	put_group_of(w, 7, time_ns, ip, leader, member);
}

static void expect_event(struct recording_writer *w, const char *event, const char *stacks)
{
	const char *const events[] = { event, NULL };

	expect_stacks(w, (struct read_opts){ .events = events }, stacks);
}

static void every_counter_has_a_sample_of_what_it_went_up_by(void **state)
{
	unsigned swapped;

	(void)state;
	for (swapped = 0; swapped < 2; swapped++) {
		struct recording_writer w;

		start_group_as(&w, swapped, READ_GROUP | READ_ID, 0);
		put_group(&w, 10, 0x10, 1000, 1);
		put_group(&w, 20, 0x20, 1700, 31);
		put_group(&w, 30, 0x30, 1900, 36);
		expect_event(&w, "cpu-clock", "main ?+10! =1000\nmain ?+20! =700\nmain ?+30! =200");
		expect_event(&w, "page-faults", "main ?+10! =1\nmain ?+20! =30\nmain ?+30! =5");
		writer_release(&w);
	}
}

static void an_unchanged_counter_has_no_sample(void **state)
{
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_group(&w);
	put_group(&w, 10, 0x10, 1000, 0);
	put_group(&w, 20, 0x20, 1700, 4);
	put_group(&w, 30, 0x30, 1700, 4);
	put_group(&w, 40, 0x40, 1701, 4);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = all }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main ?+10! =1000\nmain ?+20! =704\nmain ?+40! =1");
	assert_int_equal(g.recording->samples_read, 4);
	assert_int_equal(g.recording->samples_kept, 4);
	assert_int_equal(g.recording->events[0].samples, 3);
	assert_int_equal(g.recording->events[1].samples, 1);
	assert_int_equal(g.recording->events[0].kept, 3);
	assert_int_equal(g.recording->events[1].weight, 4);
	assert_int_equal(g.recording->events[1].first_time_ns, 20);
	reading_release(&g);
	writer_release(&w);
}

static void by_samples_every_counter_that_moved_is_one(void **state)
{
	static const char *const events[] = { "page-faults", NULL };
	struct recording_writer w;

	(void)state;
	start_group(&w);
	put_group(&w, 10, 0x10, 1000, 50);
	put_group(&w, 20, 0x10, 2000, 70);
	put_group(&w, 30, 0x10, 3000, 70);
	expect_stacks(&w, (struct read_opts){ .events = events, .weight_by_samples = true },
		"main ?+10! =2");
	writer_release(&w);
}

/* perf record --overwrite writes what is newest first. */
static void values_are_compared_in_order_of_time(void **state)
{
	struct recording_writer w;

	(void)state;
	start_group(&w);
	put_group(&w, 30, 0x30, 1900, 36);
	put_group(&w, 20, 0x20, 1700, 31);
	put_group(&w, 10, 0x10, 1000, 1);
	expect_event(&w, "cpu-clock", "main ?+10! =1000\nmain ?+20! =700\nmain ?+30! =200");
	expect_event(&w, "page-faults", "main ?+10! =1\nmain ?+20! =30\nmain ?+30! =5");
	writer_release(&w);
}

static void blocks_may_be_read_in_any_order(void **state)
{
	const char *const events[] = { "page-faults", NULL };
	struct recording_writer w;
	unsigned i;

	(void)state;
	start_group(&w);
	for (i = 1; i <= 3000; i++)
		put_group(&w, i, 0x10 + i % 2, i * 1000, (uint64_t)i * (i + 1) / 2);
	for (i = 1; i <= 4; i *= 2) {
		struct read_opts o = { .events = events, .block_bytes = 4096 };
		struct reading g;

		assert_int_equal(read_stacks(&g, &w, o, i), OK);
		assert_int_equal(g.recording->events[1].weight, 3000 * 3001 / 2);
		assert_int_equal(g.recording->events[1].kept, 3000);
		reading_release(&g);
	}
	writer_release(&w);
}

static void inherited_counters_are_those_of_each_thread(void **state)
{
	struct recording_writer w;

	(void)state;
	start_group_as(&w, false, READ_GROUP | READ_ID, 1u << FLAG_INHERIT_BIT);
	put_comm(&w, 7, 8, "main");
	put_group_of(&w, 7, 10, 0x10, 1000, 1);
	put_group_of(&w, 8, 20, 0x20, 300, 10);
	put_group_of(&w, 7, 30, 0x30, 1100, 2);
	put_group_of(&w, 8, 40, 0x40, 500, 30);
	expect_event(&w, "cpu-clock",
		"main ?+10! =1000\nmain ?+20! =300\nmain ?+30! =100\nmain ?+40! =200");
	expect_event(
		&w, "page-faults", "main ?+10! =1\nmain ?+20! =10\nmain ?+30! =1\nmain ?+40! =20");
	writer_release(&w);
}

/* read_format has all there is: times of the group, and losses of each counter. */
static void times_and_lost_counts_are_skipped(void **state)
{
	struct recording_writer w;
	uint64_t i;

	(void)state;
	start_group_as(
		&w, false, READ_GROUP | READ_ID | READ_LOST | READ_ENABLED | READ_RUNNING, 0);
	for (i = 1; i <= 2; i++) {
		size_t at = begin_reading(&w, 7, i, 0x10 * i);

		put_u64(&w, 2);
		put_u64(&w, 77777);
		put_u64(&w, 66666);
		put_u64(&w, 1000 * i);
		put_u64(&w, LEADER);
		put_u64(&w, 5);
		put_u64(&w, 3 * i);
		put_u64(&w, MEMBER);
		put_u64(&w, 6);
		writer_end(&w, at);
	}
	expect_event(&w, "cpu-clock", "main ?+10! =1000\nmain ?+20! =1000");
	expect_event(&w, "page-faults", "main ?+10! =3\nmain ?+20! =3");
	writer_release(&w);
}

static void put_single(struct recording_writer *w, uint64_t time_ns, uint64_t value, uint64_t id)
{
	size_t at = begin_reading(w, 7, time_ns, 0x10 * time_ns);

	put_u64(w, value);
	if (id)
		put_u64(w, id);
	writer_end(w, at);
}

static void a_counter_alone_is_read_too(void **state)
{
	struct recording_writer w;

	(void)state;
	start_group_as(&w, false, READ_ID, 0);
	put_single(&w, 1, 1000, LEADER);
	put_single(&w, 2, 1500, LEADER);
	expect_event(&w, "*", "main ?+10! =1000\nmain ?+20! =500");
	writer_release(&w);
	/* Without an id it is that of the sample. */
	start_group_as(&w, false, 0, 0);
	put_single(&w, 1, 1000, 0);
	put_single(&w, 2, 1500, 0);
	expect_event(&w, "cpu-clock", "main ?+10! =1000\nmain ?+20! =500");
	writer_release(&w);
}

static void a_group_without_ids_is_one_sample_of_its_leader(void **state)
{
	struct recording_writer w;
	size_t at;

	(void)state;
	start_group_as(&w, false, READ_GROUP, 0);
	at = begin_reading(&w, 7, 10, 0x10);
	put_u64(&w, 2);
	put_u64(&w, 1000);
	put_u64(&w, 5);
	writer_end(&w, at);
	expect_event(&w, "*", "main ?+10! =9999");
	writer_release(&w);
}

static void a_counter_of_no_event_is_counted_and_left_out(void **state)
{
	struct recording_writer w;
	struct reading g;
	size_t at;

	(void)state;
	start_group(&w);
	at = begin_reading(&w, 7, 10, 0x10);
	put_u64(&w, 2);
	put_u64(&w, 1000);
	put_u64(&w, LEADER);
	put_u64(&w, 1000);
	put_u64(&w, 999);
	writer_end(&w, at);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = all }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main ?+10! =1000");
	assert_int_equal(g.recording->samples_read, 2);
	assert_int_equal(g.recording->diag.count[DIAG_UNKNOWN_ID], 1);
	reading_release(&g);
	writer_release(&w);
}

/* Of 2 counters the second is missing. */
static void what_a_damaged_sample_read_counts_for_the_next(void **state)
{
	struct recording_writer w;
	struct reading g;
	size_t at;

	(void)state;
	start_group(&w);
	put_group(&w, 10, 0x10, 1000, 1);
	at = begin_reading(&w, 7, 20, 0x20);
	put_u64(&w, 2);
	put_u64(&w, 1300);
	put_u64(&w, LEADER);
	writer_end(&w, at);
	put_group(&w, 30, 0x30, 1700, 4);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = all }, 1), OK);
	assert_string_equal(buf_str(&g.text), "main ?+10! =1001\nmain ?+30! =703");
	assert_int_equal(g.recording->diag.count[DIAG_BAD_SAMPLE], 1);
	assert_int_equal(g.recording->samples_read, 5);
	reading_release(&g);
	writer_release(&w);
}

/* An empty group says of no counter that it moved. */
static void a_group_of_nothing_has_no_sample(void **state)
{
	struct recording_writer w;
	size_t at;

	(void)state;
	start_group(&w);
	at = begin_reading(&w, 7, 10, 0x10);
	put_u64(&w, 0);
	writer_end(&w, at);
	put_group(&w, 30, 0x30, 1700, 0);
	expect_event(&w, "*", "main ?+30! =1700");
	writer_release(&w);
}

static int add_to_full(void *ctx, const struct perfdata_record *r, struct err *e)
{
	struct opened *o = ctx;
	uint32_t n;
	const struct perfdata_attr *attrs = perfdata_attrs(o->pd, &n);
	struct read_groups values = { .n_values = READ_VALUES_MAX - 1 };
	struct read_groups samples = { .n = READ_VALUES_MAX };

	(void)e;
	if (r->type != RECORD_SAMPLE)
		return OK;
	assert_int_equal(read_groups_add(&values, o->pd, attrs, r, 0), READ_FULL);
	assert_int_equal(read_groups_add(&samples, o->pd, attrs, r, 0), READ_FULL);
	return OK;
}

static void values_beyond_the_limit_are_left_out(void **state)
{
	struct recording_writer w;
	struct opened o;

	(void)state;
	start_group(&w);
	put_group(&w, 10, 0x10, 1000, 1);
	assert_int_equal(opened_from(&o, &w, 0), OK);
	assert_int_equal(perfdata_scan_records(o.pd, add_to_full, &o, &o.diag, &o.err), OK);
	opened_release(&o);
	writer_release(&w);
}

#define TEST cmocka_unit_test

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(every_counter_has_a_sample_of_what_it_went_up_by),
		TEST(an_unchanged_counter_has_no_sample),
		TEST(by_samples_every_counter_that_moved_is_one),
		TEST(values_are_compared_in_order_of_time),
		TEST(blocks_may_be_read_in_any_order),
		TEST(inherited_counters_are_those_of_each_thread),
		TEST(times_and_lost_counts_are_skipped),
		TEST(a_counter_alone_is_read_too),
		TEST(a_group_without_ids_is_one_sample_of_its_leader),
		TEST(a_counter_of_no_event_is_counted_and_left_out),
		TEST(what_a_damaged_sample_read_counts_for_the_next),
		TEST(a_group_of_nothing_has_no_sample),
		TEST(values_beyond_the_limit_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
