/*
 * A sink is two pointers that callers see (room: where the next byte goes, and the end), so that
 * sink_put() is inlined to a comparison and a copy. What happens at the end of the room depends:
 *
 *	file, standard output	block of 64 KB: written or compressed (into the second block, then
 *				written), and empty again
 *	memory			the room is the free part of the caller's buf, which grows
 *	through a buf		the caller's full() may empty the buf first
 *
 * How a file gets its name:
 *
 *	new file	O_TMPFILE, written, then linkat() to its path. If the process is killed
 *			before, the kernel removes the file.
 *	replacement	linkat() cannot replace, so: linkat() to a temporary name, then rename().
 *	no O_TMPFILE	(NFS, or no /proc to link by) a temporary name from the start, then
 *			rename().
 *	no regular file	/dev/null, a FIFO: opened and written in place.
 *
 * Each is a file of the target's directory, as rename() does not cross file systems; the target is
 * found by realpath(), so a symbolic link stays one.
 *
 * The first error is kept in err and nothing more is written; sink_commit() reports it. Numbers are
 * formatted here because printf() takes ten times as long.
 *
 * Source: open(2) on O_TMPFILE, linkat(2); RFC 1952 (gzip; the time in its header is 0, so equal
 * content gives equal bytes).
 */
#include "base/sink.h"

#include "base/mem.h"
#include "base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum {
	BLOCK_BYTES = 64 * 1024,
	NAMES_MAX = 1000, /* tried for a temporary file */
};

struct open_sink {
	struct sink room;   /* of memory or block */
	struct buf *memory; /* borrowed; NULL: fd */
	sink_full full;     /* of memory; NULL: it grows */
	void *ctx;
	int fd;
	bool close_fd;
	const char *shown; /* for messages: path or "standard output" */
	char *path;        /* as given */
	char *target;      /* path after all symbolic links */
	char *temporary;   /* to be renamed to target */
	bool nameless;     /* has no name until it is whole */
	bool private;      /* a new file is for this user only */
	enum sink_compression packing;
	bool guarded; /* a terminal, which strings of a recording must not command */
	struct buf unshown;
	z_stream gzip;
	ZSTD_CCtx *zstd;
	struct err err; /* the first that happened; err.code OK: none */
	char *packed;   /* a second block; NULL: as it is */
	char block[];   /* none for memory */
};

static struct open_sink *open_sink_of(struct sink *s)
{
	return (struct open_sink *)(void *)s;
}

/* Blocks are not cleared, as they are written before they are read: that took a tenth of a short
 * run. */
static struct open_sink *sink_new(size_t n_blocks)
{
	struct open_sink *s = xmalloc(sizeof(*s) + n_blocks * BLOCK_BYTES);

	memset(s, 0, sizeof(*s));
	s->room = (struct sink){ s->block, s->block + (n_blocks ? BLOCK_BYTES : 0) };
	s->packed = n_blocks > 1 ? s->block + BLOCK_BYTES : NULL;
	return s;
}

/* Opening */

/* The descriptor that a path such as /dev/stdout means, or -1. Opening /dev/stdout anew would begin
 * at the start of its file and overwrite what the shell's ">>" is to keep. */
static int standard_stream(const char *path)
{
	static const char *const prefixes[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t fd;
	size_t i;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (i = 0; i < ARRAY_LEN(prefixes); i++) {
		struct span s = span_of(path);

		if (!span_starts(s, span_of(prefixes[i])))
			continue;
		s = span_skip(s, strlen(prefixes[i]));
		if (span_scan_u64(&s, &fd) && !s.n && fd < 1 << 20)
			return (int)fd;
	}
	return -1;
}

static int directory_bytes(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (int)(slash + 1 - path) : 0;
}

/* Short, however long the target's own name is. */
static char *temporary_name(const struct open_sink *s, unsigned i)
{
	return xasprintf(
		"%.*s" SINK_TEMPORARY, directory_bytes(s->target), s->target, (int)getpid(), i);
}

/* The path by which an open file can be given a name. */
struct open_name {
	char text[32];
};

static struct open_name open_name_of(int fd)
{
	struct open_name name;

	snprintf(name.text, sizeof(name.text), "/proc/self/fd/%d", fd);
	return name;
}

/* A file without a name in the directory of target. Not every file system supports that (NFS does
 * not), and not every chroot has the /proc to name it by. */
static bool open_nameless(struct open_sink *s, mode_t mode)
{
	int bytes = directory_bytes(s->target);
	char *dir = bytes ? xasprintf("%.*s", bytes, s->target) : xstrdup(".");

	s->fd = open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
	free(dir);
	if (s->fd >= 0 && access(open_name_of(s->fd).text, F_OK)) {
		close(s->fd);
		s->fd = -1;
	}
	s->nameless = s->fd >= 0;
	return s->nameless;
}

static int open_temporary(struct open_sink *s, mode_t mode, struct err *e)
{
	unsigned i;

	if (open_nameless(s, mode))
		return OK;
	for (i = 0; i < NAMES_MAX; i++) {
		char *name = temporary_name(s, i);

		s->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
		if (s->fd >= 0) {
			s->temporary = name;
			return OK;
		}
		free(name);
		if (errno != EEXIST)
			break;
	}
	return err_errno(e, "%s", s->path);
}

/* As fs.protected_regular of Linux has it, which not every system sets. */
static bool is_in_shared_dir(const struct open_sink *s)
{
	char *dir = xasprintf("%.*s.", directory_bytes(s->target), s->target);
	struct stat st;
	bool shared = !stat(dir, &st) && st.st_mode & S_ISVTX;

	free(dir);
	return shared;
}

/* A file that is there already is replaced, so it must be writable. */
static int open_replacement(struct open_sink *s, const struct stat *old, struct err *e)
{
	s->target = realpath(s->path, NULL);
	if (!s->target || access(s->target, W_OK))
		return err_errno(e, "%s", s->path);
	if (old->st_uid != geteuid() && is_in_shared_dir(s))
		return err_set(
			e, ERR_IO, "%s: is another user's file in a shared directory", s->path);
	if (open_temporary(s, 0600, e))
		return e->code;
	fchmod(s->fd, old->st_mode & 0777);
	return OK;
}

static int open_new(struct open_sink *s, struct err *e)
{
	s->target = xstrdup(s->path);
	return open_temporary(s, s->private ? 0600 : 0666, e);
}

static int open_in_place(struct open_sink *s, struct err *e)
{
	s->fd = open(s->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return s->fd < 0 ? err_errno(e, "%s", s->path) : OK;
}

static int open_path(struct open_sink *s, struct err *e)
{
	struct stat st;

	s->close_fd = true;
	if (stat(s->path, &st))
		return errno == ENOENT ? open_new(s, e) : err_errno(e, "%s", s->path);
	if (S_ISDIR(st.st_mode))
		return err_set(e, ERR_IO, "%s: is a directory", s->path);
	return S_ISREG(st.st_mode) ? open_replacement(s, &st, e) : open_in_place(s, e);
}

static void start_packing(struct open_sink *s)
{
	/* 15 + 16: a gzip header, without name and time, so that equal content is equal bytes. */
	if (s->packing == SINK_GZIP &&
		deflateInit2(&s->gzip, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		err_set(&s->err, ERR_IO, "%s: cannot start zlib", s->shown);
	if (s->packing == SINK_ZSTD) {
		s->zstd = ZSTD_createCCtx();
		if (!s->zstd)
			err_set(&s->err, ERR_IO, "%s: cannot start zstd", s->shown);
		else
			ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_checksumFlag, 1);
	}
}

static int open_file(struct sink **out, const char *path, enum sink_compression packing,
	bool private, struct err *e)
{
	struct open_sink *s = sink_new(packing == SINK_PLAIN ? 1 : 2);

	*out = NULL;
	s->private = private;
	s->path = xstrdup(path);
	s->packing = packing;
	s->fd = standard_stream(path);
	s->shown = s->fd == STDOUT_FILENO ? "standard output" : s->path;
	if (s->fd < 0 && open_path(s, e)) {
		sink_abort(&s->room);
		return err_of_output(e);
	}
	start_packing(s);
	*out = &s->room;
	return OK;
}

int sink_open(struct sink **out, const char *path, enum sink_compression packing, struct err *e)
{
	return open_file(out, path, packing, false, e);
}

int sink_open_private(
	struct sink **out, const char *path, enum sink_compression packing, struct err *e)
{
	return open_file(out, path, packing, true, e);
}

/* The free part of the buffer. */
static void borrow_room(struct open_sink *s)
{
	struct buf *b = s->memory;

	s->room = b->p ? (struct sink){ b->p + b->n, b->p + b->cap }
		       : (struct sink){ s->block, s->block };
}

static void return_room(struct open_sink *s)
{
	if (s->memory->p)
		s->memory->n = (size_t)(s->room.at - s->memory->p);
}

struct sink *sink_to_buf(struct buf *b)
{
	struct open_sink *s = sink_new(0);

	s->memory = b;
	s->fd = -1;
	borrow_room(s);
	return &s->room;
}

struct sink *sink_through_buf(struct buf *b, sink_full full, void *ctx)
{
	struct sink *sink = sink_to_buf(b);
	struct open_sink *s = open_sink_of(sink);

	s->full = full;
	s->ctx = ctx;
	return sink;
}

/* Writing */

static void write_out(struct open_sink *s, const char *p, size_t n)
{
	while (n && !s->err.code) {
		ssize_t k = write(s->fd, p, n);

		if (k >= 0) {
			p += k;
			n -= (size_t)k;
		} else if (errno == EAGAIN) {
			/* Node.js, among others, passes on pipes that do not block. */
			poll(&(struct pollfd){ .fd = s->fd, .events = POLLOUT }, 1, -1);
		} else if (errno != EINTR) {
			err_errno(&s->err, "%s", s->shown);
		}
	}
}

static void write_gzip(struct open_sink *s, bool last)
{
	int rc = Z_OK;

	s->gzip.next_in = (unsigned char *)s->block;
	s->gzip.avail_in = (unsigned)(s->room.at - s->block);
	do {
		s->gzip.next_out = (unsigned char *)s->packed;
		s->gzip.avail_out = BLOCK_BYTES;
		rc = deflate(&s->gzip, last ? Z_FINISH : Z_NO_FLUSH);
		write_out(s, s->packed, BLOCK_BYTES - s->gzip.avail_out);
	} while (!s->err.code && (last ? rc == Z_OK : s->gzip.avail_out == 0));
}

static void write_zstd(struct open_sink *s, bool last)
{
	ZSTD_inBuffer in = { s->block, (size_t)(s->room.at - s->block), 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { s->packed, BLOCK_BYTES, 0 };

		left = ZSTD_compressStream2(
			s->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			err_set(&s->err, ERR_IO, "%s: zstd: %s", s->shown, ZSTD_getErrorName(left));
		else
			write_out(s, s->packed, out.pos);
	} while (!s->err.code && (last ? left != 0 : in.pos < in.size));
}

/* Up to the last line's end, or the last word's, so that no character is cut in two. */
static void write_escaped(struct open_sink *s, const char *p, size_t n, bool last)
{
	struct buf shown = { 0 };
	struct span rest, part;

	buf_put(&s->unshown, p, n);
	rest = buf_span(&s->unshown);
	for (;;) {
		for (n = 0; n < rest.n && !memchr("\n\t", rest.p[n], 2);)
			n++;
		if (n == rest.n && !last)
			break;
		part = (struct span){ rest.p, n };
		utf8_put_terminal(&shown, part);
		if (n == rest.n)
			break;
		buf_putc(&shown, rest.p[n]);
		rest = span_skip(rest, n + 1);
	}
	write_out(s, shown.p, shown.n);
	s->unshown.n = last ? 0 : rest.n;
	if (s->unshown.n)
		memmove(s->unshown.p, rest.p, rest.n);
	buf_release(&shown);
}

void sink_guard_terminal(struct sink *sink)
{
	struct open_sink *s = open_sink_of(sink);

	s->guarded = !s->memory && s->packing == SINK_PLAIN && isatty(s->fd);
}

/* Write what is in the block. */
static void drain(struct open_sink *s, bool last)
{
	if (s->err.code)
		; /* nothing more is written */
	else if (s->packing == SINK_GZIP)
		write_gzip(s, last);
	else if (s->packing == SINK_ZSTD)
		write_zstd(s, last);
	else if (s->guarded)
		write_escaped(s, s->block, (size_t)(s->room.at - s->block), last);
	else
		write_out(s, s->block, (size_t)(s->room.at - s->block));
	s->room.at = s->block;
}

static void put_through_block(struct open_sink *s, const char *from, size_t n)
{
	if (n >= BLOCK_BYTES && s->packing == SINK_PLAIN && !s->guarded) {
		drain(s, false);
		write_out(s, from, n);
		return;
	}
	while (n) {
		size_t room = (size_t)(s->room.end - s->room.at);
		size_t k = n < room ? n : room;

		memcpy(s->room.at, from, k);
		s->room.at += k;
		from += k;
		n -= k;
		if (s->room.at == s->room.end)
			drain(s, false);
	}
}

static void put_in_memory(struct open_sink *s, const char *from, size_t n)
{
	return_room(s);
	if (s->full && !s->err.code)
		s->full(s->ctx, &s->err);
	if (s->err.code)
		s->memory->n = 0;
	else
		buf_put(s->memory, from, n);
	borrow_room(s);
}

void sink_put_slow(struct sink *sink, const void *p, size_t n)
{
	struct open_sink *s = open_sink_of(sink);

	if (s->memory)
		put_in_memory(s, p, n);
	else
		put_through_block(s, p, n);
}

void sink_flush(struct sink *sink)
{
	struct open_sink *s = open_sink_of(sink);

	if (!s->memory && s->packing == SINK_PLAIN)
		drain(s, false);
}

void sink_patch(struct sink *sink, size_t at, const void *p, size_t n)
{
	struct open_sink *s = open_sink_of(sink);

	drain(s, false);
	if (!s->err.code && pwrite(s->fd, p, n, (off_t)at) != (ssize_t)n)
		err_errno(&s->err, "%s", s->shown);
}

void sink_put_u64(struct sink *s, uint64_t v)
{
	enum { DIGITS_MAX = 20 };
	char digits[2 * DIGITS_MAX];
	char *end = digits + DIGITS_MAX, *p = span_put_digits(end, v);

	if (s->end - s->at < DIGITS_MAX) {
		sink_put(s, p, (size_t)(end - p));
		return;
	}
	memcpy(s->at, p, DIGITS_MAX); /* of a known length: no call */
	s->at += end - p;
}

/* A value so close to the middle between two results that only exact arithmetic can round it, and
 * one that is too large, is left to printf(). */
void sink_put_fixed(struct sink *s, double v, unsigned digits)
{
	static const uint32_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	const uint32_t power = powers[digits];
	double scaled = v * power, rest;
	uint64_t n;

	if (!(scaled >= 0 && scaled < 1e12) || signbit(v)) {
		sink_printf(s, "%.*f", (int)digits, v);
		return;
	}
	n = (uint64_t)scaled;
	rest = scaled - (double)n;
	if (rest > 0.499 && rest < 0.501) {
		sink_printf(s, "%.*f", (int)digits, v);
		return;
	}
	n += rest > 0.5;
	sink_put_u64(s, n / power);
	if (!digits)
		return;
	sink_putc(s, '.');
	for (n %= power; digits > 1 && n < powers[digits - 1]; digits--)
		sink_putc(s, '0');
	sink_put_u64(s, n);
}

void sink_put_double(struct sink *s, double v)
{
	double twice = v * 2;

	if (!(twice >= 0 && twice < 1e9) || signbit(v) || twice != (double)(uint64_t)twice) {
		sink_printf(s, "%.10g", v);
		return;
	}
	sink_put_u64(s, (uint64_t)v);
	if ((uint64_t)twice % 2)
		sink_puts(s, ".5");
}

void sink_printf(struct sink *s, const char *fmt, ...)
{
	char text[512];
	char *more = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if ((size_t)n >= sizeof(text)) {
		va_start(ap, fmt);
		more = xvasprintf(fmt, ap);
		va_end(ap);
	}
	sink_put(s, more ? more : text, (size_t)n);
	free(more);
}

int sink_failed(const struct sink *s)
{
	return ((const struct open_sink *)(const void *)s)->err.code != OK;
}

/* Closing */

static void sink_free(struct open_sink *s)
{
	if (s->packing == SINK_GZIP)
		deflateEnd(&s->gzip);
	if (s->zstd)
		ZSTD_freeCCtx(s->zstd);
	if (s->close_fd && s->fd >= 0)
		close(s->fd);
	buf_release(&s->unshown);
	free(s->temporary);
	free(s->target);
	free(s->path);
	free(s);
}

/* Only a file that has a name can replace another. */
static int link_name(struct open_sink *s)
{
	struct open_name open_name = open_name_of(s->fd);
	unsigned i;

	if (!linkat(AT_FDCWD, open_name.text, AT_FDCWD, s->target, AT_SYMLINK_FOLLOW))
		return 0;
	for (i = 0; i < NAMES_MAX && errno == EEXIST; i++) {
		char *name = temporary_name(s, i);

		if (!linkat(AT_FDCWD, open_name.text, AT_FDCWD, name, AT_SYMLINK_FOLLOW)) {
			s->temporary = name;
			return 0;
		}
		free(name);
	}
	return -1;
}

/* Some file systems say only on closing a file that the disk is full. Closing any descriptor of it
 * will do, and the one still open is given the name. */
static int put_in_place(struct open_sink *s)
{
	if (close(dup(s->fd)) || (s->nameless && link_name(s)))
		return -1;
	return s->temporary ? rename(s->temporary, s->target) : 0;
}

int sink_commit(struct sink *sink, struct err *e)
{
	struct open_sink *s = open_sink_of(sink);
	int rc;

	if (s->memory)
		return_room(s);
	else
		drain(s, true);
	if (s->target && !s->err.code && put_in_place(s))
		err_errno(&s->err, "%s", s->shown);
	rc = err_of_output(&s->err);
	if (rc)
		*e = s->err;
	if (rc && s->temporary)
		unlink(s->temporary);
	sink_free(s);
	return rc;
}

void sink_abort(struct sink *sink)
{
	struct open_sink *s = open_sink_of(sink);

	if (!s)
		return;
	if (s->temporary)
		unlink(s->temporary);
	sink_free(s);
}
