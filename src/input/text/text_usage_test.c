#include "input/text/text_usage.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct counting {
	struct strtab *strings;
	struct frames *frames;
	struct recording *recording;
	struct read_opts opts;
	struct text_rules rules;
	struct text_usage usage;
};

static void begin(struct counting *c)
{
	*c = (struct counting){ .strings = strtab_new() };
	c->frames = frames_new(c->strings);
	c->recording = recording_new("x", c->strings, c->frames);
	c->opts.root_fields = 1u << ROOT_COMM_PID_TID;
	c->rules = (struct text_rules){
		.opts = &c->opts, .first_event = SPAN("cycles"), .to_ns = UINT64_MAX
	};
	text_usage_init(&c->usage, c->recording, &c->rules);
}

static void end(struct counting *c)
{
	text_usage_release(&c->usage);
	recording_free(c->recording);
	frames_free(c->frames);
	strtab_free(c->strings);
}

static root_id count(struct counting *c, const char *comm, int32_t pid, int32_t tid)
{
	struct text_sample s = TEXT_SAMPLE_INIT;
	struct text_counted counted;

	s.comm = span_of(comm);
	s.event = SPAN("cycles");
	s.pid = pid;
	s.tid = tid;
	assert_true(text_usage_count(&c->usage, &s, 0, &counted));
	return text_usage_root(&c->usage, &counted);
}

static void a_thread_is_kept_once_however_many_samples_it_has(void **state)
{
	struct counting c;
	root_id first, other;
	unsigned i;

	(void)state;
	begin(&c);
	first = count(&c, "a", 1, 1);
	other = count(&c, "a", 2, 1);
	assert_int_not_equal(first, other);
	assert_int_equal(c.usage.n_threads, 2);
	assert_int_not_equal(count(&c, "a", 1, 2), first);
	assert_int_not_equal(count(&c, "b", 1, 1), first);
	for (i = 0; i < 5; i++) {
		assert_int_equal(count(&c, "a", 1, 1), first);
		assert_int_equal(count(&c, "a", 2, 1), other);
	}
	assert_int_equal(c.usage.n_threads, 4);
	assert_int_equal(c.usage.n_roots, 4);
	assert_int_equal(c.usage.n_events, 1);
	assert_int_equal(c.usage.threads[0].use.samples, 6);
	end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_kept_once_however_many_samples_it_has),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
