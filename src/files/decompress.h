/*
 * unpack.h - small files that are packed as a whole: kernel modules (.ko.gz, .ko.xz, .ko.zst), and
 * what .gnu_debugdata holds
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_UNPACK_H
#define PERFOLD_FILES_UNPACK_H

#include "base/buf.h"

/* gzip, xz or zstd, by the first bytes; the content is appended. False: none of these, damaged, or
 * larger than any such file is. */
bool decompress(struct span packed, struct buf *out);

#endif
