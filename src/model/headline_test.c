#include "model/headline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "model/profile_for_test.h"

#define SECOND 1000000000ull

/* A profile of cpu-clock with a recording of one process. */
struct headline_bed {
	struct test_profile t;
	struct recording *r;
	struct headline_source of;
	struct headline h;
	struct buf line;
};

static str_id add(struct headline_bed *x, const char *text)
{
	return strtab_add_str(x->t.p.strings, text);
}

static int setup(void **state)
{
	struct headline_bed *x = xcalloc(1, sizeof(*x));

	test_profile_init(&x->t);
	test_profile_add_folded(&x->t, SPAN("node;main 3\nnode;main;f 7\n"), true);
	test_profile_finish(&x->t);
	x->t.p.unit = add(x, "nanoseconds");
	x->t.p.event = add(x, "cpu-clock:u");
	x->t.p.nodes[0].total = 1954659416;
	x->r = recording_new("/tmp/x/perf.data", x->t.p.strings, x->t.p.frames);
	x->r->processes = xcalloc(3, sizeof(*x->r->processes));
	x->r->n_processes = 1;
	x->r->processes[0] =
		(struct process_use){ .pid = 7, .name = add(x, "node"), .samples = 10 };
	x->of = (struct headline_source){ .p = &x->t.p, .recordings = &x->r, .n_recordings = 1 };
	*state = x;
	return 0;
}

static int teardown(void **state)
{
	struct headline_bed *x = *state;

	headline_release(&x->h);
	buf_release(&x->line);
	recording_free(x->r);
	test_profile_release(&x->t);
	free(x);
	return 0;
}

static void assert_headline(
	struct headline_bed *x, size_t columns, const char *title, const char *line)
{
	headline_release(&x->h);
	headline_make(&x->h, &x->of);
	x->line.n = 0;
	headline_put_subtitle(&x->h, columns, &x->line);
	assert_string_equal(buf_str(&x->h.title), title);
	assert_string_equal(buf_str(&x->line), line);
}

static void what_is_not_known_is_left_out(void **state)
{
	struct headline_bed *x = *state;

	assert_headline(x, 0, "node", "CPU time \u00b7 1.95 s in 10 samples");
	x->r->facts.host = add(x, "www1");
	assert_headline(
		x, 0, "node", "CPU time \u00b7 1.95 s in 10 samples \u00b7 recorded on www1");
	x->r->facts.first_time_ns = SECOND;
	x->r->facts.last_time_ns = 3 * SECOND;
	x->r->facts.wall_ns = 1795183320 * SECOND;
	x->r->summed_frames[WHY_HAS_NAME] = 19999;
	x->r->summed_frames[WHY_NO_SYMBOL] = 1;
	assert_headline(x, 0, "node",
		"CPU time \u00b7 1.95 s in 10 samples \u00b7 recorded 2.00 s, 2026-11-20 14:02 "
		"UTC, on www1 \u00b7 99.99% named");
}

static void spans_are_named_and_counted(void **state)
{
	struct headline_bed *x = *state;

	x->r->span_counts = xcalloc(2, sizeof(*x->r->span_counts));
	x->r->n_span_counts = 1;
	x->r->span_counts[0] =
		(struct span_count){ .condition = "event-loop #17", .spans = 242, .chosen = 1 };
	x->r->span_counts[1] =
		(struct span_count){ .condition = "! gc > 5ms", .spans = 1, .chosen = 0 };
	assert_headline(x, 0, "node",
		"CPU time \u00b7 1.95 s in 10 samples \u00b7 during event-loop #17 (1 of 242 "
		"spans)");
	x->r->n_span_counts = 2;
	assert_headline(x, 0, "node",
		"CPU time \u00b7 1.95 s in 10 samples \u00b7 during event-loop #17 (1 of 242 "
		"spans), "
		"not during gc > 5ms (0 of 1 span)");
	assert_headline(x, 40, "node", "CPU time \u00b7 1.95 s in 10 samples");
}

static void a_narrow_line_keeps_what_counts_most(void **state)
{
	struct headline_bed *x = *state;

	x->r->facts.host = add(x, "www1");
	x->r->summed_frames[WHY_HAS_NAME] = 1;
	assert_headline(x, 60, "node", "CPU time \u00b7 1.95 s in 10 samples \u00b7 100% named");
	assert_headline(x, 40, "node", "CPU time \u00b7 1.95 s in 10 samples");
	assert_headline(x, 1, "node", "CPU time");
}

static void the_title_is_the_process_with_most_samples(void **state)
{
	struct headline_bed *x = *state;

	x->r->n_processes = 3;
	x->r->processes[1] = (struct process_use){ .pid = 8, .name = add(x, "cc1"), .samples = 60 };
	x->r->processes[2] = (struct process_use){ .pid = 9, .name = add(x, "cc1"), .samples = 60 };
	assert_headline(x, 1, "cc1", "CPU time");
	x->r->processes[0].samples = 30;
	assert_headline(x, 1, "cc1 and 1 other", "CPU time");
}

static void a_command_says_which_script_ran(void **state)
{
	static const struct {
		const char *command, *title;
	} cases[] = {
		{ "/usr/bin/perf record -g -- /usr/bin/node /srv/server.js --key=s3cret",
			"node server.js" },
		{ "perf record -F 99 node --inspect server.js", "node" },
		{ "perf record -p 7 -- sleep 1", "node" },
		{ "perf record -ag -- node bench.js", "node" },
		{ "perf record node 1.5", "node" },
		{ "perf record node KEY=a.b", "node" },
		{ "perf record node", "node" },
		{ "", "node" },
	};
	struct headline_bed *x = *state;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		x->r->facts.cmdline = add(x, cases[i].command);
		assert_headline(x, 1, cases[i].title, "CPU time");
	}
}

static void stacks_without_processes_are_called_by_their_file(void **state)
{
	struct headline_bed *x = *state;

	x->r->n_processes = 0;
	x->t.p.event = 0;
	x->t.p.unit = add(x, "samples");
	assert_headline(x, 0, "perf.data", "1.95 G samples");
	x->of.n_recordings = 0;
	assert_headline(x, 0, "Profile", "1.95 G samples");
}

static void events_have_words(void **state)
{
	static const struct {
		const char *event, *kind;
	} cases[] = { { "cpu_core/cycles/P", "CPU cycles" }, { "task-clock", "CPU time" },
		{ "page-faults:u", "Page faults" }, { "sched:sched_switch", "sched:sched_switch" },
		{ "cycles", "CPU cycles" }, { "cycles/freq=99/u", "CPU cycles" },
		{ "cpu-clock/freq=499,call-graph=fp/", "CPU time" },
		{ "cpu/event=0x3c/", "cpu/event=0x3c/" },
		{ "sched:sched_switch/call-graph=fp/", "sched:sched_switch/call-graph=fp/" } };
	struct headline_bed *x = *state;
	size_t i;

	for (i = 0; i < ARRAY_LEN(cases); i++) {
		x->t.p.event = add(x, cases[i].event);
		assert_headline(x, 1, "node", cases[i].kind);
	}
	x->r->weighs = add(x, "Off-CPU time");
	assert_headline(x, 1, "node", "Off-CPU time");
}

static void a_difference_names_both_sides(void **state)
{
	const char *before[] = { "/tmp/x/before.data", "b" };
	struct node_before of = { .total = SECOND, .total_samples = 5 };
	struct comparison c = { .of = &of };
	struct headline_bed *x = *state;

	x->t.p.before = &c;
	x->of.before = before;
	x->of.n_before = 1;
	assert_headline(x, 0, "before.data \u2192 perf.data",
		"Difference \u00b7 CPU time \u00b7 1.00 s in 5 samples \u2192 1.95 s in 10 "
		"samples");
	before[0] = "/tmp/y/perf.data";
	assert_headline(x, 1, "y/perf.data \u2192 x/perf.data", "Difference \u00b7 CPU time");
	x->of.n_before = 2;
	assert_headline(x, 1, "2 recordings \u2192 perf.data", "Difference \u00b7 CPU time");
	x->t.p.before = NULL;
}

static void a_long_title_is_cut(void **state)
{
	struct headline_bed *x = *state;
	struct buf name = { 0 };
	unsigned i;

	for (i = 0; i < 100; i++)
		buf_puts(&name, "\u00e4");
	x->r->processes[0].name = add(x, buf_str(&name));
	name.n = 2 * 79;
	buf_puts(&name, "\u2026");
	assert_headline(x, 1, buf_str(&name), "CPU time");
	buf_release(&name);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_not_known_is_left_out),
		TEST(spans_are_named_and_counted),
		TEST(a_narrow_line_keeps_what_counts_most),
		TEST(the_title_is_the_process_with_most_samples),
		TEST(a_command_says_which_script_ran),
		TEST(stacks_without_processes_are_called_by_their_file),
		TEST(events_have_words),
		TEST(a_difference_names_both_sides),
		TEST(a_long_title_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
