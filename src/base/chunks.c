#include "base/chunks.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

/* A room fits into a processor's cache: of a larger text the beginning has left it when it is
 * written. */
enum { ROOM_BYTES = 256 << 10, ROOMS_OF_WORKER = 4 };

struct made {
	struct buf text;
	bool done;
};

struct chunk_writer {
	chunks_make make;
	void *ctx;
	struct sink *to; /* of the worker whose part has the turn */
	uint32_t n;
	size_t most_bytes;
	_Atomic uint32_t next;
	pthread_mutex_t lock; /* of all below */
	pthread_cond_t changed;
	struct made *made; /* by part */
	uint32_t turn;     /* the part that is next in the file */
	size_t kept_bytes; /* room that parts take */
	bool failed;
	struct buf *spare; /* rooms to be used again: fresh memory is dear */
	size_t n_spare, cap_spare;
};

/* A part in the making. */
struct making {
	struct chunk_writer *all;
	uint32_t part;
	bool has_turn; /* as far as is known */
	struct buf text;
	size_t counted_bytes; /* of its room in kept_bytes */
};

/* Room, all under the lock */

static void count_room(struct making *m)
{
	m->all->kept_bytes -= m->counted_bytes;
	m->all->kept_bytes += m->text.cap;
	m->counted_bytes = m->text.cap;
}

static void take_spare(struct chunk_writer *all, struct buf *text)
{
	*text = all->n_spare ? all->spare[--all->n_spare] : (struct buf){ 0 };
}

static void give_back(struct chunk_writer *all, struct buf *text)
{
	all->kept_bytes -= text->cap;
	if (text->cap != ROOM_BYTES) {
		buf_release(text);
		return;
	}
	text->n = 0;
	ARRAY_GROW(all->spare, all->n_spare, all->cap_spare);
	all->spare[all->n_spare++] = *text;
	*text = (struct buf){ 0 };
}

/* Making */

static void put_text(struct making *m)
{
	sink_put_span(m->all->to, buf_span(&m->text));
	m->text.n = 0;
	if (m->text.cap > ROOM_BYTES) {
		buf_release(&m->text);
		buf_reserve(&m->text, ROOM_BYTES);
	}
}

/* False: the worker has to wait before it makes more. */
static bool may_grow(const struct making *m)
{
	return m->all->kept_bytes + m->text.cap <= m->all->most_bytes;
}

static int room_is_full(void *ctx, struct err *e)
{
	struct making *m = ctx;
	struct chunk_writer *all = m->all;
	bool failed = false;

	if (!m->has_turn) {
		pthread_mutex_lock(&all->lock);
		count_room(m);
		while (all->turn != m->part && !all->failed && !may_grow(m))
			pthread_cond_wait(&all->changed, &all->lock);
		m->has_turn = all->turn == m->part;
		failed = all->failed;
		pthread_mutex_unlock(&all->lock);
	}
	if (m->has_turn) {
		put_text(m);
		failed = sink_failed(all->to);
	}
	return failed ? err_set(e, ERR_IO, "earlier parts could not be written") : OK;
}

/* False: no more are wanted. */
static bool begin(struct making *m)
{
	struct chunk_writer *all = m->all;
	bool failed;

	pthread_mutex_lock(&all->lock);
	failed = all->failed;
	m->has_turn = all->turn == m->part;
	if (!m->has_turn)
		take_spare(all, &m->text);
	pthread_mutex_unlock(&all->lock);
	return !failed;
}

static void make_one(struct making *m)
{
	struct chunk_writer *all = m->all;
	struct sink *to;
	struct err e;

	if (m->has_turn) {
		all->make(all->ctx, m->part, all->to);
		return;
	}
	buf_reserve(&m->text, ROOM_BYTES);
	to = sink_through_buf(&m->text, room_is_full, m);
	all->make(all->ctx, m->part, to);
	sink_commit(to, &e);
}

/* Writing, under the lock, which is let go meanwhile: nobody else has the turn. */

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

static void hand_in(struct making *m)
{
	struct chunk_writer *all = m->all;

	pthread_mutex_lock(&all->lock);
	count_room(m);
	all->made[m->part] = (struct made){ m->text, true };
	m->text = (struct buf){ 0 };
	m->counted_bytes = 0;
	if (all->turn == m->part)
		write_made(all);
	/* Wait until there is room for more than one part, so as not to wait again at once. */
	if (all->kept_bytes > all->most_bytes)
		while (all->kept_bytes > all->most_bytes / 2 && !all->failed)
			pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
}

static int make_parts(void *ctx, unsigned worker, struct err *e)
{
	struct making m = { .all = ctx };

	(void)worker;
	(void)e;
	while ((m.part = pool_next(&m.all->next)) < m.all->n && begin(&m)) {
		make_one(&m);
		hand_in(&m);
	}
	buf_release(&m.text);
	return OK;
}

void chunks_write(struct pool *pool, uint32_t n, chunks_make make, void *ctx, struct sink *to)
{
	unsigned workers = pool ? pool_workers(pool) : 1;
	struct chunk_writer all = {
		.make = make,
		.ctx = ctx,
		.to = to,
		.n = n,
		.most_bytes = (size_t)workers * ROOMS_OF_WORKER * ROOM_BYTES,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	struct err e;
	uint32_t i;

	all.made = xcalloc(n, sizeof(*all.made));
	pool_run(pool, make_parts, &all, &e);
	for (i = all.turn; i < n; i++) /* it failed */
		buf_release(&all.made[i].text);
	while (all.n_spare)
		buf_release(&all.spare[--all.n_spare]);
	free(all.spare);
	free(all.made);
}
