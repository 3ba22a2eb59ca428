#include "input/perfdata/record_scan.h"

#include "base/lock.h"
#include "base/mem.h"
#include "input/perfdata/record_chunk.h"

/* Blocks are taken in order, read and stepped over at once, and handed out in turn. A worker that
 * waits for its turn waits for blocks that others have begun, never for a worker that has not. */
struct plain {
	struct record_scan *scan;
	struct byte_source *source;
	size_t block_bytes;
	uint32_t n_blocks;
	_Atomic uint32_t next;
	pthread_mutex_t lock; /* for those who sleep until their turn */
	pthread_cond_t turned;
	_Atomic uint32_t turn; /* of a block; what follows belongs to the worker that has it */
	uint64_t at;           /* everything up to here is handed out */
	bool stopped;
};

/* What one worker has. */
struct hand {
	struct record_chunk stretch;
	unsigned number;
	bool wants_blocks; /* the visitor wants blocks of this worker */
	bool has_block;    /* the stretch is a block */
};

/* Blocks are alike, so the next in turn waits for less time than sleeping and waking would take. */
static void wait_turn(struct plain *p, uint32_t i)
{
	enum { TRIES = 4000 };
	unsigned n;

	for (n = 0; n < TRIES && p->turn + 1 == i; n++)
		lock_pause();
	if (p->turn == i)
		return;
	pthread_mutex_lock(&p->lock);
	while (p->turn != i)
		pthread_cond_wait(&p->turned, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

static void end_turn(struct plain *p)
{
	pthread_mutex_lock(&p->lock);
	p->turn++;
	pthread_cond_broadcast(&p->turned);
	pthread_mutex_unlock(&p->lock);
}

static int hand_out(struct record_scan *scan, const struct record_chunk *s, struct err *e)
{
	size_t i;

	for (i = 0; i < s->n_apart; i++) {
		struct perfdata_record r = record_chunk_record(s, s->apart[i]);

		if (record_scan_visit(scan, &r, e))
			return e->code;
	}
	if (s->tally.sum.bytes)
		scan->visitor.samples(scan->visitor.ctx, &s->tally.sum);
	return OK;
}

static void add_block(struct record_scan *scan, const struct record_chunk *s, bool taken)
{
	struct perfdata *pd = scan->pd;

	ARRAY_GROW(pd->blocks, pd->n_blocks, pd->cap_blocks);
	pd->blocks[pd->n_blocks++] = (struct block_place){
		.position = s->from,
		.size_bytes = (uint32_t)(s->to - s->from),
		.part = scan->part,
		.taken = taken,
	};
}

/* In its turn: now it is known where the stretch begins. */
static int finish(struct plain *p, struct hand *h, struct err *e)
{
	struct record_chunk *s = &h->stretch;

	if (p->stopped || p->at >= s->end)
		return OK;
	if (s->from != p->at && record_chunk_step(s, p->at, true, e))
		return e->code;
	if (s->has_losses && record_chunk_step(s, p->at, false, e))
		return e->code;
	p->stopped = s->stopped;
	p->at = s->to;
	h->has_block = s->to != s->from;
	if (!h->has_block)
		return OK;
	add_block(p->scan, s, h->wants_blocks);
	return hand_out(p->scan, s, e);
}

/* The bytes are at hand now. */
static void show_block(struct plain *p, struct hand *h)
{
	const struct perfdata_visitor *visitor = &p->scan->visitor;
	struct perfdata_block b = record_chunk_block(&h->stretch);

	h->wants_blocks = visitor->block(visitor->ctx, h->number, &b);
}

static int take_block(struct plain *p, struct hand *h, uint32_t i, struct err *e)
{
	uint64_t begin = p->source->begin + (uint64_t)i * p->block_bytes;
	struct record_chunk *s = &h->stretch;
	int rc = record_chunk_read(s, p->source, begin, p->block_bytes, e);

	h->has_block = false;
	if (!rc)
		rc = record_chunk_step(s, i ? record_chunk_guess(s) : begin, true, e);
	wait_turn(p, i);
	if (!rc)
		rc = finish(p, h, e);
	if (rc)
		p->stopped = true;
	end_turn(p);
	if (!rc && h->has_block && h->wants_blocks)
		show_block(p, h);
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
	struct plain *p = ctx;
	struct hand h = { .number = number, .wants_blocks = p->scan->visitor.block };
	uint32_t i;
	int rc = OK;

	record_chunk_init(&h.stretch, p->scan->pd);
	while (!rc && (i = pool_next(&p->next)) < p->n_blocks)
		rc = take_block(p, &h, i, e);
	if (p->n_blocks == 1)
		keep_block(p->scan->pd, p->scan->part, &h.stretch);
	record_chunk_release(&h.stretch);
	return rc;
}

int parallel_scan_part(struct record_scan *s, struct pool *pool, uint64_t *to, struct err *e)
{
	struct byte_source *source = s->pd->parts[s->part];
	uint64_t blocks = (source->end - source->begin) / s->pd->block_bytes + 1;
	struct plain p = {
		.scan = s,
		.source = source,
		.block_bytes = s->pd->block_bytes,
		.n_blocks = blocks < UINT32_MAX / 2 ? (uint32_t)blocks : 0,
		.at = source->begin,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.turned = PTHREAD_COND_INITIALIZER,
	};
	int rc = pool_run(blocks > 1 ? pool : NULL, run_worker, &p, e);

	*to = p.at;
	return rc;
}
