#include "trace/switches.h"

#include "base/hash.h"
#include "base/index.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/bisect.h"
#include "trace/switch_merge.h"

#include <stdlib.h>

enum { WHATS_MAX = 1 << 28 };

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

uint32_t switch_log_add_class(struct switch_log *l, const struct switch_class *what)
{
	if (l->n_classes == WHATS_MAX)
		return SWITCH_NO_CLASS;
	ARRAY_GROW(l->classes, l->n_classes, l->cap_classes);
	l->kinds |= 1u << what->kind;
	l->classes[l->n_classes] = *what;
	return l->n_classes++;
}

void switch_log_begin_stretch(struct switch_log *l, size_t row, uint64_t begin_ns)
{
	ARRAY_GROW(l->stretches, l->n_stretches, l->cap_stretches);
	l->stretches[l->n_stretches++] = (struct switch_stretch){ begin_ns, (uint32_t)row };
	l->begin_ns = begin_ns;
}

/* From now on there is a scene for each number in recent. */
static void begin_scenes(struct switch_log *l, uint32_t what, const struct switch_seen *s)
{
	l->recent = xcalloc((size_t)1 << SWITCH_RECENT_BITS, sizeof(*l->recent));
	switch_log_add_scene(l, switch_scene_of(what, s->other_tid, s->cpu));
}

void switch_log_make_room(struct switch_log *l, uint32_t what, const struct switch_seen *s)
{
	struct switch_log_point last, next = { .time_ns = s->time_ns };
	bool backward = false;

	ARRAY_GROW_FAR(l->rows, l->n, l->cap, SIZE_MAX);
	if (!l->recent)
		begin_scenes(l, what, s);
	if (l->n) {
		last = switch_log_point(l, l->begin_ns, l->n - 1);
		next.scene = switch_log_scene(l, switch_scene_of(what, s->other_tid, s->cpu));
		backward = switch_merge_is_after(l, &last, l, &next);
		if (!backward && s->time_ns - l->begin_ns <= UINT32_MAX)
			return;
	}
	l->n_backward += backward;
	switch_log_begin_stretch(l, l->n, s->time_ns);
}

uint32_t switch_log_add_scene(struct switch_log *l, union switch_scene scene)
{
	ARRAY_GROW(l->scenes, l->n_scenes, l->cap_scenes);
	l->scenes[l->n_scenes] = scene;
	return l->n_scenes++;
}

void switch_log_set_high(struct switch_log *l, size_t row, uint16_t high)
{
	/* From here on all rows have one; those before have 0. */
	if (!l->high)
		l->high = xcalloc(l->cap_high = l->cap, sizeof(*l->high));
	else if (l->cap_high < l->cap)
		l->high = xreallocarray(l->high, l->cap_high = l->cap, sizeof(*l->high));
	l->high[row] = high;
}

void switch_log_set_class(struct switch_log *l, size_t row, uint32_t what)
{
	union switch_scene s = l->scenes[switch_log_scene_at(l, row)];

	s.what = what;
	switch_log_set_scene(l, row, switch_log_scene(l, s));
}

size_t switch_log_stretch(const struct switch_log *l, size_t row)
{
	return bisect(i, 0, l->n_stretches, l->stretches[i].row > row) - 1;
}

size_t switch_log_stretch_end(const struct switch_log *l, size_t stretch)
{
	return stretch + 1 < l->n_stretches ? l->stretches[stretch + 1].row : l->n;
}

void switch_log_release(struct switch_log *l)
{
	free(l->rows);
	free(l->high);
	free(l->classes);
	free(l->scenes);
	free(l->recent);
	free(l->stretches);
	*l = (struct switch_log){ 0 };
}

/* ---- the threads -------------------------------------------------------------------------- */

/* A row of a log. */
struct row_at {
	uint64_t time_ns;
	uint64_t what : 28;
	uint64_t log : 22;     /* there are no more workers than threads */
	uint64_t unwanted : 1; /* nobody asks for its thread */
	int64_t cpu : 13;
	struct switch_sum *sum; /* of what; NULL: its pieces are taken one by one */
};

_Static_assert(sizeof(struct row_at) == 24, "one is copied for each row");
_Static_assert(SWITCH_TIDS_MAX <= 1 << 22, "a log has room");

/* What every row looks at comes first. */
struct switches_thread {
	int32_t tid;
	bool off, seen;      /* it is off its processor; something is known of it */
	bool woken, ran;     /* the rows below are there: waker; last */
	bool told;           /* some of its running was told */
	struct row_at out;   /* if it is off: the row that says so */
	struct row_at waker; /* the first that woke it since */
	struct row_at last;  /* its last sample while it ran */
	uint64_t since_ns;   /* since when it is on its processor and not told of */
	uint64_t before_ns;  /* how long it ran before its first sample */
	struct row_at first; /* that sample */
};

enum { NO_THREAD = UINT32_MAX };

/* A scene as the join sees it: looked up once for thousands of rows. */
struct scene_seen {
	uint64_t key;        /* 0: none */
	uint32_t who, other; /* numbers of threads; NO_THREAD: not in this share */
	uint8_t kind;
	bool for_good; /* the thread that leaves has ended */
	struct row_at at;
};

enum { SEEN_SLOTS = 1024 };

struct join {
	const struct switches_opts *opts;
	bool shared; /* one of several: threads outside this share are left out */
	bool runs;   /* running is told, too */
	struct switch_log *logs;
	unsigned n_logs;
	struct switches_counts *counts;
	const struct switches_sink *to;
	struct switches_thread *threads;
	uint32_t n_threads, cap_threads;
	uint64_t last_ns;
	struct index by_tid;
	struct scene_seen *seen; /* recent scenes, by number; SEEN_SLOTS of them */
};

static const struct switch_class *what_of(const struct join *j, const struct row_at *at)
{
	return &j->logs[at->log].classes[at->what];
}

/* The number of a thread that a row tells of. */
static uint32_t find_thread(struct join *j, int32_t tid, const struct row_at *at)
{
	uint64_t hash = hash_u64((uint32_t)tid);
	struct index_cursor c;
	uint32_t i;

	index_for_each (&j->by_tid, hash, c, i)
		if (j->threads[i].tid == tid)
			return i;
	ARRAY_GROW(j->threads, j->n_threads, j->cap_threads);
	j->threads[j->n_threads] = (struct switches_thread){ .tid = tid, .first = *at };
	index_add(&j->by_tid, hash, j->n_threads);
	return j->n_threads++;
}

/* ---- pieces ------------------------------------------------------------------------------- */

static bool is_lost_between(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	/* The first that ends after from; ranges do not overlap. */
	size_t low = bisect(i, 0, o->n_lost, o->lost[i].to_ns > from_ns);

	return low < o->n_lost && o->lost[low].from_ns < to_ns;
}

/* Were records lost between the two times? */
static inline bool is_lost(const struct switches_opts *o, uint64_t from_ns, uint64_t to_ns)
{
	return o->n_lost && is_lost_between(o, from_ns, to_ns);
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

static __attribute__((noinline)) void hand_over(const struct join *j, const struct row_at *at,
	const struct row_at *waker, struct time_range when, bool again)
{
	j->to->take(j->to->ctx, &(struct switches_interval){
					.what = what_of(j, at),
					.log = at->log,
					.waker = waker ? what_of(j, waker) : NULL,
					.waker_log = waker ? waker->log : 0,
					.cpu = at->cpu,
					.from_ns = when.from_ns,
					.duration_ns = when.to_ns - when.from_ns,
					.again = again,
				});
}

static inline void tell(const struct join *j, const struct row_at *at, const struct row_at *waker,
	struct time_range when, bool again)
{
	if (!at->sum || waker) {
		hand_over(j, at, waker, when, again);
		return;
	}
	at->sum->duration_ns = saturated_add(at->sum->duration_ns, when.to_ns - when.from_ns);
	at->sum->pieces += !again;
}

static void drop(struct join *j, const struct switches_thread *t, uint64_t *count, uint64_t to_ns)
{
	if (t->out.unwanted)
		return;
	++*count;
	j->counts->dropped_ns += to_ns - t->out.time_ns;
}

/* It is seen on its processor. */
static inline void be_seen(const struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (j->runs && (t->off || !t->seen))
		t->since_ns = at_ns;
	t->off = false;
	t->seen = true;
}

static inline void tell_blocked(
	struct join *j, const struct switches_thread *t, struct time_range when)
{
	if (t->out.unwanted || !cut_to_wanted(j->opts, &when) ||
		!is_wanted_length(j->opts, when.to_ns - when.from_ns))
		return;
	j->counts->blocked++;
	tell(j, &t->out, t->woken ? &t->waker : NULL, when, false);
}

/* It is known to be back. */
static inline __attribute__((always_inline)) void come_back(
	struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off && is_lost(j->opts, t->out.time_ns, at_ns))
		drop(j, t, &j->counts->lost, at_ns);
	else if (t->off)
		tell_blocked(j, t, (struct time_range){ t->out.time_ns, at_ns });
	be_seen(j, t, at_ns);
}

/* It runs though it was away: when it came back is not known. */
static inline void be_there(struct join *j, struct switches_thread *t, uint64_t at_ns)
{
	if (t->off)
		drop(j, t, &j->counts->unended, at_ns);
	be_seen(j, t, at_ns);
}

/* Tells what it has run since then, up to the last sample. */
static void tell_run(struct join *j, struct switches_thread *t, uint64_t to_ns)
{
	struct time_range when = { t->since_ns - t->before_ns, to_ns };

	if (!t->ran) {
		t->before_ns += to_ns - t->since_ns;
	} else {
		if (!t->last.unwanted && cut_to_wanted(j->opts, &when)) {
			tell(j, &t->last, NULL, when, t->told);
			t->told = true;
		}
		t->before_ns = 0;
	}
	t->since_ns = to_ns;
}

static inline __attribute__((always_inline)) void leave(struct join *j, struct switches_thread *t,
	const struct row_at *at, uint64_t at_ns, bool for_good)
{
	be_there(j, t, at_ns);
	if (j->runs)
		tell_run(j, t, at_ns);
	t->off = t->seen = !for_good;
	t->woken = false;
	t->out = *at;
	t->out.time_ns = at_ns;
}

static void run(struct join *j, struct switches_thread *t, const struct row_at *at, uint64_t at_ns)
{
	be_there(j, t, at_ns);
	t->ran = true;
	t->told = false;
	t->last = *at;
	tell_run(j, t, at_ns);
}

static void wake(struct switches_thread *t, const struct row_at *at)
{
	if (!t->off || t->woken)
		return;
	t->woken = true;
	t->waker = *at;
}

/* ---- rows --------------------------------------------------------------------------------- */

static uint32_t find_mine(struct join *j, int32_t tid, const struct row_at *at)
{
	if (tid <= 0 || (j->shared && (uint32_t)tid % j->opts->shares != j->opts->share))
		return NO_THREAD;
	return find_thread(j, tid, at);
}

static void look_up_scene(
	struct join *j, struct scene_seen *s, uint64_t key, uint32_t log, uint64_t at_ns)
{
	union switch_scene scene = j->logs[log].scenes[(uint32_t)(key - 1)];
	const struct switch_class *what = &j->logs[log].classes[scene.what];
	struct switch_sum *sums = j->to->sums ? j->to->sums[log] : NULL;

	s->key = key;
	s->kind = what->kind;
	s->for_good = what->state == STATE_ENDED;
	s->at = (struct row_at){ at_ns, scene.what, log, what->thread == UINT32_MAX, scene.cpu,
		sums ? &sums[scene.what] : NULL };
	s->who = s->other = NO_THREAD;
	if (s->kind != SWITCH_WAKE)
		s->who = find_mine(j, what->tid, &s->at);
	if (s->kind == SWITCH_WAKE || s->kind == SWITCH_OUT)
		s->other = find_mine(j, (int32_t)scene.other_tid, &s->at);
}

static inline void take_row(struct join *j, const struct scene_seen *s, uint64_t at_ns)
{
	if (s->who != NO_THREAD) {
		struct switches_thread *t = &j->threads[s->who];

		if (s->kind == SWITCH_OUT)
			leave(j, t, &s->at, at_ns, s->for_good);
		else if (s->kind == SWITCH_IN)
			come_back(j, t, at_ns);
		else
			run(j, t, &s->at, at_ns);
	}
	if (s->other != NO_THREAD) {
		struct switches_thread *t = &j->threads[s->other];

		if (s->kind == SWITCH_OUT)
			come_back(j, t, at_ns);
		else
			wake(t, &s->at);
	}
}

static void take_batch(struct join *j, const struct switch_merge_batch *b)
{
	const struct switch_log l = j->logs[b->log]; /* a copy is known not to change */
	const uint64_t first_key = ((uint64_t)b->log << 32) + 1;
	const uint32_t first_slot = b->log * (SEEN_SLOTS / j->n_logs);
	uint64_t at_ns = 0;
	uint32_t i;

	for (i = b->from; i < b->to; i++) {
		uint32_t scene = switch_log_scene_at(&l, i);
		struct scene_seen *s = &j->seen[(first_slot + scene) % SEEN_SLOTS];

		at_ns = b->begin_ns + l.rows[i].after_ns;
		if (s->key != first_key + scene)
			look_up_scene(j, s, first_key + scene, b->log, at_ns);
		take_row(j, s, at_ns);
	}
	j->last_ns = at_ns;
}

static void finish(struct join *j)
{
	uint32_t i;

	for (i = 0; i < j->n_threads; i++) {
		struct switches_thread *t = &j->threads[i];

		if (t->off)
			j->counts->open += !t->out.unwanted;
		else if (t->seen && j->runs)
			tell_run(j, t, j->last_ns);
	}
}

static void take_rows(struct join *j, const struct time_stretch *when)
{
	struct switch_merge_batch b;
	struct switch_merge m;

	j->seen = xcalloc(SEEN_SLOTS, sizeof(*j->seen));
	switch_merge_init(&m, j->logs, j->n_logs, when);
	while (switch_merge_next(&m, &b))
		take_batch(j, &b);
	switch_merge_release(&m);
	free(j->seen);
}

static void release(struct join *j)
{
	free(j->threads);
	index_release(&j->by_tid);
}

static struct join join_of(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts)
{
	struct join j = {
		.opts = o, .shared = o->shares > 1, .logs = logs, .n_logs = n, .counts = counts
	};
	unsigned i;

	for (i = 0; i < n; i++)
		j.runs |= logs[i].kinds >> SWITCH_RAN & 1;
	*counts = (struct switches_counts){ 0 };
	return j;
}

void switches_join(struct switch_log *logs, unsigned n, const struct switches_opts *o,
	struct switches_counts *counts, const struct switches_sink *to)
{
	struct join j = join_of(logs, n, o, counts);

	j.to = to;
	take_rows(&j, &(struct time_stretch){ .to_the_end = true });
	finish(&j);
	release(&j);
}

/* ---- parts -------------------------------------------------------------------------------- */

enum { LOOKS = 256 /* at each log, to see how its rows lie in time */ };

struct switches_parts {
	struct switch_log *logs; /* borrowed */
	unsigned n_logs, n;
	const struct switches_opts *opts; /* borrowed */
	struct part {
		struct time_stretch when;
		struct join join; /* as if there had been nothing before */
		struct switches_counts counts;
	} * part;
};

static int compare_times(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

static uint64_t time_of_row(const struct switch_log *l, size_t row)
{
	return l->stretches[switch_log_stretch(l, row)].begin_ns + l->rows[row].after_ns;
}

/* Times of rows that lie about evenly among all, sorted. */
static size_t look_at_times(const struct switch_log *logs, unsigned n, uint64_t *times)
{
	size_t n_times = 0, i, k, rows = 0;

	for (i = 0; i < n; i++)
		rows += logs[i].n;
	for (i = 0; i < n; i++)
		for (k = 0; k < logs[i].n; k += rows / LOOKS + 1)
			times[n_times++] = time_of_row(&logs[i], k);
	if (n_times)
		qsort(times, n_times, sizeof(*times), compare_times);
	return n_times;
}

static void cut(struct switches_parts *p)
{
	uint64_t *times = xcalloc(LOOKS + p->n_logs, sizeof(*times)), from_ns = 0;
	size_t n_times = look_at_times(p->logs, p->n_logs, times);
	unsigned i;

	for (i = 0; i < p->n; i++) {
		struct part *part = &p->part[i];

		part->when = (struct time_stretch){ .from_ns = from_ns };
		part->when.to_the_end = i + 1 == p->n || !n_times;
		if (!part->when.to_the_end)
			from_ns = part->when.to_ns = times[n_times * (i + 1) / p->n];
		part->join = join_of(p->logs, p->n_logs, p->opts, &part->counts);
		if (part->when.to_the_end)
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
	struct part *of = &p->part[part];

	of->join.to = to;
	take_rows(&of->join, &of->when);
}

/* The first row in the part ends what began before the part; from there on the part knows all. */
static void go_on(struct join *whole, const struct switches_thread *t)
{
	const struct switch_class *what = what_of(whole, &t->first);
	uint32_t number = find_thread(whole, t->tid, &t->first);
	struct switches_thread *before = &whole->threads[number];

	if (what->kind == SWITCH_OUT && what->tid == t->tid)
		leave(whole, before, &t->first, t->first.time_ns, what->state == STATE_ENDED);
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
	struct join whole = join_of(p->logs, p->n_logs, p->opts, counts);
	unsigned i;
	uint32_t k;

	whole.to = to;
	for (i = 0; i < p->n; i++) {
		struct part *part = &p->part[i];

		for (k = 0; k < part->join.n_threads; k++)
			go_on(&whole, &part->join.threads[k]);
		add_counts(counts, &part->counts);
		release(&part->join);
	}
	finish(&whole);
	release(&whole);
	free(p->part);
	free(p);
}
