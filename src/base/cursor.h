/*
 * bytes.h - numbers out of a recording or a jitdump
 *
 * Such a file is in the byte order of the machine that made it; "swapped" says that it is not
 * ours. Every number of it is read here, so that order is decided once for each file.
 * Nothing is ever swapped in place, and nothing need be aligned: records may follow parts of
 * any length.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_BYTES_H
#define PERFOLD_BASE_BYTES_H

#include "base/span.h"

static inline uint16_t bytes_u16(const uint8_t *p, bool swapped)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap16(v) : v;
}

static inline uint32_t bytes_u32(const uint8_t *p, bool swapped)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap32(v) : v;
}

static inline uint64_t bytes_u64(const uint8_t *p, bool swapped)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return swapped ? __builtin_bswap64(v) : v;
}

/* The lowest 4 or 8 bytes of v. */
static inline void bytes_put(void *p, uint64_t v, unsigned bytes, bool swapped)
{
	uint32_t half = swapped ? __builtin_bswap32((uint32_t)v) : (uint32_t)v;

	v = swapped ? __builtin_bswap64(v) : v;
	memcpy(p, bytes == 8 ? (void *)&v : (void *)&half, bytes);
}

/* Reading on through bytes that end: what is not there reads as 0 and is remembered. */
struct cursor {
	const uint8_t *p;
	size_t left;
	bool swapped;
	bool failed; /* more was taken than was there */
};

/* The next n bytes, or NULL. */
static inline const uint8_t *cursor_bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (n > c->left) {
		c->failed = true;
		c->left = 0;
		return NULL;
	}
	if (n) /* an empty run may lie nowhere, and NULL + 0 is undefined */
		c->p += n;
	c->left -= (size_t)n;
	return p;
}

/* The next n elements of size_bytes each, or NULL; n may be any number. */
static inline const uint8_t *cursor_array(struct cursor *c, uint64_t n, size_t size_bytes)
{
	return cursor_bytes(c, n > c->left / size_bytes ? UINT64_MAX : n * size_bytes);
}

static inline uint16_t cursor_u16(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 2);

	return p ? bytes_u16(p, c->swapped) : 0;
}

static inline uint32_t cursor_u32(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 4);

	return p ? bytes_u32(p, c->swapped) : 0;
}

static inline uint64_t cursor_u64(struct cursor *c)
{
	const uint8_t *p = cursor_bytes(c, 8);

	return p ? bytes_u64(p, c->swapped) : 0;
}

/* The text in the next n bytes: up to a NUL, or all of them where there is none. */
static inline struct span cursor_string(struct cursor *c, uint64_t n)
{
	const char *p = (const char *)cursor_bytes(c, n);

	return p ? (struct span){ p, strnlen(p, (size_t)n) } : (struct span){ 0 };
}

/* LEB128, unsigned: seven bits a byte, the lowest first; bits beyond the 64th are dropped. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	const uint8_t *p;

	do {
		p = cursor_bytes(c, 1);
		if (p && shift < 64)
			value |= (uint64_t)(*p & 127) << shift;
		shift += 7;
	} while (p && *p & 128);
	return value;
}

#endif
