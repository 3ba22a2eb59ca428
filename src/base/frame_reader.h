/*
 * frame_reader.h - numbers in call frame information and expressions
 *
 * Little endian, as all architectures are whose stacks are unwound. Beyond the end, numbers read as
 * 0 and failed is set.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_FRAME_READER_H
#define PERFOLD_BASE_FRAME_READER_H

#include "base/span.h"

#include <endian.h>

struct frame_reader {
	const uint8_t *p, *end;
	bool failed;
};

/* The span may be empty and its start NULL, to which not even 0 may be added. */
static inline struct frame_reader frame_reader_of(struct span s)
{
	const uint8_t *p = (const uint8_t *)s.p;

	return (struct frame_reader){ p, s.n ? p + s.n : p, false };
}

static inline size_t frame_reader_left(const struct frame_reader *r)
{
	return (size_t)(r->end - r->p);
}

static inline struct span frame_reader_bytes(struct frame_reader *r, uint64_t n)
{
	struct span s = { (const char *)r->p, (size_t)n };

	if (n > frame_reader_left(r)) {
		r->failed = true;
		r->p = r->end;
		return (struct span){ 0 };
	}
	if (n)
		r->p += n;
	return s;
}

static inline uint64_t frame_reader_fixed(struct frame_reader *r, size_t bytes)
{
	struct span s = frame_reader_bytes(r, bytes);
	uint64_t value = 0;

	if (s.n)
		memcpy(&value, s.p, s.n);
	return le64toh(value);
}

static inline int64_t frame_reader_fixed_signed(struct frame_reader *r, size_t bytes)
{
	unsigned unused = 64 - 8 * (unsigned)bytes;

	return (int64_t)(frame_reader_fixed(r, bytes) << unused) >> unused;
}

/* LEB128: seven bits a byte, the lowest first. */
static inline uint64_t frame_reader_leb(struct frame_reader *r, bool is_signed)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = frame_reader_fixed(r, 1);
		if (shift < 64)
			value |= (byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	if (is_signed && byte & 64 && shift < 64)
		value |= UINT64_MAX << shift;
	return value;
}

static inline uint64_t frame_reader_uleb(struct frame_reader *r)
{
	return frame_reader_leb(r, false);
}

static inline int64_t frame_reader_sleb(struct frame_reader *r)
{
	return (int64_t)frame_reader_leb(r, true);
}

#endif
