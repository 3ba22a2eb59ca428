/*
 * jit_load_for_test.h - loads a map or dump by its path
 */
#ifndef PERFOLD_JIT_JIT_LOAD_FOR_TEST_H
#define PERFOLD_JIT_JIT_LOAD_FOR_TEST_H

#include "jit/jit.h"

static inline int load_map_at(const char *path, struct codemap **out, struct frames *frames,
	struct diag *diag, const struct perf_map_opts *o, struct err *e)
{
	struct file f;

	*out = NULL;
	return file_open_regular(&f, path, e) ? e->code
					      : perf_map_load(out, &f, frames, diag, o, e);
}

static inline int load_dump_at(const char *path, struct codemap **out, struct frames *frames,
	struct diag *diag, const struct jit_clock *clock, struct err *e)
{
	struct file f;

	*out = NULL;
	return file_open_regular(&f, path, e) ? e->code
					      : jitdump_load(out, &f, frames, diag, clock, e);
}

#endif
