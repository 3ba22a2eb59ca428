/*
 * decompress.h - small compressed files: kernel modules (.ko.gz, .ko.xz, .ko.zst), .gnu_debugdata
 *
 * Private to files/. Threads: any.
 */
#ifndef PERFOLD_FILES_DECOMPRESS_H
#define PERFOLD_FILES_DECOMPRESS_H

#include "base/buf.h"

/* gzip, xz or zstd, by the first bytes; the content is appended. False: none of these, damaged, or
 * larger than any such file is. */
bool decompress(struct span packed, struct buf *out);

#endif
