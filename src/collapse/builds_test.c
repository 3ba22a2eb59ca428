#include "collapse/builds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { BEFORE = 1, AFTER = 2 };

struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct builds b;
};

static struct bed bed_new(uint8_t sides)
{
	struct bed t = { .strings = strtab_new() };

	t.frames = frames_new(t.strings);
	builds_init(&t.b, t.frames, sides);
	return t;
}

static void bed_release(struct bed *t)
{
	builds_release(&t->b);
	frames_free(t->frames);
	strtab_free(t->strings);
}

static frame_id function(struct bed *t, const char *module, const char *build)
{
	struct frame f = { .flags = FRAME_FUNCTION,
		.why = WHY_NO_SYMBOL,
		.address = 0x1234,
		.module = strtab_add_str(t->strings, module),
		.build = strtab_add_str(t->strings, build) };

	return frames_add(t->frames, &f);
}

static void assert_is_its_module(struct bed *t, frame_id id)
{
	const struct frame *f = frames_get(t->frames, builds_shown(&t->b, id));

	assert_int_equal(f->flags, 0);
	assert_int_equal(f->address, 0);
	assert_int_equal(f->build, 0);
	assert_int_equal(f->why, WHY_NO_SYMBOL);
	assert_int_equal(f->module, frames_get(t->frames, id)->module);
}

static void functions_of_one_build_stay(void **state)
{
	struct bed t = bed_new(BEFORE | AFTER);
	frame_id f = function(&t, "/lib/a.so", "11"), moved = function(&t, "/old/a.so", "11");

	(void)state;
	builds_add(&t.b, f, BEFORE);
	builds_add(&t.b, moved, AFTER);
	assert_int_equal(builds_shown(&t.b, f), f);
	assert_int_equal(builds_shown(&t.b, moved), moved);
	bed_release(&t);
}

static void functions_of_two_builds_are_their_module(void **state)
{
	struct bed t = bed_new(BEFORE | AFTER);
	frame_id old = function(&t, "/lib/a.so", "11"), new = function(&t, "/lib/a.so", "22");
	frame_id other = function(&t, "/lib/b.so", "33");

	(void)state;
	builds_add(&t.b, old, BEFORE);
	builds_add(&t.b, new, AFTER);
	builds_add(&t.b, other, BEFORE);
	builds_add(&t.b, other, AFTER);
	assert_is_its_module(&t, old);
	assert_is_its_module(&t, new);
	assert_int_equal(builds_shown(&t.b, other), other);
	bed_release(&t);
}

static void functions_of_a_side_alone_are_their_module(void **state)
{
	struct bed t = bed_new(BEFORE | AFTER);
	frame_id f = function(&t, "/lib/a.so", "11");

	(void)state;
	builds_add(&t.b, f, AFTER);
	assert_is_its_module(&t, f);
	bed_release(&t);
}

static void frames_with_a_name_stay(void **state)
{
	struct bed t = bed_new(BEFORE);
	struct frame named = { .name = strtab_add_str(t.strings, "f"), .kind = FRAME_USER };
	frame_id f = frames_add(t.frames, &named);

	(void)state;
	builds_add(&t.b, f, BEFORE);
	assert_int_equal(builds_shown(&t.b, f), f);
	bed_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_one_build_stay),
		cmocka_unit_test(functions_of_two_builds_are_their_module),
		cmocka_unit_test(functions_of_a_side_alone_are_their_module),
		cmocka_unit_test(frames_with_a_name_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
