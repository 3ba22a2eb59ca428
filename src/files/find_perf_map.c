/*
 * find_perf_map.c - perf-PID.map, which a runtime writes for its generated code
 *
 * A map does not prove which process wrote it: numbers of processes are used again, and /tmp
 * outlives them. So /tmp counts only for a recording of this machine, and there only a map that was
 * written after its process began.
 */
#include "files/files_search.h"

#include "base/mem.h"

#include <stdlib.h>
#include <sys/stat.h>

static bool map_usable(const char *path, uint64_t not_before_ns, struct files_trail *t)
{
	enum files_verdict v;
	struct stat st;

	if (files_search_is_regular(path, &v)) {
		v = FILES_USED;
		if (stat(path, &st))
			v = FILES_UNREADABLE;
		else if (not_before_ns &&
			 (uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec <
				 not_before_ns)
			v = FILES_TOO_OLD;
	}
	files_trail_add(t, path, v, NULL);
	return v == FILES_USED;
}

static char *map_in(const char *dir, int32_t pid, uint64_t not_before_ns, struct files_trail *t)
{
	char *path = dir ? xasprintf("%s/perf-%d.map", dir, pid) : NULL;

	if (path && map_usable(path, not_before_ns, t))
		return path;
	free(path);
	return NULL;
}

static char *map_in_container(const struct files *f, int32_t pid, struct files_trail *t)
{
	const char *root = files_container(&f->o, pid);
	char *tmp = root ? xasprintf("%s/tmp", root) : NULL;
	char *path = map_in(tmp, pid, 0, t);

	free(tmp);
	return path;
}

/* The option for this process wins over the one for every process. */
static const char *path_by_option(const struct files_opts *o, int32_t pid)
{
	const char *any = NULL;
	uint32_t i;

	for (i = 0; i < o->n_perf_maps; i++) {
		if (o->perf_maps[i].pid == pid)
			return o->perf_maps[i].path;
		if (o->perf_maps[i].pid < 0)
			any = o->perf_maps[i].path;
	}
	return any;
}

struct files_map_place files_find_perf_map(
	const struct files *f, int32_t pid, uint64_t not_before_ns, struct files_trail *t)
{
	const struct files_opts *o = &f->o;
	const char *named = path_by_option(o, pid);
	char *path;

	if (named && map_usable(named, 0, t))
		return (struct files_map_place){ xstrdup(named), "--perf-map" };
	path = map_in(o->map_dir, pid, 0, t);
	if (path)
		return (struct files_map_place){ path, "--map-dir" };
	path = map_in_container(f, pid, t);
	if (path)
		return (struct files_map_place){ path, "--container" };
	path = map_in(o->recording_dir, pid, 0, t);
	if (path)
		return (struct files_map_place){ path, "beside the recording" };
	if (o->same_machine && !o->no_system)
		path = map_in("/tmp", pid, not_before_ns, t);
	return (struct files_map_place){ path, path ? "/tmp" : NULL };
}
