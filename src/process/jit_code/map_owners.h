/*
 * map_owners.h - the process of a perf map or jitdump whose name has another pid
 *
 * In a container a process has a different pid from the one perf sees, and its files are named
 * after it:
 * perf-1.map, jit-1.dump. The owner of such a file is found by coverage: it names addresses of the
 * process's JIT code that were sampled. A process gets the file that names more than half of them,
 * and twice as many as any other. Two that match alike (a copy, a map of a process with the same
 * addresses) are both ignored, for wrong names are worse than none.
 *
 * Such files are looked for beside the recording and in --map-dir, then in the container itself.
 * The addresses are those of the first samples of processes without a map; they are read only if
 * there are files that belong to no process.
 *
 * Owns: nothing between calls. Threads: one. Private to process/.
 */
#ifndef PERFOLD_PROCESS_JIT_CODE_MAP_OWNERS_H
#define PERFOLD_PROCESS_JIT_CODE_MAP_OWNERS_H

#include "process/jit_code/jit_maps.h"

void map_owners_find(struct jit_maps *c, const struct jit_maps_source *from);

#endif
