/*
 * rowmerge.h - the rows of all logs, in order of time
 *
 * A log has its rows in the order of the file: one stretch from each processor, as perf found its
 * buffer. Within a stretch rows are in order, so stretches are merged and nothing is moved; a
 * stretch is looked at only once its first row is near. Where one would be longer than its rows can
 * say, another follows. A log in disorder is sorted.
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

struct switch_merge {
	struct switch_log *logs; /* borrowed */
	struct switch_merge_run {
		uint64_t begin_ns; /* of its stretch */
		uint32_t log, next, end;
	} * runs; /* by their first rows */
	size_t n_runs, cap_runs;
	size_t n_begun; /* of runs: those that were opened so far */
	uint32_t *open; /* a heap of runs, the one with the earliest row first */
	size_t n_open;
	struct switch_merge_run *now;         /* being merged; NULL: none */
	const struct switch_merge_run *bound; /* whose next row ends that; NULL: nothing does */
};

/* Successive rows of one log. */
struct switch_merge_batch {
	uint64_t begin_ns; /* that their times count from */
	uint32_t log, from, to;
};

/* A row of some stretch. */
struct switch_log_point {
	uint64_t time_ns;
	uint32_t scene;
};

/* The order of two rows of one time: a thread that returns does so before anything else is known of
 * it. The rest only makes the order the same, whoever saw what. */
bool switch_merge_is_after_at_same_time(const struct switch_log *la,
	const struct switch_log_point *a, const struct switch_log *lb,
	const struct switch_log_point *b);

/* The order of rows, of the logs la and lb. */
static inline bool switch_merge_is_after(const struct switch_log *la,
	const struct switch_log_point *a, const struct switch_log *lb,
	const struct switch_log_point *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns > b->time_ns;
	return switch_merge_is_after_at_same_time(la, a, lb, b);
}

/* From this row on there is a new stretch. */
void switch_log_begin_stretch(struct switch_log *l, size_t row, uint64_t begin_ns);

static inline struct switch_log_point switch_log_point(
	const struct switch_log *l, uint64_t begin_ns, size_t row)
{
	return (struct switch_log_point){ begin_ns + l->rows[row].after_ns,
		switch_log_scene_at(l, row) };
}

/* The rows within a stretch of time. Logs that are not in order yet are sorted. */
void switch_merge_init(struct switch_merge *m, struct switch_log *logs, unsigned n,
	const struct time_stretch *when);
void switch_merge_release(struct switch_merge *m);
/* The next rows; false after the last. */
bool switch_merge_next(struct switch_merge *m, struct switch_merge_batch *b);

#endif
