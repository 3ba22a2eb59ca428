/*
 * build_ids.h - the build-ids of a recording, each once, and those that its header gives to paths
 *
 * Owns: the ids. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_BUILD_IDS_H
#define PERFOLD_PROCESS_WORLD_BUILD_IDS_H

#include "base/index.h"
#include "model/modules.h"

/* A zeroed struct is empty. */
struct build_ids {
	struct build_id *ids;
	uint32_t n, cap;
	struct index by_content;
	struct build_id_of_path {
		str_id path;
		bool kernel;
		uint32_t number;
	} * paths;
	uint32_t n_paths, cap_paths;
	struct index by_path;
};

void build_ids_release(struct build_ids *b);

/* The number of an id; 0 where it is not known. */
uint32_t build_ids_add(struct build_ids *b, const struct build_id *id);
struct build_id build_ids_get(const struct build_ids *b, uint32_t number);

/* Give an id to a path; the last one given counts. */
void build_ids_set_path(struct build_ids *b, str_id path, bool kernel, const struct build_id *id);
uint32_t build_ids_of_path(const struct build_ids *b, str_id path, bool kernel);

#endif
