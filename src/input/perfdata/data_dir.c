/*
 * perf record --threads writes a directory: `data` is a recording like any other; data.0, data.1
 * and so on have only records, each of one thread of the recorder. Other files (data.old,
 * kcore_dir/) do not belong to it. Each file becomes a part, in the order of the numbers, with
 * positions of its own range.
 *
 * Source: tools/perf/Documentation/perf.data-directory-format.txt, tools/perf/util/data.c.
 */
#include "input/perfdata/perfdata_private.h"

#include "base/mem.h"
#include "files/files.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>

struct dir_listing {
	uint32_t *numbers;
	uint32_t n, cap;
};

/* "data.12"; not "data.old", "data.012" or "data.1~". */
static bool parse_data_name(const char *name, uint32_t *number)
{
	static const struct span front = { "data.", 5 };
	struct span s = span_of(name);
	uint64_t v;

	if (!span_starts(s, front))
		return false;
	s = span_skip(s, front.n);
	if (!s.n || (s.p[0] == '0' && s.n > 1) || !span_scan_u64(&s, &v) || s.n ||
		v >= PARTS_MAX - 1)
		return false;
	*number = (uint32_t)v;
	return true;
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

static int list_numbers(const char *dir, struct dir_listing *l, struct err *e)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	uint32_t number;

	if (!stream)
		return err_errno(e, "%s", dir);
	while ((entry = readdir(stream))) {
		if (!parse_data_name(entry->d_name, &number))
			continue;
		ARRAY_GROW(l->numbers, l->n, l->cap);
		l->numbers[l->n++] = number;
	}
	closedir(stream);
	/* perf reads them in the order of readdir(), which varies. */
	if (l->n)
		qsort(l->numbers, l->n, sizeof(*l->numbers), compare_numbers);
	return OK;
}

/* All files are open at once: with many CPUs they are more than the usual limit of 1024. */
static void raise_file_limit(uint32_t n)
{
	struct rlimit limit;

	if (n < 512 || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_part(struct perfdata *pd, const char *dir, uint32_t number, struct err *e)
{
	struct file *f = &pd->dir_files[pd->n_dir_files];
	char *path = xasprintf("%s/data.%u", dir, number);
	int rc = files_open_part(dir, path, f, e);

	free(path);
	if (rc)
		return rc;
	pd->n_dir_files++;
	/* Their expected size is not recorded anywhere. */
	if (f->size_bytes)
		perfdata_add_part(pd,
			byte_source_of_file(f, 0, 0, (uint64_t)(number + 1) << PART_POSITION_BITS));
	return OK;
}

static int open_parts(
	struct perfdata *pd, const char *dir, const struct dir_listing *l, struct err *e)
{
	uint32_t i;

	raise_file_limit(l->n);
	pd->dir_files = xcalloc(l->n, sizeof(*pd->dir_files));
	for (i = 0; i < l->n; i++)
		if (open_part(pd, dir, l->numbers[i], e))
			return e->code;
	return OK;
}

/* The directory of the file, if the file is called "data". */
static char *dir_of(const char *path)
{
	struct span whole = span_of(path), name = span_basename(whole);
	char *dir;

	if (!span_eq(name, SPAN("data")))
		return NULL;
	if (name.n == whole.n)
		return xstrdup(".");
	dir = xstrdup(path);
	dir[whole.n - name.n - (whole.n > name.n + 1)] = '\0';
	return dir;
}

int data_dir_open(struct perfdata *pd, struct diag *d, struct err *e)
{
	/* If the recorder was killed, it is not known. */
	bool promised = pd->features.dir_version > 0;
	struct dir_listing l = { 0 };
	uint32_t wanted;
	char *dir;
	int rc = OK;

	if (!promised && !pd->features.unfinished)
		return OK;
	dir = dir_of(pd->file->path);
	if (dir)
		rc = list_numbers(dir, &l, e);
	if (!rc)
		rc = open_parts(pd, dir, &l, e);
	wanted = l.n ? l.numbers[l.n - 1] + 1 : promised;
	if (wanted > l.n)
		diag_add(d, DIAG_MISSING_FILE, wanted - l.n, 0);
	free(l.numbers);
	free(dir);
	return rc;
}
