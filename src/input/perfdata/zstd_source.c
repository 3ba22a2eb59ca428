/*
 * How it works: a byte source over another one. It walks the compressed source record by record:
 *
 *	compressed source   | plain | COMPRESSED | plain | COMPRESSED | ...
 *	                        |        | zstd       |        |
 *	                        |      tail: bytes not yet a whole record
 *	                        v        v            v        v
 *	ready               | plain | rec | rec | plain | rec | rec | ...   (only whole records)
 *
 * Output of the decompressor collects in `tail`, from which whole records move to `ready`; a record
 * that continues in the next COMPRESSED record stays. Readers copy from `ready`. Reading in
 * order is cheap; reading at a lower position starts over from the beginning.
 *
 * Bounds: the recorder's buffer size (at most 64 MiB) for each record, and 64 MiB plus 4096 times
 * the input in total; beyond that it is a decompression bomb, counted as damage.
 *
 * Source: tools/perf/util/zstd.c, perf_session__process_compressed_event() in tools/perf/util/.
 */
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

struct zstd_source {
	struct byte_source base;
	struct byte_source *compressed; /* owned */
	bool swapped;
	size_t read_bytes;
	uint64_t record_limit_bytes;

	/* The state of decompression, reset when a lower position is read. */
	bool running, done;
	struct record_walk walk;
	uint32_t damages; /* of the walk, when it was last looked at */
	ZSTD_DStream *zstd;
	uint64_t record_at;  /* position of the current compressed record */
	bool begun;          /* a part of the stream was seen */
	bool lost;           /* what follows in the stream cannot be decompressed */
	ZSTD_inBuffer input; /* the rest of a compressed record */
	bool more_output;    /* the decoder may hold back output */
	uint64_t record_bytes, input_bytes, output_bytes;
	struct buf ready; /* whole records; ready_at bytes of them were given out */
	size_t ready_at;
	struct buf tail; /* of the stream: the front of a record */
	uint64_t at;     /* position of ready[ready_at] */
};

static void zstd_rewind(struct byte_source *s)
{
	struct zstd_source *z = (struct zstd_source *)s;

	if (!z->running)
		return;
	record_walk_end(&z->walk);
	ZSTD_freeDStream(z->zstd);
	z->zstd = NULL;
	z->running = false;
}

static void start(struct zstd_source *z)
{
	zstd_rewind(&z->base);
	z->compressed->diag = z->base.diag;
	record_walk_begin(&z->walk, z->compressed, z->swapped, z->read_bytes);
	z->walk.diag = z->base.diag;
	z->zstd = ZSTD_createDStream();
	z->damages = 0;
	z->done = z->begun = z->lost = z->more_output = false;
	z->input = (ZSTD_inBuffer){ 0 };
	z->input_bytes = z->output_bytes = 0;
	z->ready.n = z->ready_at = z->tail.n = 0;
	z->at = z->base.begin;
	z->running = true;
}

/* ---- the stream --------------------------------------------------------------------------- */

static void count_lost_record(const struct zstd_source *z)
{
	if (z->base.diag)
		diag_count(z->base.diag, DIAG_BAD_STREAM, z->record_at);
}

/* From here on the stream cannot be decompressed. */
static void lose_stream(struct zstd_source *z, uint64_t at)
{
	if (z->base.diag && z->tail.n)
		diag_add(z->base.diag, DIAG_DAMAGED_BYTES, z->tail.n, at);
	z->tail.n = 0;
	z->lost = true;
	z->more_output = false;
	z->input = (ZSTD_inBuffer){ 0 };
}

/* Makes the whole records at the front of the tail ready. */
static void move_whole_records(struct zstd_source *z)
{
	size_t whole = 0;

	while (z->tail.n - whole >= RECORD_HEADER_BYTES) {
		size_t size = bytes_u16((const uint8_t *)z->tail.p + whole + 6, z->swapped);

		/* Damage: record_walk.c finds out where records go on, if it gets all there is. */
		if (size < RECORD_HEADER_BYTES)
			size = z->tail.n - whole;
		if (size > z->tail.n - whole)
			break;
		whole += size;
	}
	buf_put(&z->ready, z->tail.p, whole);
	z->tail.n -= whole;
	memmove(z->tail.p, z->tail.p + whole, z->tail.n);
}

static bool is_bomb(const struct zstd_source *z)
{
	return z->record_bytes > z->record_limit_bytes ||
	       z->output_bytes > RECORD_OUTPUT_MAX_BYTES + RATIO_MAX * z->input_bytes;
}

/* Decompress the next bytes of the current compressed record. */
static void decompress_step(struct zstd_source *z)
{
	ZSTD_outBuffer out = { .size = STEP_BYTES };
	size_t left;

	buf_reserve(&z->tail, STEP_BYTES);
	out.dst = z->tail.p + z->tail.n;
	left = ZSTD_decompressStream(z->zstd, &out, &z->input);
	z->more_output = out.pos == out.size;
	z->record_bytes += out.pos;
	z->output_bytes += out.pos;
	if (ZSTD_isError(left) || is_bomb(z)) {
		count_lost_record(z);
		lose_stream(z, z->record_at);
		return;
	}
	z->tail.n += out.pos;
	move_whole_records(z);
}

/* The zstd bytes of a compressed record. */
static ZSTD_inBuffer payload_of(const struct zstd_source *z, const struct perfdata_record *r)
{
	size_t front = r->type == RECORD_COMPRESSED2 ? 16 : 8;
	ZSTD_inBuffer in = { .src = r->p + front, .size = r->size - front };
	uint64_t n = front == 16 ? bytes_u64(r->p + 8, z->swapped) : in.size;

	in.size = n < in.size ? (size_t)n : in.size;
	return in;
}

static bool is_frame_start(const ZSTD_inBuffer *in)
{
	static const uint8_t magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

	return in->size >= sizeof(magic) && memcmp(in->src, magic, sizeof(magic)) == 0;
}

static void begin_compressed(struct zstd_source *z, const struct perfdata_record *r)
{
	z->input = payload_of(z, r);
	z->record_at = r->position;
	z->record_bytes = 0;
	z->input_bytes += z->input.size;
	if (z->lost && is_frame_start(&z->input)) {
		ZSTD_initDStream(z->zstd);
		z->lost = false;
	}
	if (z->lost) {
		count_lost_record(z);
		z->input = (ZSTD_inBuffer){ 0 };
	}
	z->begun = true;
}

/* ---- all records -------------------------------------------------------------------------- */

/* Handles the next record of the compressed source. */
static int next_record(struct zstd_source *z, struct err *e)
{
	struct perfdata_record r;
	int rc = record_walk_next(&z->walk, &r, e);

	/* What was skipped may have belonged to the stream. */
	if (z->walk.damages != z->damages && z->begun && !z->lost)
		lose_stream(z, z->walk.damage_at);
	z->damages = z->walk.damages;
	if (rc == END) {
		buf_put_span(&z->ready, buf_span(&z->tail));
		z->tail.n = 0;
		z->done = true;
		return OK;
	}
	if (rc)
		return rc;
	if (!perfdata_record_is_compressed(r.type))
		buf_put(&z->ready, r.p, r.size);
	else if (r.size >= perfdata_record_kind(r.type)->min_bytes)
		begin_compressed(z, &r);
	else if (z->base.diag)
		diag_count(z->base.diag, DIAG_BAD_RECORD, r.position);
	return OK;
}

/* Makes something ready, if there is more. */
static int fill(struct zstd_source *z, struct err *e)
{
	int rc = OK;

	z->ready.n = z->ready_at = 0;
	while (!rc && !z->ready.n && !z->done) {
		if (z->input.pos < z->input.size || z->more_output)
			decompress_step(z);
		else
			rc = next_record(z, e);
	}
	if (z->done && !z->ready.n)
		z->base.end = z->at;
	return rc;
}

/* Copies up to n bytes of what is ready to p, or skips them if that is NULL. */
static size_t copy_out(struct zstd_source *z, uint8_t *p, uint64_t n)
{
	size_t there = z->ready.n - z->ready_at;

	if (n > there)
		n = there;
	if (p && n)
		memcpy(p, z->ready.p + z->ready_at, (size_t)n);
	z->ready_at += (size_t)n;
	z->at += n;
	return (size_t)n;
}

static int zstd_read(
	struct byte_source *s, uint8_t *p, size_t n, uint64_t at, size_t *got, struct err *e)
{
	struct zstd_source *z = (struct zstd_source *)s;

	*got = 0;
	if (!z->running || at < z->at)
		start(z);
	while (*got < n) {
		if (z->ready_at == z->ready.n) {
			if (fill(z, e))
				return e->code;
			if (!z->ready.n)
				return OK;
		}
		if (z->at < at)
			copy_out(z, NULL, at - z->at);
		else
			*got += copy_out(z, p + *got, n - *got);
	}
	return OK;
}

static void zstd_free(struct byte_source *s)
{
	struct zstd_source *z = (struct zstd_source *)s;

	zstd_rewind(s);
	byte_source_free(z->compressed);
	buf_release(&z->ready);
	buf_release(&z->tail);
	free(z);
}

static const struct byte_source_kind zstd_kind = {
	.read = zstd_read,
	.rewind = zstd_rewind,
	.free = zstd_free,
};

struct byte_source *zstd_source_new(
	struct byte_source *compressed, bool swapped, size_t read_bytes, uint32_t buffer_bytes)
{
	struct zstd_source *z = xcalloc(1, sizeof(*z));

	z->base = (struct byte_source){
		.kind = &zstd_kind,
		.begin = compressed->begin,
		.end = UINT64_MAX,
		.missing_bytes = compressed->missing_bytes,
		.cut = true,
		.sequential = true,
		.no_payloads = true,
	};
	z->compressed = compressed;
	z->swapped = swapped;
	z->read_bytes = read_bytes;
	z->record_limit_bytes = buffer_bytes && buffer_bytes < RECORD_OUTPUT_MAX_BYTES
					? buffer_bytes
					: RECORD_OUTPUT_MAX_BYTES;
	return &z->base;
}
