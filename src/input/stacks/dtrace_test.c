#include "input/stacks/dtrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
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

static struct testing plain(const char *text)
{
	return testing_of(&stacks_dtrace, ROOT_COMM, text);
}

static void check(const char *text, const char *want)
{
	struct testing t = plain(text);

	testing_expect(&t, want);
}

static void test_stacks_end_with_their_count(void **state)
{
	(void)state;
	check(COUNTED, "stack bash|__write 4 1\n"
		       "stack |[unknown]|__write 13 1\n"
		       "stack |a::b(int, char)|vn_free_[k] 2 1\n"
		       "event samples 3 chosen\n"
		       "thread -1/-1 bash 3\n");
}

static void test_asked_for_samples_a_count_is_a_number_of_them(void **state)
{
	struct testing t = plain(COUNTED);

	(void)state;
	t.opts.weight_by_samples = true;
	testing_expect(&t, "stack bash|__write 4 4\n"
			   "stack |[unknown]|__write 13 13\n"
			   "stack |a::b(int, char)|vn_free_[k] 2 2\n"
			   "event samples 3 chosen\n"
			   "thread -1/-1 bash 3\n");
}

static void test_rows_are_samples_of_their_probe(void **state)
{
	(void)state;
	check(PRINTED, "stack my app|uv_run 1 1\n"
		       "stack node|LazyCompile:*fib /srv/a.js:3_[j]|[node]|uv_run 1 1\n"
		       "event profile-1ms 2 chosen\nevent tick-1s 1\n"
		       "thread 7/7 node 1\nthread 8/8 my app 1\n");
}

static void test_rows_of_a_script_tell_their_process(void **state)
{
	(void)state;
	check("PID    PROCESS          FAM ADDRESS     PORT\n"
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

static void test_a_stack_without_count_and_row_is_bad(void **state)
{
	(void)state;
	check("              a`b\n", "bad BAD_COUNT 1 2\n");
}

static void test_the_text_is_known_and_read_alike_however_it_comes(void **state)
{
	(void)state;
	testing_expect_format(plain(COUNTED PRINTED COUNTED));
	testing_expect_format(plain(PRINTED));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_end_with_their_count),
		cmocka_unit_test(test_asked_for_samples_a_count_is_a_number_of_them),
		cmocka_unit_test(test_rows_are_samples_of_their_probe),
		cmocka_unit_test(test_rows_of_a_script_tell_their_process),
		cmocka_unit_test(test_a_stack_without_count_and_row_is_bad),
		cmocka_unit_test(test_the_text_is_known_and_read_alike_however_it_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
