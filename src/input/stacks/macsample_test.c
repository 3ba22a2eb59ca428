#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_macsample, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&stacks_macsample, ROOT_COMM_PID_TID, (text), (want))

#define TEXT                                                                                       \
	"Analysis of sampling node (pid 1234) every 1 millisecond\n"                               \
	"Call graph:\n"                                                                            \
	"    100 Thread_2110   DispatchQueue_1: com.apple.main-thread  (serial)\n"                 \
	"    + 98 start  (in libdyld.dylib) + 1  [0x7fff5a]\n"                                     \
	"    + ! 60 main  (in node) + 94  [0x100e5]  main.c:12\n"                                  \
	"    + ! : 10 ???  (in node)  load address 0x1000 + 0x123  [0x1123]\n"                     \
	"    + ! 38 -[NSX foo:bar]  (in AppKit) + 9  [0x100e5]\n"                                  \
	"    40 Thread_2111: worker\n"                                                             \
	"      40 a  (in node) + 1  [0x1]\n"                                                       \
	"        41 b  (in node) + 1  [0x1]\n"                                                     \
	"    3 Thread_2112\n\n"                                                                    \
	"Total number in stack (recursive counted multiple, when >=5):\n"                          \
	"        5       foo  (in x) + 10\n\n"                                                     \
	"Binary Images:\n"                                                                         \
	"       0x100000000 -        0x102 +node (0) <UUID> /usr/bin/node\n"

static void a_line_weighs_its_self_samples(void **state)
{
	(void)state;
	CHECK(TEXT, "stack com.apple.main-thread-1234/2110 2 2\n"
		    "stack com.apple.main-thread-1234/2110|start|-[NSX foo:bar] 38 38\n"
		    "stack com.apple.main-thread-1234/2110|start|main 50 50\n"
		    "stack com.apple.main-thread-1234/2110|start|main|[node] 10 10\n"
		    "stack node-1234/2112 3 3\n"
		    "stack worker-1234/2111|a|b 41 41\n"
		    "event samples 144 chosen\n"
		    "thread 1234/2110 com.apple.main-thread 100\nthread 1234/2111 worker 41\n"
		    "thread 1234/2112 node 3\n");
}

static void a_level_without_its_parent_is_bad(void **state)
{
	(void)state;
	CHECK("    9 Thread_1\n    + ! 3 f  (in x)\n",
		"stack --1/1 9 9\nevent samples 9 chosen\nthread -1/1  9\nbad BAD_LINE 1 2\n");
}

static void lines_below_a_bad_one_have_an_unknown_caller(void **state)
{
	(void)state;
	CHECK("    9 Thread_1\n+ start  (in x)\n    +   5 f  (in x)\n    +   ! 2 g  (in x)\n"
	      "    +   3 h  (in x)\n\nTotal number\n",
		"stack --1/1 1 1\nstack --1/1|[unknown]|f 3 3\nstack --1/1|[unknown]|f|g 2 2\n"
		"stack --1/1|[unknown]|h 3 3\nevent samples 9 chosen\nthread -1/1  9\nbad BAD_LINE "
		"1 2\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_weighs_its_self_samples),
		cmocka_unit_test(a_level_without_its_parent_is_bad),
		cmocka_unit_test(lines_below_a_bad_one_have_an_unknown_caller),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
