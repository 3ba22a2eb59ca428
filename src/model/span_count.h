/*
 * span_count.h - what a condition of --during found in a recording
 *
 * Owns: nothing; texts are those of the options. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_SPAN_COUNT_H
#define PERFOLD_MODEL_SPAN_COUNT_H

#include <stdbool.h>
#include <stdint.h>

struct span_count {
	const char *condition;
	uint64_t spans, chosen;
	uint64_t chosen_ns;     /* of all that were chosen, added up */
	uint64_t unbegun, open; /* cut off by the beginning and by the end of the recording */
	uint64_t lost;          /* records were lost in them */
	uint64_t unkeyed;       /* events without the field to pair them by */
	uint64_t moved;         /* ended on a thread that no event says they moved to */
};

/* A span by its number, which is its place among all of its kind by their beginning, from 1 on. */
struct numbered_span {
	uint64_t from_ns, duration_ns;
	int32_t tid; /* where it began */
	uint32_t number;
};

#endif
