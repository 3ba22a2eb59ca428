#include "output/protobuf.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
void protobuf_put_varint(struct buf *b, uint64_t v)
{
	while (v >= 0x80) {
		buf_putc(b, (char)(v | 0x80));
		v >>= 7;
	}
	buf_putc(b, (char)v);
}

void protobuf_put_number(struct buf *b, unsigned field, uint64_t v)
{
	if (!v)
		return;
	protobuf_put_varint(b, field << 3 | WIRE_VARINT);
	protobuf_put_varint(b, v);
}

void protobuf_put_bytes(struct buf *b, unsigned field, struct span bytes)
{
	protobuf_put_varint(b, field << 3 | WIRE_BYTES);
	protobuf_put_varint(b, bytes.n);
	buf_put_span(b, bytes);
}
