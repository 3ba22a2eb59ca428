/*
 * protobuf_writer.h - encoding messages of Protocol Buffers, field by field
 *
 * What pprof needs: numbers, strings, and messages within messages. A library would bring a
 * compiler for descriptions into the build, and encode each message from allocated structs.
 *
 * A message is built in a buffer; one within another is preceded by its length. A number that is 0
 * is left out, as readers expect.
 *
 * Owns: nothing. Threads: any. Source: https://protobuf.dev/programming-guides/encoding/
 */
#ifndef PERFOLD_BASE_PROTOBUF_WRITER_H
#define PERFOLD_BASE_PROTOBUF_WRITER_H

#include "base/buf.h"

void protobuf_writer_put_number(struct buf *b, unsigned field, uint64_t v);
/* A string, or a message, or packed numbers; written even if it is empty. */
void protobuf_writer_put_bytes(struct buf *b, unsigned field, struct span bytes);

#endif
