#include "input/stacks/stacks.h"

#include "input/input_for_test.h"

#define BED(text)         input_bed_of(&stacks_v8prof, ROOT_COMM, (text))
#define CHECK(text, want) input_check(&stacks_v8prof, ROOT_COMM, (text), (want))

#define TEXT                                                                                       \
	"{\"code\":[{\"name\":\"/usr/bin/node\",\"type\":\"SHARED_LIB\"},"                         \
	"{\"name\":\"uv_run\",\"type\":\"CPP\"},"                                                  \
	"{\"name\":\"Add\",\"type\":\"CODE\",\"kind\":\"Builtin\",\"timestamp\":3},"               \
	"{\"name\":\"f /a.js:1:13\",\"type\":\"JS\",\"kind\":\"Opt\",\"source\":{\"fns\":[]}},"    \
	"{\"name\":\" /a.js:9:1\",\"type\":\"JS\",\"kind\":\"Unopt\"}],\"functions\":[{\"name\":"  \
	"\"f\",\"codes\":[3]}],\"ticks\":["                                                        \
	"{\"tm\":100,\"vm\":0,\"s\":[2,12,3,151,4,7,1,3]},"                                        \
	"{\"tm\":250,\"vm\":1,\"s\":[-1,4096,0,8]},"                                               \
	"{\"tm\":300,\"vm\":6,\"s\":[]}],\"scripts\":[null,{\"url\":\"/a.js\",\"source\":\"x\"}]}"

static void a_tick_is_a_sample(void **state)
{
	struct input_bed t = BED(TEXT);

	(void)state;
	t.opts.timeline = true;
	input_expect(&t, "stack  1 1\n"
			 "stack |[/usr/bin/node]|[unknown]|(garbage collector) 1 1\n"
			 "stack |uv_run|JS:~ /a.js:9:1_[j]|JS:*f /a.js:1:13_[j]|Builtin:Add_[j] "
			 "1 1\n"
			 "event samples 3 chosen\nthread -1/-1  3\n");
}

static void without_ticks_it_is_an_error(void **state)
{
	(void)state;
	CHECK("{\"code\":[]}",
		"error: no ticks: not the output of node --prof-process --preprocess\n");
}

/* Each stack counts once, however many frames are left out. */
static void stacks_beyond_the_limit_are_counted(void **state)
{
	enum { LIMIT = 1 << 15 };
	static const unsigned frames[] = { LIMIT, LIMIT + 1, LIMIT + 3 };
	struct buf text = { 0 };
	struct input_bed t;
	char *found;
	unsigned i, k;

	(void)state;
	buf_puts(&text, "{\"code\":[{\"name\":\"f\",\"type\":\"CPP\"}],\"ticks\":[");
	for (i = 0; i < ARRAY_LEN(frames); i++) {
		buf_printf(&text, "%s{\"tm\":%u,\"vm\":0,\"s\":[0,1", i ? "," : "", i);
		for (k = 1; k < frames[i]; k++)
			buf_puts(&text, ",0,1");
		buf_puts(&text, "]}");
	}
	buf_puts(&text, "]}");
	t = BED("");
	t.text = buf_span(&text);
	found = input_read(&t);
	assert_non_null(strstr(found, "\nbad STACK_TOO_DEEP 2 "));
	free(found);
	buf_release(&text);
}

static void blocks_and_streams_change_nothing(void **state)
{
	(void)state;
	input_expect_format(BED(TEXT));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tick_is_a_sample),
		cmocka_unit_test(without_ticks_it_is_an_error),
		cmocka_unit_test(stacks_beyond_the_limit_are_counted),
		cmocka_unit_test(blocks_and_streams_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
