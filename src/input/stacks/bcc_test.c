#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_bcc, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&stacks_bcc, ROOT_COMM_PID_TID, (text), (want))

#define TEXT                                                                                       \
	"Sampling at 49 Hertz of all threads by user + kernel stack... Hit Ctrl-C to end.\n^C\n"   \
	"    filemap_map_pages\n"                                                                  \
	"    page_fault+0x12 [kernel]\n"                                                           \
	"    --\n"                                                                                 \
	"    [unknown]\n"                                                                          \
	"    -                my app (9036)\n"                                                     \
	"        3\n\n"                                                                            \
	"    b'main'\n"                                                                            \
	"    -                cp (7)\n"                                                            \
	"        1\n\n"

static void a_stack_ends_with_thread_and_count(void **state)
{
	(void)state;
	CHECK(TEXT, "stack cp-7/7|main 1 1\n"
		    "stack my app-9036/9036|[unknown]|page_fault_[k]|filemap_map_pages 3 3\n"
		    "event samples 4 chosen\nthread 7/7 cp 1\nthread 9036/9036 my app 3\n");
}

static void stackcount_has_frames_further_left(void **state)
{
	(void)state;
	CHECK("Tracing 1 functions for \"submit_bio\"... Hit Ctrl-C to end.\n^C\n"
	      "  submit_bio\n  ext4_writepages\n    vmstat [5]\n    79\n\n"
	      "  ffffffff810df082 submit_bio+0x1\n  f\n    3\n\nDetaching...\n",
		"stack vmstat-5/5|ext4_writepages|submit_bio 79 79\nstack |f|submit_bio 3 3\n"
		"event samples 82 chosen\nthread -1/-1  3\nthread 5/5 vmstat 79\n");
}

static void a_stack_without_count_is_bad(void **state)
{
	(void)state;
	CHECK("    f\n    g\n\n    h\n        x\n", "bad BAD_COUNT 2 3\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stack_ends_with_thread_and_count),
		cmocka_unit_test(stackcount_has_frames_further_left),
		cmocka_unit_test(a_stack_without_count_is_bad),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
