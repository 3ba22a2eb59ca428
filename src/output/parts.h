/*
 * parts.h - a long text, made in parts by all workers and written in order
 *
 * Workers make parts in any order. Who makes the part that is next in the file writes straight to
 * the sink, and then what follows that was made meanwhile; the others go on. What they have made
 * is kept until its turn, up to a bound over all parts (1 MB for each worker, and what is put at
 * once), however long one is: there a worker waits.
 * Who has the lowest part never does, so some worker always goes on. With one worker, or while the
 * pool rests, every part is in its turn and nothing is kept.
 *
 * Owns: what waits to be written. Threads: make() is called by all workers at a time. Private to
 * output/.
 */
#ifndef PERFOLD_OUTPUT_PARTS_H
#define PERFOLD_OUTPUT_PARTS_H

#include "base/pool.h"
#include "base/sink.h"

/* Put one part into a sink, which is not that of the file, but fails where that one does. worker is
 * below parts_workers(), and no two that run at a time have the same. */
typedef void (*parts_make)(void *ctx, unsigned worker, uint32_t part, struct sink *to);

/* How many have a share in the work; pool may be NULL. */
unsigned parts_workers(const struct pool *pool);

/* Parts 0 to n - 1, each made once; not all where the sink fails. */
void parts_write(struct pool *pool, uint32_t n, parts_make make, void *ctx, struct sink *to);

#endif
