#include "output/picture/picture_layout.h"

#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static const struct output_opts no_opts;

/* Boxes as text: "depth:name@start+weight", root first; "(n)" for n that are too narrow. */
static void check_layout(const struct profile *p, enum picture_layout_order order,
	double min_weight, const char *expected)
{
	struct display_names names;
	struct picture_layout l;
	struct buf text = { 0 };
	size_t i;

	display_names_init(&names, p);
	picture_layout_make(&l, &no_opts, &names, order, min_weight);
	for (i = 0; i < l.n; i++) {
		const struct box *b = &l.boxes[i];
		struct span name = b->depth ? display_names_get(&names, b->name) : SPAN("all");
		char small[32];

		snprintf(small, sizeof(small), "(%u)", b->small);
		name = b->small ? span_of(small) : name;
		buf_printf(&text, "%s%u:%.*s@%llu+%llu", i ? " " : "", b->depth, SPAN_ARG(name),
			(unsigned long long)b->start, (unsigned long long)b->weight);
	}
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
	picture_layout_release(&l);
	display_names_release(&names);
}

static void check_folded(const char *folded, enum picture_layout_order order, double min_weight,
	const char *expected)
{
	struct test_profile t;

	check_layout(test_profile_from_folded(&t, span_of(folded)), order, min_weight, expected);
	test_profile_release(&t);
}

static void a_frame_is_on_its_caller_after_the_callers_self_weight(void **state)
{
	(void)state;
	check_folded("a;b 3\na 2\na;c;d 4\ne 1\n", LAYOUT_MERGED, 0,
		"0:all@0+10 1:a@0+9 2:b@2+3 2:c@5+4 3:d@5+4 1:e@9+1");
}

static void siblings_are_in_the_order_of_sorted_lines(void **state)
{
	(void)state;
	check_folded("m;foo 5\nm;foo::bar 1\nm;foo-x;y 2\n", LAYOUT_MERGED, 0,
		"0:all@0+8 1:m@0+8 2:foo@0+5 2:foo-x@5+2 3:y@5+2 2:foo::bar@7+1");
	check_folded("m;foo;z 5\nm;foo::bar 1\nm;foo-x;y 2\n", LAYOUT_MERGED, 0,
		"0:all@0+8 1:m@0+8 2:foo-x@0+2 3:y@0+2 2:foo::bar@2+1 2:foo@3+5 3:z@3+5");
}

/* A sort of lines has foo::bar between foo's own line and those above it. */
static void a_function_is_drawn_once_even_if_a_sort_of_lines_would_split_it(void **state)
{
	(void)state;
	check_folded("main;foo 5\nmain;foo::bar;x 3\nmain;foo;baz 2\n", LAYOUT_MERGED, 0,
		"0:all@0+10 1:main@0+10 2:foo@0+7 3:baz@5+2 2:foo::bar@7+3 3:x@7+3");
}

static void narrow_boxes_are_left_out_with_their_descendants(void **state)
{
	(void)state;
	check_folded(
		"a;b;c 1\na;d 2\na;e 3\n", LAYOUT_MERGED, 2, "0:all@0+6 1:a@0+6 2:d@1+2 2:e@3+3");
	check_folded("a;b;c 1\na;d 2\na;e 3\n", LAYOUT_REVERSED, 2,
		"0:all@0+6 1:d@1+2 2:a@1+2 1:e@3+3 2:a@3+3");
}

/* Neighbours on one box are one together; those apart, or on different boxes, are not. */
static void narrow_neighbours_are_one_box_with_their_number(void **state)
{
	(void)state;
	check_folded("a;b 1\na;c 1\na;c;x 1\na;d 9\na;e 1\nf;g 1\nf;h 2\n", LAYOUT_MERGED, 3,
		"0:all@0+16 1:a@0+13 2:(2)@0+3 2:d@3+9 1:f@13+3 2:(2)@13+3");
	check_folded("b;a 1\nc;a 1\nd;a 1\ne 4\n", LAYOUT_REVERSED, 3,
		"0:all@0+7 1:a@0+3 2:(3)@0+3 1:e@3+4");
	check_folded("a 1\nb 1\nc 1\nd 1\n", LAYOUT_REVERSED, 2, "0:all@0+4 1:(4)@0+4");
}

static void the_height_is_that_of_the_drawn_boxes(void **state)
{
	struct test_profile t;
	struct display_names names;
	struct picture_layout l;
	const struct profile *p;

	(void)state;
	p = test_profile_from_folded(&t, SPAN("a;b;c;d 1\na;e 9\n"));
	display_names_init(&names, p);
	picture_layout_make(&l, &no_opts, &names, LAYOUT_MERGED, 2);
	assert_int_equal(l.max_depth, 2);
	picture_layout_release(&l);
	display_names_release(&names);
	test_profile_release(&t);
}

static void reversed_stacks_merge_from_their_ends(void **state)
{
	(void)state;
	check_folded("a;x;f 1\nb;x;f 2\na;f 4\nf 8\ng 16\n", LAYOUT_REVERSED, 0,
		"0:all@0+31 1:f@0+15 2:a@8+4 2:x@12+3 3:a@12+1 3:b@13+2 1:g@15+16");
}

static void reversed_siblings_are_in_the_order_of_sorted_lines_too(void **state)
{
	(void)state;
	check_folded("a;f 1\na-b;f 1\nz;a;g 1\nz;a-b;g 1\n", LAYOUT_REVERSED, 0,
		"0:all@0+4 1:f@0+2 2:a@0+1 2:a-b@1+1 1:g@2+2 2:a-b@2+1 3:z@2+1 2:a@3+1 3:z@3+1");
}

static void a_recursion_stays_apart_when_reversed(void **state)
{
	(void)state;
	check_folded("f;f;f 1\nf 2\n", LAYOUT_REVERSED, 0, "0:all@0+3 1:f@0+3 2:f@2+1 3:f@2+1");
}

static void without_times_samples_are_in_order_and_as_wide_as_their_weight(void **state)
{
	struct test_profile t;
	uint32_t ab, ac;

	(void)state;
	test_profile_init(&t);
	ab = test_profile_add(&t, SPAN("a;b"), 5);
	ac = test_profile_add(&t, SPAN("a;c"), 2);
	test_profile_row(&t, ab, 0, 1);
	test_profile_row(&t, ab, 0, 1);
	test_profile_row(&t, ac, 0, 2);
	test_profile_row(&t, ab, 0, 3);
	assert_false(picture_layout_is_time(test_profile_finish(&t), LAYOUT_TIME));
	check_layout(&t.p, LAYOUT_TIME, 0, "0:all@0+7 1:a@0+7 2:b@0+2 2:c@2+2 2:b@4+3");
	test_profile_release(&t);
}

/* Thread 1 waits between its two samples. Threads follow one another without a gap. */
static void samples_are_as_wide_as_their_time_and_waiting_is_a_gap(void **state)
{
	struct test_profile t;
	uint32_t ab, ac;

	(void)state;
	test_profile_init(&t);
	ab = test_profile_add(&t, SPAN("a;b"), 5);
	ac = test_profile_add(&t, SPAN("a;c"), 2);
	t.p.period_ns = 10;
	test_profile_thread_row(&t, 0, ab, 100, 1);
	test_profile_thread_row(&t, 0, ab, 110, 1);
	test_profile_thread_row(&t, 0, ac, 121, 2);
	test_profile_thread_row(&t, 1, ab, 100, 3);
	test_profile_thread_row(&t, 1, ab, 150, 3);
	assert_true(picture_layout_is_time(test_profile_finish(&t), LAYOUT_TIME));
	assert_false(picture_layout_is_time(&t.p, LAYOUT_MERGED));
	check_layout(&t.p, LAYOUT_TIME, 0,
		"0:all@0+91 1:a@0+31 2:b@0+21 2:c@21+10 1:a@31+10 2:b@31+10 1:a@81+10 2:b@81+10");
	test_profile_release(&t);
}

static void rows_that_last_have_gaps_between_them(void **state)
{
	struct test_profile t;
	uint32_t ab;

	(void)state;
	test_profile_init(&t);
	ab = test_profile_add(&t, SPAN("a;b"), 12);
	t.p.rows_have_duration = true;
	test_profile_thread_row(&t, 0, ab, 10, 5);
	test_profile_thread_row(&t, 0, ab, 15, 2);
	test_profile_thread_row(&t, 0, ab, 20, 4);
	test_profile_thread_row(&t, 1, ab, 50, 1); /* another thread begins at once */
	check_layout(test_profile_finish(&t), LAYOUT_TIME, 0,
		"0:all@0+15 1:a@0+7 2:b@0+7 1:a@10+4 2:b@10+4 1:a@14+1 2:b@14+1");
	test_profile_release(&t);
}

static void stacks_without_frames_keep_their_width(void **state)
{
	struct test_profile t;
	const struct profile *p;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN(""), 3);
	test_profile_add(&t, SPAN("a"), 1);
	p = test_profile_finish(&t);
	check_layout(p, LAYOUT_MERGED, 0, "0:all@0+4 1:a@3+1");
	check_layout(p, LAYOUT_REVERSED, 0, "0:all@0+4 1:a@3+1");
	test_profile_release(&t);
}

static void an_empty_profile_has_no_box(void **state)
{
	(void)state;
	check_folded("", LAYOUT_MERGED, 0, "");
	check_folded("a;b 0\na 1\n", LAYOUT_MERGED, 0, "0:all@0+1 1:a@0+1");
	check_folded("a;b 0\n", LAYOUT_REVERSED, 0, "");
}

static void frames_above_a_separator_are_wakers(void **state)
{
	struct test_profile t;
	struct display_names names;
	struct picture_layout l;
	const struct profile *p;
	size_t i;

	(void)state;
	p = test_profile_from_folded(&t, SPAN("a;b;--;c;d 1\n"));
	display_names_init(&names, p);
	picture_layout_make(&l, &no_opts, &names, LAYOUT_MERGED, 0);
	assert_int_equal(l.n, 6);
	for (i = 0; i < l.n; i++)
		assert_int_equal(l.boxes[i].waker, i > 3);
	picture_layout_release(&l);
	display_names_release(&names);
	test_profile_release(&t);
}

/* A stack of n frames f, with something beside the innermost. */
static void make_deep(struct test_profile *t, unsigned n, const char *end)
{
	struct buf text = { 0 };
	unsigned i;

	buf_puts(&text, "main");
	for (i = 0; i < n; i++)
		buf_printf(&text, ";f%u", i);
	buf_printf(&text, "%s 5\n", end);
	test_profile_from_folded(t, buf_span(&text));
	buf_release(&text);
}

/* "depth/row" of each box, with the number that a folded one stands for. */
static void check_rows(const struct profile *p, const char *expected)
{
	struct display_names names;
	struct picture_layout l;
	struct buf text = { 0 };
	size_t i;

	display_names_init(&names, p);
	picture_layout_make(&l, &no_opts, &names, LAYOUT_MERGED, 0);
	picture_layout_fold(&l);
	for (i = 0; i < l.n; i++)
		buf_printf(&text, "%u/%u*%u ", l.boxes[i].depth, l.boxes[i].row, l.boxes[i].fold);
	buf_printf(&text, "rows %u", l.n_rows);
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
	picture_layout_release(&l);
	display_names_release(&names);
}

static void a_long_run_of_frames_with_one_callee_each_is_one_row(void **state)
{
	struct test_profile t;

	(void)state;
	make_deep(&t, 247, "");
	check_rows(&t.p, "0/0*0 1/1*247 248/2*0 rows 3");
	test_profile_release(&t);
	make_deep(&t, 7, "");
	check_rows(&t.p, "0/0*0 1/1*0 2/2*0 3/3*0 4/4*0 5/5*0 6/6*0 7/7*0 8/8*0 rows 9");
	test_profile_release(&t);
	make_deep(&t, 8, "");
	check_rows(&t.p, "0/0*0 1/1*8 9/2*0 rows 3");
	test_profile_release(&t);
}

static void a_frame_that_others_branch_off_from_is_not_folded(void **state)
{
	static const char both[] = "a;b;c;d;e;f;g;h;i;x 2\na;b;c;d;e;f;g;h;i;y 3\n";
	struct test_profile t;

	(void)state;
	check_rows(
		test_profile_from_folded(&t, SPAN(both)), "0/0*0 1/1*8 9/2*0 10/3*0 10/3*0 rows 4");
	test_profile_release(&t);
	check_rows(test_profile_from_folded(&t, SPAN("a;b;c;d;e;f;g;h;i;j;k 2\nx 1\n")),
		"0/0*0 1/1*0 2/2*0 3/3*0 4/4*0 5/5*0 6/6*0 7/7*0 8/8*0 9/9*0 10/10*0 11/11*0 1/1*0 "
		"rows 12");
	test_profile_release(&t);
	check_rows(test_profile_from_folded(&t, SPAN("")), "rows 0");
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_long_run_of_frames_with_one_callee_each_is_one_row),
		cmocka_unit_test(a_frame_that_others_branch_off_from_is_not_folded),
		cmocka_unit_test(a_frame_is_on_its_caller_after_the_callers_self_weight),
		cmocka_unit_test(siblings_are_in_the_order_of_sorted_lines),
		cmocka_unit_test(a_function_is_drawn_once_even_if_a_sort_of_lines_would_split_it),
		cmocka_unit_test(narrow_boxes_are_left_out_with_their_descendants),
		cmocka_unit_test(narrow_neighbours_are_one_box_with_their_number),
		cmocka_unit_test(the_height_is_that_of_the_drawn_boxes),
		cmocka_unit_test(reversed_stacks_merge_from_their_ends),
		cmocka_unit_test(reversed_siblings_are_in_the_order_of_sorted_lines_too),
		cmocka_unit_test(a_recursion_stays_apart_when_reversed),
		cmocka_unit_test(without_times_samples_are_in_order_and_as_wide_as_their_weight),
		cmocka_unit_test(samples_are_as_wide_as_their_time_and_waiting_is_a_gap),
		cmocka_unit_test(rows_that_last_have_gaps_between_them),
		cmocka_unit_test(stacks_without_frames_keep_their_width),
		cmocka_unit_test(an_empty_profile_has_no_box),
		cmocka_unit_test(frames_above_a_separator_are_wakers),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
