/*
 * A tree of numbers: what was put in is found, walked once, and weighs what was counted.
 */
#include "model/tree.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint32_t random_below(uint64_t *state, uint32_t n)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % n;
}

static void a_child_is_made_once(void **state)
{
	struct tree t;
	uint32_t child[50], i;

	(void)state;
	tree_init(&t);
	for (i = 0; i < 50; i++)
		child[i] = tree_child(&t, 0, 7 * i);
	assert_int_equal(t.n, 51);
	for (i = 0; i < 50; i++) {
		assert_int_equal(tree_child(&t, 0, 7 * i), child[i]);
		assert_int_equal(t.nodes[child[i]].what, 7 * i);
		assert_int_equal(tree_child(&t, child[i], 3), 51 + i);
	}
	tree_release(&t);
}

static void weights_of_a_node_add_up_and_do_not_wrap(void **state)
{
	struct tree t;
	uint32_t a, b;

	(void)state;
	tree_init(&t);
	a = tree_child(&t, 0, 1);
	b = tree_child(&t, a, 2);
	tree_add(&t, b, 10, 1);
	tree_add(&t, b, 5, 2);
	tree_seal(&t);
	tree_add(&t, 0, UINT64_MAX - 1, 1);
	tree_add(&t, 0, 2, 1);
	assert_int_equal(tree_self(&t, b).weight, 15);
	assert_int_equal(tree_self(&t, b).samples, 3);
	assert_int_equal(tree_self(&t, a).weight, 0);
	assert_true(tree_self(&t, 0).weight == UINT64_MAX);
	tree_release(&t);
}

static void a_walk_visits_every_node_once_after_its_parent(void **state)
{
	uint32_t at = 0, left, met = 0, depth = 0, i, *open;
	uint64_t random = 3;
	struct tree t;

	(void)state;
	tree_init(&t);
	for (i = 0; i < 5000; i++)
		tree_child(&t, random_below(&random, t.n), random_below(&random, 40));
	open = xcalloc(t.n, sizeof(*open));
	while ((at = tree_next(&t, at, &left))) {
		assert_true(left <= depth);
		depth -= left;
		assert_int_equal(t.nodes[at].parent, open[depth]);
		open[++depth] = at;
		met++;
	}
	assert_int_equal(met, t.n - 1);
	assert_int_equal(left, depth);
	free(open);
	tree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_is_made_once),
		cmocka_unit_test(weights_of_a_node_add_up_and_do_not_wrap),
		cmocka_unit_test(a_walk_visits_every_node_once_after_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
