/*
 * validity.h - from when until when in a recording something holds
 *
 * Owns: nothing. Threads: any.
 */
#ifndef PERFOLD_MODEL_VALIDITY_H
#define PERFOLD_MODEL_VALIDITY_H

#include <stdbool.h>
#include <stdint.h>

/* A point in a recording: time, then position in the file. */
struct moment {
	uint64_t time_ns, position;
};

static inline bool moment_before(struct moment a, struct moment b)
{
	return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : a.position < b.position;
}

/* From inclusive, until exclusive. */
struct validity {
	struct moment from, until;
};

#define VALIDITY_ALWAYS ((struct validity){ { 0, 0 }, { UINT64_MAX, UINT64_MAX } })

static inline bool validity_holds(struct validity v, struct moment at)
{
	return !moment_before(at, v.from) && moment_before(at, v.until);
}

/* Narrows *valid to what holds in both. */
static inline void validity_narrow(struct validity *v, struct validity by)
{
	if (moment_before(v->from, by.from))
		v->from = by.from;
	if (moment_before(by.until, v->until))
		v->until = by.until;
}

#endif
