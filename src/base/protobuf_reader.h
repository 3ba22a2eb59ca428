/*
 * protobuf_reader.h - decoding messages of Protocol Buffers, field by field
 *
 * Fields are popped from the front of the message. Damage ends the message and is remembered.
 *
 * Owns: nothing, all bytes are borrowed. Threads: any.
 * Source: https://protobuf.dev/programming-guides/encoding/
 */
#ifndef PERFOLD_BASE_PROTOBUF_READER_H
#define PERFOLD_BASE_PROTOBUF_READER_H

#include "base/span.h"

struct protobuf_reader {
	struct span rest;
	bool damaged;
};

struct protobuf_field {
	uint32_t number;
	bool is_bytes;
	uint64_t value;    /* of a number */
	struct span bytes; /* of a string, a message or packed numbers */
};

/* False at the end, and where the message is damaged. */
bool protobuf_reader_next(struct protobuf_reader *m, struct protobuf_field *f);
/* Pops the next number of a field that may hold many, packed or not; false after the last. */
bool protobuf_reader_number(struct protobuf_field *f, uint64_t *value);

#endif
