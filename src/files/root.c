/*
 * A path without links, which most are, is checked by one openat2(2). Where there is a link, or an
 * old kernel, the path is walked part by part:
 *
 *	real     ROOT/usr/lib		parts that were looked at; none of them is a link
 *	pending  libc.so/x		parts to come; the target of a link goes in front
 *
 * The path that results is opened later, by its name: whoever can rename directories below the root
 * at that moment can still exchange the file.
 */
#include "files/root.h"

#include "base/mem.h"
#include "files/files_search.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as in Linux */

static enum files_verdict verdict_of(int error)
{
	return error == ENOENT || error == ENOTDIR ? FILES_ABSENT : FILES_UNREADABLE;
}

/* ---- without links ------------------------------------------------------------------------ */

/* False: it has links, or the kernel cannot tell. */
static bool find_plain(const char *root, const char *below, enum files_verdict *why)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS };
	int dir = open(*root ? root : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;
	int fd, error;

	if (dir < 0) {
		*why = verdict_of(errno);
		return true;
	}
	fd = (int)syscall(SYS_openat2, dir, below, &how, sizeof(how));
	error = errno;
	close(dir);
	if (fd < 0) {
		*why = verdict_of(error);
		return *why == FILES_ABSENT || error == EACCES;
	}
	*why = !fstat(fd, &st) && S_ISREG(st.st_mode) ? FILES_USED : FILES_NOT_REGULAR;
	close(fd);
	return true;
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

	if (n <= 0 || n == sizeof(target) || w->links++ == LINKS_MAX)
		return false;
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

static enum files_verdict walk(struct walk *w)
{
	struct buf part = { 0 };
	enum files_verdict v = FILES_NOT_REGULAR;
	struct stat st;

	while (w->pending.n) {
		struct span name = next_part(w, &part);

		if (!name.n || span_eq(name, SPAN(".")))
			continue;
		if (span_eq(name, SPAN(".."))) {
			go_up(w);
			continue;
		}
		buf_putc(&w->real, '/');
		buf_put_span(&w->real, name);
		if (lstat(buf_str(&w->real), &st)) {
			v = verdict_of(errno);
			break;
		}
		if (S_ISLNK(st.st_mode) && !follow(w)) {
			v = FILES_UNREADABLE;
			break;
		}
		v = S_ISREG(st.st_mode) ? FILES_USED : FILES_NOT_REGULAR;
	}
	buf_release(&part);
	return v;
}

char *root_find(const char *root, const char *path, enum files_verdict *why)
{
	struct walk w = { 0 };
	const char *below;
	struct stat st;
	char *found = NULL;

	if (!root) {
		if (!files_search_is_regular(path, why))
			return NULL;
		*why = FILES_USED;
		return xstrdup(path);
	}
	below = path + strlen(root);
	while (*below == '/')
		below++;
	if (find_plain(root, below, why)) {
		if (*why == FILES_USED)
			found = xstrdup(path);
		return found;
	}
	buf_puts(&w.real, root);
	w.root_bytes = w.real.n;
	buf_puts(&w.pending, below);
	*why = walk(&w);
	if (*why == FILES_USED)
		found = xstrdup(buf_str(&w.real));
	else if (*why == FILES_ABSENT && !stat(path, &st))
		*why = FILES_LEAVES_ROOT;
	buf_release(&w.real);
	buf_release(&w.pending);
	return found;
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

bool root_owner_is_trusted(const char *path, const char *proc, int32_t pid)
{
	struct span dir = span_of(path);
	struct stat file, above;
	char *parent;
	int rc;

	dir.n -= span_basename(dir).n;
	parent = xasprintf("%.*s.", SPAN_ARG(dir));
	rc = stat(parent, &above);
	free(parent);
	if (rc || lstat(path, &file))
		return false;
	return !(above.st_mode & S_IWOTH) || !file.st_uid || file.st_uid == geteuid() ||
	       belongs_to_process(&file, proc, pid);
}
