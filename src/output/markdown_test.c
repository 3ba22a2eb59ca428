#include "output/output_formats.h"
#include "output/output_for_test.h"

#include <stdio.h>

static char *page_of(struct span folded, unsigned tokens)
{
	struct output_opts o = { .page_tokens = tokens };
	struct test_profile t;
	struct buf text = { 0 };
	char *page;

	test_profile_from_folded(&t, folded);
	write_output(&markdown_format, &t.p, &o, &text);
	page = xstrdup(buf_str(&text));
	buf_release(&text);
	test_profile_release(&t);
	return page;
}

static void assert_page_has(struct span folded, const char *line)
{
	char *page = page_of(folded, 0);

	if (!strstr(page, line))
		fail_msg("no \"%s\" in\n%s", line, page);
	free(page);
}

#define STACKS                                                                                     \
	SPAN("main;run;parse;malloc 30\nmain;run;parse 20\nmain;run;print 40\nmain;exit 10\n")

static void the_hottest_function_is_named_first(void **state)
{
	(void)state;
	assert_page_has(STACKS, "- most time in one function itself: 40.0% in `print`\n");
}

static void the_innermost_caller_of_half_is_named(void **state)
{
	(void)state;
	assert_page_has(STACKS,
		"- innermost caller of at least half of everything: `parse`, with 50.0% total\n");
}

static void a_hot_function_is_not_its_own_caller(void **state)
{
	char *page = page_of(SPAN("main;spin 90\nmain 10\n"), 0);

	(void)state;
	assert_null(strstr(page, "innermost caller"));
	free(page);
}

static void what_functions_are_known_to_do_is_added_up(void **state)
{
	(void)state;
	assert_page_has(STACKS, "- memory allocation: 30.0% (`malloc` and the like)\n");
	assert_page_has(SPAN("main;malloc;_int_malloc;memset 3\nmain;free 1\nmain 6\n"),
		"- memory allocation: 40.0% (");
}

static void functions_have_their_shares(void **state)
{
	(void)state;
	assert_page_has(STACKS, "- 20.0% self, 50.0% total: `parse`\n");
	assert_page_has(STACKS, "## Functions by total, from 50.0% down; 2 more lead there\n");
}

static void paths_lead_to_hot_functions(void **state)
{
	(void)state;
	assert_page_has(STACKS, "- 40.0% self by `main` > `run` > `print`\n");
	assert_page_has(SPAN("a;b;c;d;e;f;g;h;i;j;k 1\n"),
		"self by `a` > ... > `e` > `f` > `g` > `h` > `i` > `j` > `k`\n");
	assert_page_has(SPAN("a;r;r;r;z 1\n"), "self by `a` > `r` (3 times) > `z`\n");
}

static void what_is_left_out_is_counted_in_words(void **state)
{
	struct buf folded = { 0 };
	char *page;
	int i;

	(void)state;
	for (i = 0; i < 4; i++)
		buf_printf(&folded, "main;f%d %d\n", i, 10 + i);
	page = page_of(buf_span(&folded), 1);
	assert_non_null(strstr(page, "- and 3 more functions\n"));
	free(page);
	page = page_of(SPAN("main;a 1\nmain;b 1\n"), 1);
	assert_non_null(strstr(page, "- and 1 more function\n"));
	free(page);
	buf_release(&folded);
}

static void the_tree_has_the_most_expensive_first(void **state)
{
	(void)state;
	assert_page_has(STACKS, "100.0% main\n 90.0% run\n  50.0% parse\n   30.0% malloc\n"
				"  40.0% print\n 10.0% exit\n```\n");
	assert_page_has(SPAN("a;b;b;c 4\na;b;b;c;d 4\n"), "100.0% a > b (2 times) > c\n 50.0% d\n");
}

/* A hundred frames that weigh the same are one row, whatever the room. */
static void a_deep_stack_has_a_tree(void **state)
{
	struct buf folded = { 0 };
	char *page;
	int i;

	(void)state;
	buf_puts(&folded, "twice;twice");
	for (i = 1; i <= 200; i++)
		buf_printf(&folded, ";f%d", i);
	buf_puts(&folded, " 100\n");
	assert_page_has(buf_span(&folded),
		"total, from 1.0%\n\n```\n100.0% twice (2 times) > f1 > f2 > f3 > f4 > f5 > f6 > "
		"f7 > "
		"... > "
		"f193 > f194 > f195 > f196 > f197 > f198 > f199 > f200\n```\n");
	assert_page_has(buf_span(&folded), "self by `twice` (2 times) > ... > `f194` > ");
	page = page_of(buf_span(&folded), 100);
	assert_non_null(strstr(page, "\n100.0% twice (2 times) > f1 > "));
	free(page);
	buf_release(&folded);
}

/* Of four at 25% three have room. */
static void equals_in_the_tree_are_shown_as_far_as_there_is_room(void **state)
{
	char *page = page_of(SPAN("b;c 1\nd;e 1\nf;g 1\nh;i 1\n"), 100);

	(void)state;
	assert_non_null(strstr(page, "total, from 25.0%\n\n```\n25.0% b > c\n25.0% d > e\n"
				     "25.0% f > g\n```\n\n- and 1 more branch from 25.0% on\n"));
	free(page);
}

static void names_cannot_leave_their_place(void **state)
{
	char *page = page_of(SPAN("a`b;```;<script>alert(1)</script>;@all 10\n"), 0);

	(void)state;
	assert_non_null(strstr(page, "`` a`b ``"));
	assert_non_null(strstr(page, "\n````\n")); /* the fence */
	assert_non_null(strstr(page, "`<script>alert(1)</script>`"));
	assert_non_null(strstr(page, "`@all`"));
	free(page);
}

static void long_names_keep_both_ends(void **state)
{
	char name[401] = { 0 }, line[410], *page;

	(void)state;
	memset(name, 'x', 400);
	memcpy(name, "begin", 5);
	memcpy(name + 395, "finis", 5);
	snprintf(line, sizeof(line), "%s 5\n", name);
	page = page_of(span_of(line), 0);
	assert_non_null(strstr(page, "`beginxxxx"));
	assert_non_null(strstr(page, "xxxfinis`"));
	assert_null(strstr(page, name));
	free(page);
}

/* A thousand functions: about four characters are a token. */
static void a_page_keeps_to_its_tokens(void **state)
{
	struct buf folded = { 0 };
	char *small, *large;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		buf_printf(&folded, "main;caller_%d;function_number_%d %d\n", i % 37, i, i + 1);
	small = page_of(buf_span(&folded), 500);
	large = page_of(buf_span(&folded), 4000);
	assert_in_range(strlen(small), 500, 2000);
	assert_in_range(strlen(large), 3000, 16000);
	assert_non_null(strstr(small, " more functions\n"));
	free(small);
	free(large);
	buf_release(&folded);
}

static void an_empty_profile_has_a_page(void **state)
{
	(void)state;
	assert_page_has(SPAN(""), "## At a glance\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_hottest_function_is_named_first),
		cmocka_unit_test(the_innermost_caller_of_half_is_named),
		cmocka_unit_test(a_hot_function_is_not_its_own_caller),
		cmocka_unit_test(what_functions_are_known_to_do_is_added_up),
		cmocka_unit_test(functions_have_their_shares),
		cmocka_unit_test(paths_lead_to_hot_functions),
		cmocka_unit_test(the_tree_has_the_most_expensive_first),
		cmocka_unit_test(what_is_left_out_is_counted_in_words),
		cmocka_unit_test(a_deep_stack_has_a_tree),
		cmocka_unit_test(equals_in_the_tree_are_shown_as_far_as_there_is_room),
		cmocka_unit_test(names_cannot_leave_their_place),
		cmocka_unit_test(long_names_keep_both_ends),
		cmocka_unit_test(a_page_keeps_to_its_tokens),
		cmocka_unit_test(an_empty_profile_has_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
