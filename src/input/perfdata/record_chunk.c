#include "input/perfdata/record_chunk.h"

#include "base/mem.h"
#include "base/prefetch.h"
#include "input/perfdata/zstd_source.h"

#include <stdlib.h>

enum {
	/* Behind the end of a block lie the rest of its last record and the next header. */
	TAIL_BYTES = RECORD_MAX_BYTES + 1 + RECORD_HEADER_BYTES,
	/* This much is enough as a rule. */
	SHORT_TAIL_BYTES = 512,
	/* A copied stack can hold what looks like some records. */
	GUESS_RECORDS = 8,
	AHEAD_RECORDS = 6,
};

void record_chunk_init(struct record_chunk *s, const struct perfdata *pd)
{
	*s = (struct record_chunk){ .swapped = pd->layout.swapped };
	tally_init(&s->tally, pd);
}

void record_chunk_release(struct record_chunk *s)
{
	tally_release(&s->tally);
	free(s->bytes);
	free(s->apart);
}

static int read_more(struct record_chunk *s, size_t to, struct err *e)
{
	size_t got;

	if (to > s->source->end - s->begin)
		to = (size_t)(s->source->end - s->begin);
	if (to <= s->n_bytes)
		return OK;
	if (byte_source_read(s->source, s->bytes + s->n_bytes, to - s->n_bytes,
		    s->begin + s->n_bytes, &got, e))
		return e->code;
	s->n_bytes += got;
	return OK;
}

int record_chunk_read(struct record_chunk *s, struct byte_source *source, uint64_t begin,
	size_t block_bytes, struct err *e)
{
	uint64_t left = source->end - begin;
	size_t room = left < block_bytes + TAIL_BYTES ? (size_t)left : block_bytes + TAIL_BYTES;

	if (s->cap_bytes < room) {
		free(s->bytes);
		s->cap_bytes = room;
		s->bytes = xmalloc(room);
	}
	s->source = source;
	s->begin = begin;
	s->end = left < block_bytes ? source->end : begin + block_bytes;
	s->n_bytes = 0;
	return read_more(s, block_bytes + SHORT_TAIL_BYTES, e);
}

/* ---- headers ------------------------------------------------------------------------------ */

struct header {
	uint32_t type;
	uint16_t size;
};

static inline struct header header_of(const uint8_t *p, bool swapped)
{
	return (struct header){ bytes_u32(p, swapped), bytes_u16(p + 6, swapped) };
}

static inline struct header header_at(const struct record_chunk *s, size_t at)
{
	return header_of(s->bytes + at, s->swapped);
}

static bool has_more_behind(uint32_t type)
{
	return type == RECORD_AUXTRACE || type == RECORD_HEADER_TRACING_DATA ||
	       perfdata_record_is_compressed(type);
}

static inline bool has_plain_size(struct header h)
{
	return h.size >= RECORD_HEADER_BYTES && h.size % 8 == 0;
}

/* Stricter than the walk: what is no header to the walk is none here. */
static inline bool is_plain(struct header h)
{
	if (!has_plain_size(h))
		return false;
	return h.type == RECORD_SAMPLE ||
	       (perfdata_record_kind(h.type)->name && !has_more_behind(h.type));
}

static bool is_likely(struct header h)
{
	return is_plain(h) && h.size >= perfdata_record_kind(h.type)->min_bytes;
}

/* Within the bytes that are there already. */
static bool is_chain(const struct record_chunk *s, size_t at)
{
	unsigned i;

	for (i = 0; i < GUESS_RECORDS; i++) {
		struct header h;

		if (s->begin + at == s->source->end)
			return i > 0;
		if (at + RECORD_HEADER_BYTES > s->n_bytes)
			return i > 1;
		h = header_at(s, at);
		if (!is_likely(h))
			return false;
		at += h.size;
	}
	return true;
}

uint64_t record_chunk_guess(struct record_chunk *s)
{
	size_t at = (size_t)(-(s->begin - s->source->begin) % 8), n = (size_t)(s->end - s->begin);

	for (; at < n; at += 8)
		if (is_chain(s, at))
			return s->begin + at;
	return s->end;
}

/* ---- steps -------------------------------------------------------------------------------- */

static void set_apart(struct record_chunk *s, uint32_t type, size_t at)
{
	s->has_losses |= type == RECORD_LOST || type == RECORD_LOST_SAMPLES;
	ARRAY_GROW(s->apart, s->n_apart, s->cap_apart);
	s->apart[s->n_apart++] = (uint32_t)at;
}

/* The header at a place; OK also if the source ends there, END if nothing plain is there. */
static inline int look(struct record_chunk *s, size_t at, struct header *h, struct err *e)
{
	if (at + RECORD_HEADER_BYTES > s->n_bytes) {
		if (read_more(s, at + RECORD_HEADER_BYTES, e))
			return e->code;
		if (at + RECORD_HEADER_BYTES > s->n_bytes)
			return s->begin + at == s->source->end ? OK : END;
	}
	*h = header_at(s, at);
	return is_plain(*h) ? OK : END;
}

/* Is the record there, and the header of the next? */
static inline bool has_next(const uint8_t *p, const uint8_t *behind, struct header h)
{
	return (size_t)(behind - p) >= (size_t)h.size + RECORD_HEADER_BYTES;
}

/* Steps over as many records of one run as follow one another. The compiler knows swapped, so that
 * it is not tested for each number. */
static inline __attribute__((always_inline)) size_t step_run(
	struct record_chunk *s, size_t from, size_t end, bool swapped)
{
	const uint8_t *p = s->bytes + from, *last = p;
	const uint8_t *to = s->bytes + end, *behind = s->bytes + s->n_bytes;
	struct header here = header_of(p, swapped), after;
	struct tally_run begun, run;

	if (!has_next(p, behind, here) ||
		!tally_begin_run(&s->tally, &begun, p, here.size, swapped))
		return from;
	run = begun; /* nobody else can change a copy: it may be in registers */
	for (; p < to && has_next(p, behind, here); last = p, p += here.size, here = after) {
		/* Only this record says where the next one is; as a rule they are about equally
		 * long. */
		prefetch(p + (size_t)here.size * AHEAD_RECORDS);
		after = header_of(p + here.size, swapped);
		if (after.type != RECORD_SAMPLE || !has_plain_size(after) ||
			!tally_add_to_run(&s->tally, &run, p, here.size, swapped))
			break;
	}
	tally_end_run(&s->tally, run, s->begin + (size_t)(last - s->bytes),
		(size_t)(p - s->bytes) - from);
	return (size_t)(p - s->bytes);
}

/* Nearly all records are samples that have one behind them: sums up as many as follow one another
 * from there on. Returns where the first other record is. */
static size_t step_samples(struct record_chunk *s, size_t from, size_t end)
{
	size_t at, next = from;

	do {
		at = next;
		next = s->swapped ? step_run(s, at, end, true) : step_run(s, at, end, false);
	} while (next != at && next < end);
	return next;
}

int record_chunk_step(struct record_chunk *s, uint64_t from, bool tally, struct err *e)
{
	size_t at = (size_t)(from - s->begin), end = (size_t)(s->end - s->begin);
	struct header here = { 0 }, after = { 0 };
	int rc;

	s->from = from;
	s->has_losses = false;
	s->n_apart = 0;
	tally_clear(&s->tally);
	rc = at < end ? look(s, at, &here, e) : OK;
	while (!rc && at < end) {
		if (tally && here.type == RECORD_SAMPLE) {
			at = step_samples(s, at, end);
			if (at >= end)
				break;
			here = header_at(s, at);
		}
		rc = look(s, at + here.size, &after, e);
		if (rc)
			break;
		if (here.type != RECORD_SAMPLE || !tally ||
			!tally_add(&s->tally, s->bytes + at, here.size, s->begin + at, s->swapped))
			set_apart(s, here.type, at);
		at += here.size;
		here = after;
	}
	s->to = s->begin + at;
	s->stopped = rc == END;
	return rc == END ? OK : rc;
}

struct perfdata_record record_chunk_record(const struct record_chunk *s, uint32_t at)
{
	const uint8_t *p = s->bytes + at;

	return (struct perfdata_record){ bytes_u32(p, s->swapped), bytes_u16(p + 4, s->swapped),
		bytes_u16(p + 6, s->swapped), p, s->begin + at };
}

struct perfdata_block record_chunk_block(const struct record_chunk *s)
{
	return (struct perfdata_block){
		.bytes = s->bytes + (s->from - s->begin),
		.n_bytes = (size_t)(s->to - s->from),
		.position = s->from,
		.swapped = s->swapped,
	};
}

struct perfdata_block record_chunk_detach(struct record_chunk *s)
{
	struct perfdata_block b = {
		.bytes = s->bytes,
		.cap_bytes = s->cap_bytes,
		.n_bytes = s->n_bytes,
		.position = s->begin,
		.swapped = s->swapped,
	};

	s->bytes = NULL;
	s->n_bytes = s->cap_bytes = 0;
	return b;
}
