/*
 * bytes.h - integers in a recording or a jitdump, of either byte order
 *
 * Such a file is in the byte order of the machine that made it; "swapped" says that this is not
 * ours. Every integer of it is read by these functions, so that byte order is decided once for each
 * file. Nothing is swapped in place, and nothing need be aligned: records may follow parts of any
 * length.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_BYTES_H
#define PERFOLD_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HOST_IS_BIG_ENDIAN = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ };

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

static inline void bytes_put_u16(void *p, uint16_t v, bool swapped)
{
	v = swapped ? __builtin_bswap16(v) : v;
	memcpy(p, &v, sizeof(v));
}

#endif
