#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_godump, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&stacks_godump, ROOT_COMM_PID_TID, (text), (want))

#define TEXT                                                                                       \
	"panic: boom\n\n"                                                                          \
	"goroutine 19 [chan receive, 5 minutes]:\n"                                                \
	"main.(*T).wait(...)\n\t/src/m.go:4\n"                                                     \
	"main.(*T).wait(0x0?, {0x1, 0x2})\n\t/src/m.go:4 +0x31\n"                                  \
	"created by main.main in goroutine 1\n\t/src/m.go:8 +0x85\n\n"                             \
	"goroutine 20 gp=0xc0 m=nil [runnable]:\n"                                                 \
	"runtime.goexit({})\n\t/src/runtime/asm_amd64.s:1771 +0x1\n"                               \
	"exit status 2\n"                                                                          \
	"3 @ 0x47d92e 0x480ac5\n"                                                                  \
	"#\t0x480ac4\ttime.Sleep+0x164\t\t/src/time.go:363\n"                                      \
	"#\t0x4da09c\tmain.(*T).f+0x1c\t/src/m.go:10\n\n"

static void a_goroutine_is_a_sample(void **state)
{
	(void)state;
	CHECK(TEXT, "stack chan receive--1/19|main.main|main.(*T).wait|main.(*T).wait 1 1\n"
		    "stack runnable--1/20|runtime.goexit 1 1\n"
		    "stack |main.(*T).f|time.Sleep 3 3\n"
		    "event samples 5 chosen\nthread -1/-1  3\nthread -1/19 chan receive 1\n"
		    "thread -1/20 runnable 1\n");
}

static void the_creator_may_have_any_name_or_none(void **state)
{
	(void)state;
	CHECK("goroutine 1 [run]:\ncreated by in goroutine 1\n\n"
	      "goroutine 2 [run]:\ncreated by  in goroutine 1\n\n"
	      "goroutine 3 [run]:\ncreated by f in goroutine 1 in goroutine 2\n\n",
		"stack run--1/1|in goroutine 1 1 1\nstack run--1/2|[unknown] 1 1\n"
		"stack run--1/3|f 1 1\n"
		"event samples 3 chosen\nthread -1/1 run 1\nthread -1/2 run 1\n"
		"thread -1/3 run 1\n");
}

static void frames_have_their_line(void **state)
{
	struct input_bed t = BED("1 @ 0x1\n#\t0x1\ttime.Sleep+0x164\t\t/src/time.go:363\n");

	(void)state;
	t.detail = true;
	input_expect(&t, "stack |time.Sleep{ /src/time.go:0:0 at 363} 1 1\n"
			 "event samples 1 chosen\nthread -1/-1  1\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_goroutine_is_a_sample),
		cmocka_unit_test(the_creator_may_have_any_name_or_none),
		cmocka_unit_test(frames_have_their_line),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
