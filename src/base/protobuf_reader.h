/*
 * protobuf_reader.h - messages of Protocol Buffers, read field by field
 *
 * A message is bytes; a field is cut off its front. What is damaged ends the message and is
 * remembered.
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
	struct span bytes; /* of a text, a message or packed numbers */
};

/* False at the end, and where the message is damaged. */
bool protobuf_reader_next(struct protobuf_reader *m, struct protobuf_field *f);
/* Cut the next number off a field that may hold many, packed or not; false behind the last. */
bool protobuf_reader_number(struct protobuf_field *f, uint64_t *value);

#endif
