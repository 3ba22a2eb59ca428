#include "input/perfdata/private.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------------
 * Pass 1: a window moves over the bytes of a part; records are told from damage by their headers.
 */

enum {
	/* Far above all types that are known: a header with more is damage, not a newer perf. */
	RECORD_TYPE_LIMIT = 65536,
	/* One header may look true by chance; so many in a row hardly do. */
	CHAIN_RECORDS = 3,
	/* A record, and the headers looked at ahead of it. */
	LOOK_AHEAD_BYTES = (CHAIN_RECORDS + 1) * (RECORD_MAX_BYTES + 1),
	/* Each damaged place costs an entry in the list of blocks. */
	DAMAGE_LIMIT = 1 << 20,
};

struct header {
	uint32_t type;
	uint16_t misc, size;
};

/* What is seen at a place. */
enum sight {
	SEEN_RECORD, /* a header that can be true */
	SEEN_DAMAGE,
	SEEN_END, /* exactly the end of the part */
	SEEN_CUT, /* beyond the end, or too near for a header */
};

struct scan {
	struct perfdata *pd;
	struct source *source;
	uint32_t part;
	perfdata_visit visit;
	void *ctx;
	struct diag *diag;
	struct err *err;
	int rc;

	uint8_t *window;
	size_t cap_bytes;
	size_t from, to;   /* bytes of the window not yet done with */
	uint64_t position; /* of window[from] */

	bool block_open; /* the next record belongs to the last block */
	uint32_t damages;
};

/* Make at least need bytes visible, if they are there; returns how many are. */
static size_t window_fill(struct scan *s, size_t need)
{
	memmove(s->window, s->window + s->from, s->to - s->from);
	s->to -= s->from;
	s->from = 0;
	while (s->to < need && !s->rc) {
		size_t room = s->cap_bytes - s->to, got;

		if (room > s->pd->block_bytes)
			room = s->pd->block_bytes;
		s->rc = source_read(
			s->source, s->window + s->to, room, s->position + s->to, &got, s->err);
		if (!got)
			break;
		s->to += got;
	}
	return s->to;
}

static inline size_t window_have(struct scan *s, size_t need)
{
	return s->to - s->from >= need ? s->to - s->from : window_fill(s, need);
}

static void window_advance(struct scan *s, uint64_t n)
{
	uint64_t there = s->to - s->from;

	s->position += n;
	if (n > there)
		s->from = s->to = 0;
	else
		s->from += (size_t)n;
}

static bool header_can_be_true(const struct header *h)
{
	if (h->size < RECORD_HEADER_BYTES || !h->type || h->type >= RECORD_TYPE_LIMIT)
		return false;
	return h->size % 8 == 0 || perfdata_record_kind(h->type)->any_size;
}

static inline enum sight look(struct scan *s, size_t ahead, struct header *h)
{
	size_t have = window_have(s, ahead + RECORD_HEADER_BYTES);
	const uint8_t *p = s->window + s->from + ahead;
	bool swapped = s->pd->layout.swapped;

	if (have < ahead + RECORD_HEADER_BYTES)
		return have == ahead ? SEEN_END : SEEN_CUT;
	*h = (struct header){ get_u32(p, swapped), get_u16(p + 4, swapped),
		get_u16(p + 6, swapped) };
	return header_can_be_true(h) ? SEEN_RECORD : SEEN_DAMAGE;
}

/* Whether records go on from here: three of known types in a row, or fewer up to the end. */
static bool chain_at(struct scan *s, size_t ahead)
{
	unsigned i;

	for (i = 0; i < CHAIN_RECORDS; i++) {
		struct header h;
		enum sight seen = look(s, ahead, &h);
		const struct perfdata_record_kind *kind;

		if (seen != SEEN_RECORD)
			return seen == SEEN_END && i > 0;
		kind = perfdata_record_kind(h.type);
		if (!kind->name || h.size < kind->min_bytes)
			return false;
		ahead += h.size;
	}
	/* The last one must lie in the part as a whole. */
	return window_have(s, ahead) >= ahead;
}

/* ------------------------------------------------------------------------------------------
 * Blocks: whole records without damage between them.
 */

static void blocks_add(struct scan *s, uint32_t size_bytes)
{
	struct perfdata *pd = s->pd;
	struct block_place *b;

	if (!s->block_open) {
		ARRAY_GROW(pd->blocks, pd->n_blocks, pd->cap_blocks);
		pd->blocks[pd->n_blocks++] =
			(struct block_place){ .position = s->position, .part = s->part };
		s->block_open = true;
	}
	b = &pd->blocks[pd->n_blocks - 1];
	b->size_bytes += size_bytes;
	if (b->size_bytes >= pd->block_bytes)
		s->block_open = false;
}

/* Leave bytes out; what follows belongs to a new block. */
static void skip_bytes(struct scan *s, uint64_t n)
{
	s->block_open = false;
	window_advance(s, n);
}

/* The one decision of both passes: is the record handed out? */
static bool record_is_good(const struct perfdata_record_kind *kind, uint32_t size)
{
	return kind->name && size >= kind->min_bytes;
}

/* AUX area data and tracing data lie as raw bytes behind their record. */
static inline bool has_payload(uint32_t type)
{
	return type == RECORD_AUXTRACE || type == RECORD_HEADER_TRACING_DATA;
}

static uint64_t payload_bytes(const struct perfdata_record *r, bool swapped)
{
	if (r->type == RECORD_AUXTRACE && r->size >= 16)
		return get_u64(r->p + RECORD_HEADER_BYTES, swapped);
	if (r->type == RECORD_HEADER_TRACING_DATA && r->size >= 12)
		return get_u32(r->p + RECORD_HEADER_BYTES, swapped);
	return 0;
}

static struct perfdata_record record_here(const struct scan *s, const struct header *h)
{
	return (struct perfdata_record){ h->type, h->misc, h->size, s->window + s->from,
		s->position };
}

/* The record here is true: show it and pass on. */
static void pass_record(struct scan *s, const struct header *h)
{
	struct perfdata_record r = record_here(s, h);
	const struct perfdata_record_kind *kind = perfdata_record_kind(h->type);

	blocks_add(s, h->size);
	if (record_is_good(kind, h->size))
		s->rc = s->visit(s->ctx, &r, s->err);
	else
		diag_count(s->diag, kind->name ? DIAG_BAD_RECORD : DIAG_UNKNOWN_RECORD, r.position);
	window_advance(s, h->size);
}

/* ------------------------------------------------------------------------------------------
 * Damage.
 */

static uint64_t left_bytes(const struct scan *s)
{
	return s->source->end - s->position;
}

static void count_damage(struct scan *s, uint64_t n, uint64_t at)
{
	diag_count(s->diag, DIAG_BAD_RECORD, at);
	diag_add(s->diag, DIAG_DAMAGED_BYTES, n, at);
	s->damages++;
}

/* No record begins here: go on to where records do, or to the end. */
static void skip_damage(struct scan *s)
{
	uint64_t start = s->position;

	while (!s->rc && left_bytes(s) > 8 && s->damages < DAMAGE_LIMIT) {
		skip_bytes(s, 8);
		if (chain_at(s, 0)) {
			count_damage(s, s->position - start, start);
			return;
		}
	}
	skip_bytes(s, left_bytes(s));
	count_damage(s, s->position - start, start);
}

/* The part ends in a record that needs more bytes at least. */
static void end_in_record(struct scan *s, uint64_t more_bytes)
{
	if (!s->source->cut)
		count_damage(s, left_bytes(s), s->position);
	else if (!s->source->missing_bytes)
		diag_add(s->diag, DIAG_CUT_SHORT, more_bytes, s->position);
	skip_bytes(s, left_bytes(s));
}

/* Where records go on inside the record that is here; 0: they do not. */
static size_t chain_inside(struct scan *s, uint32_t size)
{
	size_t have = window_have(s, size), at;

	for (at = 8; at < size && at < have; at += 8)
		if (chain_at(s, at))
			return at;
	return 0;
}

/* The record here can be true, but nothing true follows it. Either its size is a lie (perf itself
 * prints no sample at all of a recording with one damaged size of 60000), and records go on inside
 * it, or the damage is in the one that follows. */
static void pass_doubtful(struct scan *s, const struct header *h)
{
	size_t inside = chain_inside(s, h->size);
	size_t have = window_have(s, h->size);

	if (inside) {
		count_damage(s, inside, s->position);
		skip_bytes(s, inside);
	} else if (have < h->size) {
		end_in_record(s, h->size - have);
	} else {
		pass_record(s, h);
	}
}

/* Pass the record with the raw bytes behind it; false where they cannot all be there. */
static bool pass_with_payload(struct scan *s, const struct header *h)
{
	struct perfdata_record r;
	uint64_t payload;

	if (window_have(s, h->size) < h->size)
		return false;
	r = record_here(s, h);
	payload = payload_bytes(&r, s->pd->layout.swapped);
	if (!payload || payload > left_bytes(s) - h->size)
		return false;
	pass_record(s, h);
	skip_bytes(s, payload);
	return true;
}

/* Pass what is here, a header that can be true. Mostly a record: then the next header, already seen
 * while this one was judged, is left in *h. */
static enum sight pass_header(struct scan *s, struct header *h)
{
	struct header here = *h;
	enum sight after = look(s, here.size, h);

	if (has_payload(here.type) && pass_with_payload(s, &here))
		return look(s, 0, h);
	if (after == SEEN_RECORD || after == SEEN_END) {
		pass_record(s, &here);
		return after;
	}
	pass_doubtful(s, &here);
	return look(s, 0, h);
}

static void scan_part(struct scan *s)
{
	struct header h;
	enum sight seen = look(s, 0, &h);

	while (!s->rc && (seen == SEEN_RECORD || seen == SEEN_DAMAGE)) {
		if (seen == SEEN_RECORD) {
			seen = pass_header(s, &h);
		} else {
			skip_damage(s);
			seen = look(s, 0, &h);
		}
	}
	if (seen == SEEN_CUT && !s->rc)
		end_in_record(s, RECORD_HEADER_BYTES - left_bytes(s));
}

/* ------------------------------------------------------------------------------------------ */

int perfdata_scan(
	struct perfdata *pd, perfdata_visit visit, void *ctx, struct diag *d, struct err *e)
{
	struct scan s = { .pd = pd, .visit = visit, .ctx = ctx, .diag = d, .err = e };

	pd->n_blocks = 0;
	perfdata_rewind(pd);
	s.cap_bytes = pd->block_bytes + LOOK_AHEAD_BYTES;
	s.window = xmalloc(s.cap_bytes);
	for (s.part = 0; s.part < pd->n_parts && !s.rc; s.part++) {
		s.source = pd->parts[s.part];
		s.position = s.source->begin;
		s.from = s.to = 0;
		s.block_open = false;
		if (s.source->missing_bytes)
			diag_add(d, DIAG_CUT_SHORT, s.source->missing_bytes, s.source->end);
		scan_part(&s);
	}
	free(s.window);
	return s.rc;
}

void perfdata_rewind(struct perfdata *pd)
{
	atomic_store(&pd->next_block, 0);
}

uint64_t perfdata_block_count(const struct perfdata *pd)
{
	return pd->n_blocks;
}

int perfdata_next_block(struct perfdata *pd, struct perfdata_block *b, struct err *e)
{
	uint64_t i = atomic_fetch_add_explicit(&pd->next_block, 1, memory_order_relaxed);
	const struct block_place *place;

	b->n_bytes = b->at = 0;
	if (i >= pd->n_blocks)
		return END;
	place = &pd->blocks[i];
	if (b->cap_bytes < place->size_bytes) {
		free(b->bytes);
		b->bytes = xmalloc(place->size_bytes);
		b->cap_bytes = place->size_bytes;
	}
	b->position = place->position;
	b->swapped = pd->layout.swapped;
	return source_read(pd->parts[place->part], b->bytes, place->size_bytes, place->position,
		&b->n_bytes, e);
}

bool perfdata_block_next(struct perfdata_block *b, struct perfdata_record *r)
{
	while (b->n_bytes - b->at >= RECORD_HEADER_BYTES) {
		const uint8_t *p = b->bytes + b->at;
		uint16_t size = get_u16(p + 6, b->swapped);

		/* The scan saw whole records here: only a file that changed since has others. */
		if (size < RECORD_HEADER_BYTES || size > b->n_bytes - b->at)
			return false;
		*r = (struct perfdata_record){ get_u32(p, b->swapped), get_u16(p + 4, b->swapped),
			size, p, b->position + b->at };
		b->at += size;
		if (record_is_good(perfdata_record_kind(r->type), size))
			return true;
	}
	return false;
}

void perfdata_block_release(struct perfdata_block *b)
{
	free(b->bytes);
	*b = (struct perfdata_block){ 0 };
}
