#include "cli/debug_archives.h"

#include "base/mem.h"
#include "base/scratch.h"
#include "base/tar.h"
#include "cli/cleanup.h"

#include <stdlib.h>

static int open_one(
	struct debug_archives *a, const char **item, uint64_t limit_bytes, struct err *e)
{
	struct archive_dir *opened;
	struct file f;
	int rc;

	if (tar_load(e) || file_open_regular(&f, *item, e))
		return e->code;
	ARRAY_GROW(a->open, a->n, a->cap);
	opened = &a->open[a->n];
	*opened = (struct archive_dir){ .item = item, .path = *item };
	rc = scratch_make(&opened->dir, cleanup_dir, e);
	if (!rc) {
		a->n++;
		*item = opened->dir;
		rc = tar_unpack_foreign(&f, opened->dir, limit_bytes, e);
		if (rc)
			err_wrap(e, "--debug-dir");
	}
	file_close(&f);
	return rc;
}

int debug_archives_open(struct debug_archives *a, struct options *o, struct err *e)
{
	struct stat st;
	size_t i;
	int rc = OK;

	*a = (struct debug_archives){ 0 };
	for (i = 0; i < o->debug_dirs.n && !rc; i++)
		if (stat(o->debug_dirs.item[i], &st) == 0 && S_ISREG(st.st_mode))
			rc = open_one(a, &o->debug_dirs.item[i], o->run.spill_limit_bytes, e);
	return rc;
}

void debug_archives_close(struct debug_archives *a)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		*a->open[i].item = a->open[i].path;
		scratch_remove(a->open[i].dir);
		cleanup_dir(a->open[i].dir, SCRATCH_REMOVED);
		free(a->open[i].dir);
	}
	free(a->open);
}
