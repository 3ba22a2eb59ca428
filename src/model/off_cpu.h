/*
 * off_cpu.h - when threads were not on a CPU, by the context switches of a recording
 *
 * Only on demand, for writers that draw threads over time: a sample shows that a thread runs, but
 * only a switch shows that it stopped.
 *
 * Owns: its intervals. Threads: made by one, then read by any.
 */
#ifndef PERFOLD_MODEL_OFF_CPU_H
#define PERFOLD_MODEL_OFF_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct off_cpu_interval {
	uint64_t from_ns;
	uint64_t until_ns; /* at the latest: the return may not have been recorded */
	int32_t tid;
};

/* A zeroed struct is empty. */
struct off_cpu {
	struct off_cpu_interval
		*interval; /* by tid, then by time; those of a thread do not overlap */
	size_t n, cap;
	bool complete; /* a thread was on a CPU outside its intervals */
};

void off_cpu_release(struct off_cpu *a);
/* A context switch, in any order. */
void off_cpu_add_departure(struct off_cpu *a, int32_t tid, uint64_t time_ns);
void off_cpu_add_return(struct off_cpu *a, int32_t tid, uint64_t time_ns);
/* Adds what from has, and empties it. */
void off_cpu_merge(struct off_cpu *to, struct off_cpu *from);
/* Joins departures and returns, once all are added. */
void off_cpu_finish(struct off_cpu *a);

/* The intervals of a thread. */
const struct off_cpu_interval *off_cpu_of_thread(const struct off_cpu *a, int32_t tid, size_t *n);

#endif
