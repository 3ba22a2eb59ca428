/*
 * slices.h - what a thread did, from when to when
 *
 * A sample tells of a moment, but viewers draw stretches: a slice lasts from its sample until the
 * next one, and the last slice one period.
 *
 * Where the recording tells when threads left their processor and came back (model/off_cpu.h), an
 * idle slice begins with the first time that the thread left before its next sample. It is as long
 * as all of those times together, so that a sample remains one slice; what the thread ran after it
 * belongs to the next sample, whose slice begins that much earlier.
 *
 * If the recording does not tell, and the next sample is more than two periods off_cpu, the thread
 * is taken to have waited: the slice lasts one period, and an idle one fills the gap.
 *
 * Blocked time (--off-cpu, --wall) lasts as long as it weighs; what lies between is idle.
 *
 * Without times every stack has one slice, or one for each sample of the thread, which lasts as
 * long as its weight says.
 *
 * A track is a thread; if samples are not known one by one (folded stacks), everything is one
 * track.
 *
 * Owns: nothing. Threads: each has its own. Private to output/.
 */
#ifndef PERFOLD_OUTPUT_SLICES_SLICES_H
#define PERFOLD_OUTPUT_SLICES_SLICES_H

#include "output/output.h"

/* DevTools draws nothing of a profile that starts at 0: without times it begins here. */
enum { SLICES_EARLIEST_NS = 1000 };

struct slice {
	node_id stack;
	bool idle; /* nothing ran: stack, weight and samples are 0 */
	uint64_t from_ns, until_ns;
	uint64_t weight, samples;
};

struct slices {
	const struct profile *p;             /* borrowed */
	const struct profile_thread *thread; /* NULL: all is one track */
	bool timed;
	uint64_t period_ns;
	uint64_t start_ns, end_ns;              /* of the whole track */
	const struct off_cpu_interval *off_cpu; /* of the thread, n_away of them */
	size_t n_away;
	bool away_complete; /* it ran where it was not off_cpu */
	/* where the walk is */
	size_t at, at_away;
	uint64_t from_ns;                     /* where the next slice begins; 0: at its sample */
	uint64_t weight;                      /* of the stacks that were walked */
	uint64_t idle_from_ns, idle_until_ns; /* equal: no gap */
};

uint32_t slices_tracks(const struct profile *p);
/* Begin a track; false if it holds nothing. */
bool slices_start(
	struct slices *s, const struct profile *p, const struct output_opts *o, uint32_t track);
/* Walk the same track again. */
void slices_rewind(struct slices *s);
bool slices_next(struct slices *s, struct slice *out);

/* "node (12/34)": the thread's name, process and thread. */
void slices_put_track_name(const struct slices *s, struct buf *b);

#endif
