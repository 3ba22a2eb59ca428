/*
 * How it works: a window of the source, refilled as the walk goes on, holds the current record and
 * enough to look at a few headers after it.
 *
 *	source  ......|##########window##########|......
 *	              from     (current record)  to
 *
 * For each record the next header is looked at too. If that is plausible (type, size), or if the
 * source ends exactly there, the record is emitted. If not, either this record's size is wrong or
 * the next record is damaged: chain_inside() looks for three plausible records in a row within the
 * record's bytes. If there are, its size was wrong and it is skipped as damage; else it is
 * emitted, and the damage begins after it. Damage ends where three records in a row are plausible.
 * (perf itself shows no sample at all of a recording with one damaged size of 60000.)
 *
 * Records begin at multiples of 8 until the first record of another size, which perf writes only
 * for a few types; from there on every byte is tried.
 *
 * Costs: one new header for each record. A search in damage looks at up to three headers at each
 * position: multiples of 8, and after 128 KiB every byte. The number of damaged places is bounded.
 */
#include "input/perfdata/record_walk.h"

#include "base/mem.h"

#include <stdlib.h>

enum {
	/* Far above all known types: a header with more is damage, not a newer perf. */
	RECORD_TYPE_LIMIT = 65536,
	/* One header may be plausible by chance; this many in a row hardly are. */
	CHAIN_RECORDS = 3,
	/* A record, and the headers looked at ahead of it. */
	LOOK_AHEAD_BYTES = (CHAIN_RECORDS + 1) * (RECORD_MAX_BYTES + 1),
	/* If no record has an odd size, the next one begins within this many bytes of damage. */
	ALIGNED_SEARCH_BYTES = 2 * (RECORD_MAX_BYTES + 1),
	/* Each damaged place costs an entry in the list of blocks. */
	DAMAGE_LIMIT = 1 << 20,
};

/* What is seen at a position. */
enum walk_sight {
	SEEN_RECORD, /* a header that can be true */
	SEEN_DAMAGE,
	SEEN_END, /* exactly the end of the source */
	SEEN_CUT, /* beyond the end, or too near for a header */
};

/* ---- the window --------------------------------------------------------------------------- */

/* Make at least need bytes visible, if they are there; returns how many are visible. */
static size_t window_fill(struct record_walk *w, size_t need)
{
	memmove(w->window, w->window + w->from, w->to - w->from);
	w->to -= w->from;
	w->from = 0;
	while (w->to < need && !w->rc) {
		size_t room = w->read_bytes + LOOK_AHEAD_BYTES - w->to, got;

		if (room > w->read_bytes)
			room = w->read_bytes;
		w->rc = byte_source_read(
			w->source, w->window + w->to, room, w->position + w->to, &got, w->err);
		if (!got)
			break;
		w->to += got;
	}
	return w->to;
}

static inline size_t window_have(struct record_walk *w, size_t need)
{
	return w->to - w->from >= need ? w->to - w->from : window_fill(w, need);
}

static void window_advance(struct record_walk *w, uint64_t n)
{
	uint64_t there = w->to - w->from;

	w->position += n;
	if (n > there)
		w->from = w->to = 0;
	else
		w->from += (size_t)n;
}

static uint64_t left_bytes(const struct record_walk *w)
{
	return w->source->end - w->position;
}

/* ---- plausible headers ------------------------------------------------------------------ */

static bool is_plausible(const struct record_header *h)
{
	if (h->size < RECORD_HEADER_BYTES || !h->type || h->type >= RECORD_TYPE_LIMIT)
		return false;
	return h->size % 8 == 0 || perfdata_record_kind(h->type)->any_size;
}

static inline enum walk_sight peek(struct record_walk *w, size_t ahead, struct record_header *h)
{
	size_t have = window_have(w, ahead + RECORD_HEADER_BYTES);
	const uint8_t *p = w->window + w->from + ahead;

	if (have < ahead + RECORD_HEADER_BYTES)
		return have == ahead ? SEEN_END : SEEN_CUT;
	*h = (struct record_header){ bytes_u32(p, w->swapped), bytes_u16(p + 4, w->swapped),
		bytes_u16(p + 6, w->swapped) };
	return is_plausible(h) ? SEEN_RECORD : SEEN_DAMAGE;
}

/* Do records go on from here? They do if three of known types follow one another, or fewer up to
 * the end. */
static bool chain_at(struct record_walk *w, size_t ahead)
{
	unsigned i;

	for (i = 0; i < CHAIN_RECORDS; i++) {
		struct record_header h;
		enum walk_sight seen = peek(w, ahead, &h);
		const struct perfdata_record_kind *kind;

		if (seen != SEEN_RECORD)
			return seen == SEEN_END && i > 0;
		kind = perfdata_record_kind(h.type);
		if (!kind->name || h.size < kind->min_bytes)
			return false;
		ahead += h.size;
	}
	/* The last one must be complete. */
	return window_have(w, ahead) >= ahead;
}

/* Where records go on inside the record here; 0: nowhere. */
static size_t chain_inside(struct record_walk *w, uint32_t size)
{
	size_t have = window_have(w, size), at;

	for (at = RECORD_HEADER_BYTES; at < size && at < have; at += w->step_bytes)
		if (chain_at(w, at))
			return at;
	return 0;
}

/* ---- damage ------------------------------------------------------------------------------- */

static void count_damage(struct record_walk *w, uint64_t n, uint64_t at)
{
	w->damages++;
	w->damage_at = at;
	if (!w->diag)
		return;
	diag_count(w->diag, DIAG_BAD_RECORD, at);
	diag_add(w->diag, DIAG_DAMAGED_BYTES, n, at);
}

static void skip_rest(struct record_walk *w)
{
	size_t n;

	while (!w->rc && (n = window_have(w, 1)))
		window_advance(w, n);
}

/* No record begins here: go on to where one does, or to the end. */
static void skip_damage(struct record_walk *w)
{
	uint64_t start = w->position;

	while (!w->rc && left_bytes(w) > 8 && w->damages < DAMAGE_LIMIT) {
		/* What was damaged may itself have been a record of odd size. */
		if (w->position - start > ALIGNED_SEARCH_BYTES)
			w->step_bytes = 1;
		window_advance(w, w->step_bytes);
		if (chain_at(w, 0)) {
			count_damage(w, w->position - start, start);
			return;
		}
	}
	skip_rest(w);
	count_damage(w, w->position - start, start);
}

/* The source ends in a record that needs more bytes at least. */
static void end_in_record(struct record_walk *w, uint64_t more_bytes)
{
	const struct byte_source *s = w->source;

	if (!s->cut)
		count_damage(w, left_bytes(w), w->position);
	else if (!s->missing_bytes && w->diag)
		diag_add(w->diag, DIAG_CUT_SHORT, more_bytes, w->position);
	window_advance(w, left_bytes(w));
}

static int end(struct record_walk *w)
{
	const struct byte_source *s = w->source;

	if (s->missing_bytes && w->diag)
		diag_add(w->diag, DIAG_CUT_SHORT, s->missing_bytes, s->end);
	return w->rc = END;
}

/* ---- one record --------------------------------------------------------------------------- */

/* The record here is valid; after it and its payload, the next one begins. */
static void emit(struct record_walk *w, const struct record_header *h, uint64_t payload_bytes,
	struct perfdata_record *r)
{
	*r = (struct perfdata_record){ h->type, h->misc, h->size, w->window + w->from,
		w->position };
	w->skip_bytes = h->size + payload_bytes;
	/* From here on records may begin anywhere. */
	if (w->skip_bytes % 8)
		w->step_bytes = 1;
}

/* The size of the raw bytes that follow AUXTRACE and HEADER_TRACING_DATA, as these say. */
static uint64_t payload_bytes(const struct record_walk *w, const struct record_header *h)
{
	const uint8_t *p = w->window + w->from + RECORD_HEADER_BYTES;

	if (h->type == RECORD_AUXTRACE && h->size >= 16)
		return bytes_u64(p, w->swapped);
	if (h->type == RECORD_HEADER_TRACING_DATA && h->size >= 12)
		return perfdata_record_tracing_after(w->window + w->from, h->size, w->swapped);
	return 0;
}

/* False if the raw bytes cannot all be there. */
static bool emit_with_payload(
	struct record_walk *w, const struct record_header *h, struct perfdata_record *r)
{
	uint64_t payload;

	if (h->type != RECORD_AUXTRACE && h->type != RECORD_HEADER_TRACING_DATA)
		return false;
	if (w->source->no_payloads || window_have(w, h->size) < h->size)
		return false;
	payload = payload_bytes(w, h);
	if (!payload || payload > left_bytes(w) - h->size)
		return false;
	emit(w, h, payload, r);
	return true;
}

/* The header here is plausible, but what follows is not. Either its size is wrong and records go on
 * inside it, or the next record is damaged. */
static bool emit_doubtful(
	struct record_walk *w, const struct record_header *h, struct perfdata_record *r)
{
	size_t inside = chain_inside(w, h->size);
	size_t have = window_have(w, h->size);

	if (inside) {
		count_damage(w, inside, w->position);
		window_advance(w, inside);
		return false;
	}
	if (have < h->size) {
		end_in_record(w, h->size - have);
		return false;
	}
	emit(w, h, 0, r);
	return true;
}

/* The header here is plausible. The next header, which is looked at to judge this one, is kept for
 * the next call. False if this was not a record, and was skipped. */
static bool emit_header(struct record_walk *w, struct perfdata_record *r)
{
	struct record_header here = w->ahead;
	enum walk_sight after = peek(w, here.size, &w->ahead);

	if (emit_with_payload(w, &here, r))
		return true;
	if (after != SEEN_RECORD && after != SEEN_END)
		return emit_doubtful(w, &here, r);
	emit(w, &here, 0, r);
	w->seen = after;
	w->peeked = true;
	return true;
}

int record_walk_next(struct record_walk *w, struct perfdata_record *r, struct err *e)
{
	w->err = e;
	window_advance(w, w->skip_bytes);
	w->skip_bytes = 0;
	while (!w->rc) {
		enum walk_sight seen = w->peeked ? (enum walk_sight)w->seen : peek(w, 0, &w->ahead);

		w->peeked = false;
		if (w->rc)
			break;
		if (seen == SEEN_END)
			return end(w);
		if (seen == SEEN_RECORD && emit_header(w, r))
			return w->rc;
		if (seen == SEEN_DAMAGE)
			skip_damage(w);
		if (seen == SEEN_CUT)
			end_in_record(w, RECORD_HEADER_BYTES - left_bytes(w));
	}
	return w->rc;
}

void record_walk_begin(
	struct record_walk *w, struct byte_source *s, bool swapped, size_t read_bytes)
{
	*w = (struct record_walk){
		.source = s,
		.swapped = swapped,
		.read_bytes = read_bytes,
		.position = s->begin,
		.step_bytes = 8,
	};
	w->window = xmalloc(read_bytes + LOOK_AHEAD_BYTES);
}

void record_walk_resume(struct record_walk *w, uint64_t position)
{
	w->position = position;
}

void record_walk_end(struct record_walk *w)
{
	free(w->window);
	w->window = NULL;
}
