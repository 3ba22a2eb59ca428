#include "trace/span_preset.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Fields of the preset, in its order. */
enum { PREV_PID, PREV_STATE, NEXT_PID, NEXT_COMM, PID };
enum { SWITCH, WAKING, WAKEUP, WAKEUP_NEW };

static const char *const events[] = { "sched:sched_switch", "sched:sched_waking",
	"sched:sched_wakeup", "sched:sched_wakeup_new", NULL };

static void switch_from(
	struct marked *m, uint64_t time_ns, int32_t prev, const char *state, int32_t next)
{
	marked_add(m, time_ns, prev, SWITCH);
	m->marks->mark[m->marks->n - 1].stack = (uint32_t)prev;
	marked_number(m, PREV_PID, prev);
	marked_text(m, PREV_STATE, state);
	marked_number(m, NEXT_PID, next);
	marked_text(m, NEXT_COMM, "next");
}

static void wake(struct marked *m, uint64_t time_ns, int32_t waker, uint16_t event, int32_t woken)
{
	marked_add(m, time_ns, waker, event);
	marked_number(m, PID, woken);
}

static str_id no_detail(void *ctx, struct span_pair *p)
{
	(void)ctx;
	(void)p;
	return 0;
}

static void pair(struct marked *m)
{
	const struct span_preset *p = span_preset_find("runqueue");
	struct spans_opts o = { .rules = p->rules,
		.n_rules = p->n_rules,
		.fields = &p->fields,
		.of = p->of,
		.describe = no_detail };
	struct err e = { 0 };

	assert_int_equal(spans_pair(&m->d, m->r, 0, &o, &e), OK);
}

/* "woken TID FROM LENGTH" of each, with blanks between. */
static void check(struct marked *m, const char *expected)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < m->d.n; i++) {
		const struct duration *d = &m->d.item[i];

		buf_printf(&b, "%s%s %d %u %u", i ? ", " : "",
			strtab_str(m->strings, m->d.kinds[d->kind].name),
			m->d.threads[d->thread].tid, (unsigned)d->from_ns,
			(unsigned)d->duration_ns);
	}
	assert_string_equal(buf_str(&b), expected);
	buf_release(&b);
}

static void check_detail(const struct marked *m, size_t i, const char *expected)
{
	assert_string_equal(strtab_str(m->strings, m->d.item[i].detail), expected);
}

static void a_thread_waits_from_its_first_wake_up_until_it_is_next(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 1, "S", 2);
	wake(m, 20, 2, WAKING, 1);
	wake(m, 22, 2, WAKEUP, 1);
	switch_from(m, 50, 2, "S", 1);
	pair(m);
	check(m, "woken 1 20 30");
	check_detail(m, 0, "by /2, after /2");
	assert_int_equal(m->d.item[0].stack, 1);
	assert_int_equal(m->d.item[0].beside, 2);
}

static void a_preempted_thread_waits_from_its_switch_on(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 1, "R+", 2);
	switch_from(m, 15, 2, "R", 3);
	switch_from(m, 40, 3, "S", 1);
	pair(m);
	check(m, "preempted 1 10 30");
	check_detail(m, 0, "by next/2, after /3");
	assert_int_equal(m->d.left_out.open, 1); /* 2 */
}

static void states_are_numbers_too(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	marked_add(m, 10, 1, SWITCH);
	marked_number(m, PREV_STATE, 0);
	marked_number(m, NEXT_PID, 2);
	marked_add(m, 12, 2, SWITCH);
	marked_number(m, PREV_STATE, 1);
	marked_number(m, NEXT_PID, 1);
	marked_add(m, 20, 3, SWITCH);
	marked_number(m, PREV_STATE, 2);
	marked_number(m, NEXT_PID, 2);
	pair(m);
	check(m, "preempted 1 10 2");
}

/* perf record -p sees no switch of the thread before. */
static void a_record_of_a_switch_ends_a_wait(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 1, "S", 7);
	wake(m, 20, 2, WAKEUP, 1);
	marked_add(m, 26, 1, MARK_SWITCHED_IN);
	switch_from(m, 30, 2, "R", 7);
	marked_add(m, 36, 2, MARK_SWITCHED_IN);
	pair(m);
	check(m, "woken 1 20 6, preempted 2 30 6");
	check_detail(m, 0, "by /2");
	check_detail(m, 1, "by next/7");
	assert_int_equal(m->d.item[0].beside, 0);
}

static void a_new_thread_waits_for_its_first_turn(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	wake(m, 20, 1, WAKEUP_NEW, 2);
	switch_from(m, 30, 1, "S", 2);
	switch_from(m, 40, 2, "X", 0);
	pair(m);
	check(m, "woken 2 20 10");
	assert_int_equal(m->d.item[0].stack, MARK_NO_STACK);
}

static void a_wake_up_of_a_running_thread_means_nothing(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 2, "S", 1);
	wake(m, 20, 3, WAKING, 1);
	switch_from(m, 30, 1, "S", 3);
	wake(m, 40, 3, WAKING, 1);
	switch_from(m, 45, 3, "S", 1);
	pair(m);
	check(m, "woken 1 40 5");
}

/* Only some threads were recorded: what is known of the others is an accident. */
static void threads_without_switches_of_their_own_are_left_out(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	wake(m, 10, 1, WAKING, 9);
	switch_from(m, 90, 1, "S", 9);
	pair(m);
	check(m, "");
	assert_int_equal(m->d.left_out.open, 0);
}

static void threads_that_are_not_wanted_only_end_waits(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 1, "S", 2);
	wake(m, 20, 2, WAKING, 1);
	switch_from(m, 30, 2, "R", 1);
	m->marks->mark[2].unwanted = true;
	switch_from(m, 40, 1, "S", 2);
	pair(m);
	check(m, "woken 1 20 10");
}

static void what_is_left_out_is_counted(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	marked_lose(m, 24, 26);
	switch_from(m, 10, 1, "S", 2);
	wake(m, 20, 2, WAKING, 1);
	switch_from(m, 30, 2, "S", 1); /* records were lost before it came back */
	switch_from(m, 40, 1, "S", 2); /* 2: its wake-up was not recorded */
	wake(m, 50, 2, WAKING, 1);
	switch_from(m, 60, 1, "S", 0); /* its return was not recorded */
	pair(m);
	check(m, "");
	assert_int_equal(m->d.left_out.lost, 1);
	assert_int_equal(m->d.left_out.unbegun, 1);
	assert_int_equal(m->d.left_out.unended, 1);
}

/* Thread ids in fields are of another namespace than those of samples. */
static void in_a_container_only_the_samples_count(void **state)
{
	struct marked *m = *state;

	marked_init(m, events);
	switch_from(m, 10, 1, "R", 2);
	m->marks->value[m->marks->mark[0].first] = 4001;
	wake(m, 15, 1, WAKING, 2);
	switch_from(m, 20, 2, "R", 1);
	marked_add(m, 30, 1, MARK_SWITCHED_IN);
	pair(m);
	check(m, "preempted 1 10 20");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, marked_setup, marked_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_thread_waits_from_its_first_wake_up_until_it_is_next),
		TEST(a_preempted_thread_waits_from_its_switch_on),
		TEST(states_are_numbers_too),
		TEST(a_record_of_a_switch_ends_a_wait),
		TEST(a_new_thread_waits_for_its_first_turn),
		TEST(a_wake_up_of_a_running_thread_means_nothing),
		TEST(threads_without_switches_of_their_own_are_left_out),
		TEST(threads_that_are_not_wanted_only_end_waits),
		TEST(what_is_left_out_is_counted),
		TEST(in_a_container_only_the_samples_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
