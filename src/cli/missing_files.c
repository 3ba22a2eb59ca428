#include "cli/missing_files.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line_sink {
	void (*put)(void *ctx, const char *line);
	void *ctx;
};

static void check_path(const struct line_sink *t, const char *option, const char *path)
{
	char *line;

	if (!path || !access(path, F_OK))
		return;
	line = xasprintf("--%s: %s: %s", option, path, strerror(errno));
	t->put(t->ctx, line);
	free(line);
}

static void check_list(const struct line_sink *t, const char *option, const struct string_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		check_path(t, option, l->item[i]);
}

static void check_maps(
	const struct line_sink *t, const char *option, const struct files_perf_map *map, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		check_path(t, option, map[i].path);
}

void missing_files_report(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx)
{
	const struct line_sink t = { put, ctx };
	const struct files_opts *f = &o->run.files;

	check_list(&t, "symfs", &o->symfs);
	check_list(&t, "debug-dir", &o->debug_dirs);
	check_list(&t, "source-maps", &o->source_maps);
	check_maps(&t, "container", f->containers, f->n_containers);
	check_maps(&t, "perf-map", f->perf_maps, f->n_perf_maps);
	check_maps(&t, "jitdump", f->jitdumps, f->n_jitdumps);
	check_path(&t, "map-dir", f->map_dir);
	check_path(&t, "kallsyms", f->kallsyms);
	check_path(&t, "vmlinux", f->vmlinux);
}
