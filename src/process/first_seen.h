/*
 * first_seen.h - when samples first saw the code of each line of a perf map
 *
 * perf maps do not say when code was made. The times of samples say so roughly (see
 * jit/perf_map_layers.h), at the cost of one more pass over all samples. It is made only if some
 * map lists several functions at one address, and no jitdump of its process has their times.
 *
 * Owns: nothing between calls. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_FIRST_SEEN_H
#define PERFOLD_PROCESS_FIRST_SEEN_H

#include "base/pool.h"
#include "process/pass2.h"

/* The blocks of p->pd are read, and rewound; maps is p->jit_maps. */
int first_seen_date_maps(
	struct jit_maps *maps, const struct pass2 *p, struct pool *pool, struct err *e);

#endif
