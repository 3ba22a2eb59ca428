/*
 * parallelism.h - how many threads ran at each moment: of each process, or of a whole recording
 *
 * From switches (switch_log.h), it is exact:
 *
 *	IN	a thread begins to run
 *	OUT	it stops, or ends; one that does so first has run since the recording began
 *	RAN	a sample: a moment that will be asked for, of its process
 *
 * From samples alone it is an estimate: a sample (RAN) shows that a thread of its process ran on
 * its CPU, from half an interval before until half an interval after. Where one follows on the same
 * CPU within one and a half intervals, the CPU did not stop in between. The interval is the median
 * of the times between two samples of a CPU. Samples without a CPU are told apart by their thread.
 *
 * The result is a step function of time for each process. From switches, it is right at the moments
 * that RAN names: a program can switch a million times between two samples, so what happened in
 * between is not kept. Thread 0, idle, never counts.
 *
 * perf's definition of parallelism (perf report --latency) is that of the whole recording.
 *
 * Owns: its steps. Threads: made by one, then read by any, each with a cursor of its own.
 * Source: tools/perf/Documentation/cpu-and-latency-overheads.txt.
 */
#ifndef PERFOLD_TRACE_PARALLELISM_H
#define PERFOLD_TRACE_PARALLELISM_H

#include "base/index.h"
#include "trace/switch_log.h"

struct parallelism_opts {
	bool by_process;        /* else all threads are counted together */
	bool from_samples;      /* there are no switches: RAN shows that a thread ran */
	uint32_t count_at_most; /* CPUs that there were; 0: not known */
};

/* From its time on, so many more threads ran than at the start, or fewer. */
struct parallelism_step {
	uint64_t time_ns;
	int32_t more;
};

/* A zeroed struct says 1 for any time. */
struct parallelism {
	struct parallelism_process {
		int32_t pid;
		uint32_t n_at_start; /* before the first step */
		size_t from, to;     /* its steps */
	} * process;                 /* one for all where processes are not told apart */
	uint32_t n_processes, cap_processes;
	struct index by_pid;
	struct parallelism_step *steps; /* by process, then by time */
	bool by_process;
	uint32_t count_at_most;
};

/* Rows of several logs: IN and OUT, or RAN. A class has its process in thread. Logs may be put in
 * order. */
void parallelism_make(struct parallelism *p, struct switch_log *logs, unsigned n,
	const struct parallelism_opts *o);
void parallelism_release(struct parallelism *p);

/* A cursor remembers where the last answer was: the next one is mostly near. A zeroed one is new.
 */
struct parallelism_cursor {
	uint32_t process;
	size_t step;
};

/* How many threads ran; at least 1: the one that asks. */
uint32_t parallelism_at(
	const struct parallelism *p, struct parallelism_cursor *c, int32_t pid, uint64_t time_ns);

#endif
