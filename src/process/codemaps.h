/*
 * codemaps.h - the maps of generated code of all processes of a recording
 *
 * A map belongs to the process that made the code: a forked child that runs code it inherited is
 * looked up in its parent's, because the mapping is the parent's.
 *
 * Owns: the maps. Threads: look up from any once loaded. Private to process/.
 */
#ifndef PERFOLD_PROCESS_CODEMAPS_H
#define PERFOLD_PROCESS_CODEMAPS_H

#include "files/files.h"
#include "jit/jit.h"
#include "model/recording.h"
#include "process/world.h"

struct codemaps {
	struct codemap_of {
		int32_t pid;
		struct codemap *map; /* owned */
	} *maps; /* in order of pid */
	uint32_t n, cap;
};

/* Find and load the maps of all processes that had generated code; r->processes is filled. */
void codemaps_load(struct codemaps *c, struct recording *r, const struct world *w,
	const struct files *files, bool compat_perf);
void codemaps_release(struct codemaps *c);
/* NULL: the process has none. */
const struct codemap *codemaps_of(const struct codemaps *c, int32_t pid);

#endif
