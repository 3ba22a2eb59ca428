#include "trace/during.h"

#include "base/mem.h"
#include "trace/during_spans.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

/* ---- the grammar -------------------------------------------------------------------------- */

static void limits_are_inclusive_bounds(void **state)
{
	static const struct {
		const char *text;
		uint64_t min_ns, max_ns, number;
		bool negated;
	} cases[] = {
		{ "event-loop", 0, UINT64_MAX, 0, false },
		{ "event-loop > 20ms", 20000001, UINT64_MAX, 0, false },
		{ "event-loop>=20ms", 20000000, UINT64_MAX, 0, false },
		{ " event-loop < 1us ", 0, 999, 0, false },
		{ "event-loop <= 1.5s", 0, 1500000000, 0, false },
		{ "event-loop #17", 0, UINT64_MAX, 17, false },
		{ "! event-loop > 20ms", 20000001, UINT64_MAX, 0, true },
		{ "!event-loop#1", 0, UINT64_MAX, 1, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct during d = { 0 };
		struct err e;

		assert_int_equal(during_add(&d, cases[i].text, &e), OK);
		assert_int_equal(d.n_conditions, 1);
		assert_int_equal(d.conditions[0].min_ns, cases[i].min_ns);
		assert_true(d.conditions[0].max_ns == cases[i].max_ns);
		assert_int_equal(d.conditions[0].number, cases[i].number);
		assert_int_equal(d.conditions[0].negated, cases[i].negated);
		assert_string_equal(d.measures[0].preset->name, "event-loop");
		during_release(&d);
	}
}

static void two_events_are_a_rule(void **state)
{
	struct during d = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(during_add(&d, "a:b..a:c", &e), OK);
	assert_int_equal(during_add(&d, "a:b .. a:d .. a:c by pid,field:id >= 1ms", &e), OK);
	assert_int_equal(during_add(&d, "!a:b..a:c > 5ms", &e), OK);
	assert_int_equal(d.n_measures, 2);
	assert_int_equal(d.conditions[2].measure, 0);
	assert_string_equal(d.measures[0].rule.begin, "a:b");
	assert_string_equal(d.measures[0].rule.end, "a:c");
	assert_string_equal(d.measures[0].rule.key, "tid");
	assert_null(d.measures[0].step);
	assert_string_equal(d.measures[1].step, "a:d");
	assert_string_equal(d.measures[1].rule.key, "pid,field:id");
	assert_int_equal(d.measures[1].fields.n, 1);
	assert_string_equal(d.measures[1].fields.name[0], "id");
	during_release(&d);
}

static void what_is_no_condition_is_refused(void **state)
{
	static const char *const bad[] = { "", "!", "#1", "> 5ms", "none", "none > 5ms",
		"event-loop >", "event-loop > 5", "event-loop > 5ms < 6ms", "event-loop = 5ms",
		"event-loop #", "event-loop #0", "event-loop #1x",
		"event-loop # 18446744073709551616", "..", "a:b..", "..a:b", "a:b..a:c..a:d..a:e",
		"a:b..a:c by ", "a:b....a:c",
		("a:b..a:c by field:1,field:2,field:3,field:4,field:5,field:6,field:7,field:8,"
		 "field:9") };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct during d = { 0 };
		struct err e = { 0 };

		if (during_add(&d, bad[i], &e) != ERR_USAGE || !e.msg[0])
			fail_msg("\"%s\" is taken", bad[i]);
		during_release(&d);
	}
}

static void there_is_an_end_to_measures(void **state)
{
	struct during d = { 0 };
	struct err e;
	char text[] = "a:a..b:b";

	(void)state;
	for (; d.n_measures < DURING_MEASURES_MAX; text[0]++)
		assert_int_equal(during_add(&d, text, &e), OK);
	assert_int_equal(during_add(&d, text, &e), ERR_USAGE);
	assert_int_equal(during_add(&d, "a:a..b:b > 1ms", &e), OK);
	during_release(&d);
}

/* ---- spans -------------------------------------------------------------------------------- */

struct found {
	struct marked m;
	struct during d;
	struct thread_times inside;
	struct err e;
};

static const char *const requests[] = { "p:begin", "p:step", "p:end", "cpu-clock", NULL };

static void begin(struct found *f)
{
	*f = (struct found){ 0 };
	marked_init(&f->m, requests);
}

static void add_condition(struct found *f, const char *text)
{
	assert_int_equal(during_add(&f->d, text, &f->e), OK);
}

/* The marks go to the recording's own list; those of all measures are the same. */
static int find(struct found *f)
{
	struct marks *marks[DURING_MEASURES_MAX];
	uint32_t i;
	size_t k;

	for (i = 0; i < f->d.n_measures; i++) {
		marks[i] = marks_new();
		for (k = 0; k < f->m.marks->n; k++) {
			const struct mark *m = &f->m.marks->mark[k];
			const struct timeline_thread *t = &f->m.marks->threads->threads[m->thread];
			struct mark copy = *m;
			struct field_value v = { .has_number = true };

			copy.thread = timeline_thread(marks[i]->threads, t->pid, t->tid, 0, 0);
			marks_add(marks[i], &copy);
			if (marks_value(f->m.marks, m, 0, &v.number))
				marks_add_value(marks[i], 0, &v, f->m.strings);
		}
	}
	return during_spans_find(&f->d, f->m.r, marks, &f->inside, &f->e);
}

static void end(struct found *f)
{
	thread_times_release(&f->inside);
	during_release(&f->d);
	marked_release(&f->m);
}

static bool is_in(const struct found *f, int32_t tid, uint64_t ns)
{
	return thread_times_has(&f->inside, tid, ns);
}

static void add_span(struct found *f, int32_t tid, uint64_t from_ns, uint64_t to_ns)
{
	marked_add(&f->m, from_ns, tid, 0);
	marked_add(&f->m, to_ns, tid, 2);
}

static void samples_are_inside_of_long_spans_of_their_thread(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	add_span(&f, 1, 10, 20);
	add_span(&f, 1, 30, 31);
	add_span(&f, 2, 40, 60);
	add_condition(&f, "p:begin..p:end >= 10ns");
	assert_int_equal(find(&f), OK);
	assert_true(is_in(&f, 1, 10));
	assert_false(is_in(&f, 1, 20));
	assert_false(is_in(&f, 1, 30));
	assert_false(is_in(&f, 2, 15));
	assert_true(is_in(&f, 2, 50));
	assert_false(is_in(&f, 3, 50));
	assert_int_equal(f.m.r->span_counts[0].spans, 3);
	assert_int_equal(f.m.r->span_counts[0].chosen, 2);
	assert_int_equal(f.m.r->span_counts[0].chosen_ns, 30);
	end(&f);
}

static void conditions_are_alternatives_and_negated_ones_exclude(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	add_span(&f, 1, 10, 20);
	add_span(&f, 1, 30, 31);
	add_span(&f, 1, 40, 140);
	add_condition(&f, "p:begin..p:end < 5ns");
	add_condition(&f, "p:begin..p:end >= 10ns");
	add_condition(&f, "!p:begin..p:end > 50ns");
	assert_int_equal(find(&f), OK);
	assert_true(is_in(&f, 1, 15));
	assert_true(is_in(&f, 1, 30));
	assert_false(is_in(&f, 1, 50));
	assert_false(is_in(&f, 1, 25));
	end(&f);
}

static void a_negated_condition_alone_leaves_all_else(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	add_span(&f, 1, 10, 20);
	add_condition(&f, "!p:begin..p:end");
	assert_int_equal(find(&f), OK);
	assert_true(is_in(&f, 1, 9));
	assert_false(is_in(&f, 1, 10));
	assert_true(is_in(&f, 1, 20));
	assert_true(is_in(&f, 2, 15));
	end(&f);
}

static void spans_cut_off_by_the_recording_are_counted(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	marked_add(&f.m, 5, 1, 2);
	add_span(&f, 1, 10, 20);
	marked_add(&f.m, 30, 1, 0);
	add_condition(&f, "p:begin..p:end");
	assert_int_equal(find(&f), OK);
	assert_false(is_in(&f, 1, 2));
	assert_true(is_in(&f, 1, 12));
	assert_false(is_in(&f, 1, 35));
	assert_int_equal(f.m.r->span_counts[0].unbegun, 1);
	assert_int_equal(f.m.r->span_counts[0].open, 1);
	end(&f);
}

static void mark_id(struct found *f, uint64_t ns, int32_t tid, uint16_t event, int64_t id)
{
	marked_add(&f->m, ns, tid, event);
	marked_number(&f->m, 0, id);
}

static void a_step_moves_a_span_to_its_thread(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	mark_id(&f, 10, 1, 0, 7);
	mark_id(&f, 12, 1, 0, 8);
	mark_id(&f, 20, 2, 1, 7);
	mark_id(&f, 22, 3, 1, 9); /* of none */
	mark_id(&f, 25, 3, 1, 8);
	mark_id(&f, 30, 2, 2, 7);
	mark_id(&f, 33, 4, 2, 8); /* no event says when it moved there */
	add_condition(&f, "p:begin..p:step..p:end by field:id");
	assert_int_equal(find(&f), OK);
	assert_true(is_in(&f, 1, 19));
	assert_true(is_in(&f, 1, 24));
	assert_false(is_in(&f, 1, 25));
	assert_false(is_in(&f, 2, 19));
	assert_true(is_in(&f, 2, 20));
	assert_false(is_in(&f, 2, 30));
	assert_false(is_in(&f, 3, 23));
	assert_true(is_in(&f, 3, 32));
	assert_false(is_in(&f, 4, 32));
	assert_int_equal(f.m.r->span_counts[0].moved, 1);
	end(&f);
}

static void a_number_is_the_place_by_time(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	marked_add(&f.m, 10, 1, 0);
	add_span(&f, 2, 12, 14);
	marked_add(&f.m, 20, 1, 2);
	add_condition(&f, "p:begin..p:end #1");
	f.d.listed = 1;
	assert_int_equal(find(&f), OK);
	assert_true(is_in(&f, 1, 13));
	assert_false(is_in(&f, 2, 13));
	assert_int_equal(f.m.r->n_numbered, 2);
	assert_int_equal(f.m.r->numbered[0].tid, 1);
	assert_int_equal(f.m.r->numbered[0].duration_ns, 10);
	assert_int_equal(f.m.r->numbered[1].number, 2);
	end(&f);
}

static void a_number_beyond_the_last_is_refused(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	add_span(&f, 1, 10, 20);
	add_condition(&f, "p:begin..p:end #2");
	assert_int_equal(find(&f), ERR_USAGE);
	end(&f);
}

static void a_key_that_no_event_has_is_refused(void **state)
{
	struct found f;

	(void)state;
	begin(&f);
	add_span(&f, 1, 10, 20);
	add_condition(&f, "p:begin..p:end by field:id");
	assert_int_equal(find(&f), ERR_USAGE);
	end(&f);
}

static void only_events_of_the_rules_are_read(void **state)
{
	struct found f;
	bool wanted[4] = { false };

	(void)state;
	begin(&f);
	add_condition(&f, "p:begin..p:end");
	add_condition(&f, "file-io");
	add_condition(&f, "p:begin..p:none");
	assert_int_equal(during_spans_events(&f.d, 0, f.m.r, wanted, &f.e), OK);
	assert_true(wanted[0] && !wanted[1] && wanted[2] && !wanted[3]);
	assert_int_equal(during_spans_events(&f.d, 1, f.m.r, wanted, &f.e), ERR_USAGE);
	assert_non_null(strstr(f.e.msg, "perf record"));
	assert_int_equal(during_spans_events(&f.d, 2, f.m.r, wanted, &f.e), ERR_USAGE);
	assert_non_null(strstr(f.e.msg, "'p:begin' -e 'p:none'"));
	f.m.r->events[2].frequency_hz = 99;
	assert_int_equal(during_spans_events(&f.d, 0, f.m.r, wanted, &f.e), ERR_UNSUPPORTED);
	end(&f);
}

static void an_iteration_of_the_event_loop_is_between_two_waits(void **state)
{
	static const char *const waits[] = { "syscalls:sys_enter_epoll_pwait",
		"syscalls:sys_exit_epoll_pwait", "syscalls:sys_enter_epoll_ctl",
		"syscalls:sys_exit_epoll_ctl", NULL };
	struct found f = { 0 };

	(void)state;
	marked_init(&f.m, waits);
	marked_add(&f.m, 10, 1, 0);
	marked_add(&f.m, 100, 1, 1);
	marked_add(&f.m, 105, 1, 2);
	marked_add(&f.m, 106, 1, 3);
	marked_add(&f.m, 130, 1, 0);
	marked_add(&f.m, 200, 1, 1);
	add_condition(&f, "event-loop >= 30ns");
	assert_int_equal(find(&f), OK);
	assert_false(is_in(&f, 1, 50));
	assert_true(is_in(&f, 1, 100));
	assert_true(is_in(&f, 1, 129));
	assert_false(is_in(&f, 1, 130));
	assert_int_equal(f.m.r->span_counts[0].spans, 1);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_inclusive_bounds),
		cmocka_unit_test(two_events_are_a_rule),
		cmocka_unit_test(what_is_no_condition_is_refused),
		cmocka_unit_test(there_is_an_end_to_measures),
		cmocka_unit_test(samples_are_inside_of_long_spans_of_their_thread),
		cmocka_unit_test(conditions_are_alternatives_and_negated_ones_exclude),
		cmocka_unit_test(a_negated_condition_alone_leaves_all_else),
		cmocka_unit_test(spans_cut_off_by_the_recording_are_counted),
		cmocka_unit_test(a_step_moves_a_span_to_its_thread),
		cmocka_unit_test(a_number_is_the_place_by_time),
		cmocka_unit_test(a_number_beyond_the_last_is_refused),
		cmocka_unit_test(a_key_that_no_event_has_is_refused),
		cmocka_unit_test(only_events_of_the_rules_are_read),
		cmocka_unit_test(an_iteration_of_the_event_loop_is_between_two_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
