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

#define BED_FN __attribute__((unused)) static

struct bed {
	struct strtab *strings;
	struct frames *frames;
	struct codemap *map;
	struct diag diag;
	struct err err;
	char *path; /* of the map's file; may be NULL */
};

BED_FN void bed_init(struct bed *b)
{
	*b = (struct bed){ .strings = strtab_new() };
	b->frames = frames_new(b->strings);
}

BED_FN void bed_release(struct bed *b)
{
	codemap_free(b->map);
	frames_free(b->frames);
	strtab_free(b->strings);
	free(b->path);
}

BED_FN const struct frame *bed_frame(struct bed *b, uint64_t address, uint64_t time_ns)
{
	struct moment at = { time_ns, 5 };
	struct validity valid;
	frame_id id = codemap_find(b->map, address, at, &valid);

	assert_true(validity_holds(valid, at));
	return id ? frames_get(b->frames, id) : NULL;
}

/* "-" for none. */
BED_FN const char *bed_name(struct bed *b, uint64_t address, uint64_t time_ns)
{
	const struct frame *f = bed_frame(b, address, time_ns);

	return f ? strtab_str(b->strings, f->name) : "-";
}

#endif
