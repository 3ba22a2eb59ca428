#include "output/output_formats.h"

#include "output/output_for_test.h"

#include <stdio.h>

static void check_written(const struct profile *p, const char *expected)
{
	struct buf text = { 0 };

	write_output(&folded_format, p, NULL, &text);
	assert_string_equal(buf_str(&text), expected);
	buf_release(&text);
}

static void check_folded(const char *folded, const char *expected)
{
	struct test_profile t;

	check_written(test_profile_from_folded(&t, span_of(folded)), expected);
	test_profile_release(&t);
}

static void stacks_become_lines_with_their_own_weight(void **state)
{
	(void)state;
	check_folded("a;b;c 3\na;b 2\na;d 1\n", "a;b 2\na;b;c 3\na;d 1\n");
}

static void lines_are_in_the_order_of_their_bytes(void **state)
{
	(void)state;
	check_folded("main;foo;baz 2\nmain;foo::bar;x 3\nmain;foo 5\nmain;foo::bar 1\n",
		"main;foo 5\nmain;foo::bar 1\nmain;foo::bar;x 3\nmain;foo;baz 2\n");
}

static void a_stack_without_weight_makes_no_line(void **state)
{
	(void)state;
	check_folded("a;b 0\na 1\n", "a 1\n");
}

static void weight_without_frames_is_kept(void **state)
{
	struct test_profile t;

	(void)state;
	test_profile_init(&t);
	test_profile_add(&t, SPAN(""), 7);
	test_profile_add(&t, SPAN("a"), 1);
	test_profile_add(&t, SPAN("Z"), 2);
	check_written(test_profile_finish(&t), "Z 2\n[empty] 7\na 1\n");
	test_profile_release(&t);
}

static void an_empty_profile_makes_an_empty_file(void **state)
{
	(void)state;
	check_folded("", "");
}

static void a_name_cannot_end_a_line_or_a_frame(void **state)
{
	struct test_profile t;
	frame_id f;

	(void)state;
	test_profile_init(&t);
	f = test_frame(&t, SPAN("a\nb 9\nx;y"), FRAME_USER);
	test_profile_add_frames(&t, &f, 1, 4);
	check_written(test_profile_finish(&t), "a b 9 x:y 4\n");
	test_profile_release(&t);
}

static void a_stack_of_a_hundred_thousand_frames_is_written(void **state)
{
	enum { DEPTH = 100000 };
	struct test_profile t;
	struct buf text = { 0 }, expected = { 0 };
	const struct profile *p;
	int i;

	(void)state;
	for (i = 0; i < DEPTH; i++)
		buf_puts(&text, i ? ";f" : "f");
	buf_put_span(&expected, buf_span(&text));
	buf_puts(&expected, " 1\n");
	test_profile_init(&t);
	test_profile_add(&t, buf_span(&text), 1);
	p = test_profile_finish(&t);
	assert_int_equal(p->max_depth, DEPTH);
	check_written(p, buf_str(&expected));
	buf_release(&text);
	buf_release(&expected);
	test_profile_release(&t);
}

static int line_cmp(const void *a, const void *b)
{
	return span_cmp(*(const struct span *)a, *(const struct span *)b);
}

/* Every subset of a few frames that are hard to order, against a plain sort of the stacks. */
static void the_order_is_that_of_a_sort_of_whole_stacks(void **state)
{
	static const char *const names[] = { "a", "a b", "a:b", "a-b", "ab", "a(b)", "a.b", "A" };
	struct test_profile t;
	struct buf expected = { 0 };
	struct span stacks[512];
	char texts[512][32];
	size_t n = 0, i, j, k;

	(void)state;
	test_profile_init(&t);
	for (i = 0; i < ARRAY_LEN(names); i++)
		for (j = 0; j <= ARRAY_LEN(names); j++)
			for (k = 0; k < 2; k++) {
				snprintf(texts[n], sizeof(texts[n]), "%s%s%s%s", names[i],
					j < ARRAY_LEN(names) ? ";" : "",
					j < ARRAY_LEN(names) ? names[j] : "", k ? ";a" : "");
				if ((i + j + k) % 3 == 0)
					continue;
				stacks[n] = span_of(texts[n]);
				n++;
			}
	for (i = 0; i < n; i++)
		test_profile_add(&t, stacks[i], 1);
	qsort(stacks, n, sizeof(*stacks), line_cmp);
	for (i = 0; i < n; i = j) {
		for (j = i; j < n && span_eq(stacks[i], stacks[j]); j++)
			;
		buf_put_span(&expected, stacks[i]);
		buf_printf(&expected, " %zu\n", j - i);
	}
	check_written(test_profile_finish(&t), buf_str(&expected));
	buf_release(&expected);
	test_profile_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_become_lines_with_their_own_weight),
		cmocka_unit_test(lines_are_in_the_order_of_their_bytes),
		cmocka_unit_test(a_stack_without_weight_makes_no_line),
		cmocka_unit_test(weight_without_frames_is_kept),
		cmocka_unit_test(an_empty_profile_makes_an_empty_file),
		cmocka_unit_test(a_name_cannot_end_a_line_or_a_frame),
		cmocka_unit_test(a_stack_of_a_hundred_thousand_frames_is_written),
		cmocka_unit_test(the_order_is_that_of_a_sort_of_whole_stacks),
	};

	return cmocka_run_group_tests_name("folded", tests, NULL, NULL);
}
