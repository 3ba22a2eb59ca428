/*
 * protobuf_writer.h - messages of Protocol Buffers, written field by field
 *
 * https://protobuf.dev/programming-guides/encoding/ The few lines that pprof needs: numbers, texts,
 * and messages within messages. A library would bring a compiler for descriptions into the build,
 * and pack each message from allocated structs.
 *
 * A message is built in a buffer; one within another is put there with its length before it. A
 * number that is 0 is left out, as readers expect.
 *
 * Owns: nothing. Threads: any. Private to output/.
 */
#ifndef PERFOLD_BASE_PROTOBUF_WRITER_H
#define PERFOLD_BASE_PROTOBUF_WRITER_H

#include "base/buf.h"

void protobuf_writer_put_number(struct buf *b, unsigned field, uint64_t v);
/* A text, or a message, or packed numbers; written even if it is empty. */
void protobuf_writer_put_bytes(struct buf *b, unsigned field, struct span bytes);

#endif
