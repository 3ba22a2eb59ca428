/*
 * A file is opened by openat2(2) below the root, without following links: most paths have none.
 * Where there is a link, or "..", the path is walked part by part first:
 *
 *	real     ROOT/usr/lib		parts that were looked at; none of them is a link
 *	pending  libc.so/x		parts to come; the target of a link goes in front
 *
 * and what results is opened in the same way. The walk only finds a path: whoever renames
 * directories meanwhile gets a file below the root, or none. Where the kernel lacks openat2() (it
 * is older than 5.6, or a container forbids it), directories are opened one in the other.
 */
#include "files/root.h"

#include "base/mem.h"
#include "files/files_search.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as in Linux */

/* ---- without links ------------------------------------------------------------------------ */

/* The directory of the last part; *last is that. -1: errno. */
static int open_dirs(int dir, const char *below, const char **last)
{
	int fd = dup(dir);
	const char *slash;

	while (fd >= 0 && (slash = strchr(below, '/'))) {
		char *part = xasprintf("%.*s", (int)(slash - below), below);
		int next = openat(
			fd, *part ? part : ".", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		free(part);
		close(fd);
		fd = next;
		below = slash + 1;
	}
	*last = below;
	return fd;
}

/* Without openat2(). ELOOP: there is a link, or "..". */
static int open_by_parts(int dir, const char *below, int flags)
{
	bool climbs = files_search_climbs(span_of(below));
	int parent = climbs ? -1 : open_dirs(dir, below, &below), fd = -1;

	if (parent >= 0) {
		fd = openat(parent, below, flags | O_NOFOLLOW | O_CLOEXEC);
		close(parent);
	}
	if (climbs || (fd < 0 && errno == ENOTDIR))
		errno = ELOOP;
	return fd;
}

static int open_without_links(int dir, const char *below, int flags)
{
	struct open_how how = { .flags = (uint64_t)flags | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS };
	int fd = (int)syscall(SYS_openat2, dir, below, &how, sizeof(how));

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? open_by_parts(dir, below, flags)
							     : fd;
}

/* Only what was seen to be a regular file is opened, as opening a device can do harm; then it is
 * looked at again, as another file may have the name by now. 0, or a number of errno(3): EISDIR is
 * anything but a regular file. */
static int open_regular(int dir, const char *below, const char *path, struct file *f)
{
	int fd = open_without_links(dir, below, O_PATH);
	struct stat st;
	struct err e;
	int error;

	if (fd < 0)
		return errno;
	error = fstat(fd, &st)        ? errno
		: S_ISREG(st.st_mode) ? 0
		: S_ISLNK(st.st_mode) ? ELOOP
				      : EISDIR;
	close(fd);
	if (error)
		return error;
	fd = open_without_links(dir, below, O_RDONLY | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return errno;
	if (file_adopt(f, fd, path, &e))
		return e.errno_value;
	if (S_ISREG(f->st.st_mode))
		return 0;
	file_close(f);
	return EISDIR;
}

/* ---- part by part ------------------------------------------------------------------------- */

struct walk {
	struct buf real, pending;
	size_t root_bytes; /* of real, which is never shorter */
	unsigned links;
};

static void go_up(struct walk *w)
{
	while (w->real.n > w->root_bytes && w->real.p[--w->real.n] != '/')
		;
}

/* The target of the link that real is takes its place. False: no more are followed. */
static bool follow(struct walk *w)
{
	char target[4096];
	ssize_t n = readlink(buf_str(&w->real), target, sizeof(target));
	struct buf pending = { 0 };

	if (n < 0)
		return false;
	if (!n || n == sizeof(target) || w->links++ == LINKS_MAX) {
		errno = ELOOP;
		return false;
	}
	go_up(w);
	if (target[0] == '/')
		w->real.n = w->root_bytes;
	buf_put(&pending, target, (size_t)n);
	buf_putc(&pending, '/');
	buf_put_span(&pending, buf_span(&w->pending));
	buf_release(&w->pending);
	w->pending = pending;
	return true;
}

static struct span next_part(struct walk *w, struct buf *part)
{
	struct span rest = buf_span(&w->pending);
	const char *slash = rest.n ? memchr(rest.p, '/', rest.n) : NULL;
	size_t n = slash ? (size_t)(slash - rest.p) : rest.n;

	part->n = 0;
	buf_put(part, rest.p, n);
	n += slash != NULL;
	w->pending.n -= n;
	if (w->pending.n)
		memmove(w->pending.p, w->pending.p + n, w->pending.n);
	return buf_span(part);
}

/* The path without links is w->real. False: there is none, see errno. */
static bool walk(struct walk *w)
{
	struct buf part = { 0 };
	bool found = true;
	struct stat st;

	while (found && w->pending.n) {
		struct span name = next_part(w, &part);

		if (!name.n || span_eq(name, SPAN(".")))
			continue;
		if (span_eq(name, SPAN(".."))) {
			go_up(w);
			continue;
		}
		buf_putc(&w->real, '/');
		buf_put_span(&w->real, name);
		found = !lstat(buf_str(&w->real), &st) && (!S_ISLNK(st.st_mode) || follow(w));
	}
	buf_release(&part);
	return found;
}

static struct span skip_slashes(const char *path)
{
	while (*path == '/')
		path++;
	return span_of(path);
}

static int open_by_walk(int dir, const char *root, struct span below, struct file *f)
{
	struct walk w = { .root_bytes = strlen(root) };
	int error;

	buf_puts(&w.real, root);
	buf_put_span(&w.pending, below);
	error = walk(&w) ? 0 : errno;
	below = skip_slashes(buf_str(&w.real) + w.root_bytes);
	if (!error)
		error = open_regular(dir, below.n ? below.p : ".", buf_str(&w.real), f);
	buf_release(&w.real);
	buf_release(&w.pending);
	return error;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int open_below(const char *root, const char *path, struct file *f)
{
	struct span below = skip_slashes(path + strlen(root));
	int dir = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int error = dir < 0 ? errno : open_regular(dir, below.p, path, f);
	struct stat st;

	/* A link, or "..". */
	if (error == ELOOP || error == EXDEV || error == EAGAIN) {
		error = open_by_walk(dir, root, below, f);
		if ((error == ENOENT || error == ENOTDIR) && !stat(path, &st))
			error = EXDEV;
	}
	if (dir >= 0)
		close(dir);
	return error;
}

static int open_anywhere(const char *path, struct file *f)
{
	struct stat st;
	struct err e;

	if (stat(path, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return EISDIR;
	if (!file_open_regular(f, path, &e))
		return 0;
	return e.errno_value ? e.errno_value : EISDIR;
}

bool files_open_below(const char *root, const char *path, struct file *f, enum files_verdict *why)
{
	int error;

	*f = (struct file){ .fd = -1 };
	error = root ? open_below(root, path, f) : open_anywhere(path, f);
	*why = error == 0                            ? FILES_USED
	       : error == ENOENT || error == ENOTDIR ? FILES_ABSENT
	       : error == EISDIR                     ? FILES_NOT_REGULAR
	       : error == EXDEV                      ? FILES_LEAVES_ROOT
						     : FILES_UNREADABLE;
	errno = error;
	return !error;
}

/* ---- owners ------------------------------------------------------------------------------- */

static bool belongs_to_process(const struct stat *file, const char *proc, int32_t pid)
{
	char *path = xasprintf("%s/%d", proc ? proc : "/proc", pid);
	struct stat st;
	bool same = !stat(path, &st) && st.st_uid == file->st_uid;

	free(path);
	return same;
}

bool root_owner_is_trusted(const struct file *f, const char *proc, int32_t pid)
{
	struct span dir = span_of(f->path);
	struct stat above;
	char *parent;
	int rc;

	dir.n -= span_basename(dir).n;
	parent = xasprintf("%.*s.", SPAN_ARG(dir));
	rc = stat(parent, &above);
	free(parent);
	if (rc)
		return false;
	return !(above.st_mode & S_IWOTH) || !f->st.st_uid || f->st.st_uid == geteuid() ||
	       belongs_to_process(&f->st, proc, pid);
}
