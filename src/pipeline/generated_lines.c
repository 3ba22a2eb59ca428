#include "pipeline/generated_lines.h"

#include "base/mem.h"

#include <stdlib.h>

/* What is damaged was counted when names were read from the dump. */
static void open_dump(struct generated_lines *g, const char *path, struct frames *frames)
{
	const struct jit_clock no_clock = { 0 };
	struct diag counted_before = { 0 };
	struct file f;
	struct err e;

	generated_lines_release(g);
	g->path = xstrdup(path);
	if (!file_open_regular(&f, path, &e))
		jitdump_load(&g->dump, &f, frames, &counted_before, &no_clock, &e);
}

bool generated_lines_open(struct generated_lines *g, const char *path, uint64_t record,
	struct frames *frames, struct codemap_lines *lines)
{
	*lines = (struct codemap_lines){ 0 };
	if (!path)
		return false;
	if (!g->path || strcmp(g->path, path) != 0)
		open_dump(g, path, frames);
	return g->dump && codemap_open_lines(g->dump, record, lines);
}

void generated_lines_release(struct generated_lines *g)
{
	codemap_free(g->dump);
	free(g->path);
	*g = (struct generated_lines){ 0 };
}
