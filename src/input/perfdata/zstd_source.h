/*
 * zstd_source.h - the records in compressed records
 *
 *	COMPRESSED   (perf record -z)   {header}  u8 zstd[]            any size
 *	COMPRESSED2  (since perf 6.16)  {header}  u64 n  u8 zstd[n]    padded to 8 bytes
 *
 * All compressed records of a file are one zstd stream, flushed at the end of each but never ended,
 * and a record may begin in one and end in a later one. The source made here gives whole records:
 * those of the stream, and the plain ones in between, in the order of the file. Its positions start
 * at that of the first record of the compressed source and count the bytes given; they are the same
 * each time.
 *
 * If the stream is damaged or has a gap, the rest of it is lost, since it refers to earlier bytes.
 * That is counted; plain records are still read, and so is the stream if a new frame begins.
 *
 * Bounds: a compressed record yields at most the size of the recorder's buffers (from the header),
 * a stream at most 4096 times its own size. No more than a few hundred KiB are held.
 *
 * Owns: the compressed source. Threads: one at a time.
 */
#ifndef PERFOLD_INPUT_PERFDATA_ZSTD_SOURCE_H
#define PERFOLD_INPUT_PERFDATA_ZSTD_SOURCE_H

#include "input/perfdata/perfdata_record.h"
#include "input/perfdata/byte_source.h"

/* buffer_bytes: the size of the recorder's buffers according to the header, or 0. */
struct byte_source *zstd_source_new(
	struct byte_source *compressed, bool swapped, size_t read_bytes, uint32_t buffer_bytes);

#endif
