#include "trace/parallelism.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { LOGS = 3 };

struct rows {
	struct switch_log logs[LOGS];
	struct parallelism p;
	unsigned n;
};

static int set_up(void **state)
{
	*state = xcalloc(1, sizeof(struct rows));
	return 0;
}

static int tear_down(void **state)
{
	struct rows *f = *state;
	unsigned i;

	for (i = 0; i < LOGS; i++)
		switch_log_release(&f->logs[i]);
	parallelism_release(&f->p);
	free(f);
	return 0;
}

/* Rows go to the logs in turn: who saw what makes no difference. */
static void add(
	struct rows *f, enum switch_kind kind, int32_t pid, int32_t tid, int32_t cpu, uint64_t ns)
{
	struct switch_log *l = &f->logs[f->n++ % LOGS];
	struct switch_seen s = { .class = { .thread = (uint32_t)pid, .tid = tid, .kind = kind },
		.time_ns = ns,
		.other_tid = SWITCH_NOBODY,
		.cpu = cpu };

	switch_log_add(l, switch_log_add_class(l, &s.class), &s);
}

/* With switches, a moment is known if somebody says before that he will ask for it. */
static void will_ask(struct rows *f, int32_t pid, uint64_t ns)
{
	add(f, SWITCH_RAN, pid, 0, -1, ns);
}

static void make(struct rows *f, bool by_process, uint32_t at_most)
{
	parallelism_make(&f->p, f->logs, LOGS,
		&(struct parallelism_opts){ .by_process = by_process, .count_at_most = at_most });
}

static void estimate(struct rows *f, bool by_process)
{
	parallelism_make(&f->p, f->logs, LOGS,
		&(struct parallelism_opts){ .by_process = by_process, .from_samples = true });
}

static uint32_t at(const struct rows *f, int32_t pid, uint64_t ns)
{
	struct parallelism_cursor c = { 0 };

	return parallelism_at(&f->p, &c, pid, ns);
}

static void add_two_processes(struct rows *f)
{
	add(f, SWITCH_IN, 7, 7, -1, 100);
	add(f, SWITCH_IN, 7, 8, -1, 200);
	add(f, SWITCH_IN, 9, 9, -1, 250);
	add(f, SWITCH_OUT, 7, 8, -1, 300);
	add(f, SWITCH_OUT, 7, 7, -1, 400);
	add(f, SWITCH_OUT, 9, 9, -1, 500);
}

static void threads_of_a_process_are_counted(void **state)
{
	struct rows *f = *state;

	add_two_processes(f);
	will_ask(f, 7, 199), will_ask(f, 7, 200), will_ask(f, 7, 299), will_ask(f, 7, 300);
	will_ask(f, 9, 299), will_ask(f, 5, 299);
	make(f, true, 0);
	assert_int_equal(at(f, 7, 199), 1);
	assert_int_equal(at(f, 7, 200), 2);
	assert_int_equal(at(f, 7, 299), 2);
	assert_int_equal(at(f, 7, 300), 1);
	assert_int_equal(at(f, 9, 299), 1);
	assert_int_equal(at(f, 5, 299), 1);
}

static void threads_of_a_recording_are_counted_up_to_the_cpus(void **state)
{
	struct rows *f = *state;

	add_two_processes(f);
	will_ask(f, 7, 260), will_ask(f, 5, 450);
	make(f, false, 0);
	assert_int_equal(at(f, 7, 260), 3);
	assert_int_equal(at(f, 5, 450), 1);
	parallelism_release(&f->p);
	make(f, false, 2);
	assert_int_equal(at(f, 7, 260), 2);
}

static void a_thread_that_stops_first_has_run_since_the_beginning(void **state)
{
	struct rows *f = *state;

	add(f, SWITCH_IN, 7, 8, -1, 100);
	add(f, SWITCH_OUT, 7, 7, -1, 500);
	add(f, SWITCH_OUT, 7, 7, -1, 600); /* its return was lost */
	will_ask(f, 7, 100), will_ask(f, 7, 550), will_ask(f, 7, 650);
	make(f, true, 0);
	assert_int_equal(at(f, 7, 100), 2);
	assert_int_equal(at(f, 7, 550), 1);
	assert_int_equal(at(f, 7, 650), 1);
}

/* A hundred thousand switches between two samples are no more than what they come to. */
static void switches_that_nobody_asks_for_leave_no_steps(void **state)
{
	struct rows *f = *state;
	uint64_t ns;

	will_ask(f, 7, 1);
	for (ns = 10; ns < 100000; ns++)
		add(f, ns % 2 ? SWITCH_IN : SWITCH_OUT, 7, 7, -1, ns);
	add(f, SWITCH_IN, 7, 8, -1, 100001);
	will_ask(f, 7, 100002), will_ask(f, 7, 100003), will_ask(f, 7, 100004);
	make(f, true, 0);
	assert_int_equal(at(f, 7, 1), 1);
	assert_int_equal(at(f, 7, 100003), 2);
	assert_int_equal(f->p.process[0].to - f->p.process[0].from, 1);
}

static void a_cursor_makes_no_difference(void **state)
{
	struct rows *f = *state;
	struct parallelism_cursor c = { 0 };
	uint64_t ns;
	int32_t tid;

	for (tid = 1; tid <= 40; tid++) {
		add(f, SWITCH_IN, tid % 3, tid, -1, (uint64_t)tid * 10);
		add(f, SWITCH_OUT, tid % 3, tid, -1, (uint64_t)tid * 17 + 100);
	}
	for (ns = 1; ns < 900; ns++)
		for (tid = 0; tid < 3; tid++)
			will_ask(f, tid, ns);
	make(f, true, 0);
	for (ns = 0; ns < 900; ns++) {
		uint64_t when = ns * 577 % 900;

		assert_int_equal(parallelism_at(&f->p, &c, 1, when), at(f, 1, when));
	}
	for (ns = 0; ns < 900; ns++)
		assert_int_equal(parallelism_at(&f->p, &c, (int32_t)(ns / 7 % 3), ns),
			at(f, (int32_t)(ns / 7 % 3), ns));
}

/* Samples every 100 ns on CPU 0 of process 7; on CPU 1 of it, then of process 9. */
static void add_samples(struct rows *f, bool cpus)
{
	uint64_t i;

	for (i = 1; i <= 20; i++) {
		add(f, SWITCH_RAN, 7, 7, cpus ? 0 : -1, 1000 + i * 100);
		if (i <= 10)
			add(f, SWITCH_RAN, 7, 8, cpus ? 1 : -1, 1030 + i * 100);
		else
			add(f, SWITCH_RAN, 9, 9, cpus ? 1 : -1, 1030 + i * 100);
	}
}

static void samples_show_roughly_what_ran(void **state)
{
	struct rows *f = *state;

	add_samples(f, true);
	estimate(f, true);
	assert_int_equal(at(f, 7, 1500), 2);
	assert_int_equal(at(f, 7, 1800), 2);
	assert_int_equal(at(f, 7, 2500), 1);
	assert_int_equal(at(f, 9, 2500), 1);
	parallelism_release(&f->p);
	estimate(f, false);
	assert_int_equal(at(f, 9, 2500), 2);
}

static void samples_without_cpus_are_told_apart_by_thread(void **state)
{
	struct rows *f = *state;

	add_samples(f, false);
	estimate(f, true);
	assert_int_equal(at(f, 7, 1500), 2);
	assert_int_equal(at(f, 7, 2500), 1);
}

static void without_rows_one_thread_ran(void **state)
{
	struct rows *f = *state;

	make(f, true, 0);
	assert_int_equal(at(f, 7, 1500), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			threads_of_a_process_are_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			threads_of_a_recording_are_counted_up_to_the_cpus, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_thread_that_stops_first_has_run_since_the_beginning, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			switches_that_nobody_asks_for_leave_no_steps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cursor_makes_no_difference, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_show_roughly_what_ran, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			samples_without_cpus_are_told_apart_by_thread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_rows_one_thread_ran, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
