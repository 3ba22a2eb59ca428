/*
 * chunks.h - a long text, made in parts by all workers and written in order
 *
 * Workers make parts in any order. The worker whose part is next in the file writes straight to
 * the sink, and then writes the parts behind it that were made meanwhile; the others go on. What
 * they have made is kept until its turn, up to a bound over all parts (1 MB for each worker, and
 * what is put at once) however long a part is: at the bound a worker waits. The worker with the
 * lowest part never does, so some worker always goes on. With one worker, or while the pool rests,
 * every part is in its turn and nothing is kept.
 *
 * Owns: what waits to be written. Threads: make() is called by all workers at a time. Private to
 * output/.
 */
#ifndef PERFOLD_BASE_CHUNKS_H
#define PERFOLD_BASE_CHUNKS_H

#include "base/pool.h"
#include "base/sink.h"

/* Put one part into a sink, which may not be that of the file, but fails when that one does. */
typedef void (*chunks_make)(void *ctx, uint32_t part, struct sink *to);

/* Parts 0 to n - 1, each made once; not all if the sink fails. pool may be NULL. */
void chunks_write(struct pool *pool, uint32_t n, chunks_make make, void *ctx, struct sink *to);

#endif
