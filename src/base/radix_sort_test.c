#include "base/radix_sort.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static uint64_t rising(size_t i)
{
	return i * 3;
}

static uint64_t falling(size_t i)
{
	return UINT64_MAX - i;
}

static uint64_t mixed(size_t i)
{
	return i * 0x9e3779b97f4a7c15u;
}

/* They differ in their first byte and in their last. */
static uint64_t few_values(size_t i)
{
	return mixed(i) >> 62 << 56 | i % 3;
}

static uint64_t equal(size_t i)
{
	(void)i;
	return 7;
}

struct element {
	uint64_t key;
	uint32_t number;
	char pad[20];
};

/* Keys and elements that a function of their number makes. */
static void check(size_t n, uint64_t (*key)(size_t i))
{
	struct radix_key *keys = xcalloc(n + 1, sizeof(*keys));
	struct element *e = xcalloc(n + 1, sizeof(*e));
	size_t i;

	for (i = 0; i < n; i++) {
		keys[i] = (struct radix_key){ key(i), (uint32_t)i };
		e[i] = (struct element){ .key = key(i), .number = (uint32_t)i };
	}
	radix_sort(keys, n);
	for (i = 0; i < n; i++) {
		assert_true(keys[i].key == key(keys[i].number));
		assert_true(
			!i || keys[i - 1].key < keys[i].key ||
			(keys[i - 1].key == keys[i].key && keys[i - 1].number < keys[i].number));
	}
	radix_sort_arrange(keys, n, e, sizeof(*e));
	for (i = 0; i < n; i++) {
		assert_true(e[i].key == keys[i].key && e[i].key == key(e[i].number));
		assert_true(!i || e[i - 1].key < e[i].key || e[i - 1].number < e[i].number);
		assert_int_equal(keys[i].number, i);
	}
	free(keys);
	free(e);
}

static void any_order_becomes_right_and_equal_keys_stay_in_theirs(void **state)
{
	static uint64_t (*const keys[])(size_t i) = { rising, falling, mixed, few_values, equal };
	size_t k, n;

	(void)state;
	for (k = 0; k < ARRAY_LEN(keys); k++)
		for (n = 0; n < 700; n += n < 80 ? 1 : 61)
			check(n, keys[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_becomes_right_and_equal_keys_stay_in_theirs),
	};

	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
