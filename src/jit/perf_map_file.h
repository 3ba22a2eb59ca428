/*
 * perf_map_file.h - the bytes of a perf map
 *
 * A map stays open, as names are read when they are first looked up: most code never runs. A small
 * one is kept in memory instead: a recording may have a thousand processes, more than the number of
 * files that can be open.
 *
 * Owns: the file, or its bytes. Threads: open by one, read by any. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_FILE_H
#define PERFOLD_JIT_PERF_MAP_FILE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/file.h"
#include "base/span.h"

#include <stdbool.h>

/* A zeroed struct is empty. */
struct perf_map_file {
	uint64_t size_bytes; /* when it was opened: a live process goes on writing */
	struct buf whole;    /* or */
	struct file file;
	bool is_open;
};

/* Takes over a regular file that is open, in any case. */
int perf_map_file_adopt(struct perf_map_file *s, struct file *file, struct err *e);
void perf_map_file_release(struct perf_map_file *s);
/* Up to n bytes from offset on, in *got: a view of the map, or read into room. */
int perf_map_file_read(const struct perf_map_file *s, char *room, size_t n, uint64_t offset,
	struct span *got, struct err *e);

#endif
