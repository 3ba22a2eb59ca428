#include "trace/event_loop.h"

#include "trace/span_preset.h"
#include "trace/spans_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { TIMERS, IDLE = 2, POLL = 4, CHECK = 6, WAIT = 8, CLOCK = 10 };

static const char *const events[] = { "uv:uv__run_timers", "uv:uv__run_timers_ret",
	"uv:uv__run_idle", "uv:uv__run_idle_ret", "uv:uv__io_poll", "uv:uv__io_poll_ret",
	"uv:uv__run_check", "uv:uv__run_check_ret", "syscalls:sys_enter_epoll_pwait",
	"syscalls:sys_exit_epoll_pwait", "cpu-clock", NULL };

static void phase(struct marked *m, uint16_t event, uint64_t from_ns, uint64_t until_ns)
{
	marked_add(m, from_ns, 1, event);
	marked_add(m, until_ns, 1, event + 1);
}

/* idle 100-110, poll 120-320 that waits 130-230, check 330-340, timers 350-400 */
static void turn(struct marked *m, uint64_t at)
{
	phase(m, IDLE, at + 100, at + 110);
	marked_add(m, at + 120, 1, POLL);
	phase(m, WAIT, at + 130, at + 230);
	marked_add(m, at + 300, 1, CLOCK);
	m->marks->mark[m->marks->n - 1].stack = 2;
	marked_add(m, at + 320, 1, POLL + 1);
	phase(m, CHECK, at + 330, at + 340);
	phase(m, TIMERS, at + 350, at + 400);
	marked_add(m, at + 410, 1, CLOCK);
	m->marks->mark[m->marks->n - 1].stack = 1;
}

struct looped {
	struct marked m;
	struct loop_samples samples;
};

static int setup(void **state)
{
	struct looped *l = calloc(1, sizeof(*l));

	*state = l;
	marked_init(&l->m, events);
	return 0;
}

static int teardown(void **state)
{
	struct looped *l = *state;

	event_loop_samples_release(&l->samples);
	marked_release(&l->m);
	free(l);
	return 0;
}

static void run(struct looped *l)
{
	struct marked *m = &l->m;
	static struct node nodes[] = { { .subtree = 3 }, { .subtree = 2 },
		{ .parent = 1, .subtree = 1 } };
	const struct profile p = { .nodes = nodes, .n_nodes = 3 };
	const struct span_preset *preset = span_preset_find("event-loop");
	struct spans_opts o = {
		.rules = preset->rules, .n_rules = preset->n_rules, .fields = &preset->fields
	};
	struct loop_source from = { m->r, &p, 0, 0 };
	struct err e;

	assert_int_equal(spans_pair(&m->d, m->r, 0, &o, &e), OK);
	event_loop_add(&m->d, &from, &l->samples);
	durations_finish(&m->d, m->strings);
}

static struct duration_kind kind(const struct marked *m, const char *name)
{
	uint32_t i;

	for (i = 0; i < m->d.n_kinds; i++)
		if (strcmp(strtab_str(m->strings, m->d.kinds[i].name), name) == 0)
			return m->d.kinds[i];
	return (struct duration_kind){ 0 };
}

static void check(const struct marked *m, const char *name, uint64_t count, uint64_t total_ns)
{
	struct duration_kind k = kind(m, name);

	assert_int_equal(k.count, count);
	assert_int_equal(k.total_ns, total_ns);
}

static void phases_without_a_function_are_the_gaps_between_others(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	turn(m, 0);
	turn(m, 1000);
	run(l);
	check(m, "uv__run_closing_handles (inlined)", 2, 20);
	/* after poll twice, after timers once */
	check(m, "uv__run_pending (inlined)", 3, 10 + 10 + 700);
}

static void wait_and_callbacks_are_separated(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	turn(m, 0);
	turn(m, 1000);
	run(l);
	check(m, LOOP_POLL, 2, 400);
	check(m, LOOP_WAIT, 2, 200);
	check(m, LOOP_CALLBACKS, 2, 200);
	check(m, LOOP_ITERATION, 1, 1000);
	check(m, LOOP_BUSY, 1, 900);
}

static void waits_alone_divide_the_time_into_iterations(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	phase(m, WAIT, 100, 200);
	phase(m, WAIT, 230, 300);
	marked_lose(m, 310, 320);
	phase(m, WAIT, 350, 360);
	marked_add(m, 400, 2, WAIT);
	marked_add(m, 410, 2, WAIT + 1);
	run(l);
	check(m, LOOP_BUSY, 1, 30);
	check(m, LOOP_ITERATION, 0, 0);
}

static void a_loop_within_a_phase_belongs_to_it(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	turn(m, 0);
	marked_add(m, 1000, 1, TIMERS);
	phase(m, POLL, 1010, 1020);
	phase(m, POLL, 1030, 1040);
	marked_add(m, 1100, 1, TIMERS + 1);
	turn(m, 2000);
	run(l);
	check(m, LOOP_POLL, 4, 420);
	check(m, LOOP_ITERATION, 1, 2000);
}

static void samples_know_the_phase_they_fell_into(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	turn(m, 0);
	run(l);
	assert_int_equal(l->samples.n, 2);
	assert_string_equal(strtab_str(m->strings, l->samples.item[0].phase), LOOP_POLL);
	assert_int_equal(l->samples.item[0].stack, 2);
	assert_string_equal(strtab_str(m->strings, l->samples.item[1].phase), LOOP_OUTSIDE);
}

static void no_gap_and_no_iteration_spans_lost_records(void **state)
{
	struct looped *l = *state;
	struct marked *m = &l->m;

	marked_lose(m, 500, 600);
	turn(m, 0);
	turn(m, 1000);
	run(l);
	check(m, LOOP_ITERATION, 0, 0);
	check(m, "uv__run_pending (inlined)", 2, 20);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(phases_without_a_function_are_the_gaps_between_others),
		TEST(wait_and_callbacks_are_separated),
		TEST(waits_alone_divide_the_time_into_iterations),
		TEST(a_loop_within_a_phase_belongs_to_it),
		TEST(samples_know_the_phase_they_fell_into),
		TEST(no_gap_and_no_iteration_spans_lost_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
