/*
 * How it works: workers take blocks of the source in order, read them and step over their records
 * at once, from where each guesses that records begin (record_chunk.h). Then each waits for its
 * turn:
 *
 *	worker A   read 0, step | turn 0: emit |  read 2, step   | turn 2: emit |
 *	worker B   read 1, step      wait        | turn 1: emit |  read 3, step | ...
 *
 * In its turn a worker knows where the block before really ended. If the guess was wrong, it steps
 * again from the right place; it then hands the records and sums of its block to the visitor, in
 * the order of the file, and ends its turn. A worker waits only for blocks that others have already
 * begun, so the scan cannot deadlock with fewer workers than blocks. At the first place that is not
 * plain all stop, and record_scan.c goes on with record_walk.c.
 *
 * A sample before a LOST record must be visited before it. Blocks with such records are therefore
 * stepped again without sums.
 */
#include "input/perfdata/record_scan.h"

#include "base/lock.h"
#include "base/mem.h"
#include "input/perfdata/record_chunk.h"

/* Of one part; shared by its workers. */
struct parallel_scan {
	struct record_scan *scan;
	struct byte_source *source;
	size_t block_bytes;
	uint32_t n_blocks;
	_Atomic uint32_t next;
	pthread_mutex_t lock; /* for those who sleep until their turn */
	pthread_cond_t turned;
	_Atomic uint32_t
		turn; /* number of a block; what follows belongs to the worker of that block */
	uint64_t at;  /* everything up to here was visited */
	bool stopped;
};

/* A worker's own. */
struct scan_worker {
	struct record_chunk chunk;
	unsigned number;
	bool wants_blocks; /* the visitor wants blocks of this worker */
	bool has_block;    /* the chunk is a block */
};

/* Blocks take about equally long, so the next in turn waits for less time than sleeping and waking
 * would take. */
static void wait_turn(struct parallel_scan *ps, uint32_t i)
{
	enum { TRIES = 4000 };
	unsigned n;

	for (n = 0; n < TRIES && ps->turn + 1 == i; n++)
		lock_pause();
	if (ps->turn == i)
		return;
	pthread_mutex_lock(&ps->lock);
	while (ps->turn != i)
		pthread_cond_wait(&ps->turned, &ps->lock);
	pthread_mutex_unlock(&ps->lock);
}

static void end_turn(struct parallel_scan *ps)
{
	pthread_mutex_lock(&ps->lock);
	ps->turn++;
	pthread_cond_broadcast(&ps->turned);
	pthread_mutex_unlock(&ps->lock);
}

static int emit(struct record_scan *scan, const struct record_chunk *s, struct err *e)
{
	size_t i;

	for (i = 0; i < s->n_listed; i++) {
		struct perfdata_record r = record_chunk_record(s, s->listed[i]);

		if (record_scan_visit(scan, &r, e))
			return e->code;
	}
	if (s->tally.sum.bytes)
		scan->visitor.samples(scan->visitor.ctx, &s->tally.sum);
	return OK;
}

static void add_block(struct record_scan *scan, const struct record_chunk *s, bool visited)
{
	struct perfdata *pd = scan->pd;

	ARRAY_GROW(pd->blocks, pd->n_blocks, pd->cap_blocks);
	pd->blocks[pd->n_blocks++] = (struct block_place){
		.position = s->from,
		.size_bytes = (uint32_t)(s->to - s->from),
		.part = scan->part,
		.visited = visited,
	};
}

/* In its turn: now it is known where the chunk begins. */
static int finish_chunk(struct parallel_scan *ps, struct scan_worker *w, struct err *e)
{
	struct record_chunk *s = &w->chunk;

	if (ps->stopped || ps->at >= s->end)
		return OK;
	if (s->from != ps->at && record_chunk_step(s, ps->at, true, e))
		return e->code;
	if (s->has_losses && record_chunk_step(s, ps->at, false, e))
		return e->code;
	ps->stopped = s->stopped;
	ps->at = s->to;
	w->has_block = s->to != s->from;
	if (!w->has_block)
		return OK;
	add_block(ps->scan, s, w->wants_blocks);
	return emit(ps->scan, s, e);
}

/* The bytes are in the cache now. */
static void visit_block(struct parallel_scan *ps, struct scan_worker *w)
{
	const struct perfdata_visitor *visitor = &ps->scan->visitor;
	struct perfdata_block b = record_chunk_block(&w->chunk);

	w->wants_blocks = visitor->block(visitor->ctx, w->number, &b);
}

static int scan_block(struct parallel_scan *ps, struct scan_worker *w, uint32_t i, struct err *e)
{
	uint64_t begin = ps->source->begin + (uint64_t)i * ps->block_bytes;
	struct record_chunk *s = &w->chunk;
	int rc = record_chunk_read(s, ps->source, begin, ps->block_bytes, e);

	w->has_block = false;
	if (!rc)
		rc = record_chunk_step(s, i ? record_chunk_guess(s) : begin, true, e);
	wait_turn(ps, i);
	if (!rc)
		rc = finish_chunk(ps, w, e);
	if (rc)
		ps->stopped = true;
	end_turn(ps);
	if (!rc && w->has_block && w->wants_blocks)
		visit_block(ps, w);
	return rc;
}

static void keep_block(struct perfdata *pd, uint32_t part, struct record_chunk *s)
{
	perfdata_block_release(&pd->kept);
	pd->kept = record_chunk_detach(s);
	pd->kept_part = part;
}

static int run_worker(void *ctx, unsigned number, struct err *e)
{
	struct parallel_scan *ps = ctx;
	struct scan_worker w = { .number = number, .wants_blocks = ps->scan->visitor.block };
	uint32_t i;
	int rc = OK;

	record_chunk_init(&w.chunk, ps->scan->pd);
	while (!rc && (i = pool_next(&ps->next)) < ps->n_blocks)
		rc = scan_block(ps, &w, i, e);
	if (ps->n_blocks == 1)
		keep_block(ps->scan->pd, ps->scan->part, &w.chunk);
	record_chunk_release(&w.chunk);
	return rc;
}

int parallel_scan_part(struct record_scan *s, struct pool *pool, uint64_t *to, struct err *e)
{
	struct byte_source *source = s->pd->parts[s->part];
	uint64_t blocks = (source->end - source->begin) / s->pd->block_bytes + 1;
	struct parallel_scan ps = {
		.scan = s,
		.source = source,
		.block_bytes = s->pd->block_bytes,
		.n_blocks = blocks < UINT32_MAX / 2 ? (uint32_t)blocks : 0,
		.at = source->begin,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.turned = PTHREAD_COND_INITIALIZER,
	};
	int rc = pool_run(blocks > 1 ? pool : NULL, run_worker, &ps, e);

	*to = ps.at;
	return rc;
}
