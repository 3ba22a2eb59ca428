/*
 * find_perf_map.c - perf-PID.map, which a runtime writes for its generated code
 *
 * A map does not prove which process wrote it: numbers of processes are used again, and /tmp
 * outlives them. So /tmp counts only for a recording of this machine, and there only a map that was
 * written after its process began. In a directory that all may write to, the owner of a map must be
 * one whom perf believes, or the process itself (root.h).
 */
#include "files/files_search.h"

#include "base/mem.h"
#include "files/root.h"

#include <stdlib.h>
#include <sys/stat.h>

struct map_request {
	const struct files *files;
	int32_t pid;
	uint64_t not_before_ns; /* 0: any time */
	struct files_trail *trail;
};

static enum files_verdict judge(const struct map_request *q, const char *path, bool shared)
{
	const struct files_opts *o = &q->files->o;
	struct stat st;

	if (stat(path, &st))
		return FILES_UNREADABLE;
	if (shared && !o->trust_files && !root_owner_is_trusted(path, o->proc, q->pid))
		return FILES_OTHER_OWNER;
	if (q->not_before_ns &&
		(uint64_t)st.st_mtim.tv_sec * 1000000000 + (uint64_t)st.st_mtim.tv_nsec <
			q->not_before_ns)
		return FILES_TOO_OLD;
	return FILES_USED;
}

/* Where links lead no further up than root. shared: others may have put it there. */
static char *usable_map(
	const struct map_request *q, const char *root, const char *path, bool shared)
{
	enum files_verdict v;
	char *found = root_find(q->files->o.trust_files ? NULL : root, path, &v);

	if (found)
		v = judge(q, found, shared);
	files_trail_add(q->trail, path, v, NULL);
	if (v == FILES_USED)
		return found;
	free(found);
	return NULL;
}

static char *map_in(const struct map_request *q, const char *root, const char *dir, bool shared)
{
	char *path = root ? xasprintf("%s%s/perf-%d.map", root, dir, q->pid) : NULL;
	char *found = path ? usable_map(q, root, path, shared) : NULL;

	free(path);
	return found;
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
	struct map_request q = { f, pid, 0, t };
	const char *named = path_by_option(o, pid);
	char *path = named ? usable_map(&q, NULL, named, false) : NULL;

	if (path)
		return (struct files_map_place){ path, "--perf-map" };
	path = map_in(&q, o->map_dir, "", false);
	if (path)
		return (struct files_map_place){ path, "--map-dir" };
	path = map_in(&q, files_container(o, pid), "/tmp", false);
	if (path)
		return (struct files_map_place){ path, "--container" };
	path = map_in(&q, o->recording_dir, "", true);
	if (path)
		return (struct files_map_place){ path, "beside the recording" };
	q.not_before_ns = not_before_ns;
	if (o->same_machine && !o->no_system)
		path = map_in(&q, "/tmp", "", true);
	return (struct files_map_place){ path, path ? "/tmp" : NULL };
}
