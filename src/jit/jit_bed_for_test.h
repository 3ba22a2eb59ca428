/*
 * jit_bed_for_test.h - a code map and what it needs, for tests
 *
 *	static void a_test(void **state)
 *	{
 *		struct jit_bed *b = *state;
 *	...	BED_TEST(a_test),
 *
 * Owns: all but what a test puts into the map. Threads: one.
 */
#ifndef PERFOLD_JIT_JIT_BED_FOR_TEST_H
#define PERFOLD_JIT_JIT_BED_FOR_TEST_H

#include "base/tmpdir_for_test.h"
#include "jit/jit.h"

#define JIT_BED_FN __attribute__((unused)) static

struct jit_bed {
	struct strtab *strings;
	struct frames *frames;
	struct codemap *map;
	struct diag diag;
	struct err err;
	void *dir; /* of BED_TEST(): the state of base/tmpdir_for_test.h */
};

JIT_BED_FN void jit_bed_init(struct jit_bed *b)
{
	*b = (struct jit_bed){ .strings = strtab_new() };
	b->frames = frames_new(b->strings);
}

JIT_BED_FN void jit_bed_release(struct jit_bed *b)
{
	codemap_free(b->map);
	frames_free(b->frames);
	strtab_free(b->strings);
}

#define BED_TEST(t) cmocka_unit_test_setup_teardown(t, jit_bed_setup, jit_bed_teardown)

JIT_BED_FN int jit_bed_setup(void **state)
{
	struct jit_bed *b = xcalloc(1, sizeof(*b));

	*state = b;
	jit_bed_init(b);
	return tmpdir_setup(&b->dir);
}

JIT_BED_FN int jit_bed_teardown(void **state)
{
	struct jit_bed *b = *state;
	int rc = tmpdir_teardown(&b->dir);

	jit_bed_release(b);
	free(b);
	return rc;
}

/* As it was at first, but for its directory. */
JIT_BED_FN void jit_bed_reset(struct jit_bed *b)
{
	void *dir = b->dir;

	jit_bed_release(b);
	jit_bed_init(b);
	b->dir = dir;
}

JIT_BED_FN const struct frame *jit_bed_frame(struct jit_bed *b, uint64_t address, uint64_t time_ns)
{
	struct moment at = { time_ns, 5 };
	struct validity valid;
	frame_id id = codemap_find(b->map, address, at, &valid);

	assert_true(validity_holds(valid, at));
	return id ? frames_get(b->frames, id) : NULL;
}

/* "-" for none. */
JIT_BED_FN const char *jit_bed_name(struct jit_bed *b, uint64_t address, uint64_t time_ns)
{
	const struct frame *f = jit_bed_frame(b, address, time_ns);

	return f ? strtab_str(b->strings, f->name) : "-";
}

struct jit_named_place {
	uint64_t address, time_ns;
	const char *name;
};

JIT_BED_FN void jit_bed_expect(struct jit_bed *b, const struct jit_named_place *expected, size_t n)
{
	for (; n--; expected++)
		assert_string_equal(
			jit_bed_name(b, expected->address, expected->time_ns), expected->name);
}

/* The names at addresses and times. */
#define EXPECT_NAMES(b, ...)                                                                       \
	jit_bed_expect((b), (const struct jit_named_place[]){ __VA_ARGS__ },                       \
		ARRAY_LEN(((const struct jit_named_place[]){ __VA_ARGS__ })))

#endif
