/*
 * threads.h - names, processes and address spaces of threads, over time
 *
 * Built from COMM, FORK and EXIT records in order of time, then frozen. A tid at a clock is in its
 * last state up to there.
 *
 *  - A tid that is seen without a FORK was there from the beginning.
 *  - A FORK starts a new life of its tid: a thread of the same process, or a process with a new
 * space.
 *  - A FORK that perf made up, of a thread known to be running, says nothing new: each file of a
 *    --switch-output run lists the threads that are there.
 *  - A record of a thread that has ended, or that was in another process, means a lost FORK.
 *  - The leader may end before its threads; the process stays.
 *  - exec starts a new, empty space. perf overlays the old one, so --compat does not.
 *  - A thread that has ended is still found, as it is sampled while it ends, until its tid is
 *    reused. For perf 6.1 it does not even end (an EXIT only drops a reference), so for --compat.
 *
 * Owns: the states. Borrows: the spaces. Threads: build from one, look up from any. Private to
 * process/.
 */
#ifndef PERFOLD_PROCESS_WORLD_THREADS_H
#define PERFOLD_PROCESS_WORLD_THREADS_H

#include "base/index.h"
#include "process/world/spaces.h"

struct thread_state {
	clock_id from;
	uint32_t tid_number; /* index into tids */
	int32_t pid;
	str_id name; /* 0: not known */
	space_id space;
	bool ended;
};

struct threads {
	struct spaces *spaces;
	str_id swapper;
	bool compat_perf;
	struct thread_state *states; /* in order of clocks; once frozen, by tid and clock */
	uint32_t n_states, cap_states;
	struct thread_tid {
		int32_t tid;
		uint32_t latest; /* of its states; once frozen, the last of them */
		uint32_t first;  /* once frozen */
	} * tids;
	uint32_t n_tids, cap_tids;
	struct index by_tid;
};

void threads_init(struct threads *t, struct spaces *spaces, str_id swapper, bool compat_perf);
void threads_release(struct threads *t);

/* The changes hold from the clock on, which must not go back. */
void threads_fork(struct threads *t, clock_id from, int32_t pid, int32_t ppid, int32_t tid,
	int32_t ptid, bool synthesized);
void threads_rename(
	struct threads *t, clock_id from, int32_t pid, int32_t tid, str_id name, bool exec);
void threads_exit(struct threads *t, clock_id from, int32_t pid, int32_t tid);
/* The space that a mapping of the thread belongs to. */
space_id threads_space(struct threads *t, clock_id from, int32_t pid, int32_t tid);
void threads_freeze(struct threads *t);

/* The state of the tid at the clock, NULL where it is not known; *from and *until are narrowed to
 * the clocks between which this holds. */
const struct thread_state *threads_find(
	const struct threads *t, int32_t tid, clock_id clock, clock_id *from, clock_id *until);
/* The last name of the leader of a process, 0: none. */
str_id threads_last_name(const struct threads *t, int32_t pid);

#endif
