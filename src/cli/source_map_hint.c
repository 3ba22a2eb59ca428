/*
 * The scripts of sampled JavaScript functions are looked for where they were recorded, below each
 * --symfs and then on this machine. Nothing is searched: a script that is not at its path has no
 * hint. One has a map if SCRIPT.map is beside it, or if its end says "sourceMappingURL=". Those of
 * packages (node_modules) are left out: many bring maps along that help nobody.
 *
 * Costs one pass over the sites, and a few system calls for each of at most SCRIPTS_MAX scripts.
 */
#include "cli/source_map_hint.h"

#include "base/counted.h"
#include "base/mem.h"
#include "files/files.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SCRIPTS_MAX = 1000, TAIL_BYTES = 4096 };

struct script_list {
	str_id *at;
	size_t n, cap;
};

static bool is_own_script(struct span file)
{
	return (span_starts(file, SPAN("/")) || span_starts(file, SPAN("file:///"))) &&
	       span_find(file, SPAN("/node_modules/")) < 0;
}

static int by_id(const void *pa, const void *pb)
{
	str_id a = *(const str_id *)pa, b = *(const str_id *)pb;

	return a < b ? -1 : a > b;
}

static void keep_distinct(struct script_list *l)
{
	size_t i, n = 0;

	if (l->n)
		qsort(l->at, l->n, sizeof(*l->at), by_id);
	for (i = 0; i < l->n; i++)
		if (!n || l->at[n - 1] != l->at[i])
			l->at[n++] = l->at[i];
	l->n = n < SCRIPTS_MAX ? n : SCRIPTS_MAX;
}

static void list_scripts(struct script_list *l, const struct recording *r)
{
	str_id last = 0;
	site_id id;

	for (id = 1; id < sites_count(r->sites); id++) {
		uint32_t n;
		const frame_id *f = sites_frames(r->sites, id, &n);
		const struct frame *frame = n ? frames_get(r->frames, f[0]) : NULL;

		if (!frame || frame->kind != FRAME_JIT || !frame->file || frame->file == last)
			continue;
		last = frame->file;
		if (!is_own_script(strtab_get(r->strings, last)))
			continue;
		ARRAY_GROW(l->at, l->n, l->cap);
		l->at[l->n++] = last;
	}
	keep_distinct(l);
}

static bool tail_names_a_map(const struct file *script)
{
	char tail[TAIL_BYTES];
	uint64_t n = script->size_bytes;
	struct span text = { tail, 0 };
	struct err e;

	if (file_read_some_at(script, tail, sizeof(tail), n > sizeof(tail) ? n - sizeof(tail) : 0,
		    &text.n, &e))
		text.n = 0;
	return span_find(text, SPAN("sourceMappingURL=")) >= 0;
}

static bool is_there(const char *root, const char *path)
{
	enum files_verdict unused;
	struct file f;
	bool is = files_open_below(root, path, &f, &unused);

	file_close(&f);
	return is;
}

static bool has_map(const char *root, const char *path)
{
	enum files_verdict unused;
	struct file script;
	char *map;
	bool has;

	if (!files_open_below(root, path, &script, &unused))
		return false;
	map = xasprintf("%s.map", path);
	has = is_there(root, map) || tail_names_a_map(&script);
	file_close(&script);
	free(map);
	return has;
}

/* The script as it is here, if it has a map; owned by the caller. */
static char *script_with_map(struct span file, const struct options *o)
{
	char *path = NULL;
	size_t i;

	if (span_starts(file, SPAN("file://")))
		file = span_skip(file, strlen("file://"));
	for (i = 0; i < o->symfs.n; i++) {
		path = xasprintf("%s%.*s", o->symfs.item[i], SPAN_ARG(file));
		if (has_map(o->symfs.item[i], path))
			return path;
		free(path);
	}
	if (o->run.files.no_system)
		return NULL;
	path = xasprintf("%.*s", SPAN_ARG(file));
	if (has_map("", path))
		return path;
	free(path);
	return NULL;
}

static struct span directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == path ? SPAN("/") : span_range(path, slash);
}

/* n scripts have maps, first is one of them. */
static void put_found(struct buf *b, const char *first, size_t n, bool pack)
{
	const char *of_one = pack ? "includes it" : "shows its functions by their source";
	const char *of_all = pack ? "includes them" : "shows functions by their source";
	struct span dir;

	if (!n)
		return;
	dir = directory_of(first);
	if (n == 1)
		buf_printf(b, "%s has a source map: --source-maps %.*s %s", first, SPAN_ARG(dir),
			of_one);
	else
		buf_printf(b,
			"%s and %zu other %s have source maps: --source-maps DIR (%.*s and "
			"the like) %s",
			first, n - 1, counted(n - 1, "script", "scripts"), SPAN_ARG(dir), of_all);
}

void source_map_hint_put(struct buf *b, const struct recording *r, const struct options *o)
{
	struct script_list scripts = { 0 };
	char *first = NULL;
	size_t i, n = 0;

	if (o->source_maps.n || o->run.read.compat_perf)
		return;
	if (r->facts.packed_source_maps) {
		buf_printf(b,
			"%s has source maps: --source-maps %s shows functions by their source",
			r->path, r->path);
		return;
	}
	list_scripts(&scripts, r);
	for (i = 0; i < scripts.n; i++) {
		char *path = script_with_map(strtab_get(r->strings, scripts.at[i]), o);

		if (!path)
			continue;
		n++;
		if (!first)
			first = path;
		else
			free(path);
	}
	put_found(b, first, n, o->command & FOR_PACK);
	free(first);
	free(scripts.at);
}
