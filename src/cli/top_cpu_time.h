/*
 * top_cpu_time.h - CPU time beside latency, of perfold top --latency
 *
 * The recording is read a second time, by period, with the strings and frames of the first reading:
 * so a function of one is looked up in the other by any of its frames.
 *
 * Owns: the second result, released before the first. Threads: one.
 */
#ifndef PERFOLD_CLI_TOP_CPU_TIME_H
#define PERFOLD_CLI_TOP_CPU_TIME_H

#include "cli/options.h"
#include "cli/top_query.h"

/* A zeroed struct has nothing. */
struct top_cpu_time {
	struct pipeline_result result;
	struct top_query q;
	bool known; /* --latency is given */
};

/* first is the result by latency. */
int top_cpu_time_read(struct top_cpu_time *t, struct options *o,
	const struct pipeline_result *first, struct err *e);
void top_cpu_time_release(struct top_cpu_time *t);

/* What the functions of rows cost in CPU time, row by row; frame has one of the frames of each
 * function. Owned by the caller. */
struct function_cost *top_cpu_time_of_rows(const struct top_cpu_time *t,
	const struct function_cost *row, uint32_t n, const frame_id *frame);

#endif
