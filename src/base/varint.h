/*
 * varint.h - numbers as LEB128: 7 bits a byte, the lowest first, the top bit says that more follow
 *
 * For protobuf_writer.h, and for the data of interactive pictures. cursor_uleb() decodes them.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_VARINT_H
#define PERFOLD_BASE_VARINT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

void varint_put_long(struct buf *b, uint64_t v);

/* Nearly all of the millions in a picture need one byte or two. */
static inline void varint_put(struct buf *b, uint64_t v)
{
	bool two = v >= 0x80;
	char *at;

	if (v >= 1 << 14 || b->cap - b->n < 2) {
		varint_put_long(b, v);
		return;
	}
	at = b->p + b->n;
	at[0] = (char)(v | (uint64_t)two << 7);
	at[1] = (char)(v >> 7); /* if one byte is enough: overwritten, or beyond the end */
	b->n += 1u + two;
}

#endif
