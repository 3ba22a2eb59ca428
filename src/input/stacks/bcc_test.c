#include "input/stacks/bcc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include "input/input_for_test.h"

static struct testing plain(const char *text)
{
	return testing_of(&stacks_bcc, ROOT_COMM_PID_TID, text);
}

static void check(const char *text, const char *want)
{
	struct testing t = plain(text);

	testing_expect(&t, want);
}

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

static void test_stacks_end_with_thread_and_count(void **state)
{
	(void)state;
	check(TEXT, "stack cp-7/7|main 1 1\n"
		    "stack my app-9036/9036|[unknown]|page_fault_[k]|filemap_map_pages 3 1\n"
		    "event samples 2 chosen\nthread 7/7 cp 1\nthread 9036/9036 my app 1\n");
}

static void test_stackcount_has_frames_further_left(void **state)
{
	(void)state;
	check("Tracing 1 functions for \"submit_bio\"... Hit Ctrl-C to end.\n^C\n"
	      "  submit_bio\n  ext4_writepages\n    vmstat [5]\n    79\n\n"
	      "  ffffffff810df082 submit_bio+0x1\n  f\n    3\n\nDetaching...\n",
		"stack vmstat-5/5|ext4_writepages|submit_bio 79 1\nstack |f|submit_bio 3 1\n"
		"event samples 2 chosen\nthread -1/-1  1\nthread 5/5 vmstat 1\n");
}

static void test_a_stack_without_count_is_bad(void **state)
{
	(void)state;
	check("    f\n    g\n\n    h\n        x\n", "bad BAD_COUNT 2 3\n");
}

static void test_the_text_is_known_and_read_alike_however_it_comes(void **state)
{
	(void)state;
	testing_expect_format(plain(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_end_with_thread_and_count),
		cmocka_unit_test(test_stackcount_has_frames_further_left),
		cmocka_unit_test(test_a_stack_without_count_is_bad),
		cmocka_unit_test(test_the_text_is_known_and_read_alike_however_it_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
