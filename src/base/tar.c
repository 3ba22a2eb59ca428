/*
 * libarchive decodes and encodes; this file decides what is trusted. A pack may come from a
 * stranger, so before anything is created for an entry it must be
 *
 *	a regular file (directories are created for the files in them, links and devices refused)
 *	without holes, which would unpack to any size
 *	under a relative path without empty, "." or ".." parts, of bounded length and depth
 *	new: O_EXCL and O_NOFOLLOW, so that no entry replaces or follows another
 *
 * and the number of entries and of bytes is bounded. tar_unpack_foreign() skips links instead of
 * refusing them, and allows compression; as that makes a small file large (a zip bomb), it has a
 * bound even if none is given.
 *
 * A tar that is written is the same bytes each time: no times, no owners, the mode 0644, and the
 * GNU form, whose names are bytes (pax would convert them to UTF-8).
 *
 * Functions of libarchive are called through a struct of pointers (struct tar_library), filled by
 * dlopen(): see below why it is not linked. A static program fills it with the functions
 * themselves.
 */
#include "base/tar.h"

#include "base/library.h"
#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CHUNK_BYTES = 256 * 1024,
	MAGIC_AT = 257, /* "ustar\0" "00" of POSIX, "ustar  " of GNU */
	ENTRIES_MAX = 1 << 16,
	NAME_MAX_BYTES = 3000, /* leaves room for the directory in PATH_MAX */
	DEPTH_MAX = 64,
	FREE_BYTES = 1 << 30, /* what anything compressed may unpack to without a limit */
	RATIO_MAX = 100,
};

bool tar_is(struct span head)
{
	return head.n >= 512 && memcmp(head.p + MAGIC_AT, "ustar", 5) == 0;
}

/* Loading libarchive */

/*
 * libarchive is loaded only for a tar: it brings an XML parser, ICU and the C++ library, which
 * would take longer than a whole short run. A static program links what it uses of it, which needs
 * none of these.
 */
#define LIBRARY "libarchive.so.13"

#define FUNCTIONS(X)                                                                               \
	X(entry_free)                                                                              \
	X(entry_filetype)                                                                          \
	X(entry_hardlink)                                                                          \
	X(entry_new)                                                                               \
	X(entry_new2)                                                                              \
	X(entry_pathname)                                                                          \
	X(entry_set_filetype)                                                                      \
	X(entry_set_mtime)                                                                         \
	X(entry_set_pathname)                                                                      \
	X(entry_set_perm)                                                                          \
	X(entry_set_size)                                                                          \
	X(entry_sparse_count)                                                                      \
	X(entry_symlink)                                                                           \
	X(error_string)                                                                            \
	X(read_data)                                                                               \
	X(read_free)                                                                               \
	X(read_new)                                                                                \
	X(read_next_header2)                                                                       \
	X(read_open1)                                                                              \
	X(read_set_callback_data)                                                                  \
	X(read_set_read_callback)                                                                  \
	X(read_support_filter_bzip2)                                                               \
	X(read_support_filter_gzip)                                                                \
	X(read_support_filter_xz)                                                                  \
	X(read_support_filter_zstd)                                                                \
	X(read_support_format_tar)                                                                 \
	X(set_error)                                                                               \
	X(write_close)                                                                             \
	X(write_data)                                                                              \
	X(write_free)                                                                              \
	X(write_header)                                                                            \
	X(write_new)                                                                               \
	X(write_open)                                                                              \
	X(write_set_bytes_in_last_block)                                                           \
	X(write_set_format_gnutar)

struct tar_library {
#define MEMBER(name) __typeof__(&archive_##name) name;
	FUNCTIONS(MEMBER)
#undef MEMBER
};

#ifdef PERFOLD_STATIC
static int tar_library_open(struct tar_library *l, struct err *e)
{
	(void)e;
#define ASSIGN(name) l->name = archive_##name;
	FUNCTIONS(ASSIGN)
#undef ASSIGN
	return OK;
}
#else
static int tar_library_open(struct tar_library *l, struct err *e)
{
#define WANTED(name) { "archive_" #name, &l->name },
	const struct library_function wanted[] = { FUNCTIONS(WANTED) };
#undef WANTED

	return library_load_functions(LIBRARY, "for tar files", wanted, ARRAY_LEN(wanted), e);
}
#endif

int tar_load(struct err *e)
{
	struct tar_library l;

	return tar_library_open(&l, e); /* it stays loaded */
}

/* Not every error of libarchive has a text: those about memory mostly have none. */
static const char *reason(const struct tar_library *l, struct archive *a)
{
	const char *text = l->error_string(a);

	return text ? text : "libarchive gives no reason";
}

/* Reading */

struct unpacking {
	struct tar_library lib;
	const struct file *tar;
	uint64_t at_byte;
	const char *dir;
	uint64_t limit_bytes, written_bytes;
	bool foreign;
	char chunk[CHUNK_BYTES];
};

static la_ssize_t read_chunk(struct archive *a, void *ctx, const void **bytes)
{
	struct unpacking *u = ctx;
	struct err e;
	size_t got;

	if (file_read_some_at(u->tar, u->chunk, sizeof(u->chunk), u->at_byte, &got, &e)) {
		u->lib.set_error(a, EIO, "%s", e.msg);
		return -1;
	}
	u->at_byte += got;
	*bytes = u->chunk;
	return (la_ssize_t)got;
}

static int refuse(const struct unpacking *u, const char *name, const char *why, struct err *e)
{
	return err_set(e, ERR_FORMAT, "%s: entry '%.200s': %s", u->tar->path, name, why);
}

/* Relative, and without a part that is empty, "." or "..". */
static bool is_safe_name(const char *name)
{
	struct span rest = span_of(name);
	unsigned depth = 0;

	if (!rest.n || rest.n > NAME_MAX_BYTES)
		return false;
	for (;;) {
		const char *slash = memchr(rest.p, '/', rest.n);
		struct span part = { rest.p, slash ? (size_t)(slash - rest.p) : rest.n };

		if (!part.n || span_eq(part, SPAN(".")) || span_eq(part, SPAN("..")) ||
			++depth > DEPTH_MAX)
			return false;
		if (!slash)
			return true;
		rest = span_skip(rest, part.n + 1);
	}
}

/* The directories above a path; the first there bytes of it exist. */
static int make_directories(char *path, size_t there, struct err *e)
{
	char *slash = path + there;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(path, 0700) && errno != EEXIST)
			return err_errno(e, "%s", path);
		*slash = '/';
	}
	return OK;
}

static int write_all(int fd, const char *p, size_t n, const char *path, struct err *e)
{
	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno != EINTR)
			return err_errno(e, "%s", path);
		if (k > 0) {
			p += k;
			n -= (size_t)k;
		}
	}
	return OK;
}

static bool is_zero(const char *p, size_t n)
{
	return !n || (!*p && !memcmp(p, p + 1, n - 1));
}

/* Zeros become holes: binaries without their code (perfold pack --light) consist of them. Zeros at
 * the end of a file only make it longer. */
static int write_block(
	int fd, const char *p, size_t n, uint64_t at, const char *path, struct err *e)
{
	if (!is_zero(p, n))
		return lseek(fd, (off_t)at, SEEK_SET) < 0 ? err_errno(e, "%s", path)
							  : write_all(fd, p, n, path, e);
	return ftruncate(fd, (off_t)(at + n)) ? err_errno(e, "%s", path) : OK;
}

static int copy_content(
	struct unpacking *u, struct archive *a, int fd, const char *name, struct err *e)
{
	char *block = xmalloc(CHUNK_BYTES);
	uint64_t at = 0;
	la_ssize_t n = 0;
	int rc = OK;

	while (!rc && (n = u->lib.read_data(a, block, CHUNK_BYTES)) > 0) {
		u->written_bytes += (uint64_t)n;
		if (u->limit_bytes && u->written_bytes > u->limit_bytes)
			rc = err_set(e, ERR_LIMIT,
				"%s: unpacks to more than %" PRIu64 " bytes: raise --spill-limit",
				u->tar->path, u->limit_bytes);
		else
			rc = write_block(fd, block, (size_t)n, at, name, e);
		at += (uint64_t)n;
	}
	free(block);
	return !rc && n < 0 ? refuse(u, name, reason(&u->lib, a), e) : rc;
}

static int unpack_file(struct unpacking *u, struct archive *a, const char *name, struct err *e)
{
	char *path = xasprintf("%s/%s", u->dir, name);
	int fd, rc = make_directories(path, strlen(u->dir), e);

	if (!rc) {
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && (errno == EEXIST || errno == EISDIR))
			rc = refuse(u, name, "comes twice", e);
		else if (fd < 0)
			rc = err_errno(e, "%s", path);
		else
			rc = copy_content(u, a, fd, name, e);
		if (fd >= 0 && close(fd) && !rc)
			rc = err_errno(e, "%s", path);
	}
	free(path);
	return rc;
}

static int unpack_entry(
	struct unpacking *u, struct archive *a, struct archive_entry *entry, struct err *e)
{
	const char *name = u->lib.entry_pathname(entry);

	if (!name)
		return refuse(u, "", "has no name", e);
	if (u->lib.entry_hardlink(entry) || u->lib.entry_symlink(entry))
		return u->foreign ? OK : refuse(u, name, "is a link", e);
	if (u->lib.entry_filetype(entry) == AE_IFDIR)
		return OK; /* created for the files in it */
	if (u->lib.entry_filetype(entry) != AE_IFREG)
		return refuse(u, name, "is not a regular file", e);
	if (u->lib.entry_sparse_count(entry))
		return refuse(u, name, "has holes", e);
	if (!is_safe_name(name))
		return refuse(u, name, "has a path that is not plain and relative", e);
	return unpack_file(u, a, name, e);
}

static int unpack_entries(
	struct unpacking *u, struct archive *a, struct archive_entry *entry, struct err *e)
{
	int rc = OK, n, found;

	for (n = 0; !rc; n++) {
		found = u->lib.read_next_header2(a, entry);
		if (found == ARCHIVE_EOF)
			return OK;
		if (found != ARCHIVE_OK && found != ARCHIVE_WARN)
			return err_set(e, ERR_FORMAT, "%s: %s", u->tar->path, reason(&u->lib, a));
		if (n == ENTRIES_MAX)
			return err_set(e, ERR_LIMIT, "%s: has more than %d entries", u->tar->path,
				ENTRIES_MAX);
		rc = unpack_entry(u, a, entry, e);
	}
	return rc;
}

/* The archive's own entry, of archive_read_next_header(), is NULL where there was no memory for it,
 * and is written to nevertheless. */
static int unpack_all(struct unpacking *u, struct archive *a, struct err *e)
{
	struct archive_entry *entry = xchecked(u->lib.entry_new2(a));
	int rc = unpack_entries(u, a, entry, e);

	u->lib.entry_free(entry);
	return rc;
}

/* A filter that libarchive was built without fails only when it is needed. */
static void support_filters(const struct unpacking *u, struct archive *a)
{
	u->lib.read_support_filter_gzip(a);
	u->lib.read_support_filter_bzip2(a);
	u->lib.read_support_filter_xz(a);
	u->lib.read_support_filter_zstd(a);
}

/* As archive_read_open(), which goes on where there was no memory for the second step, and reads
 * through NULL. */
static bool open_reader(struct unpacking *u, struct archive *a)
{
	return u->lib.read_set_read_callback(a, read_chunk) == ARCHIVE_OK &&
	       u->lib.read_set_callback_data(a, u) == ARCHIVE_OK &&
	       u->lib.read_open1(a) == ARCHIVE_OK;
}

static int unpack_opened(struct unpacking *u, struct err *e)
{
	struct archive *a = xchecked(u->lib.read_new());
	int rc;

	if (u->foreign)
		support_filters(u, a);
	if (u->lib.read_support_format_tar(a) != ARCHIVE_OK || !open_reader(u, a))
		rc = err_set(e, ERR_FORMAT, "%s: %s", u->tar->path, reason(&u->lib, a));
	else
		rc = unpack_all(u, a, e);
	u->lib.read_free(a);
	return rc;
}

static int unpack(
	const struct file *tar, const char *dir, uint64_t limit_bytes, bool foreign, struct err *e)
{
	struct unpacking *u = xcalloc(1, sizeof(*u));
	int rc = tar_library_open(&u->lib, e);

	u->tar = tar;
	u->dir = dir;
	u->limit_bytes = limit_bytes;
	u->foreign = foreign;
	if (!rc)
		rc = unpack_opened(u, e);
	free(u);
	return rc;
}

int tar_unpack(const struct file *tar, const char *dir, uint64_t limit_bytes, struct err *e)
{
	return unpack(tar, dir, limit_bytes, false, e);
}

int tar_unpack_foreign(const struct file *tar, const char *dir, uint64_t limit_bytes, struct err *e)
{
	uint64_t most =
		tar->size_bytes > UINT64_MAX / RATIO_MAX ? UINT64_MAX : tar->size_bytes * RATIO_MAX;

	if (!limit_bytes)
		limit_bytes = most > FREE_BYTES ? most : FREE_BYTES;
	return unpack(tar, dir, limit_bytes, true, e);
}

/* Writing */

struct tar_writer {
	struct tar_library lib;
	struct archive *a;
};

static la_ssize_t write_chunk(struct archive *a, void *to, const void *bytes, size_t n)
{
	(void)a;
	sink_put(to, bytes, n);
	return (la_ssize_t)n;
}

static int failed(struct tar_writer *w, const char *name, struct err *e)
{
	return err_set(e, ERR_IO, "%s: %s", name, reason(&w->lib, w->a));
}

int tar_writer_new(struct tar_writer **out, struct sink *to, struct err *e)
{
	struct tar_writer *w = xcalloc(1, sizeof(*w));

	*out = w;
	if (tar_library_open(&w->lib, e))
		return e->code;
	w->a = xchecked(w->lib.write_new());
	if (w->lib.write_set_format_gnutar(w->a) != ARCHIVE_OK ||
		w->lib.write_set_bytes_in_last_block(w->a, 1) != ARCHIVE_OK ||
		w->lib.write_open(w->a, to, NULL, write_chunk, NULL) != ARCHIVE_OK)
		return failed(w, "tar", e);
	return OK;
}

static int begin_entry(struct tar_writer *w, const char *name, uint64_t size_bytes, struct err *e)
{
	struct archive_entry *entry = xchecked(w->lib.entry_new());
	int rc;

	w->lib.entry_set_pathname(entry, name);
	w->lib.entry_set_filetype(entry, AE_IFREG);
	w->lib.entry_set_perm(entry, 0644);
	w->lib.entry_set_size(entry, (la_int64_t)size_bytes);
	w->lib.entry_set_mtime(entry, 0, 0);
	rc = w->lib.write_header(w->a, entry);
	w->lib.entry_free(entry);
	return rc == ARCHIVE_OK || rc == ARCHIVE_WARN ? OK : failed(w, name, e);
}

static int put(struct tar_writer *w, const char *name, const void *p, size_t n, struct err *e)
{
	return w->lib.write_data(w->a, p, n) == (la_ssize_t)n ? OK : failed(w, name, e);
}

int tar_add(struct tar_writer *w, const char *name, uint64_t size_bytes,
	int (*read)(void *ctx, void *p, size_t n, uint64_t at, struct err *e), void *ctx,
	struct err *e)
{
	char *block = xmalloc(CHUNK_BYTES);
	uint64_t at = 0;
	int rc = begin_entry(w, name, size_bytes, e);

	while (!rc && at < size_bytes) {
		uint64_t left = size_bytes - at;
		size_t n = left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES;

		rc = read(ctx, block, n, at, e);
		if (!rc)
			rc = put(w, name, block, n, e);
		at += n;
	}
	free(block);
	return rc;
}

int tar_writer_finish(struct tar_writer *w, struct err *e)
{
	return w->lib.write_close(w->a) == ARCHIVE_OK ? OK : failed(w, "tar", e);
}

void tar_writer_free(struct tar_writer *w)
{
	if (!w)
		return;
	if (w->a)
		w->lib.write_free(w->a);
	free(w);
}
