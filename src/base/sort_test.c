#include "base/sort.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

struct element {
	uint64_t key, copy;
	char pad[16];
};

static size_t compared;

static int compare(const void *pa, const void *pb)
{
	const struct element *a = pa, *b = pb;

	compared++;
	return (a->key > b->key) - (a->key < b->key);
}

static uint64_t sum(const struct element *e, size_t n)
{
	uint64_t s = 0;

	while (n--)
		s += e[n].key * e[n].key;
	return s;
}

/* Sorts n elements that a function of their number makes; returns the number of comparisons. */
static size_t check(size_t n, uint64_t (*key)(size_t i, size_t n))
{
	struct element *e = xcalloc(n + 1, sizeof(*e));
	uint64_t before;
	size_t i;

	for (i = 0; i < n; i++)
		e[i].key = e[i].copy = key(i, n);
	before = sum(e, n);
	compared = 0;
	sort_in_place(e, n, sizeof(*e), compare);
	for (i = 0; i < n; i++)
		assert_true(e[i].key == e[i].copy && (!i || e[i - 1].key <= e[i].key));
	assert_true(sum(e, n) == before);
	free(e);
	return compared;
}

static uint64_t rising(size_t i, size_t n)
{
	(void)n;
	return i;
}

static uint64_t falling(size_t i, size_t n)
{
	return n - i;
}

static uint64_t equal(size_t i, size_t n)
{
	(void)n;
	return i ? 5 : 6;
}

static uint64_t mixed(size_t i, size_t n)
{
	(void)n;
	return (i * 2654435761u) % 1000003;
}

static uint64_t few_values(size_t i, size_t n)
{
	(void)n;
	return (i * 2654435761u >> 7) % 3;
}

/* Rows of two workers, one after the other. */
static uint64_t two_runs(size_t i, size_t n)
{
	return i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1;
}

/* Bad for a median of three. */
static uint64_t organ_pipe(size_t i, size_t n)
{
	return i < n / 2 ? i : n - i;
}

static void any_order_becomes_right(void **state)
{
	static uint64_t (*const keys[])(size_t i, size_t n) = { rising, falling, equal, mixed,
		few_values, two_runs, organ_pipe };
	size_t k, n;

	(void)state;
	for (k = 0; k < ARRAY_LEN(keys); k++)
		for (n = 0; n < 600; n += n < 40 ? 1 : 37)
			check(n, keys[k]);
}

static void no_order_is_slow(void **state)
{
	static uint64_t (*const keys[])(
		size_t i, size_t n) = { falling, equal, mixed, few_values, two_runs, organ_pipe };
	size_t k;

	(void)state;
	for (k = 0; k < ARRAY_LEN(keys); k++)
		assert_true(check(1 << 16, keys[k]) < 4u * (1 << 16) * 16);
}

/* Not by heapsort, which takes twice as many comparisons. */
static void lists_that_follow_each_other_are_sorted_as_fast_as_any(void **state)
{
	size_t usual = check(1 << 16, mixed);

	(void)state;
	assert_true(check(1 << 16, two_runs) < usual * 5 / 4);
	assert_true(check(1 << 16, organ_pipe) < usual * 5 / 4);
}

static void sorted_input_costs_one_pass(void **state)
{
	(void)state;
	assert_int_equal(check(1000, rising), 999);
}

/* Elements of any size are moved whole: here, bytes that all follow from the first two. */
static int compare_first(const void *pa, const void *pb)
{
	const unsigned char *a = pa, *b = pb;

	return a[0] != b[0] ? a[0] - b[0] : a[1] - b[1];
}

static void sort_of_size(size_t size_bytes, size_t n)
{
	unsigned char *bytes = xcalloc(n, size_bytes), *e;
	size_t i, k;

	for (i = 0; i < n; i++) {
		size_t key = mixed(i, n);

		e = bytes + i * size_bytes;
		e[0] = (unsigned char)(key >> 8);
		e[1] = (unsigned char)key;
		for (k = 2; k < size_bytes; k++)
			e[k] = (unsigned char)(e[0] * 31 + e[1] * 7 + k);
	}
	sort_in_place(bytes, n, size_bytes, compare_first);
	for (i = 0; i < n; i++) {
		e = bytes + i * size_bytes;
		assert_true(!i || compare_first(e - size_bytes, e) <= 0);
		for (k = 2; k < size_bytes; k++)
			assert_int_equal(e[k], (unsigned char)(e[0] * 31 + e[1] * 7 + k));
	}
	free(bytes);
}

static void elements_may_have_any_size(void **state)
{
	static const size_t sizes[] = { 2, 3, 63, 64, 65, 72, 127, 128, 129, 1000 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(sizes); i++)
		sort_of_size(sizes[i], 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_becomes_right),
		cmocka_unit_test(no_order_is_slow),
		cmocka_unit_test(lists_that_follow_each_other_are_sorted_as_fast_as_any),
		cmocka_unit_test(sorted_input_costs_one_pass),
		cmocka_unit_test(elements_may_have_any_size),
	};

	return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
