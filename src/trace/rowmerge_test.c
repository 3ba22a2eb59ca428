#include "trace/rowmerge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { LOGS = 3, ROWS = 5000 };

struct fixture {
	struct switch_log logs[LOGS];
	uint64_t random;
};

static void add(struct fixture *f, unsigned log, uint64_t ns, enum switch_kind kind, int32_t tid)
{
	switch_log_add(&f->logs[log],
		&(struct switch_row){
			.time_ns = ns, .kind = kind, .tid = tid, .other_tid = SWITCH_NOBODY });
}

static uint64_t next_random(struct fixture *f)
{
	f->random = f->random * 6364136223846793005u + 1442695040888963407u;
	return f->random >> 33;
}

/* All rows come, in order, each once: how many there were. */
static size_t check_order(struct fixture *f)
{
	const struct switch_row *row;
	struct switch_row last = { 0 };
	struct switch_place at;
	struct row_merge m;
	size_t n = 0;
	unsigned i;

	row_merge_init(&m, f->logs, LOGS);
	for (; (row = row_merge_next(&m, &at)); n++) {
		assert_true(row->time_ns > last.time_ns ||
			    (row->time_ns == last.time_ns && row->kind >= last.kind));
		assert_ptr_equal(row, &f->logs[at.log].rows[at.row]);
		assert_int_equal(row->stack, 0);
		f->logs[at.log].rows[at.row].stack = 1;
		last = *row;
	}
	row_merge_release(&m);
	for (i = 0; i < LOGS; i++)
		switch_log_release(&f->logs[i]);
	return n;
}

static void nothing_gives_nothing(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	assert_int_equal(check_order(&f), 0);
}

static void stretches_of_processors_are_merged(void **state)
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

static void a_log_in_disorder_is_sorted(void **state)
{
	struct fixture f = { .random = 1 };
	unsigned i;

	(void)state;
	for (i = 0; i < ROWS; i++)
		add(&f, i % 2, next_random(&f) % 1000, i % 3 ? SWITCH_OUT : SWITCH_IN, (int32_t)i);
	assert_int_equal(check_order(&f), ROWS);
}

static void who_comes_back_does_so_before_anything_else(void **state)
{
	struct fixture f = { 0 };
	struct switch_place at;
	struct row_merge m;

	(void)state;
	add(&f, 0, 10, SWITCH_RAN, 1);
	add(&f, 1, 10, SWITCH_OUT, 1);
	add(&f, 2, 10, SWITCH_IN, 1);
	row_merge_init(&m, f.logs, LOGS);
	assert_int_equal(row_merge_next(&m, &at)->kind, SWITCH_IN);
	assert_int_equal(row_merge_next(&m, &at)->kind, SWITCH_OUT);
	assert_int_equal(row_merge_next(&m, &at)->kind, SWITCH_RAN);
	assert_null(row_merge_next(&m, &at));
	assert_null(row_merge_next(&m, &at));
	row_merge_release(&m);
	assert_int_equal(check_order(&f), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_gives_nothing),
		cmocka_unit_test(stretches_of_processors_are_merged),
		cmocka_unit_test(a_log_in_disorder_is_sorted),
		cmocka_unit_test(who_comes_back_does_so_before_anything_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
