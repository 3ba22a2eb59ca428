/*
 * list_maps.c - the maps and dumps of generated code that lie around, whatever their number
 *
 * A process in a container calls its files by the number it has there: perf-1.map.
 */
#include "files/files.h"
#include "files/search.h"

#include "base/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAPS_MAX = 256 };

static bool is_numbered(struct span path, struct span before, struct span behind, int32_t *number)
{
	struct span name = span_basename(path);
	uint64_t n;

	if (!span_starts(name, before))
		return false;
	name = span_from(name, before.n);
	if (!scan_dec(&name, &n) || n > INT32_MAX || !span_eq(name, behind))
		return false;
	*number = (int32_t)n;
	return true;
}

enum { RANDOM_BYTES = 6 }; /* of mkstemp(3) */

/* JavaScriptCore puts the number of the thread that writes it before that of the process:
 * jit-16748-16745.dump in a folder that it was told, jit-16748-16745-tE7xUW in /tmp. */
static bool is_threads(struct span name, int32_t *number)
{
	uint64_t thread;

	if (!scan_dec(&name, &thread))
		return false;
	if (is_numbered(name, SPAN("-"), SPAN(".dump"), number))
		return true;
	if (name.n <= RANDOM_BYTES || memchr(name.p + name.n - RANDOM_BYTES, '.', RANDOM_BYTES))
		return false;
	name.n -= RANDOM_BYTES;
	return is_numbered(name, SPAN("-"), SPAN("-"), number);
}

bool files_is_jitdump_name(struct span path, int32_t *number)
{
	struct span name = span_basename(path);

	if (!span_starts(name, SPAN("jit-")))
		return false;
	name = span_from(name, strlen("jit-"));
	return is_numbered(name, SPAN(""), SPAN(".dump"), number) || is_threads(name, number);
}

bool files_is_perf_map_name(struct span path, int32_t *number)
{
	return is_numbered(path, SPAN("perf-"), SPAN(".map"), number);
}

/* The same file under another name is no second candidate. */
static bool is_listed(const struct files_map_list *l, const struct stat *st)
{
	struct stat other;
	uint32_t i;

	for (i = 0; i < l->n; i++)
		if (stat(l->path[i], &other) == 0 && other.st_dev == st->st_dev &&
			other.st_ino == st->st_ino)
			return true;
	return false;
}

void files_map_list_add(struct files_map_list *l, const char *path)
{
	struct stat st;

	if (l->n == MAPS_MAX || stat(path, &st) || !S_ISREG(st.st_mode) || is_listed(l, &st))
		return;
	ARRAY_GROW(l->path, l->n, l->cap);
	l->path[l->n++] = xstrdup(path);
}

static int is_map(const struct dirent *d)
{
	struct span name = span_of(d->d_name);
	int32_t number;

	return files_is_jitdump_name(name, &number) || files_is_perf_map_name(name, &number);
}

static void list_folder(struct files_map_list *l, const char *folder)
{
	struct dirent **found;
	int n = scandir(folder, &found, is_map, alphasort), i;

	for (i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", folder, found[i]->d_name);

		files_map_list_add(l, path);
		free(path);
		free(found[i]);
	}
	if (n >= 0)
		free(found);
}

void files_list_maps(const struct files *f, struct files_map_list *l)
{
	if (f->o.map_dir)
		list_folder(l, f->o.map_dir);
	if (f->o.recording_dir)
		list_folder(l, f->o.recording_dir);
}

void files_map_list_release(struct files_map_list *l)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		free(l->path[i]);
	free(l->path);
	*l = (struct files_map_list){ 0 };
}
