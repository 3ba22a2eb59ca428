#include "base/index.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* How often a number is met under a hash. */
static unsigned count(const struct index *ix, uint64_t hash, uint32_t number)
{
	struct index_cursor c;
	unsigned n = 0;
	uint32_t i;

	index_for_each (ix, hash, c, i)
		n += i == number;
	return n;
}

static void an_empty_index_has_nothing(void **state)
{
	struct index ix = { 0 };

	(void)state;
	assert_int_equal(count(&ix, 42, 0), 0);
	index_release(&ix);
}

static void a_hundred_thousand_entries_are_found_once_each(void **state)
{
	enum { N = 100000 };
	struct index ix = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < N; i++)
		index_add(&ix, hash_u64(i), i);
	assert_int_equal(ix.n, N);
	for (i = 0; i < N; i++)
		assert_int_equal(count(&ix, hash_u64(i), i), 1);
	assert_int_equal(count(&ix, hash_u64(N), N), 0);
	index_release(&ix);
}

static void entries_with_equal_tags_are_all_met(void **state)
{
	enum { N = 300 };
	const uint64_t hash = 0x123456789abcdef0;
	struct index ix = { 0 };
	uint32_t i;

	(void)state;
	for (i = 0; i < N; i++)
		index_add(&ix, hash + i, i); /* the upper half, the tag, is the same */
	for (i = 0; i < N; i++)
		assert_int_equal(count(&ix, hash, i), 1);
	index_release(&ix);
}

static void a_reserved_index_does_not_move(void **state)
{
	struct index ix = { 0 };
	struct index_slot *slots;
	uint32_t i;

	(void)state;
	index_reserve(&ix, 1000);
	slots = ix.slot;
	for (i = 0; i < 1000; i++)
		index_add(&ix, hash_u64(i), i);
	assert_ptr_equal(ix.slot, slots);
	index_release(&ix);
	assert_null(ix.slot);
}

static void low_tags_spread_over_the_slots(void **state)
{
	enum { N = 4096 };
	struct index ix = { 0 };
	uint32_t i, moved = 0;

	(void)state;
	for (i = 0; i < N; i++)
		index_add(&ix, (uint64_t)i << 32, i);
	for (i = 0; i <= ix.mask; i++)
		if (ix.slot[i].number != INDEX_NONE)
			moved += index_place(ix.slot[i].tag, ix.mask) != i;
	assert_true(moved < N / 2);
	index_release(&ix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_index_has_nothing),
		cmocka_unit_test(a_hundred_thousand_entries_are_found_once_each),
		cmocka_unit_test(entries_with_equal_tags_are_all_met),
		cmocka_unit_test(a_reserved_index_does_not_move),
		cmocka_unit_test(low_tags_spread_over_the_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
