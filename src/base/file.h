/*
 * file.h - reading a file by position
 *
 * Regular files are read with pread in blocks, never mapped: memory stays bounded, and a file
 * that shrinks while it is read is an error, not a signal.
 *
 * Owns: its descriptor and path. Threads: reads from any thread once open.
 */
#ifndef PERFOLD_BASE_FILE_H
#define PERFOLD_BASE_FILE_H

#include "base/buf.h"
#include "base/err.h"

#include <sys/stat.h>
#include <sys/types.h>

struct packed_bytes;

struct file {
	int fd;                      /* -1 where packed has the bytes */
	struct packed_bytes *packed; /* owned; NULL: they are in a file */
	char *path;
	uint64_t size_bytes; /* fixed at open; 0 for a pipe */
	struct stat st;
};

/* Which file it is, whatever its name; zeroed: not known. */
struct file_identity {
	dev_t dev;
	ino_t ino;
};

/* Open for reading without waiting for a writer of a FIFO. Any kind of file but a directory. */
int file_open(struct file *f, const char *path, struct err *e);
/* The same for regular files only: anything else is ERR_UNSUPPORTED. */
int file_open_regular(struct file *f, const char *path, struct err *e);
/* Take over a descriptor that is open; name is for messages. */
int file_adopt(struct file *f, int fd, const char *name, struct err *e);
/* Take over bytes that are in memory. */
void file_of_packed(struct file *f, struct packed_bytes *packed, const char *name);
void file_close(struct file *f);
struct file_identity file_identity(const struct file *f);
/* A regular file that was looked at before, by its name: another one by now is an error. */
int file_open_same(struct file *f, const char *path, struct file_identity id, struct err *e);

/* As pread(2), but goes on after an interruption (NFS, FUSE) and where it came up short: fewer
 * bytes mean the end of the file. -1: errno is set. */
ssize_t file_pread(int fd, void *p, size_t n, uint64_t offset);
/* Exactly n bytes at offset; fewer there is ERR_FORMAT. */
int file_read_at(const struct file *f, void *p, size_t n, uint64_t offset, struct err *e);
/* As many bytes as are there, up to n, in *got. */
int file_read_some_at(
	const struct file *f, void *p, size_t n, uint64_t offset, size_t *got, struct err *e);
/* Appends the whole content to b; more than limit_bytes is ERR_LIMIT. */
int file_read_content(const struct file *f, size_t limit_bytes, struct buf *b, struct err *e);
/* The same of a regular file. */
int file_read_all(const char *path, size_t limit_bytes, struct buf *b, struct err *e);

/* The size of a regular file; 0 of anything else, and if there is none. */
uint64_t file_size_bytes(const char *path);

#endif
