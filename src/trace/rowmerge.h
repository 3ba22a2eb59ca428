/*
 * rowmerge.h - the rows of all logs, in order of time
 *
 * A log has the rows in the order of the file: of each processor a stretch, as perf found its
 * buffer. Within a stretch they are in order already, so that stretches are merged and nothing is
 * moved; each is looked at only once its first row is near. A log in disorder is sorted.
 *
 * Owns: its lists. Threads: one. Private to trace/.
 */
#ifndef PERFOLD_TRACE_ROWMERGE_H
#define PERFOLD_TRACE_ROWMERGE_H

#include "trace/switches.h"

/* To the end, or to a time, exclusive. */
struct time_stretch {
	uint64_t from_ns, to_ns;
	bool to_the_end;
};

struct row_merge {
	struct switch_log *logs; /* borrowed */
	struct row_run {
		uint32_t log, next, end;
	} * runs; /* by their first rows */
	size_t n_runs, cap_runs;
	size_t n_begun; /* of runs: those that are, or were, among the open ones */
	uint32_t *open; /* a heap of runs, the one with the earliest row first */
	size_t n_open;
	struct row_run *now;         /* under way; NULL: none */
	const struct row_run *bound; /* now goes on up to its next; NULL: to the end */
};

/* Rows of one log, one after the other. */
struct row_batch {
	uint32_t log, from, to;
};

/* The order of two rows of one time: who returns does so before anything else is known of it. The
 * rest only makes the order the same whoever saw what. */
bool switch_row_is_after_at_once(const struct switch_log *la, const struct switch_row *a,
	const struct switch_log *lb, const struct switch_row *b);

/* The order of rows, of the logs la and lb. */
static inline bool switch_row_is_after(const struct switch_log *la, const struct switch_row *a,
	const struct switch_log *lb, const struct switch_row *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns;
	return switch_row_is_after_at_once(la, a, lb, b);
}

/* The rows of a stretch of time. Logs that are not in order yet are brought there. */
void row_merge_init(
	struct row_merge *m, struct switch_log *logs, unsigned n, const struct time_stretch *when);
void row_merge_release(struct row_merge *m);
/* The next rows; false behind the last. */
bool row_merge_next(struct row_merge *m, struct row_batch *b);

#endif
