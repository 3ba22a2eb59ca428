/*
 * base64.h - encoding and decoding of base 64
 *
 * RFC 4648, "Base 64 Encoding". Without line breaks; "=" at the end may be missing.
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_BASE64_H
#define PERFOLD_BASE_BASE64_H

#include "base/buf.h"
#include "base/sink.h"

/* The value of a digit, 0 to 63; -1 where c is not one. */
int base64_digit(char c);
/* With "=" at the end. */
void base64_encode(struct sink *to, struct span bytes);
/* The bytes are appended to b; false (the content of b is then undefined) where text is not base
 * 64. */
bool base64_decode(struct span text, struct buf *b);

#endif
