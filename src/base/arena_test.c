#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_aligned_and_does_not_overlap(void **state)
{
	struct arena a = ARENA_INIT;
	unsigned char *p[500];
	size_t i, k;

	(void)state;
	for (i = 0; i < 500; i++) {
		p[i] = arena_alloc(&a, i);
		assert_int_equal((uintptr_t)p[i] % 8, 0);
		memset(p[i], (int)(i & 0xff), i);
	}
	for (i = 0; i < 500; i++)
		for (k = 0; k < i; k++)
			assert_int_equal(p[i][k], i & 0xff);
	arena_release(&a);
}

static void strings_are_copies_followed_by_a_nul(void **state)
{
	struct arena a = ARENA_INIT;
	char from[] = "main;work";
	char *text = arena_string(&a, from, 4);

	(void)state;
	from[0] = 'x';
	assert_string_equal(text, "main");
	assert_string_equal(arena_string(&a, NULL, 0), "");
	arena_release(&a);
}

static void memory_after_a_string_is_aligned_again(void **state)
{
	struct arena a = ARENA_INIT;
	size_t n;

	(void)state;
	for (n = 0; n < 9; n++) {
		arena_string(&a, "12345678", n);
		assert_int_equal((uintptr_t)arena_alloc(&a, 8) % 8, 0);
	}
	arena_release(&a);
}

static void an_allocation_may_exceed_a_chunk(void **state)
{
	enum { LARGE = 1 << 20 };
	struct arena a = ARENA_INIT;
	char *small = arena_string(&a, "small", 5);
	char *large = arena_alloc(&a, LARGE);

	(void)state;
	memset(large, 'x', LARGE);
	assert_true(a.total_bytes > LARGE);
	assert_string_equal(small, "small");
	arena_release(&a);
}

static void a_released_arena_is_empty_and_can_be_used_again(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	arena_alloc(&a, 100);
	arena_release(&a);
	assert_int_equal(a.total_bytes, 0);
	assert_non_null(arena_alloc(&a, 100));
	arena_release(&a);
}

static void nothing_has_an_address_too(void **state)
{
	struct arena a = ARENA_INIT;

	(void)state;
	assert_non_null(arena_alloc(&a, 0));
	arena_release(&a);
}

static void what_is_taken_over_stays_where_it_is(void **state)
{
	enum { LARGE = 1 << 20 };
	struct arena a = ARENA_INIT, from = ARENA_INIT;
	char *large = arena_alloc(&from, LARGE), *small = arena_string(&from, "small", 5), *own;

	(void)state;
	arena_take(&a, &from);
	assert_int_equal(from.total_bytes, 0);
	assert_true(a.total_bytes > LARGE);
	own = arena_string(&a, "own", 3);
	arena_alloc(&from, LARGE);
	arena_string(&from, "more", 4);
	arena_take(&a, &from);
	arena_take(&a, &from); /* nothing */
	assert_true(a.total_bytes > 2 * LARGE);
	assert_string_equal(arena_string(&a, "last", 4), "last");
	memset(large, 'x', LARGE);
	assert_string_equal(small, "small");
	assert_string_equal(own, "own");
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_aligned_and_does_not_overlap),
		cmocka_unit_test(nothing_has_an_address_too),
		cmocka_unit_test(strings_are_copies_followed_by_a_nul),
		cmocka_unit_test(memory_after_a_string_is_aligned_again),
		cmocka_unit_test(an_allocation_may_exceed_a_chunk),
		cmocka_unit_test(a_released_arena_is_empty_and_can_be_used_again),
		cmocka_unit_test(what_is_taken_over_stays_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
