#include "model/branch_traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static void add(struct branch_traces *t, struct branch_trace trace)
{
	branch_traces_count(t, branch_traces_find(t, &trace), trace.count, trace.mispredicted);
}

static struct branch_trace trace(uint64_t from, uint64_t to, uint64_t next)
{
	return (struct branch_trace){ from, to, next, 1, 1, BRANCH_ANY, 1, 0 };
}

static void equal_traces_are_one(void **state)
{
	struct branch_traces *t = branch_traces_new();
	struct branch_trace a = trace(1, 2, 3);

	(void)state;
	add(t, a);
	a.mispredicted = 1;
	add(t, a);
	assert_int_equal(t->n, 1);
	assert_int_equal(t->row[0].count, 2);
	assert_int_equal(t->row[0].mispredicted, 1);
	branch_traces_free(t);
}

static void each_part_of_the_key_makes_a_trace_another(void **state)
{
	const struct branch_trace a = trace(1, 2, 3);
	struct branch_trace other[6] = { a, a, a, a, a, a };
	struct branch_traces *t = branch_traces_new();
	int i;

	(void)state;
	other[0].from = 9;
	other[1].to = 9;
	other[2].next = BRANCH_NO_NEXT;
	other[3].from_module = 9;
	other[4].to_module = 9;
	other[5].reading = BRANCH_RESUMED;
	add(t, a);
	for (i = 0; i < 6; i++)
		add(t, other[i]);
	assert_int_equal(t->n, 7);
	branch_traces_free(t);
}

static void counts_do_not_overflow(void **state)
{
	struct branch_traces *t = branch_traces_new();
	struct branch_trace a = trace(1, 2, 3);

	(void)state;
	a.count = a.mispredicted = UINT64_MAX - 1;
	add(t, a);
	add(t, a);
	assert_true(t->row[0].count == UINT64_MAX);
	assert_true(t->row[0].mispredicted == UINT64_MAX);
	branch_traces_free(t);
}

/* Two ways to share the same traces out among workers. */
static void a_merged_table_does_not_depend_on_who_counted_what(void **state)
{
	struct branch_traces *one = branch_traces_new(), *a = branch_traces_new(),
			     *b = branch_traces_new();
	uint64_t i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		struct branch_trace t = trace(i * 7 % 31, i * 11 % 17, i * 13 % 5);

		t.reading = (uint8_t)(i % 3);
		t.from_module = (module_id)(i % 2);
		add(one, t);
		add(i % 3 ? a : b, t);
	}
	one->totals.entries = 1000;
	a->totals.entries = 600;
	b->totals.entries = 400;
	branch_traces_merge(b, a);
	assert_int_equal(a->n, 0);
	assert_int_equal(a->totals.entries, 0);
	branch_traces_sort(one);
	branch_traces_sort(b);
	assert_int_equal(b->totals.entries, 1000);
	assert_int_equal(one->n, b->n);
	for (i = 0; i < one->n; i++) {
		assert_int_equal(one->row[i].from, b->row[i].from);
		assert_int_equal(one->row[i].to, b->row[i].to);
		assert_int_equal(one->row[i].next, b->row[i].next);
		assert_int_equal(one->row[i].count, b->row[i].count);
	}
	branch_traces_free(one);
	branch_traces_free(a);
	branch_traces_free(b);
}

static void rows_are_sorted_by_target_then_range(void **state)
{
	struct branch_traces *t = branch_traces_new();

	(void)state;
	add(t, trace(1, 5, BRANCH_NO_NEXT));
	add(t, trace(2, 5, 9));
	add(t, trace(1, 5, 9));
	add(t, trace(7, 4, 9));
	branch_traces_sort(t);
	assert_int_equal(t->row[0].to, 4);
	assert_int_equal(t->row[1].from, 1);
	assert_int_equal(t->row[2].from, 2);
	assert_true(t->row[3].next == BRANCH_NO_NEXT);
	branch_traces_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_traces_are_one),
		cmocka_unit_test(each_part_of_the_key_makes_a_trace_another),
		cmocka_unit_test(counts_do_not_overflow),
		cmocka_unit_test(a_merged_table_does_not_depend_on_who_counted_what),
		cmocka_unit_test(rows_are_sorted_by_target_then_range),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
