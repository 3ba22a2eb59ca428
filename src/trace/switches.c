/*
 * How switches are joined: one state for each thread, which every row of its tid moves on.
 *
 *	             OUT of tid                     IN of tid, or OUT with tid as other_tid
 *	on its CPU ─────────────► off, since out ────────────────────────────────► on its CPU
 *	   │   ▲                        │ WAKE: wakers, of the first one          emits the interval
 *	   └───┘ RAN: emits             │ OUT or RAN of tid: its return was
 *	         what it ran            ▼ not recorded
 *	                            dropped, and counted
 *
 * A row names a transition (switch_log.h), so what a transition means is looked up once: its two
 * threads, and where its intervals are summed up. The cache has the last of these by number;
 * nearly all of a million rows are found there.
 *
 * In parallel, the time is cut into parts, each joined as if there had been nothing before. Of each
 * thread a part keeps its first row. Then the parts are gone through in order: that first row ends
 * what the parts before had begun, and from there on the part's own state holds. That is right for
 * OUT and IN, each of which says all about where its thread is; not for RAN and WAKE, whose effect
 * depends on rows before them, so these are joined by one thread.
 *
 * Memory: a struct for each thread, and the cache.
 */
#include "trace/switches.h"

#include "base/bisect.h"
#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "trace/switch_merge.h"

#include <stdlib.h>

/* A row that a thread remembers. */
struct switch_ref {
	uint64_t time_ns;
	uint64_t class : 28;
	uint64_t log : 22;     /* there are no more workers than threads */
	uint64_t unwanted : 1; /* its thread is not asked for */
	int64_t cpu : 13;
	struct switch_sum *sum; /* of the class; NULL: its intervals are emitted */
};

_Static_assert(SWITCH_TIDS_MAX <= 1 << 22, "a log has room");

/* What every row looks at comes first. */
struct switches_thread {
	int32_t tid;
	bool off, seen;                /* it is off its CPU; something is known of it */
	bool woken, ran;               /* it was, since it is off; last is set */
	bool emitted;                  /* some of its running was emitted */
	struct switch_ref out;         /* if it is off: the row that says so */
	unsigned n_wakers;             /* of its last wait; kept until it waits again */
	struct switch_ref last;        /* its last sample while it ran */
	uint64_t since_ns;             /* since when it is on its CPU, as far as was not emitted */
	uint64_t before_ns;            /* how long it ran before its first sample */
	struct switch_ref first;       /* its first row */
	const struct time_set *inside; /* the times that are wanted of it; NULL: all */
	/* The first that woke it, who woke that one, ...; the times are when. NULL: nobody did. */
	struct switches_wake {
		uint64_t time_ns;
		uint32_t class, log;
	} * wakers;
};

enum { NO_THREAD = UINT32_MAX };

struct cached_transition {
	uint64_t key;        /* 0: none */
	uint32_t who, other; /* numbers of threads, or NO_THREAD */
	uint8_t kind;
	bool for_good; /* the thread that leaves has ended */
	struct switch_ref row;
};

enum { CACHE_SLOTS = 1024 };

struct switches_joiner {
	const struct switches_opts *opts;
	bool has_samples; /* rows RAN: running is emitted, too */
	struct switch_log *logs;
	unsigned n_logs;
	struct switches_counts *counts;
	const struct switches_sink *to;
	struct switches_thread *threads;
	uint32_t n_threads, cap_threads;
	uint64_t last_ns;
	struct index by_tid;
	struct cached_transition *cache;
};

static const struct switch_class *class_of(
	const struct switches_joiner *j, const struct switch_ref *row)
{
	return &j->logs[row->log].classes[row->class];
}

/* Its number; row: one that names the thread. */
static uint32_t find_thread(struct switches_joiner *j, int32_t tid, const struct switch_ref *row)
{
	uint64_t hash = hash_u64((uint32_t)tid);
	struct index_cursor c;
	uint32_t i;

	if (tid <= 0)
		return NO_THREAD;
	index_for_each (&j->by_tid, hash, c, i)
		if (j->threads[i].tid == tid)
			return i;
	ARRAY_GROW(j->threads, j->n_threads, j->cap_threads);
	j->threads[j->n_threads] = (struct switches_thread){ .tid = tid,
		.first = *row,
		.inside = j->opts->inside ? thread_times_of(j->opts->inside, tid) : NULL };
	index_add(&j->by_tid, hash, j->n_threads);
	return j->n_threads++;
}

/* ---- intervals ---------------------------------------------------------------------------- */

/* Were records lost between the two times? */
static inline bool is_lost(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	size_t i;

	if (!o->n_lost)
		return false;
	/* The first that ends after from; ranges do not overlap. */
	i = bisect(k, 0, o->n_lost, o->lost[k].to_ns > from_ns);
	return i < o->n_lost && o->lost[i].from_ns < to_ns;
}

static bool is_wanted_length(const struct switches_opts *o, uint64_t ns)
{
	return ns >= o->min_ns && (!o->max_ns || ns <= o->max_ns);
}

/* Cuts to the time that is wanted; false if nothing is left. */
static inline bool cut_to_wanted(const struct switches_opts *o, struct time_range *when)
{
	if (when->from_ns < o->wanted.from_ns)
		when->from_ns = o->wanted.from_ns;
	if (when->to_ns > o->wanted.to_ns)
		when->to_ns = o->wanted.to_ns;
	return when->from_ns < when->to_ns;
}

static void emit(const struct switches_joiner *j, const struct switch_ref *row,
	const struct switches_thread *woken, struct time_range when, bool again)
{
	uint64_t duration_ns = when.to_ns - when.from_ns;
	struct switches_waker wakers[SWITCHES_WAKERS_MAX];
	unsigned n = woken ? woken->n_wakers : 0, i;

	for (i = 0; i < n; i++) {
		const struct switches_wake *w = &woken->wakers[i];

		wakers[i] = (struct switches_waker){ &j->logs[w->log].classes[w->class], w->log };
	}
	if (row->sum && !n) {
		row->sum->duration_ns = saturated_add(row->sum->duration_ns, duration_ns);
		row->sum->intervals += !again;
		return;
	}
	j->to->emit(j->to->ctx, &(struct switches_interval){
					.class = class_of(j, row),
					.log = row->log,
					.wakers = wakers,
					.n_wakers = n,
					.cpu = row->cpu,
					.from_ns = when.from_ns,
					.duration_ns = duration_ns,
					.again = again,
				});
}

/* The next part of a time, from *range on, that is in a span of its thread; without spans all of
 * it. */
static inline bool next_piece(const struct time_set *inside, struct time_range all, size_t *range,
	struct time_range *piece)
{
	const struct time_range *in;

	*piece = all;
	if (!inside)
		return (*range)++ == 0;
	if (*range == inside->n || inside->range[*range].from_ns >= all.to_ns)
		return false;
	in = &inside->range[(*range)++];
	if (piece->from_ns < in->from_ns)
		piece->from_ns = in->from_ns;
	if (piece->to_ns > in->to_ns)
		piece->to_ns = in->to_ns;
	return true;
}

static inline size_t first_range(const struct time_set *inside, uint64_t from_ns)
{
	return inside ? time_set_after(inside, from_ns) : 0;
}

static void emit_blocked(
	struct switches_joiner *j, const struct switches_thread *t, struct time_range when)
{
	struct time_range piece;
	bool again = false;
	size_t i;

	if (t->out.unwanted || !cut_to_wanted(j->opts, &when))
		return;
	for (i = first_range(t->inside, when.from_ns); next_piece(t->inside, when, &i, &piece);) {
		if (!is_wanted_length(j->opts, piece.to_ns - piece.from_ns))
			continue;
		j->counts->blocked += !again;
		emit(j, &t->out, t->woken ? t : NULL, piece, again);
		again = true;
	}
}

static void drop(
	struct switches_joiner *j, const struct switches_thread *t, uint64_t *count, uint64_t to_ns)
{
	if (t->out.unwanted)
		return;
	++*count;
	j->counts->dropped_ns += to_ns - t->out.time_ns;
}

/* What it ran since it was last emitted, for its last sample. */
static void emit_run(struct switches_joiner *j, struct switches_thread *t, uint64_t to_ns)
{
	struct time_range when = { t->since_ns - t->before_ns, to_ns }, piece;
	size_t i;

	if (!t->ran) {
		t->before_ns += to_ns - t->since_ns;
	} else {
		if (t->last.unwanted || !cut_to_wanted(j->opts, &when))
			when.to_ns = when.from_ns;
		for (i = first_range(t->inside, when.from_ns);
			when.from_ns < when.to_ns && next_piece(t->inside, when, &i, &piece);) {
			emit(j, &t->last, NULL, piece, t->emitted);
			t->emitted = true;
		}
		t->before_ns = 0;
	}
	t->since_ns = to_ns;
}

/* ---- what rows do to threads -------------------------------------------------------------- */

static inline void set_on_cpu(
	const struct switches_joiner *j, struct switches_thread *t, uint64_t at_ns)
{
	if (j->has_samples && (t->off || !t->seen))
		t->since_ns = at_ns;
	t->off = false;
	t->seen = true;
}

/* It is known to be back. */
static inline void come_back(struct switches_joiner *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off && is_lost(j->opts, t->out.time_ns, at_ns))
		drop(j, t, &j->counts->lost, at_ns);
	else if (t->off)
		emit_blocked(j, t, (struct time_range){ t->out.time_ns, at_ns });
	set_on_cpu(j, t, at_ns);
}

/* It is on its CPU: where it was off, it is not known when it came back. */
static inline void end_unseen(struct switches_joiner *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off)
		drop(j, t, &j->counts->unended, at_ns);
	set_on_cpu(j, t, at_ns);
}

static inline void leave(struct switches_joiner *j, struct switches_thread *t,
	const struct switch_ref *row, uint64_t at_ns, bool for_good)
{
	end_unseen(j, t, at_ns);
	if (j->has_samples)
		emit_run(j, t, at_ns);
	t->off = t->seen = !for_good;
	t->woken = false;
	if (j->opts->n_wakers && class_of(j, row)->state != STATE_PREEMPTED)
		t->n_wakers = 0;
	t->out = *row;
	t->out.time_ns = at_ns;
}

static void run(struct switches_joiner *j, struct switches_thread *t, const struct switch_ref *row,
	uint64_t at_ns)
{
	end_unseen(j, t, at_ns);
	t->ran = true;
	t->emitted = false;
	t->last = *row;
	emit_run(j, t, at_ns);
}

static void add_wake(struct switches_thread *t, const struct switches_wake *w)
{
	t->wakers[t->n_wakers++] = *w;
}

/* by: who did, as far as it matters who woke that one; NULL: not at all. */
static void wake(const struct switches_joiner *j, struct switches_thread *t,
	const struct switches_thread *by, const struct switch_ref *row, uint64_t at_ns)
{
	unsigned i;

	if (!t->off || t->woken)
		return;
	t->woken = true;
	t->n_wakers = 0;
	if (!t->wakers)
		t->wakers = xcalloc(j->opts->n_wakers + 1, sizeof(*t->wakers));
	add_wake(t, &(struct switches_wake){ at_ns, row->class, row->log });
	for (i = 0; by && i < by->n_wakers && t->n_wakers < j->opts->n_wakers &&
		    by->wakers[i].time_ns >= t->out.time_ns;
		i++)
		add_wake(t, &by->wakers[i]);
}

/* ---- rows --------------------------------------------------------------------------------- */

static void look_up(struct switches_joiner *j, struct cached_transition *c, uint64_t key,
	uint32_t log, uint64_t at_ns)
{
	union switch_transition t = j->logs[log].transitions[(uint32_t)(key - 1)];
	const struct switch_class *class = &j->logs[log].classes[t.class];
	struct switch_sum *sums = j->to->sums ? j->to->sums[log] : NULL;

	c->key = key;
	c->kind = class->kind;
	c->for_good = class->state == STATE_ENDED;
	c->row = (struct switch_ref){ at_ns, t.class, log, class->thread == SWITCH_NO_THREAD, t.cpu,
		sums ? &sums[t.class] : NULL };
	c->who = c->other = NO_THREAD;
	if (c->kind != SWITCH_WAKE ||
		(j->opts->n_wakers > 1 && class->state != SWITCH_BY_INTERRUPT))
		c->who = find_thread(j, class->tid, &c->row);
	if (c->kind == SWITCH_WAKE || c->kind == SWITCH_OUT)
		c->other = find_thread(j, (int32_t)t.other_tid, &c->row);
}

static void join_wake(struct switches_joiner *j, const struct cached_transition *c, uint64_t at_ns)
{
	if (c->other != NO_THREAD)
		wake(j, &j->threads[c->other], c->who != NO_THREAD ? &j->threads[c->who] : NULL,
			&c->row, at_ns);
}

static inline void join_row(
	struct switches_joiner *j, const struct cached_transition *c, uint64_t at_ns)
{
	if (c->kind == SWITCH_WAKE) {
		join_wake(j, c, at_ns);
		return;
	}
	if (c->who != NO_THREAD) {
		struct switches_thread *t = &j->threads[c->who];

		if (c->kind == SWITCH_OUT)
			leave(j, t, &c->row, at_ns, c->for_good);
		else if (c->kind == SWITCH_IN)
			come_back(j, t, at_ns);
		else
			run(j, t, &c->row, at_ns);
	}
	if (c->other != NO_THREAD)
		come_back(j, &j->threads[c->other], at_ns);
}

static void join_batch(struct switches_joiner *j, const struct switch_batch *b)
{
	const struct switch_row *rows = j->logs[b->log].rows;
	const uint64_t first_key = ((uint64_t)b->log << 32) + 1;
	const uint32_t first_slot = b->log * (CACHE_SLOTS / j->n_logs);
	uint64_t at_ns = 0;
	uint32_t i;

	for (i = b->from; i < b->to; i++) {
		uint64_t key = first_key + rows[i].transition;
		struct cached_transition *c =
			&j->cache[(first_slot + rows[i].transition) % CACHE_SLOTS];

		at_ns = b->begin_ns + rows[i].after_ns;
		if (c->key != key)
			look_up(j, c, key, b->log, at_ns);
		join_row(j, c, at_ns);
	}
	j->last_ns = at_ns;
}

static void join_rows(struct switches_joiner *j, const struct switch_merge_window *window)
{
	struct switch_batch b;
	struct switch_merge m;

	j->cache = xcalloc(CACHE_SLOTS, sizeof(*j->cache));
	switch_merge_init(&m, j->logs, j->n_logs, window);
	while (switch_merge_next(&m, &b))
		join_batch(j, &b);
	switch_merge_release(&m);
	free(j->cache);
}

static struct switches_joiner joiner_of(struct switch_log *logs, unsigned n,
	const struct switches_opts *o, struct switches_counts *counts)
{
	struct switches_joiner j = { .opts = o, .logs = logs, .n_logs = n, .counts = counts };
	unsigned i;

	for (i = 0; i < n; i++)
		j.has_samples |= logs[i].kinds >> SWITCH_RAN & 1;
	*counts = (struct switches_counts){ 0 };
	return j;
}

static void joiner_release(struct switches_joiner *j)
{
	uint32_t i;

	for (i = 0; i < j->n_threads; i++)
		free(j->threads[i].wakers);
	free(j->threads);
	index_release(&j->by_tid);
}

static void finish(struct switches_joiner *j)
{
	uint32_t i;

	for (i = 0; i < j->n_threads; i++) {
		struct switches_thread *t = &j->threads[i];

		if (t->off)
			j->counts->open += !t->out.unwanted;
		else if (t->seen && j->has_samples)
			emit_run(j, t, j->last_ns);
	}
	joiner_release(j);
}

void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, const struct switches_sink *to)
{
	struct switches_joiner j = joiner_of(logs, n, o, counts);

	j.to = to;
	join_rows(&j, &(struct switch_merge_window){ .to_the_end = true });
	finish(&j);
}

/* ---- parts -------------------------------------------------------------------------------- */

enum { LOOKS = 256 /* at each log, to see how its rows are spread over time */ };

struct switches_parts {
	struct switch_log *logs; /* borrowed */
	unsigned n_logs, n;
	const struct switches_opts *opts; /* borrowed */
	struct switches_part {
		struct switch_merge_window window;
		struct switches_joiner joiner; /* as if there had been nothing before */
		struct switches_counts counts;
	} * part;
};

static int compare_numbers(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* Times of rows spread about evenly among all, sorted. */
static size_t sample_times(const struct switch_log *logs, unsigned n, uint64_t *times)
{
	size_t n_times = 0, i, k, rows = 0;

	for (i = 0; i < n; i++)
		rows += logs[i].n;
	for (i = 0; i < n; i++)
		for (k = 0; k < logs[i].n; k += rows / LOOKS + 1)
			times[n_times++] = logs[i].runs[switch_log_run_of(&logs[i], k)].begin_ns +
					   logs[i].rows[k].after_ns;
	if (n_times)
		qsort(times, n_times, sizeof(*times), compare_numbers);
	return n_times;
}

static void cut(struct switches_parts *p)
{
	uint64_t *times = xcalloc(LOOKS + p->n_logs, sizeof(*times)), from_ns = 0;
	size_t n_times = sample_times(p->logs, p->n_logs, times);
	unsigned i;

	for (i = 0; i < p->n; i++) {
		struct switches_part *part = &p->part[i];

		part->window = (struct switch_merge_window){ .from_ns = from_ns };
		part->window.to_the_end = i + 1 == p->n || !n_times;
		if (!part->window.to_the_end)
			from_ns = part->window.to_ns = times[n_times * (i + 1) / p->n];
		part->joiner = joiner_of(p->logs, p->n_logs, p->opts, &part->counts);
		if (part->window.to_the_end)
			p->n = i + 1;
	}
	free(times);
}

struct switches_parts *switches_cut(
	struct switch_log *logs, unsigned n, const struct switches_opts *o, unsigned n_parts)
{
	struct switches_parts *p;
	unsigned i;

	for (i = 0; i < n; i++)
		if (logs[i].kinds & ~(1u << SWITCH_OUT | 1u << SWITCH_IN))
			return NULL;
	switch_merge_sort_logs(logs, n);
	p = xcalloc(1, sizeof(*p));
	*p = (struct switches_parts){ logs, n, n_parts ? n_parts : 1, o, NULL };
	p->part = xcalloc(p->n, sizeof(*p->part));
	cut(p);
	return p;
}

unsigned switches_part_count(const struct switches_parts *p)
{
	return p->n;
}

void switches_join_part(struct switches_parts *p, unsigned part, const struct switches_sink *to)
{
	p->part[part].joiner.to = to;
	join_rows(&p->part[part].joiner, &p->part[part].window);
}

/* The first row in the part ends what began before the part; from there on the part knows all. */
static void continue_thread(struct switches_joiner *whole, const struct switches_thread *t)
{
	const struct switch_class *class = class_of(whole, &t->first);
	uint32_t number = find_thread(whole, t->tid, &t->first);
	struct switches_thread *before = &whole->threads[number];

	if (class->kind == SWITCH_OUT && class->tid == t->tid)
		leave(whole, before, &t->first, t->first.time_ns, class->state == STATE_ENDED);
	else
		come_back(whole, before, t->first.time_ns);
	before->off = t->off;
	before->seen = t->seen;
	before->out = t->out;
}

static void add_counts(struct switches_counts *to, const struct switches_counts *c)
{
	to->blocked += c->blocked;
	to->lost += c->lost;
	to->unended += c->unended;
	to->open += c->open;
	to->dropped_ns += c->dropped_ns;
}

void switches_join_ends(
	struct switches_parts *p, struct switches_counts *counts, const struct switches_sink *to)
{
	struct switches_joiner whole = joiner_of(p->logs, p->n_logs, p->opts, counts);
	unsigned i;
	uint32_t k;

	whole.to = to;
	for (i = 0; i < p->n; i++) {
		struct switches_part *part = &p->part[i];

		for (k = 0; k < part->joiner.n_threads; k++)
			continue_thread(&whole, &part->joiner.threads[k]);
		add_counts(counts, &part->counts);
		joiner_release(&part->joiner);
	}
	finish(&whole);
	free(p->part);
	free(p);
}
