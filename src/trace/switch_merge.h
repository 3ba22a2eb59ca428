/*
 * switch_merge.h - the rows of all logs, in order of time
 *
 * Owns: its lists. Threads: one. Private to trace/.
 */
#ifndef PERFOLD_TRACE_SWITCH_MERGE_H
#define PERFOLD_TRACE_SWITCH_MERGE_H

#include "trace/switch_log.h"

/* Rows from a time on, to another (exclusive) or to the end. */
struct switch_merge_window {
	uint64_t from_ns, to_ns;
	bool to_the_end;
};

struct switch_merge {
	struct switch_log *logs; /* borrowed */
	struct switch_merge_run {
		uint64_t begin_ns, next_ns; /* of the run; of its next row */
		uint32_t log, next, end;
	} * runs; /* by their first rows */
	size_t n_runs, cap_runs;
	size_t n_opened; /* of runs: those that were in the heap so far */
	uint32_t *open;  /* a heap of runs, the one with the earliest row first */
	size_t n_open;
	struct switch_merge_run *current;     /* NULL: none */
	const struct switch_merge_run *bound; /* whose next row ends current; NULL: nothing does */
};

/* Successive rows of one log. */
struct switch_batch {
	uint64_t begin_ns; /* that their times count from */
	uint32_t log, from, to;
};

/* Logs that are too far out of order for merging are sorted. */
void switch_merge_sort_logs(struct switch_log *logs, unsigned n);
/* The rows within a window; sorts logs where that is needed. */
void switch_merge_init(struct switch_merge *m, struct switch_log *logs, unsigned n,
	const struct switch_merge_window *w);
void switch_merge_release(struct switch_merge *m);
/* The next rows; false after the last. */
bool switch_merge_next(struct switch_merge *m, struct switch_batch *b);

#endif
