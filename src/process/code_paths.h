/*
 * code_paths.h - the paths of files that hold code: they were mapped executable at some moment
 *
 * Owns: a list; strings are the recording's. Threads: filled by one, then read by any. Private to
 * process/.
 */
#ifndef PERFOLD_PROCESS_CODE_PATHS_H
#define PERFOLD_PROCESS_CODE_PATHS_H

#include "base/index.h"
#include "base/strtab.h"

#include <stdbool.h>

struct code_paths {
	bool wanted; /* else nothing is added */
	str_id *path;
	uint32_t n, cap;
	struct index by_path;
};

void code_paths_add(struct code_paths *c, struct strtab *strings, struct span path);
bool code_paths_has(const struct code_paths *c, const struct strtab *strings, struct span path);
void code_paths_release(struct code_paths *c);

#endif
