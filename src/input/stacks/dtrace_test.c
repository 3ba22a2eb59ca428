#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define COUNTED                                                                                    \
	"CPU     ID                    FUNCTION:NAME\n"                                            \
	"  0  64091                        :tick-60s \n\n\n"                                       \
	"              genunix`vn_free+0x9a\n"                                                     \
	"              lofs`a::b(int, char)+0x1\n"                                                 \
	"                2\n\n"                                                                    \
	"  my bash\n"                                                                              \
	"              libc.so.1`__write+0x15\n"                                                   \
	"              0x101500cb0\n"                                                              \
	"               13\n"                                                                      \
	"  bash\n"                                                                                 \
	"              libc.so.1`__write+0x15\n"                                                   \
	"                4\n"

#define PRINTED                                                                                    \
	"node 7 12: profile-1ms:\n"                                                                \
	"              node`uv_run+0x7d\n"                                                         \
	"              node`0x1000\n"                                                              \
	"              0x36197 LazyCompile:*fib /srv/a.js:3\n"                                     \
	"\n"                                                                                       \
	"my app 8 13: profile-1ms:\n"                                                              \
	"              node`uv_run\n"                                                              \
	"\n"                                                                                       \
	"node 7 14: tick-1s:\n"                                                                    \
	"              x`f\n"

#define BED(text)         input_bed_of(&stacks_dtrace, ROOT_COMM, (text))
#define CHECK(text, want) input_check(&stacks_dtrace, ROOT_COMM, (text), (want))

static void stacks_end_with_their_count(void **state)
{
	(void)state;
	CHECK(COUNTED, "stack bash|__write 4 4\n"
		       "stack |[unknown]|__write 13 13\n"
		       "stack |a::b(int, char)|vn_free_[k] 2 2\n"
		       "event samples 19 chosen\n"
		       "thread -1/-1 bash 19\n");
}

static void with_weight_samples_a_count_is_a_number_of_samples(void **state)
{
	struct input_bed t = BED(COUNTED);

	(void)state;
	t.opts.weight_by_samples = true;
	input_expect(&t, "stack bash|__write 4 4\n"
			 "stack |[unknown]|__write 13 13\n"
			 "stack |a::b(int, char)|vn_free_[k] 2 2\n"
			 "event samples 19 chosen\n"
			 "thread -1/-1 bash 19\n");
}

static void rows_are_samples_of_their_probe(void **state)
{
	(void)state;
	CHECK(PRINTED, "stack my app|uv_run 1 1\n"
		       "stack node|LazyCompile:*fib /srv/a.js:3_[j]|[node]|uv_run 1 1\n"
		       "event profile-1ms 2 chosen\nevent tick-1s 1\n"
		       "thread 7/7 node 1\nthread 8/8 my app 1\n");
}

static void rows_of_a_script_name_their_process(void **state)
{
	(void)state;
	CHECK("PID    PROCESS          FAM ADDRESS     PORT\n"
	      "3989   node             2   127.0.0.1   8080\n"
	      "              libsystem_kernel.dylib`__connect+0xa\n\n"
	      "              mach_kernel`unix_syscall64\n"
	      "CPU     ID                    FUNCTION:NAME\n"
	      "  3  11507               uv_getaddrinfo:entry node 12\n"
	      "              node`uv_getaddrinfo\n",
		"stack node|unix_syscall64_[k]|__connect 1 1\n"
		"event samples 1 chosen\nevent uv_getaddrinfo:entry 1\n"
		"thread 3989/3989 node 1\n");
}

static void a_stack_without_count_and_row_is_bad(void **state)
{
	(void)state;
	CHECK("              a`b\n", "bad BAD_COUNT 1 2\n");
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(COUNTED PRINTED COUNTED));
	input_expect_format(BED(PRINTED));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_end_with_their_count),
		cmocka_unit_test(with_weight_samples_a_count_is_a_number_of_samples),
		cmocka_unit_test(rows_are_samples_of_their_probe),
		cmocka_unit_test(rows_of_a_script_name_their_process),
		cmocka_unit_test(a_stack_without_count_and_row_is_bad),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
