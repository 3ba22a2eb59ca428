/*
 * marking.h - which fields of a sample go into its mark (model/marks.h)
 *
 * Owns: the offsets of the fields. Threads: made by one, then read by any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_MARKING_H
#define PERFOLD_PROCESS_EVENTS_MARKING_H

#include "model/marks.h"
#include "process/events/losses.h"
#include "process/events/tracing.h"

struct marking {
	const struct mark_fields *fields; /* borrowed; NULL: no marks are wanted */
	struct marking_event {
		struct trace_picked field[MARK_FIELDS_MAX];
	} * of;
};

/* tracing must be ready; fields may be NULL. */
void marking_init(
	struct marking *m, const struct tracing *tracing, const struct mark_fields *fields);
void marking_release(struct marking *m);

/* Append a mark with its values; returns its number. */
uint32_t marking_add(const struct marking *m, struct marks *to, const struct mark *mark,
	const struct perfdata_sample *s, struct strtab *strings);

/* Copies to the recording when records were lost. */
void marking_copy_gaps(struct recording *r, const struct losses *l);

#endif
