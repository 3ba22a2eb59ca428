/*
 * during_spans.h - the spans that --during is about: from marks to the times of threads
 *
 * Owns: see during_spans_find(). Threads: one.
 */
#ifndef PERFOLD_TRACE_DURING_SPANS_H
#define PERFOLD_TRACE_DURING_SPANS_H

#include "model/thread_times.h"
#include "trace/during.h"

/* Which events of the recording a measure needs marks of. ERR_USAGE where it lacks them, or where
 * a rule is wrong; spans that are only listed may be missing. */
int during_spans_events(const struct during *d, uint32_t measure, const struct recording *r,
	bool *of_event, struct err *e);

/* Find the spans of all measures; marks[i] has those of measure i, merged, and is freed. inside
 * gets the times that are wanted, which the caller releases; the recording gets counts, and the
 * spans of during.listed. */
int during_spans_find(const struct during *d, struct recording *r, struct marks **marks,
	struct thread_times *inside, struct err *e);

#endif
