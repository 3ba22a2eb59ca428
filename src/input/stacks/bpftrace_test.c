#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_bpftrace, ROOT_COMM_PID_TID, (text))
#define CHECK(text, want) input_check(&stacks_bpftrace, ROOT_COMM_PID_TID, (text), (want))

#define TEXT                                                                                       \
	"Attaching 1 probe...\n^C\n\n"                                                             \
	"@[\n    schedule+44\n    do_nanosleep+1\n, \n    main+17\n, bash, 1234]: 42\n"            \
	"@start[12]: 4\n"                                                                          \
	"@x[\n\tffffffff8100 name+1 ([kernel.kallsyms])\n\t7fff f (/bin/x)\n, my comm]: count 3, " \
	"average 2, total 6\n"                                                                     \
	"@n: 3\n"                                                                                  \
	"@[, swapper/0]: 9\n"                                                                      \
	"@[cat, \n    0x7f12\n    operator[]\n]: 2\n"

static void keys_are_stacks_a_name_and_a_process(void **state)
{
	(void)state;
	CHECK(TEXT, "stack bash-1234/1234|main|do_nanosleep|schedule 42 42\n"
		    "stack cat|operator[]|[unknown] 2 2\n"
		    "stack my comm|f|name 6 6\n"
		    "stack swapper/0 9 9\n"
		    "event samples 59 chosen\nthread -1/-1 cat 17\nthread 1234/1234 bash 42\n");
}

static void entries_without_a_sum_are_bad(void **state)
{
	(void)state;
	CHECK("@[\n    f\n]: \n[1]  3 |@@@|\n@[\n    g\n@[\n    h\n]: -1\n", "bad BAD_COUNT 3 3\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_stacks_a_name_and_a_process),
		cmocka_unit_test(entries_without_a_sum_are_bad),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
