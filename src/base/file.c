/*
 * Reading goes on where a call came up short or was interrupted, as on NFS and FUSE, until the
 * bytes are there or the file ends. The size at the time of opening is a hint only: files below
 * /proc have none, and others may be cut while they are read.
 */
#include "base/file.h"

#include "base/counted.h"
#include "base/mem.h"
#include "base/packed_bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

int file_adopt(struct file *f, int fd, const char *name, struct err *e)
{
	*f = (struct file){ .fd = fd };
	if (fstat(fd, &f->st)) {
		err_errno(e, "%s", name);
		close(fd);
		f->fd = -1;
		return e->code;
	}
	f->path = xstrdup(name);
	if (S_ISREG(f->st.st_mode))
		f->size_bytes = (uint64_t)f->st.st_size;
	return OK;
}

int file_open(struct file *f, const char *path, struct err *e)
{
	/* O_NONBLOCK: a FIFO without a writer must not hang the open. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	*f = (struct file){ .fd = -1 };
	if (fd < 0)
		return err_errno(e, "%s", path);
	if (file_adopt(f, fd, path, e))
		return e->code;
	if (S_ISDIR(f->st.st_mode)) {
		file_close(f);
		return err_set(e, ERR_UNSUPPORTED, "%s: is a directory", path);
	}
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return OK;
}

int file_open_regular(struct file *f, const char *path, struct err *e)
{
	if (file_open(f, path, e))
		return e->code;
	if (!S_ISREG(f->st.st_mode)) {
		file_close(f);
		return err_set(e, ERR_UNSUPPORTED, "%s: is not a regular file", path);
	}
	return OK;
}

void file_of_packed(struct file *f, struct packed_bytes *packed, const char *name)
{
	*f = (struct file){
		.fd = -1,
		.packed = packed,
		.path = xstrdup(name),
		.size_bytes = packed_bytes_count(packed),
		.st = { .st_mode = S_IFREG | 0600, .st_size = (off_t)packed_bytes_count(packed) },
	};
}

void file_close(struct file *f)
{
	packed_bytes_free(f->packed);
	if (f->fd >= 0 && f->path)
		close(f->fd);
	free(f->path);
	*f = (struct file){ .fd = -1 };
}

struct file_identity file_identity(const struct file *f)
{
	return (struct file_identity){ f->st.st_dev, f->st.st_ino };
}

int file_open_same(struct file *f, const char *path, struct file_identity id, struct err *e)
{
	if (file_open_regular(f, path, e))
		return e->code;
	if (!id.ino || (f->st.st_dev == id.dev && f->st.st_ino == id.ino))
		return OK;
	file_close(f);
	return err_set(e, ERR_IO, "%s: is another file by now", path);
}

/* Sets *got to how many bytes were read; fewer than n are there, or -1 and errno. */
static int read_until_end(int fd, void *p, size_t n, uint64_t offset, size_t *got)
{
	*got = 0;
	while (*got < n) {
		ssize_t k = pread(fd, (char *)p + *got, n - *got, (off_t)(offset + *got));

		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			return -1;
		if (k == 0)
			break;
		*got += (size_t)k;
	}
	return 0;
}

ssize_t file_pread(int fd, void *p, size_t n, uint64_t offset)
{
	size_t got;

	return read_until_end(fd, p, n, offset, &got) ? -1 : (ssize_t)got;
}

int file_read_some_at(
	const struct file *f, void *p, size_t n, uint64_t offset, size_t *got, struct err *e)
{
	if (f->packed)
		*got = packed_bytes_read(f->packed, p, n, offset);
	else if (read_until_end(f->fd, p, n, offset, got))
		return err_errno(e, "%s: reading at 0x%" PRIx64, f->path, offset + *got);
	return OK;
}

int file_read_at(const struct file *f, void *p, size_t n, uint64_t offset, struct err *e)
{
	size_t got;

	if (file_read_some_at(f, p, n, offset, &got, e))
		return e->code;
	if (got < n)
		return err_set(e, ERR_FORMAT, "%s: ends at 0x%" PRIx64 ", %zu %s short", f->path,
			offset + got, n - got, counted(n - got, "byte", "bytes"));
	return OK;
}

int file_read_content(const struct file *f, size_t limit_bytes, struct buf *b, struct err *e)
{
	size_t before = b->n;
	size_t got = 0, want;
	int rc;

	/* Files below /proc have size 0 and yet content: read until a read comes up short. */
	do {
		size_t at = b->n - before;

		want = f->size_bytes > at ? f->size_bytes - at + 1 : 64 * 1024;
		/* Before any memory is allocated: a sparse file can claim terabytes. */
		if (at > limit_bytes || f->size_bytes > limit_bytes)
			return err_set(
				e, ERR_LIMIT, "%s: larger than %zu bytes", f->path, limit_bytes);
		buf_reserve(b, want);
		rc = file_read_some_at(f, b->p + b->n, want, at, &got, e);
		b->n += got;
	} while (!rc && (got == want || b->n - before > limit_bytes));
	return rc;
}

int file_read_all(const char *path, size_t limit_bytes, struct buf *b, struct err *e)
{
	struct file f;
	int rc = file_open_regular(&f, path, e);

	if (!rc)
		rc = file_read_content(&f, limit_bytes, b, e);
	file_close(&f);
	return rc;
}

uint64_t file_size_bytes(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}
