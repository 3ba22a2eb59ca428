/*
 * cursor.h - decoding a record field by field
 *
 * A cursor moves over bytes that end. What is beyond the end reads as 0 and is remembered (failed),
 * so that a decoder checks once, after the last field.
 *
 * Owns: nothing, the bytes are borrowed. Threads: each has its own.
 */
#ifndef PERFOLD_BASE_CURSOR_H
#define PERFOLD_BASE_CURSOR_H

#include "base/bytes.h"
#include "base/span.h"

struct cursor {
	const uint8_t *p;
	size_t left;
	bool swapped;
	bool failed; /* a field was beyond the end */
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
	if (n) /* p may be NULL where nothing is left, and NULL + 0 is undefined */
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

/* The string in the next n bytes: up to a NUL, or all of them where there is none. */
static inline struct span cursor_string(struct cursor *c, uint64_t n)
{
	const char *p = (const char *)cursor_bytes(c, n);

	return p ? (struct span){ p, strnlen(p, (size_t)n) } : (struct span){ 0 };
}

static inline uint64_t cursor_long_uleb(struct cursor *c)
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

/* LEB128, unsigned: seven bits a byte, the lowest first; bits beyond the 64th are dropped. Nearly
 * all have one byte. */
static inline uint64_t cursor_uleb(struct cursor *c)
{
	if (!c->left || *c->p & 128)
		return cursor_long_uleb(c);
	c->left--;
	return *c->p++;
}

#endif
