#include "model/names/event_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool matches(const char *name, const char *pattern)
{
	return event_name_wanted(
		span_of(name), (const char *const[]){ pattern, NULL }, (struct span){ 0 });
}

static void a_pattern_without_modifiers_matches_any(void **state)
{
	(void)state;
	assert_true(matches("cycles:u", "cycles"));
	assert_true(matches("cycles:u", "cycles:u"));
	assert_false(matches("cycles:k", "cycles:u"));
	assert_false(matches("cycles", "cycles:u"));
	assert_true(matches("cpu-clock:uhppp", "cpu-clock"));
	assert_false(matches("sched:sched_switch", "sched"));
	assert_true(matches("sched:sched_switch", "sched:sched_switch"));
	assert_false(matches("cycles-ct", "cycles"));
}

static void globs_match_the_whole_name(void **state)
{
	(void)state;
	assert_true(matches("sched:sched_switch", "sched:*"));
	assert_true(matches("sched:sched_switch", "*sw?tch"));
	assert_false(matches("sched:sched_switch", "*wake*"));
	assert_true(matches("r1a8", "r[0-9]a[!0-7]"));
	assert_false(matches("r1a7", "r[0-9]a[!0-7]"));
	assert_true(matches("a[b", "a[b"));
	assert_true(matches("a]", "a[]]"));
	assert_true(matches("", "*"));
	assert_false(matches("", "?"));
}

static void many_stars_cost_no_time(void **state)
{
	char name[4001] = { 0 };

	(void)state;
	memset(name, 'a', 4000);
	assert_false(matches(name, "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab"));
}

static void one_event_on_both_kinds_of_processors_is_one(void **state)
{
	(void)state;
	assert_true(event_name_wanted(SPAN("cpu_core/cycles/P"), NULL, SPAN("cpu_atom/cycles/P")));
	assert_false(
		event_name_wanted(SPAN("cpu_core/cycles/"), NULL, SPAN("cpu_atom/instructions/")));
	assert_false(event_name_wanted(SPAN("cycles/"), NULL, SPAN("cpu_atom/cycles/")));
	assert_true(event_name_wanted(SPAN("cycles"), NULL, SPAN("cycles")));
}

static void without_a_wish_the_first_event_is_wanted(void **state)
{
	static const char *const two[] = { "faults", "cyc*", NULL };
	static const char *const all[] = { "all", NULL };

	(void)state;
	assert_true(event_name_wanted(SPAN("cycles:u"), NULL, SPAN("cycles:u")));
	assert_false(event_name_wanted(SPAN("cycles"), NULL, SPAN("cycles:u")));
	assert_true(event_name_wanted(SPAN("cycles:u"), two, SPAN("x")));
	assert_false(event_name_wanted(SPAN("instructions"), two, SPAN("instructions")));
	assert_true(event_name_wanted(SPAN("instructions"), all, SPAN("x")));
}

static void modifiers_are_no_part_of_a_base_name(void **state)
{
	(void)state;
	assert_true(span_eq(event_name_base(SPAN("cycles:u")), SPAN("cycles")));
	assert_true(span_eq(event_name_base(SPAN("cpu/event=0x1/:ppp")), SPAN("cpu/event=0x1/")));
	assert_true(
		span_eq(event_name_base(SPAN("sched:sched_switch")), SPAN("sched:sched_switch")));
	assert_true(span_eq(event_name_base(SPAN("cycles")), SPAN("cycles")));
}

static void tracepoints_and_clocks_are_known_by_name(void **state)
{
	(void)state;
	assert_true(event_name_is_tracepoint(SPAN("sched:sched_switch")));
	assert_false(event_name_is_tracepoint(SPAN("cycles:u")));
	assert_false(event_name_is_tracepoint(SPAN("cpu/event=0x1,name=a:b/")));
	assert_false(event_name_is_tracepoint(SPAN("")));
	assert_true(event_name_is_clock(SPAN("cpu-clock:ppp")));
	assert_true(event_name_is_clock(SPAN("task-clock/period=5/u")));
	assert_false(event_name_is_clock(SPAN("cpu-clocks")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_without_modifiers_matches_any),
		cmocka_unit_test(globs_match_the_whole_name),
		cmocka_unit_test(many_stars_cost_no_time),
		cmocka_unit_test(one_event_on_both_kinds_of_processors_is_one),
		cmocka_unit_test(without_a_wish_the_first_event_is_wanted),
		cmocka_unit_test(modifiers_are_no_part_of_a_base_name),
		cmocka_unit_test(tracepoints_and_clocks_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
