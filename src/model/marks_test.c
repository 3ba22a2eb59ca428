#include "model/marks.h"

#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void add(struct marks *m, uint64_t time_ns, uint64_t position, int32_t tid)
{
	marks_add(m, &(struct mark){ .time_ns = time_ns,
			     .position = position,
			     .thread = timeline_thread(m->threads, 1, tid, 0, 0) });
}

static void put_number(struct marks *m, uint32_t field, uint64_t number)
{
	marks_add_value(
		m, field, &(struct field_value){ .has_number = true, .number = number }, NULL);
}

static void values_are_found_by_their_field(void **state)
{
	struct strtab *strings = strtab_new();
	struct marks *m = marks_new();
	uint64_t v;

	(void)state;
	add(m, 1, 0, 7);
	put_number(m, 1, 42);
	marks_add_value(
		m, 4, &(struct field_value){ .has_text = true, .text = SPAN("x") }, strings);
	marks_add_value(m, 5, &(struct field_value){ 0 }, strings);
	add(m, 2, 0, 7);
	put_number(m, 0, 43);
	assert_false(marks_value(m, &m->mark[0], 0, &v));
	assert_true(marks_value(m, &m->mark[0], 1, &v));
	assert_int_equal(v, 42);
	assert_true(marks_value(m, &m->mark[0], 4, &v));
	assert_true(marks_is_string(&m->mark[0], 4));
	assert_string_equal(strtab_str(strings, (str_id)v), "x");
	assert_false(marks_value(m, &m->mark[0], 5, &v));
	assert_true(marks_value(m, &m->mark[1], 0, &v));
	assert_int_equal(v, 43);
	marks_free(m);
	strtab_free(strings);
}

static void lists_become_one_in_order_of_time_then_place(void **state)
{
	struct marks *parts[3] = { marks_new(), marks_new(), marks_new() }, *all;
	uint64_t v;

	(void)state;
	add(parts[0], 30, 1, 7);
	put_number(parts[0], 0, 300);
	add(parts[2], 10, 9, 8);
	add(parts[2], 30, 0, 7);
	put_number(parts[2], 0, 200);
	all = marks_merge(parts, 3);
	assert_int_equal(all->n, 3);
	assert_int_equal(all->mark[0].time_ns, 10);
	assert_int_equal(all->threads->threads[all->mark[0].thread].tid, 8);
	assert_true(marks_value(all, &all->mark[1], 0, &v));
	assert_int_equal(v, 200);
	assert_int_equal(all->threads->threads[all->mark[1].thread].tid, 7);
	assert_true(marks_value(all, &all->mark[2], 0, &v));
	assert_int_equal(v, 300);
	assert_int_equal(all->mark[1].thread, all->mark[2].thread);
	marks_free(all);
}

static void losses_follow_the_mark_before_them(void **state)
{
	struct marks *parts[2] = { marks_new(), marks_new() };
	struct mark_gap *gaps;
	size_t n;

	(void)state;
	add(parts[0], 50, 0, 7);
	marks_add_gap(parts[0], 60);
	marks_add_gap(parts[1], 20); /* of what came before nothing is known */
	add(parts[1], 55, 0, 7);
	marks_add_gap(parts[1], 70);
	gaps = marks_merge_gaps(parts, 2, &n);
	assert_int_equal(n, 2);
	assert_int_equal(gaps[0].from_ns, 0);
	assert_int_equal(gaps[0].to_ns, 20);
	assert_int_equal(gaps[1].from_ns, 50);
	assert_int_equal(gaps[1].to_ns, 70);
	free(gaps);
	marks_free(parts[0]);
	marks_free(parts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_by_their_field),
		cmocka_unit_test(losses_follow_the_mark_before_them),
		cmocka_unit_test(lists_become_one_in_order_of_time_then_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
