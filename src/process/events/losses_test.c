/*
 * What the kernel could not write down is counted for the event that it says.
 */
#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

static const uint64_t with_id = SAMPLE_IDENTIFIER | SAMPLE_IP | SAMPLE_TIME | SAMPLE_PERIOD;

/* Two events of the ids 100 and 200. */
static void start_two(struct recording_writer *w)
{
	static const uint64_t ids[] = { 100, 200 };
	struct test_attr a = { .type = 1, .sample_type = with_id, .flags = TRAILER };

	*w = (struct recording_writer)WRITER_INIT;
	writer_attr(w, &a, &ids[0], 1);
	a.config = 1;
	writer_attr(w, &a, &ids[1], 1);
}

static void put_id_trailer(struct recording_writer *w, uint64_t id)
{
	put_u64(w, 10); /* time */
	put_u64(w, id);
}

static void put_lost(struct recording_writer *w, uint64_t id, uint64_t lost)
{
	size_t at = writer_begin(w, RECORD_LOST, 0);

	put_u64(w, id);
	put_u64(w, lost);
	put_id_trailer(w, 100);
	writer_end(w, at);
}

static void put_lost_samples(struct recording_writer *w, uint64_t id, uint64_t lost, uint16_t misc)
{
	size_t at = writer_begin(w, RECORD_LOST_SAMPLES, misc);

	put_u64(w, lost);
	put_id_trailer(w, id);
	writer_end(w, at);
}

static void put_throttle(struct recording_writer *w, uint64_t id)
{
	size_t at = writer_begin(w, RECORD_THROTTLE, 0);

	put_u64(w, 10);
	put_u64(w, id);
	put_u64(w, id);
	put_id_trailer(w, 100);
	writer_end(w, at);
}

static void put_two_samples(struct recording_writer *w)
{
	unsigned i;

	for (i = 0; i < 2; i++) {
		size_t at = writer_begin(w, RECORD_SAMPLE, CPUMODE_USER);

		put_u64(w, 100 * (i + 1));
		put_u64(w, 0x1010);
		put_u64(w, 10);
		put_u64(w, 5);
		writer_end(w, at);
	}
}

static void losses_are_counted_for_their_event(void **state)
{
	static const char *const all[] = { "*", NULL };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_two(&w);
	put_two_samples(&w);
	put_lost(&w, 100, 3);
	put_lost(&w, 200, 40);
	put_lost(&w, 999, 1000); /* nobody's: counted in the whole alone */
	put_lost_samples(&w, 200, 2, 0);
	put_lost_samples(&w, 200, 70, 1 << 15); /* a filter dropped them */
	put_throttle(&w, 200);
	put_throttle(&w, 200);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = all }, 1), OK);
	assert_int_equal(g.recording->events[0].lost, 3);
	assert_int_equal(g.recording->events[1].lost, 42);
	assert_int_equal(g.recording->events[0].throttled, 0);
	assert_int_equal(g.recording->events[1].throttled, 2);
	assert_int_equal(g.recording->diag.count[DIAG_LOST], 1045);
	assert_int_equal(g.recording->diag.count[DIAG_THROTTLED], 2);
	reading_release(&g);
	writer_release(&w);
}

static void the_samples_used_are_counted_for_their_event(void **state)
{
	static const char *const all[] = { "*", NULL };
	struct recording_writer w;
	struct reading g;

	(void)state;
	start_two(&w);
	put_two_samples(&w);
	put_two_samples(&w);
	assert_int_equal(read_stacks(&g, &w, (struct read_opts){ .events = all }, 2), OK);
	assert_int_equal(g.recording->events[1].kept, 2);
	assert_int_equal(g.recording->events[1].weight, 10);
	reading_release(&g);
	writer_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(losses_are_counted_for_their_event),
		cmocka_unit_test(the_samples_used_are_counted_for_their_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
