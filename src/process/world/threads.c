/*
 * A thread's history is a list of states: what a tid was from a clock on. Records come in order of
 * clocks and touch the latest state of a tid only; threads_freeze() sorts all states by tid (a
 * counting sort, which keeps the order of clocks), so that a look-up is a binary search among those
 * of one tid.
 *
 *	tid 7:	[ from 0, pid 7, "sh", space 1 ] [ from 5, pid 7, "ls", space 2 ] [ from 9, ended ]
 *	tid 8:	[ from 3, pid 7, "sh", space 1 ] ...
 *
 * A recording is incomplete: it starts in the middle, and records get lost. So each record that
 * names a thread first makes sure that there is one it can be about (find_or_add): one that was
 * never seen was there from the beginning; one that ended, or belongs to another process, has lost
 * its FORK and is a new thread from here on. A new leader keeps its process's address space while
 * threads of it live (n_live).
 *
 * Changes by one record count as one state. Source: tools/perf/util/machine.c
 * (machine__process_fork, comm, exit) and thread.c; kernel/events/core.c for when the records are
 * written.
 */
#include "process/world/threads.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/bisect.h"

#include <stdlib.h>

void threads_init(struct threads *t, struct spaces *spaces, str_id swapper, bool compat_perf)
{
	*t = (struct threads){ .spaces = spaces, .swapper = swapper, .compat_perf = compat_perf };
}

void threads_release(struct threads *t)
{
	free(t->states);
	free(t->tids);
	index_release(&t->by_tid);
	*t = (struct threads){ 0 };
}

/* ---- states ------------------------------------------------------------------------------- */

static struct thread_tid *find_tid(const struct threads *t, int32_t tid)
{
	struct index_cursor c;
	uint32_t i;

	index_for_each (&t->by_tid, hash_u64((uint32_t)tid), c, i)
		if (t->tids[i].tid == tid)
			return &t->tids[i];
	return NULL;
}

static struct thread_tid *add_tid(struct threads *t, int32_t tid)
{
	ARRAY_GROW(t->tids, t->n_tids, t->cap_tids);
	t->tids[t->n_tids] = (struct thread_tid){ .tid = tid };
	index_add(&t->by_tid, hash_u64((uint32_t)tid), t->n_tids);
	return &t->tids[t->n_tids++];
}

static struct thread_state *latest_state(const struct threads *t, int32_t tid)
{
	const struct thread_tid *known = find_tid(t, tid);

	return known ? &t->states[known->latest] : NULL;
}

static void count_live(struct threads *t, const struct thread_state *s, int change)
{
	if (!s->ended)
		t->spaces->space[s->space].n_live += (uint32_t)change;
}

static bool is_news(const struct thread_state *new, const struct thread_state *old)
{
	return new->pid != old->pid || new->name != old->name || new->space != old->space ||
	       new->ended != old->ended;
}

/* From now on tid is in state s. Changes by one record make one state. */
static void set_state(struct threads *t, int32_t tid, struct thread_state s)
{
	struct thread_state *old = latest_state(t, tid);
	struct thread_tid *owner = find_tid(t, tid);

	count_live(t, &s, 1);
	if (old)
		count_live(t, old, -1);
	if (old && !is_news(&s, old))
		return;
	if (!owner)
		owner = add_tid(t, tid);
	s.tid_number = (uint32_t)(owner - t->tids);
	if (old && old->from == s.from) {
		*old = s;
		return;
	}
	ARRAY_GROW(t->states, t->n_states, t->cap_states);
	owner->latest = t->n_states;
	t->states[t->n_states++] = s;
}

/* ---- the thread of a record --------------------------------------------------------------- */

/* The state of a thread, if it can be that of a record: it runs, and in this process. */
static const struct thread_state *running(const struct threads *t, int32_t pid, int32_t tid)
{
	const struct thread_state *s = latest_state(t, tid);

	return s && s->pid == pid && !s->ended ? s : NULL;
}

/* A leader's maps are those of its process. */
static space_id leader_space(struct threads *t, int32_t pid)
{
	const struct thread_state *s = latest_state(t, pid);

	if (s && s->pid == pid && t->spaces->space[s->space].n_live)
		return s->space;
	return spaces_add(t->spaces, pid, 0, CLOCK_START);
}

static struct thread_state find_or_add(struct threads *t, clock_id from, int32_t pid, int32_t tid);

static space_id process_space(struct threads *t, clock_id from, int32_t pid)
{
	const struct thread_state *s = latest_state(t, pid);

	if (s && s->pid == pid)
		return s->space;
	return find_or_add(t, from, pid, pid).space;
}

static struct thread_state find_or_add(struct threads *t, clock_id from, int32_t pid, int32_t tid)
{
	const struct thread_state *s = running(t, pid, tid);
	struct thread_state new;

	if (s)
		return *s;
	new = (struct thread_state){ .from = latest_state(t, tid) ? from : CLOCK_START,
		.pid = pid,
		.name = tid ? 0 : t->swapper,
		.space = tid == pid ? leader_space(t, pid) : process_space(t, from, pid) };
	set_state(t, tid, new);
	return new;
}

/* ---- records ------------------------------------------------------------------------------ */

void threads_fork(struct threads *t, clock_id from, int32_t pid, int32_t ppid, int32_t tid,
	int32_t ptid, bool synthesized)
{
	struct thread_state new = { .from = from, .pid = pid };
	struct thread_state parent;

	if (pid <= 0 || tid <= 0 || ppid < 0 || ptid < 0)
		return;
	if (synthesized && !t->compat_perf && running(t, pid, tid))
		return;
	parent = find_or_add(t, from, ppid, ptid);
	new.name = parent.name;
	if (tid != pid)
		new.space = process_space(t, from, pid);
	else if (pid == ppid)
		new.space = leader_space(t, pid);
	else
		new.space = spaces_add(t->spaces, pid, synthesized ? 0 : parent.space, from);
	set_state(t, tid, new);
}

void threads_rename(
	struct threads *t, clock_id from, int32_t pid, int32_t tid, str_id name, bool exec)
{
	struct thread_state s, leader;

	if (pid <= 0 || tid <= 0)
		return;
	s = find_or_add(t, from, pid, tid);
	s.from = from;
	s.name = name;
	if (exec && !t->compat_perf) {
		s.space = spaces_add(t->spaces, pid, 0, from);
		leader = find_or_add(t, from, pid, pid);
		leader.from = from;
		leader.space = s.space;
		set_state(t, pid, leader);
	}
	set_state(t, tid, s);
}

void threads_exit(struct threads *t, clock_id from, int32_t pid, int32_t tid)
{
	const struct thread_state *s = running(t, pid, tid);
	struct thread_state ended;

	if (!s || t->compat_perf)
		return;
	ended = *s;
	ended.from = from;
	ended.ended = true;
	set_state(t, tid, ended);
}

space_id threads_space(struct threads *t, clock_id from, int32_t pid, int32_t tid)
{
	return pid <= 0 || tid <= 0 ? 0 : find_or_add(t, from, pid, tid).space;
}

/* ---- look-up ------------------------------------------------------------------------------ */

/* A counting sort by tid keeps the states of one tid in order of clocks. */
void threads_freeze(struct threads *t)
{
	struct thread_state *sorted = xreallocarray(NULL, t->n_states + 1, sizeof(*sorted));
	uint32_t i, next = 0, n;

	for (i = 0; i < t->n_tids; i++)
		t->tids[i].first = 0;
	for (i = 0; i < t->n_states; i++)
		t->tids[t->states[i].tid_number].first++;
	for (i = 0; i < t->n_tids; i++) {
		n = t->tids[i].first;
		t->tids[i].first = t->tids[i].latest = next;
		next += n;
	}
	for (i = 0; i < t->n_states; i++)
		sorted[t->tids[t->states[i].tid_number].latest++] = t->states[i];
	for (i = 0; i < t->n_tids; i++)
		t->tids[i].latest--;
	free(t->states);
	t->states = sorted;
	t->cap_states = t->n_states + 1;
}

static void narrow(clock_id *from, clock_id *until, clock_id by_from, clock_id by_until)
{
	if (*from < by_from)
		*from = by_from;
	if (*until > by_until)
		*until = by_until;
}

const struct thread_state *threads_find(
	const struct threads *t, int32_t tid, clock_id clock, clock_id *from, clock_id *until)
{
	const struct thread_tid *known = find_tid(t, tid);
	uint32_t low, end;

	if (!known)
		return NULL;
	end = known->latest + 1;
	low = bisect(i, known->first, end, t->states[i].from > clock);
	narrow(from, until, low > known->first ? t->states[low - 1].from : CLOCK_START,
		low < end ? t->states[low].from : CLOCK_END);
	return low > known->first ? &t->states[low - 1] : NULL;
}

str_id threads_last_name(const struct threads *t, int32_t pid)
{
	const struct thread_tid *known = find_tid(t, pid);
	uint32_t i;

	for (i = known ? known->latest + 1 : 0; known && i > known->first; i--)
		if (t->states[i - 1].pid == pid && t->states[i - 1].name)
			return t->states[i - 1].name;
	return 0;
}
