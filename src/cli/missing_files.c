#include "cli/missing_files.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct teller {
	void (*put)(void *ctx, const char *line);
	void *ctx;
};

static void look(const struct teller *t, const char *option, const char *path)
{
	char *line;

	if (!path || !access(path, F_OK))
		return;
	line = xasprintf("--%s: %s: %s", option, path, strerror(errno));
	t->put(t->ctx, line);
	free(line);
}

static void look_at_list(const struct teller *t, const char *option, const struct string_list *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		look(t, option, l->item[i]);
}

static void look_at_maps(
	const struct teller *t, const char *option, const struct files_perf_map *map, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		look(t, option, map[i].path);
}

void missing_files_report(
	const struct options *o, void (*put)(void *ctx, const char *line), void *ctx)
{
	const struct teller t = { put, ctx };
	const struct files_opts *f = &o->run.files;

	look_at_list(&t, "symfs", &o->symfs);
	look_at_list(&t, "debug-dir", &o->debug_dirs);
	look_at_list(&t, "source-maps", &o->source_maps);
	look_at_maps(&t, "container", f->containers, f->n_containers);
	look_at_maps(&t, "perf-map", f->perf_maps, f->n_perf_maps);
	look_at_maps(&t, "jitdump", f->jitdumps, f->n_jitdumps);
	look(&t, "map-dir", f->map_dir);
	look(&t, "kallsyms", f->kallsyms);
	look(&t, "vmlinux", f->vmlinux);
}
