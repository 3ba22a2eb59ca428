#include "process/codemaps.h"

#include "base/mem.h"

#include <stdlib.h>

struct loading {
	struct codemaps *maps;
	struct recording *recording;
	const struct files *files;
	bool compat_perf;
	uint32_t cap_processes;
};

static str_id load_map(struct loading *l, int32_t pid)
{
	struct files_map_place place = files_find_perf_map(l->files, pid, 0, NULL);
	struct codemap *map;
	struct err e;
	str_id path = 0;

	if (!place.path)
		return 0;
	if (codemap_load_perf_map(&map, place.path, l->recording->frames, &l->recording->diag, NULL,
		    pid, l->compat_perf, &e)) {
		diag_count(&l->recording->diag, DIAG_BAD_FILE, (uint64_t)pid);
	} else {
		ARRAY_GROW(l->maps->maps, l->maps->n, l->maps->cap);
		l->maps->maps[l->maps->n++] = (struct codemap_of){ pid, map };
		path = strtab_add_str(l->recording->strings, place.path);
	}
	free(place.path);
	return path;
}

static void visit_process(void *ctx, int32_t pid, str_id name, bool generated_code)
{
	struct loading *l = ctx;
	struct recording *r = l->recording;

	ARRAY_GROW(r->processes, r->n_processes, l->cap_processes);
	r->processes[r->n_processes++] = (struct process_use){
		.pid = pid,
		.name = name,
		.generated_code = generated_code,
		.perf_map = generated_code ? load_map(l, pid) : 0,
	};
}

static int compare_maps(const void *pa, const void *pb)
{
	const struct codemap_of *a = pa, *b = pb;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

void codemaps_load(struct codemaps *c, struct recording *r, const struct world *w,
	const struct files *files, bool compat_perf)
{
	struct loading l = {
		.maps = c, .recording = r, .files = files, .compat_perf = compat_perf
	};

	*c = (struct codemaps){ 0 };
	world_visit_processes(w, visit_process, &l);
	if (c->n)
		qsort(c->maps, c->n, sizeof(*c->maps), compare_maps);
}

void codemaps_release(struct codemaps *c)
{
	uint32_t i;

	for (i = 0; i < c->n; i++)
		codemap_free(c->maps[i].map);
	free(c->maps);
}

const struct codemap *codemaps_of(const struct codemaps *c, int32_t pid)
{
	struct codemap_of key = { .pid = pid }, *found;

	if (!c->n)
		return NULL;
	found = bsearch(&key, c->maps, c->n, sizeof(*c->maps), compare_maps);
	return found ? found->map : NULL;
}
