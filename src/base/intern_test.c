#include "base/intern.h"

#include "base/hash.h"
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct item {
	uint64_t value;
};

static bool same_value(const void *a, const void *b)
{
	return ((const struct item *)a)->value == ((const struct item *)b)->value;
}

static void equal_items_have_one_number_and_stay_where_they_are(void **state)
{
	struct intern t;
	struct item *first;
	uint64_t i;

	(void)state;
	intern_init(&t, sizeof(struct item), same_value);
	assert_int_equal(intern_add(&t, &(struct item){ 7 }, hash_u64(7)), 1);
	first = intern_get(&t, 1);
	for (i = 0; i < 5000; i++) /* equal hashes: only the content differs */
		intern_add(&t, &(struct item){ i }, i % 10);
	assert_int_equal(intern_count(&t), 5002);
	assert_ptr_equal(intern_get(&t, 1), first);
	assert_int_equal(first->value, 7);
	for (i = 0; i < 5000; i += 100)
		assert_int_equal(intern_add(&t, &(struct item){ i }, i % 10), i + 2);
	intern_release(&t);
}

static void number_0_is_none_and_no_items_number(void **state)
{
	struct intern t;

	(void)state;
	intern_init(&t, sizeof(struct item), same_value);
	assert_int_equal(intern_count(&t), 1);
	assert_int_equal(((struct item *)intern_get(&t, 0))->value, 0);
	assert_int_equal(intern_add(&t, &(struct item){ 0 }, 0), 1);
	intern_release(&t);
}

enum { WORKERS = 4, VALUES = 20000 };

struct shared {
	struct intern table;
	uint32_t number[WORKERS][VALUES];
};

/* Two workers go upwards and two downwards, so that each of a pair is at the same values as the
 * other, and meets half of the others' values as old ones. Every fourth hash has another's tag. */
static int add_values(void *ctx, unsigned worker, struct err *e)
{
	struct shared *shared = ctx;
	uint64_t i;

	for (i = 0; i < VALUES; i++) {
		uint64_t value = worker % 2 ? VALUES - 1 - i : i;
		uint64_t hash = hash_u64(value % 4 ? value : value / 16);
		uint32_t number = intern_add(&shared->table, &(struct item){ value }, hash);

		shared->number[worker][value] = number;
		if (((struct item *)intern_get(&shared->table, number))->value != value)
			return err_set(e, ERR_FORMAT, "a number of another item");
	}
	return OK;
}

static void several_threads_get_the_same_numbers_while_the_table_grows(void **state)
{
	static struct shared shared;
	struct pool *pool = pool_new(WORKERS);
	struct err e = { 0 };
	unsigned w;

	(void)state;
	intern_init(&shared.table, sizeof(struct item), same_value);
	assert_int_equal(pool_run(pool, add_values, &shared, &e), OK);
	assert_int_equal(intern_count(&shared.table), VALUES + 1);
	for (w = 1; w < WORKERS; w++)
		assert_memory_equal(shared.number[w], shared.number[0], sizeof(shared.number[0]));
	intern_release(&shared.table);
	pool_free(pool);
}

static void add_one(void *owner, void *item)
{
	(*(unsigned *)owner)++;
	((struct item *)item)->value |= 1ull << 63;
}

static bool same_but_for_the_owners_bit(const void *a, const void *b)
{
	return ((const struct item *)a)->value << 1 == ((const struct item *)b)->value << 1;
}

static void an_owner_gets_new_items_alone(void **state)
{
	struct intern t;
	unsigned owned = 0;

	(void)state;
	intern_init(&t, sizeof(struct item), same_but_for_the_owners_bit);
	intern_set_own(&t, add_one, &owned);
	assert_int_equal(intern_add(&t, &(struct item){ 7 }, hash_u64(7)), 1);
	assert_int_equal(intern_add(&t, &(struct item){ 7 }, hash_u64(7)), 1);
	assert_int_equal(intern_add(&t, &(struct item){ 8 }, hash_u64(8)), 2);
	assert_int_equal(owned, 2);
	assert_int_equal(((struct item *)intern_get(&t, 1))->value, 7 | 1ull << 63);
	intern_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(several_threads_get_the_same_numbers_while_the_table_grows),
		cmocka_unit_test(an_owner_gets_new_items_alone),
		cmocka_unit_test(equal_items_have_one_number_and_stay_where_they_are),
		cmocka_unit_test(number_0_is_none_and_no_items_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
