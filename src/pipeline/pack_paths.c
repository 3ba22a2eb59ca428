#include "pipeline/pack_paths.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

char *pack_paths_shown(const char *path, const char *dir, const char *pack)
{
	size_t n = strlen(dir);

	if (!path || strncmp(path, dir, n) != 0 || path[n] != '/')
		return NULL;
	return xasprintf("%s%s", pack, path + n);
}

static void show_path(char **path, const char *dir, const char *pack)
{
	char *shown = pack_paths_shown(*path, dir, pack);

	if (shown) {
		free(*path);
		*path = shown;
	}
}

static void show_string(struct recording *r, str_id *path, const char *dir)
{
	char *shown = *path ? pack_paths_shown(strtab_str(r->strings, *path), dir, r->path) : NULL;

	if (shown)
		*path = strtab_add_str(r->strings, shown);
	free(shown);
}

static void show_message(struct err *e, const char *dir, const char *pack)
{
	char *message = pack_paths_shown(e->msg, dir, pack);

	if (message)
		err_set(e, e->code, "%s", message);
	free(message);
}

void pack_paths_show(
	struct recording *r, struct symbolize_report *report, const char *dir, struct err *e)
{
	uint32_t i, k;

	if (e)
		show_message(e, dir, r->path);
	for (i = 0; i < r->n_processes; i++) {
		show_string(r, &r->processes[i].perf_map, dir);
		show_string(r, &r->processes[i].jitdump, dir);
	}
	for (i = 0; i < report->n; i++) {
		struct symbolize_module *m = &report->modules[i];

		show_path(&m->runtime_path, dir, r->path);
		show_path(&m->symbols_path, dir, r->path);
		show_path(&m->dwarf_path, dir, r->path);
		show_path(&m->package_path, dir, r->path);
		for (k = 0; k < m->trail.n; k++)
			show_path(&m->trail.step[k].path, dir, r->path);
	}
}
