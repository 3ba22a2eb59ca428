/*
 * unpack.h - what compressed records hold
 *
 *	COMPRESSED   (perf record -z)   {header}  u8 zstd[]            any size
 *	COMPRESSED2  (since perf 6.16)  {header}  u64 n  u8 zstd[n]    padded to 8 bytes
 *
 * All compressed records of a file are one zstd stream, flushed at the end of each but never ended,
 * and a record may begin in one and end in a later one. The source made here hands out whole
 * records: those of the stream, and the plain ones between them in their places. Its positions go
 * on from that of the first record of the packed source and count what is handed out; they are the
 * same each time.
 *
 * Where the stream is damaged or has a gap, the rest of it is lost, since it refers to what came
 * before. That is counted; plain records go on, and so does the stream where it begins anew.
 *
 * Bounds: a compressed record gives at most what the recorder's buffers held (the header says how
 * much), a stream at most 4096 times its own size. No more than a few hundred KiB is held.
 *
 * Owns: the packed source. Threads: one at a time.
 */
#ifndef PERFOLD_INPUT_PERFDATA_ZSTD_SOURCE_H
#define PERFOLD_INPUT_PERFDATA_ZSTD_SOURCE_H

#include "input/perfdata/perfdata_record.h"
#include "input/perfdata/byte_source.h"

static inline bool perfdata_record_is_compressed(uint32_t type)
{
	return type == RECORD_COMPRESSED || type == RECORD_COMPRESSED2;
}

/* buffer_bytes: the size of the recorder's buffers according to the header, or 0. */
struct byte_source *zstd_source_new(
	struct byte_source *compressed, bool swapped, size_t read_bytes, uint32_t buffer_bytes);

#endif
