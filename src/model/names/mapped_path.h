/*
 * mapped_path.h - what is mapped, by the path that the kernel recorded
 *
 * Source: tools/perf/util/map.c (map__new).
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_MODEL_NAMES_MAPPED_PATH_H
#define PERFOLD_MODEL_NAMES_MAPPED_PATH_H

#include "base/span.h"

enum mapped_path {
	MAPPED_FILE,
	MAPPED_DETACHED_FILE, /* nobody can open it: it may hold JIT code */
	MAPPED_NAMELESS,      /* memory without a file: /tmp/perf-PID.map to perf */
	MAPPED_NAMED_MEMORY,  /* a file to perf, though there is none */
	MAPPED_VDSO,
	MAPPED_SPECIAL, /* [vsyscall], [uprobes] */
};

enum mapped_path mapped_path_kind(struct span path);

#endif
