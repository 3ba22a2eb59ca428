#include "base/protobuf_writer.h"

#include "base/varint.h"

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

void protobuf_writer_put_number(struct buf *b, unsigned field, uint64_t v)
{
	if (!v)
		return;
	varint_put(b, field << 3 | WIRE_VARINT);
	varint_put(b, v);
}

void protobuf_writer_put_bytes(struct buf *b, unsigned field, struct span bytes)
{
	varint_put(b, field << 3 | WIRE_BYTES);
	varint_put(b, bytes.n);
	buf_put_span(b, bytes);
}
