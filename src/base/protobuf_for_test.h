/*
 * protobuf_for_test.h - reading messages of Protocol Buffers, field by field
 *
 * Only for tests; include it after cmocka.h. A malformed message fails the test.
 */
#ifndef PERFOLD_BASE_PROTOBUF_FOR_TEST_H
#define PERFOLD_BASE_PROTOBUF_FOR_TEST_H

#include "base/span.h"

struct field {
	unsigned number;
	uint64_t value;    /* of a number */
	struct span bytes; /* of a string, a message or packed numbers */
};

static inline uint64_t read_varint(struct span *s)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		assert_true(s->n && shift < 64);
		c = (unsigned char)s->p[0];
		*s = span_skip(*s, 1);
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return v;
}

static inline bool next_field(struct span *message, struct field *f)
{
	uint64_t tag;

	if (!message->n)
		return false;
	tag = read_varint(message);
	*f = (struct field){ .number = (unsigned)(tag >> 3) };
	assert_true((tag & 7) == 0 || (tag & 7) == 2);
	f->value = read_varint(message);
	if ((tag & 7) == 2) {
		assert_true(f->value <= message->n);
		f->bytes = (struct span){ message->p, (size_t)f->value };
		*message = span_skip(*message, (size_t)f->value);
	}
	return true;
}

/* The n-th field of a number, counted from 0; fails the test where there is none. */
static inline struct field field_at(struct span message, unsigned number, unsigned n)
{
	struct field f;

	while (next_field(&message, &f))
		if (f.number == number && !n--)
			return f;
	fail_msg("no field %u", number);
	return f;
}

static inline unsigned count_fields(struct span message, unsigned number)
{
	unsigned n = 0;
	struct field f;

	while (next_field(&message, &f))
		n += f.number == number;
	return n;
}

#endif
