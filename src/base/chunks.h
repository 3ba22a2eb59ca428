/*
 * chunks.h - a long output, made in chunks by all workers and written in order
 *
 * Workers make chunks in any order. The worker whose chunk is next in the file writes straight to
 * the sink, and then writes the following chunks that are finished; the others go on. Finished
 * chunks are kept until their turn, up to a bound over all of them (1 MB for each worker, and what
 * is put at once) however long a chunk is: at the bound a worker waits. The worker with the lowest
 * chunk never does, so some worker always goes on. With one worker, or without a pool, every chunk
 * is next and nothing is kept.
 *
 * Owns: what waits to be written. Threads: make() is called by several workers at once.
 */
#ifndef PERFOLD_BASE_CHUNKS_H
#define PERFOLD_BASE_CHUNKS_H

#include "base/pool.h"
#include "base/sink.h"

/* Put one chunk into a sink, which may be another than the file's, but fails when that one does. */
typedef void (*chunks_make)(void *ctx, uint32_t chunk, struct sink *to);

/* Chunks 0 to n - 1, each made once; not all if the sink fails. pool may be NULL. */
void chunks_write(struct pool *pool, uint32_t n, chunks_make make, void *ctx, struct sink *to);

#endif
