/*
 * chunks.c - the queue between workers that make chunks and the one sink
 *
 *	made[]   0     1     2     3     4     5
 *	         done  done  turn  done  -     -          turn: the chunk that is next in the file
 *	                     |     kept until its turn
 *	                     its worker writes straight to the sink
 *
 * A worker draws the number of a chunk from an atomic counter, so the lowest unfinished chunk
 * always has a worker. If that chunk has the turn, make() puts straight into the sink; else it puts
 * into a buffer of BUFFER_BYTES. When the buffer is full (buffer_is_full(), called by the sink) the
 * worker waits while all buffers together are above the bound, unless it gets the turn: then it
 * writes out what it has and goes on straight. Whoever finishes the chunk that has the turn also
 * writes the finished ones after it (write_made()), with the lock released while it writes.
 *
 * Invariants: kept_bytes is the capacity of all buffers that are in use, never above most_bytes
 * plus one buffer for each worker; only the worker with the turn touches the sink; the worker of
 * the lowest chunk never waits, so there is no deadlock. A failed sink sets failed, which wakes
 * everybody.
 *
 * Costs one lock for each chunk and each full buffer. Buffers are used again, since fresh memory
 * costs page faults, and have the size of a CPU's cache, in which a chunk still is when it is
 * written.
 */
#include "base/chunks.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* A buffer fits into a CPU's cache: of a larger one, the beginning has left it when it is written.
 */
enum { BUFFER_BYTES = 256 << 10, BUFFERS_PER_WORKER = 4 };

struct made_chunk {
	struct buf text;
	bool done;
};

struct chunk_writer {
	chunks_make make;
	void *ctx;
	struct sink *to; /* used by the worker whose chunk has the turn */
	uint32_t n;
	size_t most_bytes;
	_Atomic uint32_t next;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	struct made_chunk *made; /* by chunk */
	uint32_t turn;           /* the chunk that is next in the file */
	size_t kept_bytes;       /* capacity of all buffers in use */
	bool failed;
	struct buf *spare; /* buffers to be used again */
	size_t n_spare, cap_spare;
};

/* A chunk being made. */
struct chunk_in_work {
	struct chunk_writer *all;
	uint32_t chunk;
	bool has_turn; /* when the lock was last held */
	struct buf text;
	size_t counted_bytes; /* how much of kept_bytes is its buffer's */
};

/* Buffers, all under the lock */

static void count_buffer(struct chunk_in_work *m)
{
	m->all->kept_bytes -= m->counted_bytes;
	m->all->kept_bytes += m->text.cap;
	m->counted_bytes = m->text.cap;
}

static void pop_spare(struct chunk_writer *all, struct buf *text)
{
	*text = all->n_spare ? all->spare[--all->n_spare] : (struct buf){ 0 };
}

static void give_back(struct chunk_writer *all, struct buf *text)
{
	all->kept_bytes -= text->cap;
	if (text->cap != BUFFER_BYTES) {
		buf_release(text);
		return;
	}
	text->n = 0;
	ARRAY_GROW(all->spare, all->n_spare, all->cap_spare);
	all->spare[all->n_spare++] = *text;
	*text = (struct buf){ 0 };
}

/* Making */

static void put_text(struct chunk_in_work *m)
{
	sink_put_span(m->all->to, buf_span(&m->text));
	m->text.n = 0;
	if (m->text.cap > BUFFER_BYTES) {
		buf_release(&m->text);
		buf_reserve(&m->text, BUFFER_BYTES);
	}
}

/* False: the worker has to wait before it makes more. */
static bool may_grow(const struct chunk_in_work *m)
{
	return m->all->kept_bytes + m->text.cap <= m->all->most_bytes;
}

static int buffer_is_full(void *ctx, struct err *e)
{
	struct chunk_in_work *m = ctx;
	struct chunk_writer *all = m->all;
	bool failed = false;

	if (!m->has_turn) {
		pthread_mutex_lock(&all->lock);
		count_buffer(m);
		while (all->turn != m->chunk && !all->failed && !may_grow(m))
			pthread_cond_wait(&all->changed, &all->lock);
		m->has_turn = all->turn == m->chunk;
		failed = all->failed;
		pthread_mutex_unlock(&all->lock);
	}
	if (m->has_turn) {
		put_text(m);
		failed = sink_failed(all->to);
	}
	return failed ? err_set(e, ERR_OUTPUT, "earlier parts could not be written") : OK;
}

/* False: no more are wanted. */
static bool begin(struct chunk_in_work *m)
{
	struct chunk_writer *all = m->all;
	bool failed;

	pthread_mutex_lock(&all->lock);
	failed = all->failed;
	m->has_turn = all->turn == m->chunk;
	if (!m->has_turn)
		pop_spare(all, &m->text);
	pthread_mutex_unlock(&all->lock);
	return !failed;
}

static void make_one(struct chunk_in_work *m)
{
	struct chunk_writer *all = m->all;
	struct sink *to;
	struct err e;

	if (m->has_turn) {
		all->make(all->ctx, m->chunk, all->to);
		return;
	}
	buf_reserve(&m->text, BUFFER_BYTES);
	to = sink_through_buf(&m->text, buffer_is_full, m);
	all->make(all->ctx, m->chunk, to);
	sink_commit(to, &e);
}

/* Writing: under the lock, which is released meanwhile, since nobody else has the turn. */

static void write_made(struct chunk_writer *all)
{
	while (all->turn < all->n && all->made[all->turn].done) {
		struct buf *text = &all->made[all->turn].text;

		pthread_mutex_unlock(&all->lock);
		sink_put_span(all->to, buf_span(text));
		pthread_mutex_lock(&all->lock);
		all->failed |= sink_failed(all->to) != 0;
		give_back(all, text);
		all->turn++;
		if (all->kept_bytes <= all->most_bytes / 2)
			pthread_cond_broadcast(&all->changed);
	}
	pthread_cond_broadcast(&all->changed);
}

static void finish_chunk(struct chunk_in_work *m)
{
	struct chunk_writer *all = m->all;

	pthread_mutex_lock(&all->lock);
	count_buffer(m);
	all->made[m->chunk] = (struct made_chunk){ m->text, true };
	m->text = (struct buf){ 0 };
	m->counted_bytes = 0;
	if (all->turn == m->chunk)
		write_made(all);
	/* Until there is room for more than one chunk, so as not to wait again at once. */
	if (all->kept_bytes > all->most_bytes)
		while (all->kept_bytes > all->most_bytes / 2 && !all->failed)
			pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
}

static int make_chunks(void *ctx, unsigned worker, struct err *e)
{
	struct chunk_in_work m = { .all = ctx };

	(void)worker;
	(void)e;
	while ((m.chunk = pool_next(&m.all->next)) < m.all->n && begin(&m)) {
		make_one(&m);
		finish_chunk(&m);
	}
	buf_release(&m.text);
	return OK;
}

void chunks_write(struct pool *pool, uint32_t n, chunks_make make, void *ctx, struct sink *to)
{
	unsigned workers = pool_workers(pool);
	struct chunk_writer all = {
		.make = make,
		.ctx = ctx,
		.to = to,
		.n = n,
		.most_bytes = (size_t)workers * BUFFERS_PER_WORKER * BUFFER_BYTES,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	struct err e;
	uint32_t i;

	all.made = xcalloc(n, sizeof(*all.made));
	pool_run(pool, make_chunks, &all, &e);
	for (i = all.turn; i < n; i++) /* it failed */
		buf_release(&all.made[i].text);
	while (all.n_spare)
		buf_release(&all.spare[--all.n_spare]);
	free(all.spare);
	free(all.made);
}
