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

/* What is told does not depend on who looks an address up, nor how often: where samples before and
 * after the mapping alternate, each of them does. */
static void addresses_of_late_mappings_are_counted_once(void **state)
{
	static const unsigned jobs[] = { 1, 3, 8 };
	struct recording_writer *w = bed_writer(state);
	struct reading g;
	uint64_t first = 0;
	unsigned k, i;

	put_user(w, 7, 100, 0x1010);
	for (i = 0; i < SAMPLES; i++)
		put_user(w, 7, i % 2 ? 3000 : 100, 0x9000 + 16 * (i % 3));
	put_mmap(w, 7, 2000, 0x9000, 0x1000, "/lib/late");
	for (k = 0; k < ARRAY_LEN(jobs); k++) {
		struct read_opts o = { .block_bytes = 64 };

		assert_int_equal(read_stacks(&g, w, o, jobs[k]), OK);
		assert_int_equal(g.recording->diag.count[DIAG_LATE_MAP], 3);
		if (!k)
			first = g.recording->diag.first_at[DIAG_LATE_MAP];
		assert_int_equal(g.recording->diag.first_at[DIAG_LATE_MAP], first);
		reading_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BED_TEST(threads_of_several_workers_are_merged),
		BED_TEST(addresses_of_late_mappings_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
