/*
 * slices.h - a thread's samples as intervals of time
 *
 * A sample is a moment, but viewers draw intervals: a slice lasts from its sample until the next
 * one, and the last slice one period.
 *
 * If the recording has context switches (model/off_cpu.h), an idle slice begins when the thread
 * first left its CPU before the next sample. It is as long as all of the thread's absences before
 * that sample together, so that a sample stays one slice; the time that the thread ran in between
 * belongs to the next sample, whose slice begins that much earlier.
 *
 *	sample     A                      B               switches: out 3-5 and 8-10, B at 12
 *	thread     |AAA--...--..|         |
 *	slices     [A 0-3][idle 3-7][B 7-...
 *
 * If it has none, and the next sample is more than two periods away, the thread is assumed to have
 * waited: the slice lasts one period, and an idle one fills the gap.
 *
 * Blocked time (--off-cpu, --wall) lasts as long as it weighs; the time between is idle.
 *
 * Without times every stack has one slice, or one for each sample of the thread, as long as its
 * weight.
 *
 * A track is a thread; if single samples are not known (folded stacks), everything is one track.
 *
 * Owns: nothing. Threads: each has its own.
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
	const struct off_cpu_interval *off_cpu; /* of the thread, n_off_cpu of them */
	size_t n_off_cpu;
	bool off_cpu_complete; /* no switch is missing: the thread ran outside of these */
	/* The walk. */
	size_t at, at_off_cpu;                /* the next row (or node) and the next interval */
	uint64_t from_ns;                     /* where the next slice begins; 0: at its sample */
	uint64_t weight;                      /* of the stacks walked so far */
	uint64_t idle_from_ns, idle_until_ns; /* equal: no gap */
};

uint32_t slices_tracks(const struct profile *p);
/* Begin a track; false if it is empty. */
bool slices_start(
	struct slices *s, const struct profile *p, const struct output_opts *o, uint32_t track);
/* Walk the same track again. */
void slices_rewind(struct slices *s);
bool slices_next(struct slices *s, struct slice *out);

/* "node (12/34)": the thread's name, pid and tid. */
void slices_put_track_name(const struct slices *s, struct buf *b);

#endif
