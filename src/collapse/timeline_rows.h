/*
 * timeline_rows.h - the recordings' timelines as the profile's rows, by thread and time
 *
 * Private to collapse/.
 */
#ifndef PERFOLD_COLLAPSE_TIMELINE_ROWS_H
#define PERFOLD_COLLAPSE_TIMELINE_ROWS_H

#include "collapse/collapse.h"

/* Move the rows of one log; node_of_stack turns row.stack into a node of p (NODE_DROPPED: the row
 * is dropped). recording keeps threads of different inputs apart. */
void timeline_rows_add(struct profile *p, struct timeline *t, unsigned recording,
	const node_id *node_of_stack, bool weight_by_samples);
/* All rows are added: sort them, the busiest thread first. */
void timeline_rows_finish(struct profile *p);

#endif
