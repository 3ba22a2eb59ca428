/*
 * claims.h - which map is whose, where its number does not say
 *
 * In a container a process has another number than perf sees, and its files are called by that:
 * perf-1.map, jit-1.dump. Such a file is known by what it covers: addresses of generated code of
 * the process that were sampled. A process takes the file that covers at least half of them and
 * twice as many as any other; two that fit alike (a copy, a map of a process with the same
 * addresses) are both left alone, for wrong names are worse than none.
 *
 * Such files are looked for beside the recording and in --map-dir, then in the container itself.
 *
 * The addresses are those of the first samples of processes without a map; they are looked at only
 * if there are files that no process has.
 *
 * Private to process/.
 */
#ifndef PERFOLD_PROCESS_GENERATED_CLAIMS_H
#define PERFOLD_PROCESS_GENERATED_CLAIMS_H

#include "process/jit_code/jit_maps.h"

void map_owners_find(struct jit_maps *c, const struct jit_maps_source *from);

#endif
