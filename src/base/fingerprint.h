/*
 * fingerprint.h - a name for a file by its content
 *
 * XXH3 (128 bit) of all bytes, in hex: for files that nobody makes alike on purpose. It tells
 * recordings apart, and is no proof of anything.
 *
 * Threads: any.
 */
#ifndef PERFOLD_BASE_FINGERPRINT_H
#define PERFOLD_BASE_FINGERPRINT_H

#include "base/file.h"

enum { FINGERPRINT_DIGITS = 32 };

/* Appends the fingerprint of a regular file to b. */
int fingerprint_file(struct buf *b, const struct file *f, struct err *e);
/* That of bytes. */
void fingerprint_bytes(struct buf *b, struct span bytes);

#endif
