/*
 * pack.c - places of files in a pack, the uses of a run, and the options to find the files again
 *
 * Three parts share the layout that pack.h shows:
 *
 *	pack_place_*()   the place of a file: by build-id like ~/.debug, else by its recorded path
 *	pack_uses        what a run used: files_note.c adds a file when it is found; the first one
 *	                 at a place stays
 *	pack_search      files_opts for an unpacked pack: its directory is --debug-dir (.build-id/),
 *	                 root/ is --symfs, maps/ and containers/ become --perf-map, --jitdump and
 *	                 --container for each process
 *
 * As the places are those of the ordinary search, a pack needs no index: manifest.json is for
 * people.
 */
#include "files/pack.h"

#include "base/mem.h"
#include "files/files_search.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- places ---- */

bool pack_place_binary(
	struct buf *b, const struct build_id *id, struct span path, int32_t container_pid)
{
	char hex[41];

	if (id->n >= 2) {
		build_id_hex(id, hex);
		buf_printf(b, ".build-id/%.2s/%s/elf", hex, hex + 2);
		return true;
	}
	if (!path.n || path.p[0] != '/' || files_search_climbs(path))
		return false;
	if (container_pid)
		buf_printf(b, "containers/%d", container_pid);
	else
		buf_puts(b, "root");
	buf_put_span(b, path);
	return true;
}

bool pack_place_vdso(struct buf *b, const struct build_id *id)
{
	char hex[41];

	if (id->n >= 2) {
		build_id_hex(id, hex);
		buf_printf(b, ".build-id/%.2s/%s/vdso", hex, hex + 2);
	} else {
		buf_puts(b, "root/vdso.so");
	}
	return true;
}

void pack_place_map(struct buf *b, enum pack_reason reason, int32_t pid)
{
	buf_printf(b, reason == PACK_PERF_MAP ? "maps/perf-%d.map" : "maps/jit-%d.dump", pid);
}

void pack_place_source(struct buf *b, struct span path, int32_t container_pid, bool newer)
{
	buf_puts(b, newer ? "sources-newer" : "sources");
	if (container_pid)
		buf_printf(b, "/container-%d", container_pid);
	if (!span_starts(path, SPAN("/")))
		buf_puts(b, "/relative/");
	buf_put_span(b, path);
}

void pack_place_source_map(struct buf *b, struct span url)
{
	ptrdiff_t scheme = span_find(url, SPAN("://"));
	struct span part;

	if (scheme >= 0)
		url = span_skip(url, (size_t)scheme + 3);
	buf_puts(b, "source-maps/");
	while (url.n) {
		const char *slash = memchr(url.p, '/', url.n);

		part = (struct span){ url.p, slash ? (size_t)(slash - url.p) : url.n };
		url = span_skip(url, part.n + (slash != NULL));
		if (!part.n || span_eq(part, SPAN(".")) || span_eq(part, SPAN("..")))
			continue;
		buf_put_span(b, part);
		if (slash)
			buf_putc(b, '/');
	}
}

/* ---- what a run used ---- */

struct pack_uses {
	pthread_mutex_t lock;
	struct pack_use *use;
	uint32_t n, cap;
	struct pack_code *code;
	uint32_t n_code, cap_code;
};

struct pack_uses *pack_uses_new(void)
{
	struct pack_uses *u = xcalloc(1, sizeof(*u));

	pthread_mutex_init(&u->lock, NULL);
	return u;
}

static bool is_same_file(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void keep(struct pack_uses *u, const struct pack_use *use)
{
	struct pack_use *kept;

	ARRAY_GROW(u->use, u->n, u->cap);
	kept = &u->use[u->n++];
	*kept = *use;
	kept->place = xstrdup(use->place);
	kept->path = use->path ? xstrdup(use->path) : NULL;
	kept->recorded = xstrdup(use->recorded ? use->recorded : "");
	kept->content = (struct buf){ 0 };
	buf_put_span(&kept->content, buf_span(&use->content));
}

bool pack_uses_add(struct pack_uses *u, const struct pack_use *use)
{
	bool occupied = false, same = false;
	uint32_t i;

	pthread_mutex_lock(&u->lock);
	for (i = 0; i < u->n && !occupied; i++) {
		occupied = strcmp(u->use[i].place, use->place) == 0;
		same = occupied && is_same_file(u->use[i].path, use->path);
	}
	if (!occupied)
		keep(u, use);
	pthread_mutex_unlock(&u->lock);
	return !occupied || same;
}

static int by_place(const void *pa, const void *pb)
{
	const struct pack_use *a = pa, *b = pb;

	return strcmp(a->place, b->place);
}

const struct pack_use *pack_uses_sorted(struct pack_uses *u, uint32_t *n)
{
	if (u->n)
		qsort(u->use, u->n, sizeof(*u->use), by_place);
	*n = u->n;
	return u->use;
}

void pack_uses_add_code(struct pack_uses *u, const struct pack_code *code)
{
	pthread_mutex_lock(&u->lock);
	ARRAY_GROW(u->code, u->n_code, u->cap_code);
	u->code[u->n_code] = *code;
	u->code[u->n_code++].place = xstrdup(code->place);
	pthread_mutex_unlock(&u->lock);
}

struct pack_code *pack_uses_code(struct pack_uses *u, const char *place, uint32_t *n)
{
	struct pack_code *found = xcalloc(u->n_code + 1, sizeof(*found));
	uint32_t i;

	*n = 0;
	for (i = 0; i < u->n_code; i++)
		if (strcmp(u->code[i].place, place) == 0)
			found[(*n)++] = u->code[i];
	return found;
}

void pack_uses_free(struct pack_uses *u)
{
	uint32_t i;

	if (!u)
		return;
	for (i = 0; i < u->n; i++) {
		free(u->use[i].place);
		free(u->use[i].path);
		free(u->use[i].recorded);
		buf_release(&u->use[i].content);
	}
	for (i = 0; i < u->n_code; i++)
		free(u->code[i].place);
	free(u->code);
	free(u->use);
	pthread_mutex_destroy(&u->lock);
	free(u);
}

/* ---- finding files in a pack ---- */

struct numbered {
	struct files_perf_map *item;
	uint32_t n, cap;
};

struct pack_search {
	struct files_opts opts;
	char *dir, *root, *vmlinux, *maps_dir;
	const char **symfs, **debug_dirs, **source_maps;
	struct numbered perf_maps, jitdumps, containers;
};

/* The pack's own directory, then those that are named. */
static const char **dirs_after(const char *own, const char *const *named)
{
	size_t n = 0;
	const char **all;

	while (named && named[n])
		n++;
	all = xcalloc(n + 2, sizeof(*all));
	all[0] = own;
	if (n)
		memcpy(all + 1, named, n * sizeof(*all));
	return all;
}

static void add_numbered(struct numbered *to, int32_t pid, const char *path)
{
	ARRAY_GROW(to->item, to->n, to->cap);
	to->item[to->n++] = (struct files_perf_map){ pid, xstrdup(path) };
}

/* A file named for all processes (pid -1) is tried last, whatever the order of options. */
static void add_named(struct numbered *to, const struct files_perf_map *named, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		add_numbered(to, named[i].pid, named[i].path);
}

static void add_map(struct pack_search *s, const char *name, const char *path)
{
	int32_t pid;

	if (files_is_perf_map_name(span_of(name), &pid))
		add_numbered(&s->perf_maps, pid, path);
	else if (files_is_jitdump_name(span_of(name), &pid))
		add_numbered(&s->jitdumps, pid, path);
}

static void add_container(struct pack_search *s, const char *name, const char *path)
{
	struct span number = span_of(name);
	uint64_t pid;

	if (span_scan_u64(&number, &pid) && !number.n && pid <= INT32_MAX)
		add_numbered(&s->containers, (int32_t)pid, path);
}

static void list_dir(struct pack_search *s, const char *below,
	void (*add)(struct pack_search *s, const char *name, const char *path))
{
	char *dir = xasprintf("%s/%s", s->dir, below);
	struct dirent **found;
	int n = scandir(dir, &found, NULL, alphasort), i;

	for (i = 0; i < n; i++) {
		char *path = xasprintf("%s/%s", dir, found[i]->d_name);

		if (found[i]->d_name[0] != '.')
			add(s, found[i]->d_name, path);
		free(path);
		free(found[i]);
	}
	if (n >= 0)
		free(found);
	free(dir);
}

struct pack_search *pack_search_new(const struct files_opts *named, const char *dir)
{
	struct pack_search *s = xcalloc(1, sizeof(*s));
	struct files_opts *o = &s->opts;

	*o = *named;
	s->dir = xstrdup(dir);
	s->root = xasprintf("%s/root", dir);
	s->vmlinux = xasprintf("%s/vmlinux", dir);
	s->maps_dir = xasprintf("%s/source-maps", dir);
	s->symfs = dirs_after(s->root, named->symfs);
	s->debug_dirs = dirs_after(s->dir, named->debug_dirs);
	list_dir(s, "maps", add_map);
	list_dir(s, "containers", add_container);
	add_named(&s->perf_maps, named->perf_maps, named->n_perf_maps);
	add_named(&s->jitdumps, named->jitdumps, named->n_jitdumps);
	add_named(&s->containers, named->containers, named->n_containers);
	o->symfs = s->symfs;
	o->debug_dirs = s->debug_dirs;
	o->recording_dir = o->pack_dir = s->dir;
	o->perf_maps = s->perf_maps.item;
	o->n_perf_maps = s->perf_maps.n;
	o->jitdumps = s->jitdumps.item;
	o->n_jitdumps = s->jitdumps.n;
	o->containers = s->containers.item;
	o->n_containers = s->containers.n;
	if (!o->vmlinux && access(s->vmlinux, R_OK) == 0)
		o->vmlinux = s->vmlinux;
	o->no_system = true;
	return s;
}

const struct files_opts *pack_search_opts(const struct pack_search *s)
{
	return &s->opts;
}

bool pack_search_has_source_maps(const struct pack_search *s)
{
	return access(s->maps_dir, R_OK) == 0;
}

const char *const *pack_search_source_maps(
	struct pack_search *s, const char *const *named, const char *pack)
{
	size_t n = 0, i;

	while (named[n])
		n++;
	free(s->source_maps);
	s->source_maps = xcalloc(n + 1, sizeof(*s->source_maps));
	for (i = 0; i < n; i++)
		s->source_maps[i] = strcmp(named[i], pack) == 0 ? s->maps_dir : named[i];
	return s->source_maps;
}

static void release_numbered(struct numbered *of)
{
	uint32_t i;

	for (i = 0; i < of->n; i++)
		free((char *)of->item[i].path);
	free(of->item);
}

void pack_search_free(struct pack_search *s)
{
	if (!s)
		return;
	release_numbered(&s->perf_maps);
	release_numbered(&s->jitdumps);
	release_numbered(&s->containers);
	free(s->symfs);
	free(s->debug_dirs);
	free(s->source_maps);
	free(s->maps_dir);
	free(s->dir);
	free(s->root);
	free(s->vmlinux);
	free(s);
}
