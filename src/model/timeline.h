/*
 * timeline.h - samples in time, for the writers that need order
 *
 * Only on demand: at most 32 bytes an event. A worker appends rows; once all stacks are known,
 * row.stack (a number in the worker's log) is turned into a node of the profile.
 *
 * Owns: its rows. Threads: each has its own.
 */
#ifndef PERFOLD_MODEL_TIMELINE_H
#define PERFOLD_MODEL_TIMELINE_H

#include "base/hash.h"
#include "base/index.h"
#include "model/stacklog.h"
#include "model/switch_state.h"

struct timeline_row {
	uint64_t time_ns;
	uint64_t weight;
	uint32_t thread;     /* index into timeline.threads; in a profile: into its threads */
	uint32_t stack;      /* stack_id of the log; after collapse: node of the profile */
	uint32_t event : 28; /* index into recording.events */
	uint32_t wait : 4;   /* 0: it ran; else it waited: enum switch_state, plus 1 */
	int32_t cpu;         /* -1: not known */
};

_Static_assert(STATE_COUNT < 16, "a state, plus 1, has 4 bits");

struct timeline {
	struct timeline_row *rows;
	size_t n, cap;
	/* Threads of this worker's rows: index -> (pid, tid). */
	struct timeline_thread {
		int32_t pid, tid;
		str_id name; /* that of the latest row */
		/* What keeps its rows apart, as if it were several: its cgroup, or the label that
		 * --split is by; 0: nothing. */
		str_id group;
		uint64_t name_time_ns;
	} * threads;
	uint32_t n_threads, cap_threads;
	struct index by_thread;
};

struct timeline *timeline_new(void);
void timeline_free(struct timeline *t);
/* The index of a thread; a new one if it is not known. */
uint32_t timeline_thread(
	struct timeline *t, int32_t pid, int32_t tid, str_id name, uint64_t time_ns);
uint32_t timeline_thread_in(
	struct timeline *t, int32_t pid, int32_t tid, str_id group, str_id name, uint64_t time_ns);
/* Append a row; returns its number, the tag for stacklog_add(). */
uint32_t timeline_add(struct timeline *t, const struct timeline_row *row);
/* For stacklog_set_on_stack(). */
void timeline_set_stack(void *timeline, uint32_t tag, stack_id stack);

#endif
