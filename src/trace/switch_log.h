/*
 * switch_log.h - the context switches that one worker saw: 8 bytes each
 *
 *	OUT	a sample of sched:sched_switch, or of context-switches: tid left, with this stack;
 *		other_tid is who came in its place, if the event says so
 *	IN	a PERF_RECORD_SWITCH: tid is back
 *	WAKE	a sample of sched:sched_waking or sched_wakeup: tid woke other_tid, with this stack
 *	RAN	a sample of another event (--wall): tid was running
 *
 * A thread waits in few places, so that most of what a switch says was said before:
 *
 *	rows		time since the run began | transition	one for each switch
 *	transitions	class | other tid | CPU			each once, nearly
 *	classes		thread | stack | event | kind | state	the same for many
 *	runs		first row | begin			rows in order, less than 2^32 ns
 *
 * perf writes its buffers one after the other, so the rows of a file are in order but where it goes
 * on to another CPU: there a run ends. switch_merge.h puts the runs in order.
 *
 * Owns: its tables. Threads: each worker has a log.
 * Source: perf_event_open(2), include/trace/events/sched.h.
 */
#ifndef PERFOLD_TRACE_SWITCH_LOG_H
#define PERFOLD_TRACE_SWITCH_LOG_H

#include "model/switch_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum switch_kind { SWITCH_IN, SWITCH_OUT, SWITCH_WAKE, SWITCH_RAN };

/* From prev_state of sched_switch. */
enum switch_state switch_log_state(uint64_t prev_state);

enum { SWITCH_NOBODY = -1 };
enum { SWITCH_EVENTS_MAX = 1 << 14, SWITCH_CPUS_MAX = 1 << 12 };
/* The thread did not wake the other one: an interrupt did while it ran. */
enum { SWITCH_BY_INTERRUPT = 1 };
/* Linux has no threads from here on (PID_MAX_LIMIT). */
enum { SWITCH_TIDS_MAX = 1 << 22 };
#define SWITCH_NO_STACK  UINT32_MAX
#define SWITCH_NO_CLASS  UINT32_MAX
#define SWITCH_NO_THREAD UINT32_MAX

/* What many switches have in common. */
struct switch_class {
	uint32_t thread;     /* the caller's number for tid; SWITCH_NO_THREAD: it is not wanted */
	uint32_t stack;      /* the caller's number; SWITCH_NO_STACK: not known yet */
	int32_t tid;         /* SWITCH_NOBODY: not known */
	uint32_t event : 14; /* below SWITCH_EVENTS_MAX */
	uint32_t kind : 2;   /* enum switch_kind */
	uint32_t state : 3;  /* enum switch_state; of WAKE: SWITCH_BY_INTERRUPT, or 0 */
};

_Static_assert(STATE_COUNT <= 8, "a state has 3 bits");

/* A switch, apart from its time: mostly the same few threads come next. */
union switch_transition {
	struct {
		uint64_t class : 28;    /* number of a struct switch_class of its log */
		int64_t other_tid : 23; /* below SWITCH_TIDS_MAX; SWITCH_NOBODY: not known */
		int64_t cpu : 13;       /* below SWITCH_CPUS_MAX; -1: not known */
	};
	uint64_t all;
};

struct switch_row {
	uint32_t after_ns; /* since the begin of its run */
	uint32_t transition;
};

struct switch_run {
	uint64_t begin_ns; /* its first row */
	uint32_t row;
};

/* A zeroed struct is empty. */
struct switch_log {
	struct switch_row *rows;
	size_t n, cap;
	struct switch_class *classes;
	uint32_t n_classes, cap_classes;
	union switch_transition *transitions;
	uint32_t n_transitions, cap_transitions;
	uint32_t *recent; /* numbers of transitions by hash: those seen last */
	struct switch_run *runs;
	size_t n_runs, cap_runs;
	size_t n_backward;          /* rows that are earlier than the row before */
	uint64_t begin_ns, last_ns; /* of the last run; of the last row */
	uint32_t kinds;             /* bits 1 << enum switch_kind of the kinds seen */
};

/* A switch as it is decoded. */
struct switch_seen {
	struct switch_class class;
	uint64_t time_ns;
	int32_t other_tid, cpu;
};

/* Returns its number; SWITCH_NO_CLASS if there are 2^28 already. */
uint32_t switch_log_add_class(struct switch_log *l, const struct switch_class *class);
/* A row with the time, the other thread and the CPU of s. SWITCH_NO_CLASS adds none. */
void switch_log_add(struct switch_log *l, uint32_t class, const struct switch_seen *s);
/* From this row on there is a new run. */
void switch_log_begin_run(struct switch_log *l, size_t row, uint64_t begin_ns);

static inline uint32_t switch_log_class_at(const struct switch_log *l, size_t row)
{
	return (uint32_t)l->transitions[l->rows[row].transition].class;
}

/* A row turns out to be of another class. */
void switch_log_set_class(struct switch_log *l, size_t row, uint32_t class);
/* The number of the run that a row is in, and where that ends. */
size_t switch_log_run_of(const struct switch_log *l, size_t row);
size_t switch_log_run_end(const struct switch_log *l, size_t run);

/* A row by its time. */
struct switch_point {
	uint64_t time_ns;
	uint32_t transition;
};

static inline struct switch_point switch_log_point(
	const struct switch_log *l, uint64_t begin_ns, size_t row)
{
	return (struct switch_point){ begin_ns + l->rows[row].after_ns, l->rows[row].transition };
}

/* The order of rows a and b of the logs la and lb. At one time a thread that returns does so before
 * anything else is known of it; the rest only makes the order the same, whoever saw what. */
bool switch_log_is_after(const struct switch_log *la, const struct switch_point *a,
	const struct switch_log *lb, const struct switch_point *b);

void switch_log_release(struct switch_log *l);

#endif
