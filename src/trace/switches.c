#include "trace/switches.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/search.h"
#include "trace/rowmerge.h"

#include <stdlib.h>

enum switch_state switch_state_of(uint64_t prev_state)
{
	static const uint8_t of_bit[] = { STATE_INTERRUPTIBLE, STATE_DISK, STATE_STOPPED,
		STATE_STOPPED, STATE_ENDED, STATE_ENDED, STATE_OTHER, STATE_OTHER };
	uint64_t known = prev_state & ((1u << sizeof(of_bit)) - 1);

	return known ? (enum switch_state)of_bit[__builtin_ctzll(known)] : STATE_PREEMPTED;
}

const char *switch_state_name(enum switch_state s)
{
	static const char *const names[STATE_COUNT] = { "blocked", "interruptible", "disk",
		"preempted", "stopped", "other", "ended" };

	return names[s];
}

size_t switch_log_add(struct switch_log *l, const struct switch_row *row)
{
	ARRAY_GROW(l->rows, l->n, l->cap);
	if (!l->n || switch_row_is_after(&l->rows[l->n - 1], row)) {
		ARRAY_GROW(l->stretches, l->n_stretches, l->cap_stretches);
		l->stretches[l->n_stretches++] = (uint32_t)l->n;
	}
	l->rows[l->n] = *row;
	return l->n++;
}

void switch_log_release(struct switch_log *l)
{
	free(l->rows);
	free(l->stretches);
	*l = (struct switch_log){ 0 };
}

/* ---- the threads -------------------------------------------------------------------------- */

#define NO_PLACE ((struct switch_place){ UINT32_MAX, 0 })

struct switches_thread {
	int32_t tid;
	bool off, seen;            /* off its processor; anything is known of it */
	struct switch_place out;   /* where off: the row that says so */
	struct switch_place waker; /* the first that woke it since */
	struct switch_place ran;   /* its last sample while it ran */
	uint64_t since_ns;         /* on its processor, and not told of */
	uint64_t before_ns;        /* that it ran before its first sample */
};

enum { SEEN_SLOTS = 1024 };

struct join {
	const struct switches_opts *opts;
	struct switch_log *logs;
	struct switches_counts *counts;
	switches_take take;
	void *ctx;
	struct switches_thread *threads;
	uint32_t n_threads, cap_threads;
	struct index by_tid;
	uint32_t seen[SEEN_SLOTS]; /* thread with the last digits of the place, seen last */
};

static const struct switch_row *row_at(const struct join *j, struct switch_place p)
{
	return p.log == UINT32_MAX ? NULL : &j->logs[p.log].rows[p.row];
}

static uint32_t look_up_thread(struct join *j, int32_t tid)
{
	uint64_t hash = hash_u64((uint32_t)tid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&j->by_tid, hash, c, i)
		if (j->threads[i].tid == tid)
			return i;
	ARRAY_GROW(j->threads, j->n_threads, j->cap_threads);
	j->threads[j->n_threads] = (struct switches_thread){
		.tid = tid, .out = NO_PLACE, .waker = NO_PLACE, .ran = NO_PLACE
	};
	index_add(&j->by_tid, hash, j->n_threads);
	return j->n_threads++;
}

static struct switches_thread *find_thread(struct join *j, int32_t tid)
{
	uint32_t *seen = &j->seen[(uint32_t)tid % SEEN_SLOTS];

	if (*seen >= j->n_threads || j->threads[*seen].tid != tid)
		*seen = look_up_thread(j, tid);
	return &j->threads[*seen];
}

/* ---- pieces ------------------------------------------------------------------------------- */

/* Were records lost between the two? */
static bool is_lost(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	/* The first that ends behind from; ranges do not overlap. */
	size_t low = search_first(i, 0, o->n_lost, o->lost[i].to_ns > from_ns);

	return low < o->n_lost && o->lost[low].from_ns < to_ns;
}

static bool is_wanted_length(const struct switches_opts *o, uint64_t ns)
{
	return ns && ns >= o->min_ns && (!o->max_ns || ns <= o->max_ns);
}

static void tell(struct join *j, struct switch_place at, struct switch_place waker,
	struct time_range when, bool again)
{
	const struct switch_row *row = row_at(j, at);
	struct time_range wanted = j->opts->wanted;
	struct switches_piece p = {
		.row = row, .at = at, .waker = row_at(j, waker), .waker_at = waker, .again = again
	};

	if (when.from_ns < wanted.from_ns)
		when.from_ns = wanted.from_ns;
	if (when.to_ns > wanted.to_ns)
		when.to_ns = wanted.to_ns;
	if (when.from_ns >= when.to_ns || row->thread == UINT32_MAX)
		return;
	p.from_ns = when.from_ns;
	p.duration_ns = when.to_ns - when.from_ns;
	if (row->kind == SWITCH_OUT && !is_wanted_length(j->opts, p.duration_ns))
		return;
	j->counts->blocked += row->kind == SWITCH_OUT;
	j->take(j->ctx, &p);
}

static void drop(struct join *j, const struct switches_thread *t, uint64_t *count, uint64_t to_ns)
{
	const struct switch_row *out = row_at(j, t->out);

	if (out->thread == UINT32_MAX)
		return;
	++*count;
	j->counts->dropped_ns += to_ns - out->time_ns;
}

/* It is known to be back. */
static void come_back(struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	const struct switch_row *out;

	if (t->off) {
		out = row_at(j, t->out);
		if (is_lost(j->opts, out->time_ns, at_ns))
			drop(j, t, &j->counts->lost, at_ns);
		else
			tell(j, t->out, t->waker, (struct time_range){ out->time_ns, at_ns },
				false);
	}
	if (t->off || !t->seen)
		t->since_ns = at_ns;
	t->off = false;
	t->seen = true;
}

/* It is running though it was away: when it came back is not known. */
static void be_there(struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off)
		drop(j, t, &j->counts->unended, at_ns);
	if (t->off || !t->seen)
		t->since_ns = at_ns;
	t->off = false;
	t->seen = true;
}

/* What it has run since, to the sample taken last. */
static void tell_run(struct join *j, struct switches_thread *t, uint64_t to_ns, bool again)
{
	if (t->ran.log == UINT32_MAX) {
		t->before_ns += to_ns - t->since_ns;
	} else {
		tell(j, t->ran, NO_PLACE, (struct time_range){ t->since_ns - t->before_ns, to_ns },
			again);
		t->before_ns = 0;
	}
	t->since_ns = to_ns;
}

static void leave(struct join *j, struct switches_thread *t, struct switch_place at)
{
	const struct switch_row *row = row_at(j, at);

	be_there(j, t, row->time_ns);
	tell_run(j, t, row->time_ns, true);
	t->off = row->state != STATE_ENDED;
	t->seen = t->off;
	t->out = at;
	t->waker = NO_PLACE;
}

static void run(struct join *j, struct switches_thread *t, struct switch_place at)
{
	const struct switch_row *row = row_at(j, at);

	be_there(j, t, row->time_ns);
	t->ran = at;
	tell_run(j, t, row->time_ns, false);
}

/* Is it a thread, of this share? */
static inline bool is_mine(const struct join *j, int32_t tid)
{
	return tid > 0 &&
	       (j->opts->shares < 2 || (uint32_t)tid % j->opts->shares == j->opts->share);
}

static void take_row(struct join *j, struct switch_place at)
{
	const struct switch_row *row = row_at(j, at);
	struct switches_thread *t;

	switch (row->kind) {
	case SWITCH_IN:
		if (is_mine(j, row->tid))
			come_back(j, find_thread(j, row->tid), row->time_ns);
		break;
	case SWITCH_OUT:
		if (is_mine(j, row->tid))
			leave(j, find_thread(j, row->tid), at);
		if (is_mine(j, row->other_tid))
			come_back(j, find_thread(j, row->other_tid), row->time_ns);
		break;
	case SWITCH_WAKE:
		if (!is_mine(j, row->other_tid))
			break;
		t = find_thread(j, row->other_tid);
		if (t->off && t->waker.log == UINT32_MAX)
			t->waker = at;
		break;
	case SWITCH_RAN:
		if (is_mine(j, row->tid))
			run(j, find_thread(j, row->tid), at);
		break;
	}
}

static void finish(struct join *j, uint64_t last_ns)
{
	uint32_t i;

	for (i = 0; i < j->n_threads; i++) {
		struct switches_thread *t = &j->threads[i];

		if (t->off)
			j->counts->open += row_at(j, t->out)->thread != UINT32_MAX;
		else if (t->seen)
			tell_run(j, t, last_ns, true);
	}
}

void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, switches_take take, void *ctx)
{
	struct join j = { .opts = o, .logs = logs, .counts = counts, .take = take, .ctx = ctx };
	struct switch_place at = NO_PLACE;
	const struct switch_row *row;
	struct row_merge m;
	uint64_t last_ns = 0;

	*counts = (struct switches_counts){ 0 };
	row_merge_init(&m, logs, n);
	while ((row = row_merge_next(&m, &at))) {
		last_ns = row->time_ns;
		take_row(&j, at);
	}
	finish(&j, last_ns);
	row_merge_release(&m);
	free(j.threads);
	index_release(&j.by_tid);
}
