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

#include <errno.h>
#include <stdlib.h>

struct map_request {
	const struct files *files;
	int32_t pid;
	uint64_t not_before_ns; /* 0: any time */
	struct file *map;
	struct files_trail *trail;
};

static enum files_verdict judge(const struct map_request *q, const struct file *map, bool shared)
{
	const struct files_opts *o = &q->files->o;
	const struct timespec *written = &map->st.st_mtim;

	if (shared && !o->trust_files && !root_owner_is_trusted(map, o->proc, q->pid))
		return FILES_OTHER_OWNER;
	if (q->not_before_ns &&
		(uint64_t)written->tv_sec * 1000000000 + (uint64_t)written->tv_nsec <
			q->not_before_ns)
		return FILES_TOO_OLD;
	return FILES_USED;
}

/* Where links lead no further up than root. shared: others may have put it there. */
static bool open_map(const struct map_request *q, const char *root, const char *path, bool shared)
{
	enum files_verdict v;
	bool found = files_open_below(q->files->o.trust_files ? NULL : root, path, q->map, &v);

	if (v == FILES_UNREADABLE)
		files_search_note_failure(q->files, path, errno);
	if (found)
		v = judge(q, q->map, shared);
	files_trail_add(q->trail, path, v, NULL);
	if (found && v != FILES_USED)
		file_close(q->map);
	return v == FILES_USED;
}

static bool open_map_in(const struct map_request *q, const char *root, const char *dir, bool shared)
{
	char *path = root ? xasprintf("%s%s/perf-%d.map", root, dir, q->pid) : NULL;
	bool found = path && open_map(q, root, path, shared);

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
	struct files_map_place place = { .file.fd = -1 };
	struct map_request q = { f, pid, 0, &place.file, t };
	const char *named = path_by_option(o, pid);

	if (named && open_map(&q, NULL, named, false)) {
		place.why = "--perf-map";
	} else if (open_map_in(&q, o->map_dir, "", false)) {
		place.why = "--map-dir";
	} else if (open_map_in(&q, files_container(o, pid), "/tmp", false)) {
		place.why = "--container";
	} else if (open_map_in(&q, o->recording_dir, "", true)) {
		place.why = "beside the recording";
	} else if (o->same_machine && !o->no_system) {
		q.not_before_ns = not_before_ns;
		place.why = open_map_in(&q, "/tmp", "", true) ? "/tmp" : NULL;
	}
	return place;
}
