/*
 * span_preset.h - what `perfold spans` can measure by a name: one table
 *
 * Names of events are patterns, as everybody names probes differently: "uv:uv__io_poll_ret",
 * "probe_node:uv__io_poll__return".
 *
 * Owns: nothing, all is constant. Threads: any.
 */
#ifndef PERFOLD_TRACE_SPAN_PRESET_H
#define PERFOLD_TRACE_SPAN_PRESET_H

#include "trace/spans.h"

/* What is shown of the durations beside the table. */
enum span_view {
	SPAN_VIEW_PLAIN,
	SPAN_VIEW_FILES, /* which file, how many bytes */
	SPAN_VIEW_LOOP,  /* phases, iterations, samples by phase */
};

struct span_preset {
	const char *name, *about;
	struct mark_fields fields;
	const struct span_rule *rules;
	size_t n_rules;
	/* For --during: what it means to be inside, if not between begin and end of the rules; the
	 * first that the recording has events for. */
	const struct span_rule *inside;
	size_t n_inside;
	enum spans_of of;
	const char *others; /* events wanted beside those of the rules, with blanks between */
	enum span_view view;
	const char *how; /* how to record: lines for a shell */
};

const struct span_preset *span_preset_find(const char *name);
/* NULL after the last. */
const struct span_preset *span_preset_at(size_t i);

#endif
