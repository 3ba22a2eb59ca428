#include "input/perfdata/zstd_source.h"

#include "base/mem.h"
#include "input/perfdata/record_walk.h"

#include <stdlib.h>
#include <zstd.h>

enum {
	STEP_BYTES = 128 << 10,
	RECORD_OUTPUT_MAX_BYTES = 64 << 20,
	RATIO_MAX = 4096,
};

struct unpacked {
	struct byte_source base;
	struct byte_source *packed; /* owned */
	bool swapped;
	size_t read_bytes;
	uint64_t record_limit_bytes;

	/* Where unpacking is; all of this starts anew when somebody goes back. */
	bool running, done;
	struct record_walk walk;
	uint32_t damages; /* of the walk, when it was last looked at */
	ZSTD_DStream *zstd;
	uint64_t record_at;  /* the compressed record being unpacked, in the packed source */
	bool begun;          /* a part of the stream was seen */
	bool lost;           /* what follows in the stream cannot be unpacked */
	ZSTD_inBuffer input; /* the rest of a compressed record */
	bool more_output;    /* the decoder may hold back output */
	uint64_t record_bytes, input_bytes, output_bytes;
	struct buf ready; /* whole records, of which ready_at bytes were handed out */
	size_t ready_at;
	struct buf tail; /* of the stream: the front of a record */
	uint64_t at;     /* position of ready[ready_at] */
};

static void unpacked_rewind(struct byte_source *s)
{
	struct unpacked *u = (struct unpacked *)s;

	if (!u->running)
		return;
	record_walk_end(&u->walk);
	ZSTD_freeDStream(u->zstd);
	u->zstd = NULL;
	u->running = false;
}

static void start(struct unpacked *u)
{
	unpacked_rewind(&u->base);
	u->packed->diag = u->base.diag;
	record_walk_begin(&u->walk, u->packed, u->swapped, u->read_bytes);
	u->walk.diag = u->base.diag;
	u->zstd = ZSTD_createDStream();
	u->damages = 0;
	u->done = u->begun = u->lost = u->more_output = false;
	u->input = (ZSTD_inBuffer){ 0 };
	u->input_bytes = u->output_bytes = 0;
	u->ready.n = u->ready_at = u->tail.n = 0;
	u->at = u->base.begin;
	u->running = true;
}

/* ---- the stream --------------------------------------------------------------------------- */

static void count_lost_record(const struct unpacked *u)
{
	if (u->base.diag)
		diag_count(u->base.diag, DIAG_BAD_STREAM, u->record_at);
}

/* From here on the stream cannot be unpacked. */
static void lose_stream(struct unpacked *u, uint64_t at)
{
	if (u->base.diag && u->tail.n)
		diag_add(u->base.diag, DIAG_DAMAGED_BYTES, u->tail.n, at);
	u->tail.n = 0;
	u->lost = true;
	u->more_output = false;
	u->input = (ZSTD_inBuffer){ 0 };
}

/* Makes the whole records at the front of the tail ready. */
static void take_whole_records(struct unpacked *u)
{
	size_t whole = 0;

	while (u->tail.n - whole >= RECORD_HEADER_BYTES) {
		size_t size = bytes_u16((const uint8_t *)u->tail.p + whole + 6, u->swapped);

		/* Damage: whoever reads this finds out where records go on, given all there is. */
		if (size < RECORD_HEADER_BYTES)
			size = u->tail.n - whole;
		if (size > u->tail.n - whole)
			break;
		whole += size;
	}
	buf_put(&u->ready, u->tail.p, whole);
	u->tail.n -= whole;
	memmove(u->tail.p, u->tail.p + whole, u->tail.n);
}

static bool is_bomb(const struct unpacked *u)
{
	return u->record_bytes > u->record_limit_bytes ||
	       u->output_bytes > RECORD_OUTPUT_MAX_BYTES + RATIO_MAX * u->input_bytes;
}

/* Unpack the next bytes of the compressed record that is here. */
static void unpack_step(struct unpacked *u)
{
	ZSTD_outBuffer out = { .size = STEP_BYTES };
	size_t left;

	buf_reserve(&u->tail, STEP_BYTES);
	out.dst = u->tail.p + u->tail.n;
	left = ZSTD_decompressStream(u->zstd, &out, &u->input);
	u->more_output = out.pos == out.size;
	u->record_bytes += out.pos;
	u->output_bytes += out.pos;
	if (ZSTD_isError(left) || is_bomb(u)) {
		count_lost_record(u);
		lose_stream(u, u->record_at);
		return;
	}
	u->tail.n += out.pos;
	take_whole_records(u);
}

/* The zstd bytes of a compressed record. */
static ZSTD_inBuffer payload_of(const struct unpacked *u, const struct perfdata_record *r)
{
	size_t front = r->type == RECORD_COMPRESSED2 ? 16 : 8;
	ZSTD_inBuffer in = { .src = r->p + front, .size = r->size - front };
	uint64_t n = front == 16 ? bytes_u64(r->p + 8, u->swapped) : in.size;

	in.size = n < in.size ? (size_t)n : in.size;
	return in;
}

static bool is_frame_start(const ZSTD_inBuffer *in)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return in->size >= sizeof(magic) && memcmp(in->src, magic, sizeof(magic)) == 0;
}

static void begin_compressed(struct unpacked *u, const struct perfdata_record *r)
{
	u->input = payload_of(u, r);
	u->record_at = r->position;
	u->record_bytes = 0;
	u->input_bytes += u->input.size;
	if (u->lost && is_frame_start(&u->input)) {
		ZSTD_initDStream(u->zstd);
		u->lost = false;
	}
	if (u->lost) {
		count_lost_record(u);
		u->input = (ZSTD_inBuffer){ 0 };
	}
	u->begun = true;
}

/* ---- all records -------------------------------------------------------------------------- */

/* The next record of the packed source. */
static int next_packed(struct unpacked *u, struct err *e)
{
	struct perfdata_record r;
	int rc = record_walk_next(&u->walk, &r, e);

	/* Nobody knows whether what was skipped belonged to the stream. */
	if (u->walk.damages != u->damages && u->begun && !u->lost)
		lose_stream(u, u->walk.damage_at);
	u->damages = u->walk.damages;
	if (rc == END) {
		buf_put_span(&u->ready, buf_span(&u->tail));
		u->tail.n = 0;
		u->done = true;
		return OK;
	}
	if (rc)
		return rc;
	if (!perfdata_record_is_compressed(r.type))
		buf_put(&u->ready, r.p, r.size);
	else if (r.size >= perfdata_record_kind(r.type)->min_bytes)
		begin_compressed(u, &r);
	else if (u->base.diag)
		diag_count(u->base.diag, DIAG_BAD_RECORD, r.position);
	return OK;
}

/* Makes something ready, if there is more. */
static int fill(struct unpacked *u, struct err *e)
{
	int rc = OK;

	u->ready.n = u->ready_at = 0;
	while (!rc && !u->ready.n && !u->done) {
		if (u->input.pos < u->input.size || u->more_output)
			unpack_step(u);
		else
			rc = next_packed(u, e);
	}
	if (u->done && !u->ready.n)
		u->base.end = u->at;
	return rc;
}

/* Takes up to n bytes of what is ready, into p unless that is NULL. */
static size_t take(struct unpacked *u, uint8_t *p, uint64_t n)
{
	size_t there = u->ready.n - u->ready_at;

	if (n > there)
		n = there;
	if (p && n)
		memcpy(p, u->ready.p + u->ready_at, (size_t)n);
	u->ready_at += (size_t)n;
	u->at += n;
	return (size_t)n;
}

static int unpacked_read(
	struct byte_source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	struct unpacked *u = (struct unpacked *)s;

	*got = 0;
	if (!u->running || at < u->at)
		start(u);
	while (*got < n) {
		if (u->ready_at == u->ready.n) {
			if (fill(u, e))
				return e->code;
			if (!u->ready.n)
				return OK;
		}
		if (u->at < at)
			take(u, NULL, at - u->at);
		else
			*got += take(u, p + *got, n - *got);
	}
	return OK;
}

static void unpacked_free(struct byte_source *s)
{
	struct unpacked *u = (struct unpacked *)s;

	unpacked_rewind(s);
	byte_source_free(u->packed);
	buf_release(&u->ready);
	buf_release(&u->tail);
	free(u);
}

static const struct byte_source_kind unpacked_kind = {
	.read = unpacked_read,
	.rewind = unpacked_rewind,
	.free = unpacked_free,
};

struct byte_source *zstd_source_new(
	struct byte_source *packed, bool swapped, size_t read_bytes, uint32_t buffer_bytes)
{
	struct unpacked *u = xcalloc(1, sizeof(*u));

	u->base = (struct byte_source){
		.kind = &unpacked_kind,
		.begin = packed->begin,
		.end = UINT64_MAX,
		.missing_bytes = packed->missing_bytes,
		.cut = true,
		.sequential = true,
		.bare = true,
	};
	u->packed = packed;
	u->swapped = swapped;
	u->read_bytes = read_bytes;
	u->record_limit_bytes = buffer_bytes && buffer_bytes < RECORD_OUTPUT_MAX_BYTES
					? buffer_bytes
					: RECORD_OUTPUT_MAX_BYTES;
	return &u->base;
}
