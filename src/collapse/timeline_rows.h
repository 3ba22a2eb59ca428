/*
 * timeline_rows.h - the recordings' timelines into the profile's: by thread, in order of time
 *
 * Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_TIMELINE_ROWS_H
#define PERFOLD_COLLAPSE_TIMELINE_ROWS_H

#include "collapse/collapse.h"

/* Take over the rows of one log, which is left without; node_of_stack turns row.stack into a node
 * of p (NODE_DROPPED: the row goes). recording keeps threads of different inputs apart. */
void timeline_rows_add(struct profile *p, struct timeline *t, unsigned recording,
	const node_id *node_of_stack, bool weight_by_samples);
/* All rows are there: sort them, the busiest thread first. */
void timeline_rows_finish(struct profile *p);

#endif
