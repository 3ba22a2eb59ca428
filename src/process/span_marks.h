/*
 * span_marks.h - the spans that --during names: one pass over the events that begin and end them
 *
 * Spans must be known before samples are counted, so they have a pass of their own, which is made
 * only with --during. It decodes no other event.
 *
 * Owns: nothing between calls. Threads: uses the pool. Private to process/.
 */
#ifndef PERFOLD_PROCESS_SPAN_MARKS_H
#define PERFOLD_PROCESS_SPAN_MARKS_H

#include "process/pass2.h"

/* After pass 1, before events are chosen: whether an event begins or ends a span, by event. NULL
 * where nothing is asked; the caller frees it. ERR_USAGE where the recording lacks the events. */
int span_marks_find_events(
	const struct recording *r, const struct read_opts *o, bool **of_event, struct err *e);

/* Find the times that are wanted; inside is empty, and released by the caller. The blocks of p->pd
 * are read, and rewound. */
int span_marks_read(
	struct thread_times *inside, const struct pass2 *p, struct pool *pool, struct err *e);

#endif
