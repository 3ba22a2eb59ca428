#include "model/modules.h"

#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static int set_up(void **state)
{
	*state = modules_new();
	return 0;
}

static int tear_down(void **state)
{
	modules_free(*state);
	return 0;
}

static void equal_modules_have_one_number(void **state)
{
	struct module m = { .kind = MODULE_FILE, .path = 3, .shown = 3 };
	module_id id = modules_add(*state, &m);

	assert_int_not_equal(id, 0);
	assert_int_equal(modules_add(*state, &m), id);
	assert_int_equal(modules_count(*state), 2);
	assert_int_equal(modules_get(*state, id)->path, 3);
}

static void each_field_makes_a_module_different(void **state)
{
	const struct module fields[] = {
		{ .kind = 1 },
		{ .build_id = { 1, { 0 } } },
		{ .build_id = { 2, { 0 } } },
		{ .build_id = { 2, { 0, 1 } } },
		{ .path = 1 },
		{ .shown = 1 },
		{ .owner_pid = 1 },
		{ .owner_pid = -1 },
		{ .start = 1 },
		{ .end = 1 },
	};
	uint32_t i, n = sizeof(fields) / sizeof(fields[0]);

	for (i = 0; i < n; i++)
		assert_int_equal(modules_add(*state, &fields[i]), i + 1);
	for (i = 0; i < n; i++)
		assert_int_equal(modules_add(*state, &fields[i]), i + 1);
}

static void bytes_after_a_short_build_id_do_not_count(void **state)
{
	struct module a = { .build_id = { 1, { 7, 8 } } }, b = { .build_id = { 1, { 7, 9 } } };

	assert_int_equal(modules_add(*state, &a), modules_add(*state, &b));
}

static int add_many(void *ctx, unsigned worker, struct err *e)
{
	uint32_t i;

	(void)worker;
	(void)e;
	for (i = 1; i <= 2000; i++)
		if (modules_get(ctx, modules_add(ctx, &(struct module){ .path = i }))->path != i)
			return ERR_FORMAT;
	return OK;
}

static void threads_may_intern_at_the_same_time(void **state)
{
	struct pool *pool = pool_new(4);
	struct err e;

	assert_int_equal(pool_run(pool, add_many, *state, &e), OK);
	pool_free(pool);
	assert_int_equal(modules_count(*state), 2001);
}

static void a_build_id_is_shown_in_lower_case_hex(void **state)
{
	struct build_id id = { 3, { 0x0a, 0xff, 0x31 } }, none = { 0, { 1 } };
	char text[41];

	(void)state;
	assert_string_equal(build_id_hex(&id, text), "0aff31");
	assert_string_equal(build_id_hex(&none, text), "");
	id.n = 20;
	assert_int_equal(strlen(build_id_hex(&id, text)), 40);
}

static void segments_are_no_part_of_what_a_module_is(void **state)
{
	struct modules *t = modules_new();
	struct module m = { .kind = MODULE_FILE, .start = 7 };
	struct module_segment s[] = { { 1, 2, 3 }, { 4, 5, 6 } };
	module_id id = modules_add(t, &m);

	(void)state;
	modules_set_segments(t, id, 0, s, 0);
	assert_null(modules_get(t, id)->segments);
	modules_set_segments(t, id, 1, s, 2);
	s[1].address = 0;
	assert_int_equal(modules_get(t, id)->n_segments, 2);
	assert_int_equal(modules_get(t, id)->segments[1].address, 4);
	assert_int_equal(modules_add(t, &m), id);
	modules_free(t);
}

static void a_build_id_padded_with_zeros_is_the_same(void **state)
{
	struct build_id sha1 = { 20, { 1, 2, 3 } }, brief = { 3, { 1, 2, 3 } };
	struct build_id other = { 20, { 1, 2, 3, 4 } }, none = { 0 };

	(void)state;
	assert_true(build_id_same(&sha1, &sha1));
	assert_true(build_id_same(&sha1, &brief));
	assert_true(build_id_same(&brief, &sha1));
	assert_false(build_id_same(&brief, &other));
	assert_false(build_id_same(&other, &sha1));
	assert_false(build_id_same(&none, &none));
	assert_false(build_id_same(&none, &(struct build_id){ 20, { 0 } }));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(equal_modules_have_one_number),
		TEST(each_field_makes_a_module_different),
		TEST(bytes_after_a_short_build_id_do_not_count),
		TEST(threads_may_intern_at_the_same_time),
		cmocka_unit_test(segments_are_no_part_of_what_a_module_is),
		cmocka_unit_test(a_build_id_is_shown_in_lower_case_hex),
		cmocka_unit_test(a_build_id_padded_with_zeros_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
