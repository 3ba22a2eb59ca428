/*
 * perf_map_dates.h - roughly when the code of a line in a perf map was made
 *
 * A perf map has no times, but its lines are in the order in which code was made, and samples have
 * times: a function was made before the first sample in it, and so was everything on the lines
 * above. So the earliest sample of any line from this one on is the latest time at which its code
 * can have been made. That is a bound that grows with the lines, in steps. The guess is the bound
 * of the line itself if it was sampled, else that of the last line above it that was.
 *
 * It may be seconds too late: if a runtime gives freed memory to new code, all sampled addresses
 * may belong to several functions, and so say nothing by themselves. But hardly any address is that
 * of an instruction in both the old and the new function. So if fewer addresses were sampled both
 * before and after some other time, the code came then; at the earliest of several such times, as
 * old code has been out of use for a while when other code is placed at its address. Such times are
 * looked for some steps of the bound back.
 *
 * Figures: on recordings of Node.js 24 and 26 up to 2.1 % of JIT frames were wrong without these
 * dates, and at most 0.09 % are wrong with them. The price is a further pass over the addresses of
 * the samples, in process/, and a second reading of the map.
 *
 * Owns: what it has counted; what was seen is borrowed. Threads: one. Private to jit/.
 */
#ifndef PERFOLD_JIT_PERF_MAP_DATES_H
#define PERFOLD_JIT_PERF_MAP_DATES_H

#include "jit/jit.h"

struct perf_map_dates {
	const struct codemap_seen *seen;
	uint64_t *until_ns; /* by line that was seen: made by then; one more for what comes after */
	uint64_t *step_ns;  /* the same values, each once */
	size_t n_steps;
	struct sample_edge *edges;
	size_t left; /* how many addresses may still be looked at */
};

void perf_map_dates_begin(struct perf_map_dates *d, const struct codemap_seen *seen);
void perf_map_dates_release(struct perf_map_dates *d);

/* Since when the code of a line has been at some addresses. */
uint64_t perf_map_dates_find(
	struct perf_map_dates *d, uint64_t offset, const struct codemap_range *at);

#endif
