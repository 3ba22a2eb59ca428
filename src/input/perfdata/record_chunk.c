/*
 * How it works: a chunk is one block of a source, read with a short tail, so that a record that
 * begins in the block is complete:
 *
 *	begin            from                                     end      to
 *	  | ....record     | record | record | ... | record | record that crosses |
 *	  |<- skipped as ->|<- stepped over ------------------------------------->|
 *	     part of the
 *	     chunk before
 *
 * record_chunk_guess() looks for `from`: the first multiple of 8 from which 8 plausible headers
 * follow one another. record_chunk_step() goes from header to header. Nearly all records are
 * samples, of which only number and times are wanted: step_run() sums up those of one event and CPU
 * in registers (tally.h). Every other record is listed by its offset.
 *
 * The invariant: a step is made only where record_walk.c would make the same step. A header that is
 * doubtful in any way (odd size, unknown type, raw or compressed bytes after it, not followed by a
 * header) stops the chunk, and the walk goes on from there. Checked by perfdata_agree_test.c.
 *
 * Costs: a few loads for each sample; headers further on are prefetched, as only one record says
 * where the next is.
 */
#include "input/perfdata/record_chunk.h"

#include "base/mem.h"
#include "base/prefetch.h"
#include "input/perfdata/zstd_source.h"

#include <stdlib.h>

enum {
	/* After the end of a block come the rest of its last record and the next header. */
	TAIL_BYTES = RECORD_MAX_BYTES + 1 + RECORD_HEADER_BYTES,
	/* This much is enough as a rule. */
	SHORT_TAIL_BYTES = 512,
	/* A copied stack can hold what looks like some records. */
	GUESS_RECORDS = 8,
	AHEAD_RECORDS = 6,
};

void record_chunk_init(struct record_chunk *c, const struct perfdata *pd)
{
	*c = (struct record_chunk){ .swapped = pd->header.swapped };
	tally_init(&c->tally, pd);
}

void record_chunk_release(struct record_chunk *c)
{
	tally_release(&c->tally);
	free(c->bytes);
	free(c->listed);
}

static int read_more(struct record_chunk *c, size_t to, struct err *e)
{
	size_t got;

	if (to > c->source->end - c->begin)
		to = (size_t)(c->source->end - c->begin);
	if (to <= c->n_bytes)
		return OK;
	if (byte_source_read(c->source, c->bytes + c->n_bytes, to - c->n_bytes,
		    c->begin + c->n_bytes, &got, e))
		return e->code;
	c->n_bytes += got;
	return OK;
}

int record_chunk_read(struct record_chunk *c, struct byte_source *source, uint64_t begin,
	size_t block_bytes, struct err *e)
{
	uint64_t left = source->end - begin;
	size_t room = left < block_bytes + TAIL_BYTES ? (size_t)left : block_bytes + TAIL_BYTES;

	if (c->cap_bytes < room) {
		free(c->bytes);
		c->cap_bytes = room;
		c->bytes = xmalloc(room);
	}
	c->source = source;
	c->begin = begin;
	c->end = left < block_bytes ? source->end : begin + block_bytes;
	c->n_bytes = 0;
	return read_more(c, block_bytes + SHORT_TAIL_BYTES, e);
}

/* ---- headers ------------------------------------------------------------------------------ */

struct chunk_header {
	uint32_t type;
	uint16_t size;
};

static inline struct chunk_header header_of(const uint8_t *p, bool swapped)
{
	return (struct chunk_header){ bytes_u32(p, swapped), bytes_u16(p + 6, swapped) };
}

static inline struct chunk_header header_at(const struct record_chunk *c, size_t at)
{
	return header_of(c->bytes + at, c->swapped);
}

static bool has_payload(uint32_t type)
{
	return type == RECORD_AUXTRACE || type == RECORD_HEADER_TRACING_DATA ||
	       perfdata_record_is_compressed(type);
}

static inline bool has_plain_size(struct chunk_header h)
{
	return h.size >= RECORD_HEADER_BYTES && h.size % 8 == 0;
}

/* Stricter than is_plausible() of record_walk.c. */
static inline bool is_plain(struct chunk_header h)
{
	if (!has_plain_size(h))
		return false;
	return h.type == RECORD_SAMPLE ||
	       (perfdata_record_kind(h.type)->name && !has_payload(h.type));
}

static bool is_likely(struct chunk_header h)
{
	return is_plain(h) && h.size >= perfdata_record_kind(h.type)->min_bytes;
}

/* Within the bytes that are there already. */
static bool is_chain(const struct record_chunk *c, size_t at)
{
	unsigned i;

	for (i = 0; i < GUESS_RECORDS; i++) {
		struct chunk_header h;

		if (c->begin + at == c->source->end)
			return i > 0;
		if (at + RECORD_HEADER_BYTES > c->n_bytes)
			return i > 1;
		h = header_at(c, at);
		if (!is_likely(h))
			return false;
		at += h.size;
	}
	return true;
}

uint64_t record_chunk_guess(struct record_chunk *c)
{
	size_t at = (size_t)(-(c->begin - c->source->begin) % 8), n = (size_t)(c->end - c->begin);

	for (; at < n; at += 8)
		if (is_chain(c, at))
			return c->begin + at;
	return c->end;
}

/* ---- steps -------------------------------------------------------------------------------- */

static void list_record(struct record_chunk *c, uint32_t type, size_t at)
{
	c->has_losses |= type == RECORD_LOST || type == RECORD_LOST_SAMPLES;
	ARRAY_GROW(c->listed, c->n_listed, c->cap_listed);
	c->listed[c->n_listed++] = (uint32_t)at;
}

/* The header at an offset; OK also if the source ends there, END if there is no plain record. */
static inline int peek(struct record_chunk *c, size_t at, struct chunk_header *h, struct err *e)
{
	if (at + RECORD_HEADER_BYTES > c->n_bytes) {
		if (read_more(c, at + RECORD_HEADER_BYTES, e))
			return e->code;
		if (at + RECORD_HEADER_BYTES > c->n_bytes)
			return c->begin + at == c->source->end ? OK : END;
	}
	*h = header_at(c, at);
	return is_plain(*h) ? OK : END;
}

/* Is the record there, and the header of the next? */
static inline bool has_next(const uint8_t *p, const uint8_t *limit, struct chunk_header h)
{
	return (size_t)(limit - p) >= (size_t)h.size + RECORD_HEADER_BYTES;
}

/* Steps over as many records of one run as follow one another. The compiler knows swapped, so that
 * it is not tested for each number. */
static inline __attribute__((always_inline)) size_t step_run(
	struct record_chunk *c, size_t from, size_t end, bool swapped)
{
	const uint8_t *p = c->bytes + from, *last = p;
	const uint8_t *to = c->bytes + end, *limit = c->bytes + c->n_bytes;
	struct chunk_header here = header_of(p, swapped), after;
	struct tally_run begun, run;

	if (!has_next(p, limit, here) || !tally_begin_run(&c->tally, &begun, p, here.size, swapped))
		return from;
	run = begun; /* a copy, which can be in registers */
	for (; p < to && has_next(p, limit, here); last = p, p += here.size, here = after) {
		/* Only this record says where the next one is; as a rule they are about equally
		 * long. */
		prefetch(p + (size_t)here.size * AHEAD_RECORDS);
		after = header_of(p + here.size, swapped);
		if (after.type != RECORD_SAMPLE || !has_plain_size(after) ||
			!tally_add_to_run(&c->tally, &run, p, here.size, swapped))
			break;
	}
	tally_end_run(&c->tally, run, c->begin + (size_t)(last - c->bytes),
		(size_t)(p - c->bytes) - from);
	return (size_t)(p - c->bytes);
}

/* Sums up as many samples as follow one another from there on. Returns the offset of the first
 * other record. */
static size_t step_samples(struct record_chunk *c, size_t from, size_t end)
{
	size_t at, next = from;

	do {
		at = next;
		next = c->swapped ? step_run(c, at, end, true) : step_run(c, at, end, false);
	} while (next != at && next < end);
	return next;
}

int record_chunk_step(struct record_chunk *c, uint64_t from, bool tally, struct err *e)
{
	size_t at = (size_t)(from - c->begin), end = (size_t)(c->end - c->begin);
	struct chunk_header here = { 0 }, after = { 0 };
	int rc;

	c->from = from;
	c->has_losses = false;
	c->n_listed = 0;
	tally_clear(&c->tally);
	rc = at < end ? peek(c, at, &here, e) : OK;
	while (!rc && at < end) {
		if (tally && here.type == RECORD_SAMPLE) {
			at = step_samples(c, at, end);
			if (at >= end)
				break;
			here = header_at(c, at);
		}
		rc = peek(c, at + here.size, &after, e);
		if (rc)
			break;
		if (here.type != RECORD_SAMPLE || !tally ||
			!tally_add(&c->tally, c->bytes + at, here.size, c->begin + at, c->swapped))
			list_record(c, here.type, at);
		at += here.size;
		here = after;
	}
	c->to = c->begin + at;
	c->stopped = rc == END;
	return rc == END ? OK : rc;
}

struct perfdata_record record_chunk_record(const struct record_chunk *c, uint32_t at)
{
	const uint8_t *p = c->bytes + at;

	return (struct perfdata_record){ bytes_u32(p, c->swapped), bytes_u16(p + 4, c->swapped),
		bytes_u16(p + 6, c->swapped), p, c->begin + at };
}

struct perfdata_block record_chunk_block(const struct record_chunk *c)
{
	return (struct perfdata_block){
		.bytes = c->bytes + (c->from - c->begin),
		.n_bytes = (size_t)(c->to - c->from),
		.position = c->from,
		.swapped = c->swapped,
	};
}

struct perfdata_block record_chunk_detach(struct record_chunk *c)
{
	struct perfdata_block b = {
		.bytes = c->bytes,
		.cap_bytes = c->cap_bytes,
		.n_bytes = c->n_bytes,
		.position = c->begin,
		.swapped = c->swapped,
	};

	c->bytes = NULL;
	c->n_bytes = c->cap_bytes = 0;
	return b;
}
