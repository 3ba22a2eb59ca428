#include "input/perfdata/perfdata_writer_for_test.h"
#include "process/process_for_test.h"

enum { SAMPLES = 30000 };

/* Threads that several workers have seen are one in the recording, with all samples. */
static void threads_of_several_workers_are_merged(void **state)
{
	struct recording_writer *w = bed_writer(state);
	struct reading g;
	unsigned i;

	for (i = 0; i < SAMPLES; i++)
		put_sample(w, &(struct test_sample){ 7, 7 + i % 3, 0, 100 + i, 2, 0x1010, 0, 2,
				      { USER, 0x1010 } });
	assert_int_equal(read_stacks(&g, w, (struct read_opts){ .block_bytes = 64 }, 3), OK);
	assert_int_equal(g.recording->n_threads, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(g.recording->threads[i].tid, 7 + i);
		assert_int_equal(g.recording->threads[i].samples, SAMPLES / 3);
		assert_int_equal(g.recording->threads[i].weight, 2 * SAMPLES / 3);
	}
	reading_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(threads_of_several_workers_are_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
