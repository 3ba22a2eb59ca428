#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_jstack, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&stacks_jstack, ROOT_COMM_PID_TID, (text), (want))

#define TEXT                                                                                       \
	"Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode, sharing):\n\n"            \
	"\"pool-1-thread-7\" #22 daemon prio=5 tid=0x7f nid=0x1b runnable  [0x7f]\n"               \
	"   java.lang.Thread.State: RUNNABLE\n"                                                    \
	"\tat java.io.FileInputStream.readBytes(java.base@17.0.9/Native Method)\n"                 \
	"\t- locked <0x0000> (a java.io.X)\n"                                                      \
	"\tat java.base@17.0.9/java.lang.Thread.run(Thread.java:840)\n\n"                          \
	"   Locked ownable synchronizers:\n\t- None\n\n"                                           \
	"\"C2 CompilerThread0\" #5 nid=77 waiting on condition\n"                                  \
	"   java.lang.Thread.State: RUNNABLE\n\tat a.b(X.java:1)\n\n"                              \
	"\"io\" #6 nid=0x2\n   java.lang.Thread.State: RUNNABLE\n"                                 \
	"\tat sun.nio.ch.EPoll.wait(Native Method)\n\tat a.b(X.java:1)\n\n"                        \
	"\"w\" #7 nid=0x3\n   java.lang.Thread.State: TIMED_WAITING (sleeping)\n\tat a.c(Y)\n\n"   \
	"\"Monitor\" os_prio=0 nid=0x4 runnable\n\nJNI global refs: 8, weak refs: 5\n"

static void running_threads_count(void **state)
{
	(void)state;
	CHECK(TEXT,
		"stack pool-1-thread--1/27|java.lang.Thread.run|java.io.FileInputStream.readBytes "
		"1 1\n"
		"event RUNNABLE 1 chosen\nevent BACKGROUND 1\nevent WAITING 1\n"
		"event TIMED_WAITING 1\nthread -1/27 pool-1-thread 1\n");
}

static void frames_have_module_and_line(void **state)
{
	struct input_bed t = BED("\"w\"\n   java.lang.Thread.State: RUNNABLE\n"
				 "\tat java.base@17.0.9/java.lang.Thread.run(Thread.java:840)\n");

	(void)state;
	t.detail = true;
	input_expect(&t,
		"stack w|java.lang.Thread.run{java.base@17.0.9 Thread.java:0:0 at 840} 1 1\n"
		"event RUNNABLE 1 chosen\nthread -1/-1 w 1\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(running_threads_count),
		cmocka_unit_test(frames_have_module_and_line),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
