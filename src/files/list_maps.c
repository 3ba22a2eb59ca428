/*
 * list_maps.c - lists the perf maps and jitdumps that exist, under any number
 *
 * A process in a container names its files by the number it has there: perf-1.map. So --map-dir and
 * the recording's directory are listed whole, for the caller to match a dump's own header or a
 * map's addresses. For a process that still runs on this machine, the innermost number is the last
 * one of NSpid: in /proc/PID/status, and its /tmp is /proc/PID/root/tmp.
 *
 * A list has at most 256 files, sorted by name within a directory, each file (device, inode) once.
 *
 * Source: jit-interface.txt and jitdump-specification.txt in tools/perf/Documentation; proc(5);
 * PerfLog.cpp of JavaScriptCore for jit-THREAD-PID names.
 */
#include "files/files.h"
#include "files/files_search.h"
#include "files/root.h"

#include "base/file.h"
#include "base/mem.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MAPS_MAX = 256, STATUS_MAX_BYTES = 64 * 1024 };

static bool is_numbered(struct span path, struct span before, struct span after, int32_t *number)
{
	struct span name = span_basename(path);
	uint64_t n;

	if (!span_starts(name, before))
		return false;
	name = span_skip(name, before.n);
	if (!span_scan_u64(&name, &n) || n > INT32_MAX || !span_eq(name, after))
		return false;
	*number = (int32_t)n;
	return true;
}

enum { RANDOM_BYTES = 6 }; /* of mkstemp(3) */

/* JavaScriptCore puts the number of the thread that writes it before that of the process:
 * jit-16748-16745.dump in a directory that is configured, jit-16748-16745-tE7xUW in /tmp. */
static bool is_jsc_name(struct span name, int32_t *number)
{
	uint64_t thread;

	if (!span_scan_u64(&name, &thread))
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
	name = span_skip(name, strlen("jit-"));
	return is_numbered(name, SPAN(""), SPAN(".dump"), number) || is_jsc_name(name, number);
}

bool files_is_perf_map_name(struct span path, int32_t *number)
{
	return is_numbered(path, SPAN("perf-"), SPAN(".map"), number);
}

/* The same file under another name is not a second candidate. */
static bool is_listed(const struct files_map_list *l, struct file_identity id)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		if (l->at[i].id.dev == id.dev && l->at[i].id.ino == id.ino)
			return true;
	return false;
}

/* shared: others may have put it there. */
static void add_map(struct files_map_list *l, const char *root, const char *path, bool shared)
{
	enum files_verdict unused;
	struct file f;

	if (l->n == MAPS_MAX || !files_open_below(root, path, &f, &unused))
		return;
	if ((!shared || root_owner_is_trusted(&f, NULL, 0)) && !is_listed(l, file_identity(&f))) {
		ARRAY_GROW(l->at, l->n, l->cap);
		l->at[l->n].path = xstrdup(f.path);
		l->at[l->n++].id = file_identity(&f);
	}
	file_close(&f);
}

void files_map_list_add(struct files_map_list *l, const char *root, const char *path)
{
	add_map(l, root, path, false);
}

int files_map_open(const struct files_listed_map *m, struct file *file, struct err *e)
{
	return file_open_same(file, m->path, m->id, e);
}

static int is_map(const struct dirent *d)
{
	struct span name = span_of(d->d_name);
	int32_t number;

	return files_is_jitdump_name(name, &number) || files_is_perf_map_name(name, &number);
}

/* dir begins with root. shared: others may have put files there. */
static void list_dir(struct files_map_list *l, const char *root, const char *dir, bool shared)
{
	struct dirent **found;
	int n = scandir(dir, &found, is_map, alphasort), i;

	for (i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, found[i]->d_name);

		add_map(l, root, path, shared);
		free(path);
		free(found[i]);
	}
	if (n >= 0)
		free(found);
}

void files_list_maps(const struct files *f, struct files_map_list *l)
{
	const struct files_opts *o = &f->o;

	if (o->map_dir)
		list_dir(l, o->trust_files ? NULL : o->map_dir, o->map_dir, false);
	if (o->recording_dir)
		list_dir(l, o->trust_files ? NULL : o->recording_dir, o->recording_dir,
			!o->trust_files);
}

/* ---- of a process in a container ---- */

/* "NSpid:	27057	1": the number in the innermost container comes last. */
static bool last_number(struct span s, int32_t *number)
{
	bool any = false;
	uint64_t n;

	for (s = span_trim(s); span_scan_u64(&s, &n) && n <= INT32_MAX; s = span_trim(s)) {
		*number = (int32_t)n;
		any = true;
	}
	return any;
}

static bool number_within(const char *proc, int32_t pid, int32_t *number)
{
	char *path = xasprintf("%s/%d/status", proc, pid);
	struct buf status = { 0 };
	struct span key = SPAN("NSpid:"), rest, line;
	struct err e;
	bool found = false;

	if (!file_read_all(path, STATUS_MAX_BYTES, &status, &e)) {
		rest = buf_span(&status);
		while (!found && span_next_line(&rest, &line))
			found = span_starts(line, key) &&
				last_number(span_skip(line, key.n), number);
	}
	buf_release(&status);
	free(path);
	return found;
}

static bool is_same_dir(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void add_numbered(struct files_map_list *l, const char *root, const char *dir,
	const char *kind, int32_t number)
{
	bool dump = *kind == 'j';
	char *path = xasprintf("%s/%s-%d.%s", dir, kind, number, dump ? "dump" : "map");

	files_map_list_add(l, root, path);
	free(path);
}

/* /proc/PID/root is the file system as the process sees it; its /tmp may be its own. */
static void list_running(
	struct files_map_list *l, const char *proc, int32_t pid, struct span recorded_dump)
{
	char *root = xasprintf("%s/%d/root", proc, pid), *tmp = xasprintf("%s/tmp", root);
	char *dump = xasprintf("%s%.*s", root, SPAN_ARG(recorded_dump));
	int32_t number;

	/* Our /tmp was searched by this number before. */
	if (number_within(proc, pid, &number) && (number != pid || !is_same_dir(tmp, "/tmp"))) {
		add_numbered(l, root, tmp, "perf", number);
		add_numbered(l, root, tmp, "jit", number);
		if (recorded_dump.n)
			files_map_list_add(l, root, dump);
	}
	free(dump);
	free(tmp);
	free(root);
}

void files_list_maps_of(
	const struct files *f, int32_t pid, struct span recorded_dump, struct files_map_list *l)
{
	const struct files_opts *o = &f->o;
	const char *root = files_container(o, pid);
	char *tmp = root ? xasprintf("%s/tmp", root) : NULL;

	if (tmp)
		list_dir(l, o->trust_files ? NULL : root, tmp, false);
	else if (o->same_machine && !o->no_system)
		list_running(l, o->proc ? o->proc : "/proc", pid, recorded_dump);
	free(tmp);
}

void files_map_list_release(struct files_map_list *l)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		free(l->at[i].path);
	free(l->at);
	*l = (struct files_map_list){ 0 };
}
