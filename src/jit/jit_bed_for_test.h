/*
 * jit_bed_for_test.h - a code map and what it needs, for tests
 *
 * Owns: all but what a test puts into the map. Threads: one.
 */
#ifndef PERFOLD_JIT_JIT_BED_FOR_TEST_H
#define PERFOLD_JIT_JIT_BED_FOR_TEST_H

#include "jit/jit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define JIT_BED_FN __attribute__((unused)) static

struct jit_bed {
	struct strtab *strings;
	struct frames *frames;
	struct codemap *map;
	struct diag diag;
	struct err err;
	char *path; /* of the map's file; may be NULL */
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
	free(b->path);
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

#endif
