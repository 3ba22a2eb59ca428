#include "base/rbtree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static bool before(const void *ctx, uint32_t a, uint32_t b)
{
	const uint32_t *key = ctx;

	return key[a] < key[b];
}

/* The number of black nodes on every way down from i, or -1 where the rules are broken. */
static int black_height(const struct rbtree *t, uint32_t i, bool above_is_red)
{
	const struct rbtree_node *n;
	int left, right;

	if (i == RBTREE_NONE)
		return 0;
	n = &t->node[i + 1];
	left = black_height(t, rbtree_left(t, i), n->red);
	right = black_height(t, rbtree_right(t, i), n->red);
	return left < 0 || left != right || (n->red && above_is_red) ? -1 : left + !n->red;
}

static void assert_in_order(const struct rbtree *t, const uint32_t *key, uint32_t expected)
{
	uint32_t i, last = RBTREE_NONE, n = 0;

	for (i = rbtree_first(t); i != RBTREE_NONE; i = rbtree_next(t, i)) {
		assert_true(last == RBTREE_NONE || key[last] <= key[i]);
		last = i;
		n++;
	}
	assert_int_equal(n, expected);
	assert_true(black_height(t, rbtree_root(t), true) >= 0);
}

static void an_empty_tree_has_no_first(void **state)
{
	struct rbtree t = { 0 };

	(void)state;
	assert_int_equal(rbtree_first(&t), RBTREE_NONE);
	assert_int_equal(rbtree_root(&t), RBTREE_NONE);
}

/* 0 1 2 3 4 5 6 7 in this order: the textbook's tree has 3 at the root, 1 and 5 below it. */
static void rising_keys_give_the_known_shape(void **state)
{
	static const uint32_t key[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	struct rbtree t = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < 8; i++)
		rbtree_insert(&t, i, before, key);
	assert_int_equal(rbtree_root(&t), 3);
	assert_int_equal(rbtree_left(&t, 3), 1);
	assert_int_equal(rbtree_right(&t, 3), 5);
	assert_int_equal(rbtree_right(&t, 5), 6);
	assert_int_equal(rbtree_right(&t, 6), 7);
	rbtree_release(&t);
}

static void equal_keys_go_to_the_right(void **state)
{
	static const uint32_t key[] = { 5, 5, 5 };
	struct rbtree t = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		rbtree_insert(&t, i, before, key);
	assert_int_equal(rbtree_first(&t), 0);
	assert_int_equal(rbtree_next(&t, 0), 1);
	assert_int_equal(rbtree_next(&t, 1), 2);
	rbtree_release(&t);
}

static void insertion_and_removal_keep_the_rules(void **state)
{
	enum { N = 400 };
	uint32_t key[N], order[N], seed = 7, i, k;
	struct rbtree t = { 0 };

	(void)state;
	for (i = 0; i < N; i++) {
		seed = seed * 1664525 + 1013904223;
		key[i] = seed >> 24;
		order[i] = i;
		rbtree_insert(&t, i, before, key);
		assert_in_order(&t, key, i + 1);
	}
	for (i = N - 1; i > 0; i--) {
		uint32_t other;

		seed = seed * 1664525 + 1013904223;
		k = (seed >> 8) % (i + 1);
		other = order[k];
		order[k] = order[i];
		order[i] = other;
	}
	for (i = 0; i < N; i++) {
		rbtree_erase(&t, order[i]);
		assert_in_order(&t, key, N - 1 - i);
	}
	assert_int_equal(rbtree_first(&t), RBTREE_NONE);
	rbtree_insert(&t, 3, before, key);
	assert_in_order(&t, key, 1);
	rbtree_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_tree_has_no_first),
		cmocka_unit_test(rising_keys_give_the_known_shape),
		cmocka_unit_test(equal_keys_go_to_the_right),
		cmocka_unit_test(insertion_and_removal_keep_the_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
