/*
 * durations.h - how long things took: what `perfold spans` makes of pairs of events
 *
 * Owns: its lists; names are in the strtab of the run. Threads: read by any.
 */
#ifndef PERFOLD_MODEL_DURATIONS_H
#define PERFOLD_MODEL_DURATIONS_H

#include "model/profile.h"

struct duration {
	uint64_t from_ns, duration_ns;
	uint32_t kind;   /* number in durations.kinds */
	uint32_t thread; /* number in durations.threads: the one that began it */
	node_id stack;   /* where it began; MARK_NO_STACK: not known */
	str_id detail;   /* "fd 24, 262144 bytes, /tmp/x"; 0: none */
	node_id beside;  /* of a wait for a CPU: where left it who ran instead; 0: not known */
};

struct duration_kind {
	str_id name;
	bool waits; /* it is expected to take long: not listed among the slow ones */
	/* Once durations_finish() was called: */
	uint64_t count, total_ns, max_ns, p50_ns, p95_ns, p99_ns;
	size_t first; /* of its durations in durations.ranked */
};

struct duration_thread {
	int32_t pid, tid;
	str_id name;
	uint32_t recording; /* number of the input */
};

/* Events that could not be paired. */
struct durations_left_out {
	uint64_t unended; /* began, and did not end before the next of the same */
	uint64_t unbegun; /* ended, with no beginning in the recording */
	uint64_t open;    /* had not ended when the recording did */
	uint64_t lost;    /* records were lost in them */
	uint64_t unkeyed; /* the field to pair by is missing */
};

struct durations {
	struct duration *item; /* by their end */
	size_t n, cap;
	struct duration_kind *kinds;
	uint32_t n_kinds, cap_kinds;
	struct duration_thread *threads;
	uint32_t n_threads, cap_threads;
	struct durations_left_out left_out;
	uint32_t *ranked;        /* by kind, then the shortest first */
	uint32_t *by_total;      /* numbers of kinds, by total, largest first */
	uint64_t from_ns, to_ns; /* of all durations together */
};

/* Durations as a page shows them. All is borrowed. */
struct durations_shown {
	const struct durations *d;
	const struct profile *p; /* that has their stacks */
	const char *measure;     /* what they are of: a preset, or "BEGIN..END" */
	const char *command;     /* arguments of perfold spans for the same; NULL: none does */
	/* What --during calls them, of what it can list: then also numbers by item, 0: none.
	 * NULL: it cannot. */
	const char *during;
	const uint32_t *number;
	/* Those that are not waits, the slowest first. */
	const uint32_t *slow;
	size_t n_slow;
	bool has_samples; /* beside the events that begin and end them */
};

void durations_release(struct durations *d);
/* The kind with a name; a new one if there is none. */
uint32_t durations_kind(struct durations *d, str_id name);
void durations_add(struct durations *d, const struct duration *item);
/* Computes the figures, once all are added. */
void durations_finish(struct durations *d, const struct strtab *strings);

#endif
