/*
 * How it works. Frames of 256 KiB are compressed by zstd at its fastest usual level, the last one
 * stays as it is until it is full. A read decompresses the frames it needs: straight to where the
 * bytes are wanted, if a frame is wanted whole; else to one of a few slots, where neighbours of a
 * read find it. Slots have a lock, as workers read different parts at the same time.
 */
#include "base/packed_bytes.h"

#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { FRAME_BYTES = 256 << 10, SLOTS = 4, LEVEL = 1 };

struct packed_bytes_frame {
	char *p;
	uint32_t n;
};

struct packed_bytes_slot {
	uint32_t frame;
	uint64_t used; /* 0: never */
	char bytes[FRAME_BYTES];
};

struct packed_bytes {
	struct packed_bytes_frame *frame;
	uint32_t n, cap;
	uint64_t packed_bytes;
	char *last; /* FRAME_BYTES */
	size_t last_n;
	ZSTD_CCtx *compressor;
	char *scratch;
	pthread_mutex_t lock; /* of slots */
	uint64_t reads;
	struct packed_bytes_slot *slot; /* SLOTS of them */
};

struct packed_bytes *packed_bytes_new(void)
{
	struct packed_bytes *b = xcalloc(1, sizeof(*b));

	b->last = xmalloc(FRAME_BYTES);
	b->scratch = xmalloc(ZSTD_compressBound(FRAME_BYTES));
	b->compressor = xchecked(ZSTD_createCCtx());
	b->slot = xcalloc(SLOTS, sizeof(*b->slot));
	pthread_mutex_init(&b->lock, NULL);
	return b;
}

void packed_bytes_free(struct packed_bytes *b)
{
	uint32_t i;

	if (!b)
		return;
	for (i = 0; i < b->n; i++)
		free(b->frame[i].p);
	free(b->frame);
	free(b->last);
	free(b->scratch);
	free(b->slot);
	ZSTD_freeCCtx(b->compressor);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

/* The last frame is full. */
static bool pack_last(struct packed_bytes *b, uint64_t limit_bytes)
{
	size_t n = ZSTD_compressCCtx(b->compressor, b->scratch, ZSTD_compressBound(FRAME_BYTES),
		b->last, FRAME_BYTES, LEVEL);
	char *p;

	if (ZSTD_isError(n) || b->packed_bytes + n > limit_bytes || b->n == UINT32_MAX)
		return false;
	p = mem_try(n);
	if (!p)
		return false;
	memcpy(p, b->scratch, n);
	ARRAY_GROW(b->frame, b->n, b->cap);
	b->frame[b->n++] = (struct packed_bytes_frame){ p, (uint32_t)n };
	b->packed_bytes += n;
	b->last_n = 0;
	return true;
}

bool packed_bytes_add(struct packed_bytes *b, const void *p, size_t n, uint64_t limit_bytes)
{
	const char *from = p;

	while (n) {
		size_t room = FRAME_BYTES - b->last_n, k = n < room ? n : room;

		memcpy(b->last + b->last_n, from, k);
		b->last_n += k;
		from += k;
		n -= k;
		if (b->last_n == FRAME_BYTES && !pack_last(b, limit_bytes))
			return false;
	}
	return true;
}

uint64_t packed_bytes_count(const struct packed_bytes *b)
{
	return (uint64_t)b->n * FRAME_BYTES + b->last_n;
}

static bool unpack(const struct packed_bytes *b, uint32_t frame, char *to)
{
	const struct packed_bytes_frame *f = &b->frame[frame];

	return ZSTD_decompress(to, FRAME_BYTES, f->p, f->n) == FRAME_BYTES;
}

/* The slot of a frame; under the lock. NULL: it cannot be unpacked. */
static struct packed_bytes_slot *find_slot(struct packed_bytes *b, uint32_t frame)
{
	struct packed_bytes_slot *oldest = b->slot, *s;

	for (s = b->slot; s < b->slot + SLOTS; s++) {
		if (s->used && s->frame == frame)
			return s;
		oldest = s->used < oldest->used ? s : oldest;
	}
	oldest->used = 0;
	if (!unpack(b, frame, oldest->bytes))
		return NULL;
	oldest->frame = frame;
	return oldest;
}

static bool read_part(struct packed_bytes *b, uint32_t frame, size_t skip, char *to, size_t n)
{
	struct packed_bytes_slot *s;

	if (frame == b->n) {
		memcpy(to, b->last + skip, n);
		return true;
	}
	if (n == FRAME_BYTES)
		return unpack(b, frame, to);
	pthread_mutex_lock(&b->lock);
	s = find_slot(b, frame);
	if (s) {
		s->used = ++b->reads;
		memcpy(to, s->bytes + skip, n);
	}
	pthread_mutex_unlock(&b->lock);
	return s;
}

size_t packed_bytes_read(struct packed_bytes *b, void *p, size_t n, uint64_t offset)
{
	uint64_t all = packed_bytes_count(b);
	char *to = p;
	size_t done = 0;

	if (offset >= all)
		return 0;
	n = n < all - offset ? n : (size_t)(all - offset);
	while (done < n) {
		uint64_t at = offset + done;
		size_t skip = at % FRAME_BYTES, left = FRAME_BYTES - skip;
		size_t k = n - done < left ? n - done : left;

		if (!read_part(b, (uint32_t)(at / FRAME_BYTES), skip, to + done, k))
			break;
		done += k;
	}
	return done;
}
