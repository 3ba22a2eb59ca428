/*
 * switches.h - off-CPU time: a thread's switch from its CPU joined to its return
 *
 * All that the logs have (switch_log.h: OUT, IN, WAKE, RAN) is walked once, by time:
 *
 *  - A thread's return is the next IN of its tid, or OUT with it as other_tid, whichever comes
 *    first. Often one of them alone is there: with perf record -p no other thread's OUT is seen,
 *    and without --switch-events no IN; where both are, the OUT is the moment of the switch and the
 *    IN some microseconds later.
 *  - Before it returns it cannot leave again, nor run: where it does, its return was not recorded,
 *    and the time is dropped and counted. So is a time in which records were lost; one that has no
 *    end within the recording; one that an exit of its thread ends.
 *  - Who wakes a thread may have been woken itself, by another, while that one waited: then that is
 *    part of the reason, and so on. What woke it before is not, as it ran all the time; nor is
 *    what woke the thread that an interrupt happened to hit.
 *  - The idle task (tid 0) is no thread.
 *  - Times are cut to the range that is wanted and to the spans of --during, then compared with the
 *    shortest and longest; one that is in several spans is emitted in pieces.
 *  - With RAN, a thread's time on a CPU goes to its samples: to each what has passed since the one
 *    before, and the rest to the last. So the intervals of a thread that has samples, and what is
 *    dropped, add up to the time between the first and the last that is known of it.
 *
 * Owns: a join its threads. Threads: one, or one for each part of a join.
 * Source: offcputime, offwaketime of bcc.
 */
#ifndef PERFOLD_TRACE_SWITCHES_H
#define PERFOLD_TRACE_SWITCHES_H

#include "model/thread_times.h"
#include "trace/switch_log.h"

enum { SWITCHES_WAKERS_MAX = 16 };

struct switches_opts {
	unsigned n_wakers; /* who ended a wait, who ended that one's, and so on: at most so many */
	uint64_t min_ns, max_ns;           /* durations outside these are left out; max 0: any */
	struct time_range wanted;          /* both inclusive */
	const struct thread_times *inside; /* times outside are left out; NULL: of none */
	const struct time_range *lost; /* records were lost somewhere in these; sorted by from_ns */
	size_t n_lost;
};

struct switches_waker {
	const struct switch_class *class;
	uint32_t log;
};

struct switches_interval {
	const struct switch_class *class; /* OUT: off its CPU; RAN: on it */
	uint32_t log;
	/* Who ended it, who ended the wait of that one while it lasted, ... */
	const struct switches_waker *wakers;
	unsigned n_wakers;
	int32_t cpu;
	uint64_t from_ns, duration_ns;
	bool again; /* more of a RAN that was emitted before */
};

struct switches_counts {
	uint64_t blocked;       /* intervals off a CPU that were emitted */
	uint64_t lost, unended; /* dropped: records lost in them; no return recorded */
	uint64_t open;          /* not back at the end */
	uint64_t dropped_ns;    /* of lost and unended */
};

struct switch_sum {
	uint64_t duration_ns, intervals; /* without those that are more of one before */
};

/* Who gets the intervals. */
struct switches_sink {
	void (*emit)(void *ctx, const struct switches_interval *p);
	void *ctx;
	/* By log and class: intervals that nobody ended are added up there instead of being
	 * emitted, which is little work for each. NULL, or NULL for a log: they are emitted. */
	struct switch_sum *const *sums;
};

/* Intervals come by the time of their end. */
void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, const struct switches_sink *to);

/* Logs with rows OUT and IN only, cut into parts of the time with about as many rows each. NULL if
 * there are other rows: which sample has the time before depends on all that was before. Borrows
 * the logs and the options. */
struct switches_parts;
struct switches_parts *switches_cut(
	struct switch_log *logs, unsigned n, const struct switches_opts *o, unsigned n_parts);
unsigned switches_part_count(const struct switches_parts *p);
/* Each part once, in any order, in parallel. */
void switches_join_part(struct switches_parts *p, unsigned part, const struct switches_sink *to);
/* After all parts: what reaches from one into another. Frees p. */
void switches_join_ends(
	struct switches_parts *p, struct switches_counts *counts, const struct switches_sink *to);

#endif
