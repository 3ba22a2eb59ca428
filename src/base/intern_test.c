#include "base/intern.h"

#include "base/hash.h"

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
	for (i = 0; i < 5000; i++) /* hashes alike: only the content tells them apart */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_items_have_one_number_and_stay_where_they_are),
		cmocka_unit_test(number_0_is_none_and_no_items_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
