/*
 * switches.h - blocked time: a thread's switch from its processor joined to its return
 *
 * Workers note down what they see, in any order; then all is walked once, by time:
 *
 *	OUT	a sample of sched:sched_switch, or of context-switches: tid left, with this stack;
 *		other_tid is who came in its place, if the event says so
 *	IN	a PERF_RECORD_SWITCH: tid is back
 *	WAKE	a sample of sched:sched_waking or sched_wakeup: tid woke other_tid, with this stack
 *	RAN	a sample of another event (--wall): tid was running
 *
 * The rules:
 *
 * - A thread's return is the next IN of its tid, or OUT with it as other_tid, whichever comes
 *    first. Often one of them alone is there: with perf record -p no other thread's OUT is seen,
 *    and without --switch-events no IN; where both are, the OUT is the moment of the switch and the
 *    IN some microseconds later.
 *  - Before it returns it cannot leave again, nor run: where it does, its return was not recorded,
 *    and the time is dropped and counted. So is a time in which records were lost; one that has no
 *    end within the recording; one that an exit of its thread ends.
 *  - The idle task (tid 0) is no thread.
 *  - Times are cut to the range that is wanted, then compared with the shortest and longest.
 *  - With RAN, a thread's time on a processor goes to its samples: to each what has passed since
 *    the one before, and the rest to the last. So the pieces of a thread that has samples, and
 *    what is dropped, add up to the time between the first and the last that is known of it.
 *
 * The time can be cut into parts, joined at once: of each thread, the first row in a part waits for
 * what the parts before know.
 *
 * Owns: a log its rows, a join its threads. Threads: one for each log; one for each share or part
 * of a join. Source: perf_event_open(2), include/trace/events/sched.h; offcputime, offwaketime of
 * bcc.
 */
#ifndef PERFOLD_TRACE_SWITCHES_H
#define PERFOLD_TRACE_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum switch_kind { SWITCH_IN, SWITCH_OUT, SWITCH_WAKE, SWITCH_RAN };

enum switch_state {
	STATE_UNKNOWN,       /* the event does not say */
	STATE_INTERRUPTIBLE, /* S: waits for something, signals wake it */
	STATE_DISK,          /* D: waits for something that does not take long, as a rule */
	STATE_PREEMPTED,     /* R: could have run on */
	STATE_STOPPED,       /* T, t: by a signal or a debugger */
	STATE_OTHER,         /* P, I: parked, idle */
	STATE_ENDED,         /* X, Z: has exited, and does not come back */
	STATE_COUNT
};

/* From prev_state of sched_switch. */
enum switch_state switch_state_of(uint64_t prev_state);
/* "interruptible", "disk", ... */
const char *switch_state_name(enum switch_state s);

enum { SWITCH_NOBODY = -1 };
#define SWITCH_NO_STACK UINT32_MAX

enum { SWITCH_EVENTS_MAX = 1 << 14, SWITCH_CPUS_MAX = 1 << 12 };
/* Linux has no threads from here on (PID_MAX_LIMIT). */
enum { SWITCH_TIDS_MAX = 1 << 22 };

/* What many switches have in common: a thread waits in few places, again and again. */
struct switch_class {
	uint32_t thread;     /* the caller's number for tid; UINT32_MAX: nobody asks */
	uint32_t stack;      /* the caller's number; SWITCH_NO_STACK: not known yet */
	int32_t tid;         /* SWITCH_NOBODY: not known */
	uint32_t event : 14; /* below SWITCH_EVENTS_MAX */
	uint32_t kind : 2;   /* enum switch_kind */
	uint32_t state : 3;  /* enum switch_state */
};

/* A switch, apart from its time. Of these there are few as well: mostly the same few threads come
 * next. */
union switch_scene {
	struct {
		uint64_t what : 28;     /* number of a struct switch_class of its log */
		int64_t other_tid : 23; /* below SWITCH_TIDS_MAX; SWITCH_NOBODY: not known */
		int64_t cpu : 13;       /* below SWITCH_CPUS_MAX; -1: not known */
	};
	uint64_t all;
};

/* There are as many of these as switches, and fresh memory costs more than all that is done with
 * it: each byte counts. */
struct switch_row {
	uint32_t after_ns; /* since the begin of its stretch */
	uint16_t scene;    /* the lower half of its scene's number in the log */
} __attribute__((packed, aligned(2)));

_Static_assert(sizeof(union switch_scene) == 8, "there may be as many as switches");
_Static_assert(sizeof(struct switch_row) == 6, "there are as many as switches");
_Static_assert(STATE_COUNT <= 8, "a state has 3 bits");

/* Rows in order of time, up to the next stretch; no longer than 2^32 ns. */
struct switch_stretch {
	uint64_t begin_ns; /* its first row */
	uint32_t row;
};

enum { SWITCH_RECENT_BITS = 12 };

/* What one worker has seen; a zeroed struct is empty. */
struct switch_log {
	struct switch_row *rows;
	size_t n, cap;
	uint16_t *high; /* the upper halves of scenes' numbers; NULL, as a rule: all are 0 */
	size_t cap_high;
	struct switch_class *classes;
	uint32_t n_classes, cap_classes;
	union switch_scene *scenes; /* each once, as a rule */
	uint32_t n_scenes, cap_scenes;
	uint32_t *recent; /* 2^SWITCH_RECENT_BITS numbers of scenes by hash: those seen last */
	struct switch_stretch *stretches;
	size_t n_stretches, cap_stretches;
	size_t n_backward;          /* rows that are earlier than the row before */
	uint64_t begin_ns, last_ns; /* of the last stretch; of the last row */
	uint32_t kinds;             /* bits 1 << enum switch_kind of the kinds seen */
};

/* A switch as it is seen. */
struct switch_seen {
	struct switch_class what;
	uint64_t time_ns;
	int32_t other_tid, cpu;
};

#define SWITCH_NO_CLASS UINT32_MAX

/* Returns its number; SWITCH_NO_CLASS if there are 2^28 already. */
uint32_t switch_log_add_class(struct switch_log *l, const struct switch_class *what);
/* To call before a row that there is no room for, or that is not later than the last, or far from
 * it. */
void switch_log_make_room(struct switch_log *l, uint32_t what, const struct switch_seen *s);
uint32_t switch_log_add_scene(struct switch_log *l, union switch_scene scene);

static inline union switch_scene switch_scene_of(uint32_t what, int32_t other_tid, int32_t cpu)
{
	return (union switch_scene){ { .what = what, .other_tid = other_tid, .cpu = cpu } };
}

/* Its number, if it was seen lately; else a new one. */
static inline uint32_t switch_log_scene(struct switch_log *l, union switch_scene s)
{
	/* The upper bits of a product depend on all of what was multiplied. */
	uint64_t hash = s.all * 0x9e3779b97f4a7c15u;
	uint32_t *recent = &l->recent[hash >> (64 - SWITCH_RECENT_BITS)];

	if (l->scenes[*recent].all != s.all)
		*recent = switch_log_add_scene(l, s);
	return *recent;
}

/* Once there are more than 2^16 scenes. */
void switch_log_set_high(struct switch_log *l, size_t row, uint16_t high);

static inline void switch_log_set_scene(struct switch_log *l, size_t row, uint32_t scene)
{
	l->rows[row].scene = (uint16_t)scene;
	if (l->high || scene > UINT16_MAX)
		switch_log_set_high(l, row, (uint16_t)(scene >> 16));
}

/* The number of the scene of a row. */
static inline uint32_t switch_log_scene_at(const struct switch_log *l, size_t row)
{
	return (l->high ? (uint32_t)l->high[row] << 16 : 0) | l->rows[row].scene;
}

/* A row with the time, the other thread and the processor of s. There is none without what. */
static inline void switch_log_add(struct switch_log *l, uint32_t what, const struct switch_seen *s)
{
	if (what == SWITCH_NO_CLASS)
		return;
	if (l->n == l->cap || s->time_ns <= l->last_ns || s->time_ns - l->begin_ns > UINT32_MAX)
		switch_log_make_room(l, what, s);
	switch_log_set_scene(
		l, l->n, switch_log_scene(l, switch_scene_of(what, s->other_tid, s->cpu)));
	l->rows[l->n++].after_ns = (uint32_t)(s->time_ns - l->begin_ns);
	l->last_ns = s->time_ns;
}

static inline uint32_t switch_log_class_at(const struct switch_log *l, size_t row)
{
	return (uint32_t)l->scenes[switch_log_scene_at(l, row)].what;
}
/* A row turns out to tell of something else. */
void switch_log_set_class(struct switch_log *l, size_t row, uint32_t what);
/* The number of the stretch that a row is in, and where that ends. */
size_t switch_log_stretch(const struct switch_log *l, size_t row);
size_t switch_log_stretch_end(const struct switch_log *l, size_t stretch);
void switch_log_release(struct switch_log *l);

struct time_range {
	uint64_t from_ns, to_ns;
};

struct switches_opts {
	uint64_t min_ns, max_ns;       /* durations outside these are left out; max 0: any */
	struct time_range wanted;      /* both inclusive */
	const struct time_range *lost; /* records were lost somewhere in these; sorted by from_ns */
	size_t n_lost;
	unsigned share, shares; /* only a share of the threads; 0 shares: all */
};

struct switches_interval {
	const struct switch_class *what;  /* OUT: off its processor; RAN: on it */
	const struct switch_class *waker; /* who ended it, or NULL */
	uint32_t log, waker_log;          /* of both */
	int32_t cpu;
	uint64_t from_ns, duration_ns;
	bool again; /* more of a RAN that was told before */
};

struct switches_counts {
	uint64_t blocked;       /* pieces that were told */
	uint64_t lost, unended; /* dropped: records lost in them; no return recorded */
	uint64_t open;          /* not back at the end */
	uint64_t dropped_ns;    /* of lost and unended */
};

struct switch_sum {
	uint64_t duration_ns, pieces; /* pieces: without those that are more of one before */
};

/* Who gets the pieces. */
struct switches_sink {
	void (*take)(void *ctx, const struct switches_interval *p);
	void *ctx;
	/* By log and what: pieces that nobody ended are added up there instead of being handed
	 * over, which is little work for each. NULL, or NULL for a log: they are handed over. */
	struct switch_sum *const *sums;
};

/* Put the logs in order. */
void switches_order(struct switch_log *logs, unsigned n);

/* Pieces come by the time of their end. Once the logs are in order, shares can be joined in
 * parallel: each walks all rows, and no two tell of the same piece. */
void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, const struct switches_sink *to);

/* Logs in order, with rows OUT and IN only, cut into parts of the time with about as many rows
 * each. NULL if there are other rows. Borrows the logs and the options. */
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
