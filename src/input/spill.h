/*
 * spill.h - a copy of what cannot be read by position: pipes, and compressed files
 *
 * The copy is in memory up to 16 MiB, then a file without a name, in $TMPDIR, else in /tmp, or in
 * /var/tmp if /tmp is in memory. It is removed with its descriptor, however the program ends. Where
 * no file can be created it stays in memory, compressed, up to 512 MiB. Its path, for messages, is
 * that of the original.
 *
 * Owns: the caller owns the copy. Threads: any. Source: RFC 1952 (gzip), RFC 8878 (zstd),
 * lzma/container.h (xz).
 */
#ifndef PERFOLD_INPUT_SPILL_H
#define PERFOLD_INPUT_SPILL_H

#include "base/file.h"
#include "model/diag.h"

/* Reads a pipe to its end; head holds the bytes that were read from it before. More than
 * limit_bytes is ERR_LIMIT; 0: as much as there is room for. */
int spill_pipe(struct file *out, const struct file *pipe, struct span head, uint64_t limit_bytes,
	struct err *e);

/* The directory for copies if it is in memory, which a large copy would fill; else NULL. It is
 * borrowed from the environment. */
const char *spill_dir_in_memory(void);

/* True where a file begins like gzip, zstd or xz. */
bool spill_is_compressed(struct span head);
/* Decompresses a regular file, or a pipe whose first bytes are head, if spill_is_compressed(). If
 * it is damaged or cut off, the part before is kept, and the damage is counted in d. */
int spill_decompress(struct file *out, const struct file *compressed, struct span head,
	uint64_t limit_bytes, struct diag *d, struct err *e);

#endif
