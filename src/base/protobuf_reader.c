#include "base/protobuf_reader.h"

enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };

static bool pop_varint(struct span *s, uint64_t *value)
{
	unsigned shift;
	size_t i;

	*value = 0;
	for (i = 0, shift = 0; i < s->n && shift < 64; i++, shift += 7) {
		uint8_t byte = (uint8_t)s->p[i];

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*s = span_skip(*s, i + 1);
			return true;
		}
	}
	return false;
}

/* Numbers of fixed size are skipped: no field that we want has one. */
static bool pop_value(struct span *s, unsigned wire, struct protobuf_field *f)
{
	size_t size = wire == WIRE_64 ? 8 : 4;
	uint64_t n;

	switch (wire) {
	case WIRE_VARINT:
		return pop_varint(s, &f->value);
	case WIRE_BYTES:
		if (!pop_varint(s, &n) || n > s->n)
			return false;
		f->is_bytes = true;
		f->bytes = (struct span){ s->p, (size_t)n };
		*s = span_skip(*s, (size_t)n);
		return true;
	case WIRE_64:
	case WIRE_32:
		if (s->n < size)
			return false;
		*s = span_skip(*s, size);
		return true;
	default:
		return false;
	}
}

bool protobuf_reader_next(struct protobuf_reader *m, struct protobuf_field *f)
{
	uint64_t tag;

	*f = (struct protobuf_field){ 0 };
	if (!m->rest.n || m->damaged)
		return false;
	if (!pop_varint(&m->rest, &tag) || tag >> 3 > UINT32_MAX || !(tag >> 3) ||
		!pop_value(&m->rest, (unsigned)(tag & 7), f)) {
		m->damaged = true;
		return false;
	}
	f->number = (uint32_t)(tag >> 3);
	return true;
}

bool protobuf_reader_number(struct protobuf_field *f, uint64_t *value)
{
	if (f->is_bytes)
		return f->bytes.n && pop_varint(&f->bytes, value);
	*value = f->value;
	f->is_bytes = true;
	return true;
}
