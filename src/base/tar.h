/*
 * tar.h - tar files: written reproducibly, unpacked with distrust
 *
 * Entries are written in the caller's order, without times and owners. A tar that is read comes
 * from a stranger: only regular files and directories are unpacked; links, devices, files with
 * holes (which unpack to any size), paths that lead out of the directory or come twice are refused.
 *
 * Source: tar(5) of libarchive, which does the decoding; the GNU form is written, whose names are
 * bytes.
 *
 * Owns: a writer borrows its sink. Threads: each has its own.
 */
#ifndef PERFOLD_BASE_TAR_H
#define PERFOLD_BASE_TAR_H

#include "base/file.h"
#include "base/sink.h"

#include <stdbool.h>

/* True for the first bytes of a tar. */
bool tar_is(struct span head);

/* Loads the library that decodes tar files. To be called before anything is created that an end of
 * the process would leave behind: where memory runs out within dlopen(), the C library itself may
 * end it. */
int tar_load(struct err *e);

/* Unpack a tar, a regular file, into an existing empty directory. More bytes than the limit are
 * ERR_LIMIT; 0: no limit, as it cannot unpack to more than it is. */
int tar_unpack(const struct file *tar, const char *dir, uint64_t limit_bytes, struct err *e);

/* The same for the tar of some other tool, plain or compressed (gzip, bzip2, xz, zstd): links are
 * skipped. Without a limit it may unpack to 1 GiB, or to 100 times its size. */
int tar_unpack_foreign(
	const struct file *tar, const char *dir, uint64_t limit_bytes, struct err *e);

struct tar_writer;

int tar_writer_new(struct tar_writer **out, struct sink *to, struct err *e);
/* size_bytes bytes, which read() delivers in order: each time n of them, from at on. */
int tar_add(struct tar_writer *w, const char *name, uint64_t size_bytes,
	int (*read)(void *ctx, void *p, size_t n, uint64_t at, struct err *e), void *ctx,
	struct err *e);
int tar_writer_finish(struct tar_writer *w, struct err *e);
/* NULL is fine. */
void tar_writer_free(struct tar_writer *w);

#endif
