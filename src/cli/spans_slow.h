/*
 * spans_slow.h - the slowest spans, and the numbers by which --during knows them
 *
 * Owns: its lists. Threads: one.
 */
#ifndef PERFOLD_CLI_SPANS_SLOW_H
#define PERFOLD_CLI_SPANS_SLOW_H

#include "model/durations.h"
#include "pipeline/pipeline.h"
#include "trace/trace.h"

struct spans_slow {
	uint32_t *item; /* numbers in durations.item, the slowest first */
	size_t n;
	uint32_t *number; /* by item: as in --during 'PRESET #NUMBER'; 0: it has none */
	bool numbered;    /* any could have one */
};

struct spans_slow_opts {
	enum span_view view;
	uint64_t least_ns; /* that they took */
	size_t shown;      /* so many of them get numbers */
};

/* Waits are none of them. */
void spans_slow_find(struct spans_slow *s, const struct durations *d,
	const struct pipeline_result *result, const struct spans_slow_opts *o);
void spans_slow_release(struct spans_slow *s);

#endif
