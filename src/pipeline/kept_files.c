#include "pipeline/kept_files.h"

#include "pipeline/pack_paths.h"

#include <stdlib.h>

void kept_files_release(struct kept_files *k)
{
	files_free(k->files);
	pack_search_free(k->pack);
	free(k->dir);
	input_dir_remove(&k->unpacked);
	*k = (struct kept_files){ 0 };
}

char *kept_files_shown_path(const struct kept_files *k, const char *path)
{
	return k->unpacked.path ? pack_paths_shown(path, k->unpacked.path, k->recording->path)
				: NULL;
}
