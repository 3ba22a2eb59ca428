/*
 * md5.h - MD5, by which debug information knows its source files
 *
 * It identifies a version of a file; it is no protection against whoever wants two to be alike.
 *
 * Source: RFC 1321, https://www.rfc-editor.org/rfc/rfc1321
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_BASE_MD5_H
#define PERFOLD_BASE_MD5_H

#include "base/span.h"

enum { MD5_SIZE = 16 };

void md5_of(struct span bytes, uint8_t out[MD5_SIZE]);

#endif
