#include "model/frames.h"

#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static int set_up(void **state)
{
	*state = frames_new(strtab_new());
	return 0;
}

static int tear_down(void **state)
{
	struct strtab *strings = frames_strings(*state);

	frames_free(*state);
	strtab_free(strings);
	return 0;
}

static void equal_frames_have_one_number(void **state)
{
	struct frame f = { .name = strtab_add_str(frames_strings(*state), "main"), .line = 3 };
	frame_id id = frames_add(*state, &f);

	assert_int_not_equal(id, 0);
	assert_int_equal(frames_add(*state, &f), id);
	assert_int_equal(frames_count(*state), 2);
	assert_int_equal(frames_get(*state, id)->line, 3);
	assert_true(span_eq(frames_name(*state, id), SPAN("main")));
}

static void each_field_makes_a_frame_different(void **state)
{
	const struct frame fields[] = {
		{ .name = 1 },
		{ .module = 1 },
		{ .file = 1 },
		{ .line = 1 },
		{ .column = 1 },
		{ .at_line = 1 },
		{ .at_column = 1 },
		{ .at_file = 1 },
		{ .kind = 1 },
		{ .flags = 1 },
		{ .why = 1 },
		{ .tier = 1 },
		{ .category = 1 },
		{ .address = 1 },
		{ .address = UINT64_C(1) << 32 },
	};
	uint32_t i, n = sizeof(fields) / sizeof(fields[0]);

	for (i = 0; i < n; i++)
		assert_int_equal(frames_add(*state, &fields[i]), i + 1);
	for (i = 0; i < n; i++)
		assert_int_equal(frames_add(*state, &fields[i]), i + 1);
}

static void number_zero_is_never_given(void **state)
{
	struct frame empty = { 0 };

	assert_int_not_equal(frames_add(*state, &empty), 0);
}

static int add_many(void *ctx, unsigned worker, struct err *e)
{
	uint32_t i;

	(void)worker;
	(void)e;
	for (i = 0; i < 2000; i++) {
		struct frame f = { .name = i + 1, .column = i };
		frame_id id = frames_add(ctx, &f);

		if (frames_get(ctx, id)->name != i + 1)
			return ERR_FORMAT;
	}
	return OK;
}

static void threads_may_add_at_the_same_time(void **state)
{
	struct pool *pool = pool_new(3);
	struct err e;

	assert_int_equal(pool_run(pool, add_many, *state, &e), OK);
	assert_int_equal(frames_count(*state), 2001);
	pool_free(pool);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(equal_frames_have_one_number),
		TEST(each_field_makes_a_frame_different),
		TEST(number_zero_is_never_given),
		TEST(threads_may_add_at_the_same_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
