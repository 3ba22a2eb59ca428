#include "trace/switch_merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { LOGS = 3, ROWS = 5000 };

struct fixture {
	struct switch_log logs[LOGS];
	uint64_t random;
	uint64_t added_ns, seen_ns; /* the sum of all times */
};

static void add(struct fixture *f, unsigned log, uint64_t ns, enum switch_kind kind, int32_t tid)
{
	struct switch_log *l = &f->logs[log];
	struct switch_seen s = { { .kind = kind, .tid = tid }, ns, SWITCH_NOBODY, 0 };

	switch_log_add(l, switch_log_add_class(l, &s.class), &s);
	f->added_ns += ns;
}

static uint64_t next_random(struct fixture *f)
{
	f->random = f->random * 6364136223846793005u + 1442695040888963407u;
	return f->random >> 33;
}

/* The rows from when on come in order, each once and none of another time: how many they are. */
static size_t check_stretch(struct fixture *f, struct switch_merge_window when)
{
	struct switch_log *logs = f->logs;
	struct switch_point last = { 0 };
	uint32_t last_log = 0;
	struct switch_batch b;
	struct switch_merge m;
	size_t n = 0;
	uint32_t i;

	switch_merge_init(&m, f->logs, LOGS, &when);
	while (switch_merge_next(&m, &b)) {
		assert_true(b.from < b.to);
		for (i = b.from; i < b.to; i++, n++) {
			struct switch_point row = switch_log_point(&logs[b.log], b.begin_ns, i);

			assert_false(n && switch_log_is_after(
						  &logs[last_log], &last, &logs[b.log], &row));
			assert_true(row.time_ns >= when.from_ns);
			assert_true(when.to_the_end || row.time_ns < when.to_ns);
			/* Each has a scene of its own. */
			assert_int_equal(logs[b.log].transitions[row.transition].cpu, 0);
			logs[b.log].transitions[row.transition].cpu = 1;
			f->seen_ns += row.time_ns;
			last = row;
			last_log = b.log;
		}
	}
	switch_merge_release(&m);
	return n;
}

static void release(struct fixture *f)
{
	unsigned i;

	for (i = 0; i < LOGS; i++)
		switch_log_release(&f->logs[i]);
}

static size_t check_order(struct fixture *f)
{
	size_t n = check_stretch(f, (struct switch_merge_window){ .to_the_end = true });

	assert_true(f->seen_ns == f->added_ns);
	release(f);
	return n;
}

static void nothing_gives_nothing(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	assert_int_equal(check_order(&f), 0);
}

static void runs_of_cpus_are_merged(void **state)
{
	struct fixture f = { .random = 1 };
	uint64_t ns[4] = { 0 };
	unsigned i, cpu;

	(void)state;
	for (i = 0; i < ROWS; i++) {
		cpu = i / 50 % 4;
		ns[cpu] += next_random(&f) % 100;
		add(&f, i / 400 % LOGS, ns[cpu], SWITCH_OUT, (int32_t)i);
	}
	assert_int_equal(check_order(&f), ROWS);
}

static void rows_of_one_time_are_in_order_too(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	add(&f, 0, 10, SWITCH_OUT, 1);
	add(&f, 0, 20, SWITCH_OUT, 9);
	add(&f, 0, 20, SWITCH_OUT, 3);
	add(&f, 0, 20, SWITCH_IN, 5);
	assert_int_equal(f.logs[0].n_backward, 2);
	assert_int_equal(check_order(&f), 4);
}

static void an_unordered_log_is_sorted(void **state)
{
	struct fixture f = { .random = 1 };
	unsigned i;

	(void)state;
	for (i = 0; i < ROWS; i++)
		add(&f, i % 2, next_random(&f) % 1000, i % 3 ? SWITCH_OUT : SWITCH_IN, (int32_t)i);
	assert_int_equal(check_order(&f), ROWS);
}

static void add_far(struct fixture *f, bool in_order)
{
	uint64_t ns = 0;
	unsigned i;

	for (i = 0; i < ROWS; i++) {
		uint64_t step = next_random(f) << (i % 7 ? 3 : 12);

		ns = in_order ? ns + step : step;
		add(f, i / 40 % LOGS, ns, SWITCH_OUT, (int32_t)i);
	}
}

static void rows_may_be_any_time_apart(void **state)
{
	struct fixture f = { .random = 1 };

	(void)state;
	add_far(&f, true);
	assert_true(f.logs[0].n_runs > f.logs[0].n / 8 && !f.logs[0].n_backward);
	assert_int_equal(check_order(&f), ROWS);
	f = (struct fixture){ .random = 1 };
	add_far(&f, false);
	assert_true(f.logs[0].n_backward > f.logs[0].n / 4);
	assert_int_equal(check_order(&f), ROWS);
}

static void a_return_is_first_at_its_time(void **state)
{
	struct fixture f = { 0 };
	struct switch_batch b;
	struct switch_merge m;
	unsigned i;

	(void)state;
	add(&f, 0, 10, SWITCH_RAN, 1);
	add(&f, 1, 10, SWITCH_OUT, 1);
	add(&f, 2, 10, SWITCH_IN, 1);
	switch_merge_init(&m, f.logs, LOGS, &(struct switch_merge_window){ .to_the_end = true });
	for (i = LOGS; i-- > 0;) {
		assert_true(switch_merge_next(&m, &b));
		assert_int_equal(b.log, i);
		assert_int_equal(b.to - b.from, 1);
	}
	assert_false(switch_merge_next(&m, &b));
	assert_false(switch_merge_next(&m, &b));
	switch_merge_release(&m);
	assert_int_equal(check_order(&f), 3);
}

static void windows_divide_the_rows(void **state)
{
	struct fixture f = { .random = 1 };
	uint64_t ns = 0, from_ns;
	size_t n = 0;
	unsigned i;

	(void)state;
	for (i = 0; i < ROWS; i++) {
		ns = i % 50 ? ns + next_random(&f) % 3 : ns / 2;
		add(&f, i / 200 % LOGS, ns, SWITCH_OUT, (int32_t)i);
	}
	for (from_ns = 0; from_ns < 70; from_ns += 7)
		n += check_stretch(&f, (struct switch_merge_window){ from_ns, from_ns + 7, false });
	assert_true(n > ROWS / 4 && n < ROWS);
	n += check_stretch(
		&f, (struct switch_merge_window){ .from_ns = from_ns, .to_the_end = true });
	assert_int_equal(n, ROWS);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_gives_nothing),
		cmocka_unit_test(runs_of_cpus_are_merged),
		cmocka_unit_test(rows_of_one_time_are_in_order_too),
		cmocka_unit_test(an_unordered_log_is_sorted),
		cmocka_unit_test(rows_may_be_any_time_apart),
		cmocka_unit_test(windows_divide_the_rows),
		cmocka_unit_test(a_return_is_first_at_its_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
