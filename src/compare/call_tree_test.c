#include "compare/call_tree.h"

#include "model/profile_for_test.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* "c 5/0|b 3/0|main 3/3": names with total and self, in order, indented by depth. */
static void assert_tree(struct span folded, const char *function,
	struct profile *(*make)(struct costs *c, const bool *marked), const char *expected)
{
	struct test_profile t;
	struct costs c;
	struct profile *tree;
	struct buf text = { 0 };
	bool *marked;
	uint32_t i;

	costs_init(&c, test_profile_from_folded(&t, folded));
	marked = xcalloc(c.functions.n + 1, sizeof(*marked));
	for (i = 0; i < c.functions.n; i++)
		marked[i] = span_eq(functions_name(&c.functions, i), span_of(function));
	tree = make(&c, marked);
	for (i = 1; i < tree->n_nodes; i++) {
		const struct node *n = &tree->nodes[i];

		buf_printf(&text, "%*s", (int)n->depth - 1, "");
		profile_put_name(tree, n->frame, &text);
		buf_printf(&text, " %d/%d\n", (int)n->total, (int)n->self);
		assert_int_equal(tree->nodes[n->parent].depth + 1, n->depth);
	}
	assert_string_equal(buf_str(&text), expected);
	assert_int_equal(tree->nodes[0].subtree, tree->n_nodes);
	buf_release(&text);
	free(marked);
	profile_free(tree);
	costs_release(&c);
	test_profile_release(&t);
}

#define STACKS SPAN("main;a;c;x 2\nmain;b;c 3\nmain;d 7\n")

static void callers_lead_outwards(void **state)
{
	(void)state;
	assert_tree(
		STACKS, "c", call_tree_callers, "c 5/0\n a 2/0\n  main 2/2\n b 3/0\n  main 3/3\n");
}

static void callees_are_merged(void **state)
{
	(void)state;
	assert_tree(STACKS, "c", call_tree_callees, "c 5/3\n x 2/2\n");
	assert_tree(STACKS, "main", call_tree_callees,
		"main 12/0\n a 2/0\n  c 2/0\n   x 2/2\n b 3/0\n  c 3/3\n d 7/7\n");
}

static void stacks_are_turned_around(void **state)
{
	struct test_profile t;
	struct costs c;
	struct profile *tree;
	struct buf text = { 0 };
	uint32_t i;

	(void)state;
	costs_init(&c,
		test_profile_from_folded(&t, SPAN("main;a;x 2\nmain;b;x 3\nmain;x;x 1\nmain 4\n")));
	tree = call_tree_reversed(&c);
	for (i = 1; i < tree->n_nodes; i++) {
		buf_printf(&text, "%*s", (int)tree->nodes[i].depth - 1, "");
		profile_put_name(tree, tree->nodes[i].frame, &text);
		buf_printf(&text, " %d\n", (int)tree->nodes[i].total);
	}
	assert_string_equal(
		buf_str(&text), "main 4\nx 6\n a 2\n  main 2\n b 3\n  main 3\n x 1\n  main 1\n");
	assert_int_equal(tree->nodes[0].total, 10);
	buf_release(&text);
	profile_free(tree);
	costs_release(&c);
	test_profile_release(&t);
}

static void recursion_counts_once(void **state)
{
	(void)state;
	assert_tree(SPAN("main;f;g;f 4\nmain;f 1\n"), "f", call_tree_callers, "f 5/0\n main 5/5\n");
	assert_tree(SPAN("main;f;g;f 4\nmain;f 1\n"), "f", call_tree_callees,
		"f 5/1\n g 4/0\n  f 4/4\n");
}

static void stacks_without_frames_have_no_callers(void **state)
{
	(void)state;
	assert_tree(SPAN(" 4\nmain 1\n"), "[empty]", call_tree_callers, "[empty] 4/4\n");
	assert_tree(SPAN(" 4\nmain 1\n"), "[empty]", call_tree_callees, "[empty] 4/4\n");
}

static void no_function_makes_an_empty_tree(void **state)
{
	(void)state;
	assert_tree(STACKS, "nothing", call_tree_callers, "");
	assert_tree(STACKS, "nothing", call_tree_callees, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callers_lead_outwards),
		cmocka_unit_test(callees_are_merged),
		cmocka_unit_test(stacks_are_turned_around),
		cmocka_unit_test(recursion_counts_once),
		cmocka_unit_test(stacks_without_frames_have_no_callers),
		cmocka_unit_test(no_function_makes_an_empty_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
