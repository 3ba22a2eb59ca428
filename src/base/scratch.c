#include "base/scratch.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

enum {
	TMPFS = 0x01021994,
	RAMFS = (int)0x858458f6,
	DEPTH_MAX = 256,
	PASSES_MAX = 100,    /* over a directory that another thread may still fill */
	STEPS_MAX = 1 << 20, /* into a directory; some cannot be removed */
	LIST_BYTES = 4096,
};

bool scratch_is_in_memory(const char *dir)
{
	struct statfs s;

	return statfs(dir, &s) == 0 && ((int)s.f_type == TMPFS || (int)s.f_type == RAMFS);
}

const char *scratch_parent(void)
{
	const char *chosen = getenv("TMPDIR");

	if (chosen && *chosen)
		return chosen;
	if (scratch_is_in_memory("/tmp") && !scratch_is_in_memory("/var/tmp") &&
		access("/var/tmp", W_OK) == 0)
		return "/var/tmp";
	return "/tmp";
}

int scratch_make(
	char **dir, void (*on_step)(const char *dir, enum scratch_step step), struct err *e)
{
	char *path = xasprintf("%s/perfold-XXXXXX", scratch_parent());
	int rc = OK;

	if (on_step)
		on_step(NULL, SCRATCH_CREATING);
	*dir = mkdtemp(path);
	if (!*dir) {
		err_errno(e, "%s: no directory can be made there (see TMPDIR)", scratch_parent());
		rc = err_of_output(e);
	}
	if (on_step)
		on_step(*dir, SCRATCH_CREATED);
	if (!*dir)
		free(path);
	return rc;
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes all but directories that are not empty. The first one of these is opened; -1: none.
 * Without opendir(), which allocates, as no signal handler may. */
static int empty_until_dir(int fd)
{
	char list[LIST_BYTES] __attribute__((aligned(8)));
	ssize_t n, at;

	while ((n = getdents64(fd, list, sizeof(list))) > 0) {
		for (at = 0; at < n;) {
			const struct dirent64 *d = (const void *)(list + at);
			int below;

			at += d->d_reclen;
			if (is_dots(d->d_name) || unlinkat(fd, d->d_name, 0) == 0 ||
				unlinkat(fd, d->d_name, AT_REMOVEDIR) == 0)
				continue;
			below = openat(
				fd, d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (below >= 0)
				return below;
		}
	}
	return -1;
}

/* Two descriptors are enough for any depth, as the limit may be what ended the program: a directory
 * is closed while that below it is emptied, and found again by "..". Takes over fd. */
static void empty_dir(int fd, unsigned *steps)
{
	unsigned depth = 0;

	while (fd >= 0) {
		int next = depth < DEPTH_MAX && *steps ? empty_until_dir(fd) : -1;
		bool down = next >= 0;

		if (!down && depth)
			next = openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		close(fd);
		fd = next;
		depth += down ? 1 : -1u;
		*steps -= down;
	}
}

void scratch_remove(const char *dir)
{
	unsigned steps = STEPS_MAX;
	int pass, fd;

	for (pass = 0; pass < PASSES_MAX && steps; pass++) {
		fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && (errno == EMFILE || errno == ENFILE))
			continue; /* another thread may close one */
		if (fd < 0)
			return;
		empty_dir(fd, &steps);
		if (rmdir(dir) == 0)
			return;
	}
}
