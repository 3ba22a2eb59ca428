#include "compare/branches.h"
#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

/* "b1 c2" are the names and depths of at most so many branches; "(2)" how many nodes are left. */
static void assert_branches(const char *folded, double least, unsigned most, const char *expected)
{
	struct test_profile t;
	struct branches b;
	struct branch next;
	struct buf text = { 0 };

	test_profile_from_folded(&t, span_of(folded));
	branches_init(&b, &t.p, least);
	while (most-- && branches_next(&b, &next)) {
		profile_put_name(&t.p, t.p.nodes[next.node].frame, &text);
		buf_printf(&text, "%u%s ", next.depth,
			next.siblings == 1 ? ""
			: next.is_last     ? "\\"
					   : "|");
	}
	buf_printf(&text, "(%u)", branches_rest(&b));
	assert_string_equal(buf_str(&text), expected);
	branches_release(&b);
	buf_release(&text);
	test_profile_release(&t);
}

static const char stacks[] = "a;b 1\na;c;d 5\na;e 1\nf 9\n";

static void the_most_expensive_come_first_with_all_below_them(void **state)
{
	(void)state;
	assert_branches(stacks, 0, 100, "f1| a1\\ c2| d3 b2| e2\\ (0)");
}

static void what_weighs_less_is_left_out_and_counted(void **state)
{
	(void)state;
	assert_branches(stacks, 2, 100, "f1| a1\\ c2 d3 (2)");
	assert_branches(stacks, 100, 100, "(6)");
}

static void what_is_not_asked_for_is_counted(void **state)
{
	(void)state;
	assert_branches(stacks, 0, 2, "f1| a1\\ (4)");
	assert_branches(stacks, 2, 3, "f1| a1\\ c2 (3)");
	assert_branches(stacks, 0, 0, "(6)");
}

static void nothing_has_no_branches(void **state)
{
	(void)state;
	assert_branches("", 0, 5, "(0)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_most_expensive_come_first_with_all_below_them),
		cmocka_unit_test(what_weighs_less_is_left_out_and_counted),
		cmocka_unit_test(what_is_not_asked_for_is_counted),
		cmocka_unit_test(nothing_has_no_branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
