#include "base/varint.h"

void varint_put_long(struct buf *b, uint64_t v)
{
	char *at;

	buf_reserve(b, 10);
	at = b->p + b->n;
	for (; v >= 0x80; v >>= 7)
		*at++ = (char)(v | 0x80);
	*at++ = (char)v;
	b->n = (size_t)(at - b->p);
}
