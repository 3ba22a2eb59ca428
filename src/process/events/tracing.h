/*
 * tracing.h - fields of tracepoints that the user names, for each event of a recording
 *
 * The names of --where, --weight field:NAME and --root field:NAME become offsets in the raw part of
 * a sample, once for each event.
 *
 * Owns: the formats and the offsets. Threads: made by one, then read by any. Private to process/.
 */
#ifndef PERFOLD_PROCESS_EVENTS_TRACING_H
#define PERFOLD_PROCESS_EVENTS_TRACING_H

#include "input/perfdata/perfdata.h"
#include "model/recording.h"
#include "process/process.h"
#include "trace/trace.h"

struct tracing {
	struct trace_format_table *formats;
	const struct where_list *where;  /* borrowed; NULL: no conditions */
	const struct root_fields *roots; /* borrowed; NULL: none */
	struct tracing_event {
		const struct trace_format *format; /* NULL: no tracepoint, or it is not described */
		struct trace_picked *where;        /* one for each condition */
		struct trace_picked weight;
		struct trace_picked root[ROOT_FIELDS_MAX];
	} * of;
	uint32_t n;
	bool by_field; /* the weight of samples is a field */
};

/* Read the formats of the recording. */
int tracing_init(struct tracing *t, struct recording *r, const struct perfdata *pd,
	const struct read_opts *o, struct err *e);
/* Once events are chosen: fails where none of them has a field that the user names. */
int tracing_check(const struct tracing *t, const struct recording *r, const struct read_opts *o,
	struct err *e);
void tracing_release(struct tracing *t);

/* Do all conditions hold? Not where the event has no such field. */
bool tracing_where_holds(const struct tracing *t, uint32_t event, const struct perfdata_sample *s);
/* The weight of the sample by its field; false where that is missing or negative. */
bool tracing_weight(
	const struct tracing *t, uint32_t event, const struct perfdata_sample *s, uint64_t *weight);
/* The field of --root number i; 0 where there is none. */
str_id tracing_root(const struct tracing *t, struct strtab *strings, uint32_t event,
	const struct perfdata_sample *s, uint32_t i);

#endif
